//! Kills the browser at random moments, with two tabs open on one conversation, and holds what it
//! kept against what a person did and saw.
//!
//! Where to start:
//! 1. [`run`]: one profile, killed and opened again many times.
//! 2. `person`: what is done in the two tabs; `memory`: what was done, and what the page showed of it.
//! 3. `kept`: what the browser keeps, read past the page; `check`: what must hold of it.

mod check;
mod fuse;
mod goods;
mod kept;
mod memory;
mod person;
mod seen;
mod tally;

pub use tally::Tally;

use std::panic::{AssertUnwindSafe, resume_unwind};

use fastrand::Rng;
use futures::FutureExt;
use tempfile::TempDir;

use crate::browser::{Browser, Engine};
use crate::files;
use crate::proxy::Proxy;

use check::{of_kept, of_rest};
use fuse::{Charge, Fuse};
use goods::Goods;
use kept::Kept;
use memory::Memory;
use person::Person;

/// After so many kills a new conversation begins: a long one takes long to draw.
const KILLS_PER_CONVERSATION: u64 = 15;

/// Kills the browser so many times, between acts and at moments that are drawn from the seed. Two
/// runs of a seed do the same as far as two browsers do.
///
/// # Panics
///
/// Something was lost, came twice or is stuck. Before that it is said how to try it again.
pub async fn run(seed: u64, kills: u64) -> Tally {
    let mut household = Household::new(seed);
    for life in 0..=kills {
        let lived = AssertUnwindSafe(household.live(life, life < kills)).catch_unwind().await;
        if let Err(why) = lived {
            eprintln!("in the life after {life} kills; to try it again:");
            eprintln!("cargo run -p e2e --bin kills -- --seed {seed} --kills {}", life + 1);
            resume_unwind(why);
        }
    }
    household.tally
}

/// One household: a proxy, a profile, and what the person remembers.
struct Household {
    seed: u64,
    proxy: Proxy,
    profile: TempDir,
    memory: Memory,
    goods: Goods,
    tally: Tally,
}

impl Household {
    fn new(seed: u64) -> Self {
        Self {
            seed,
            proxy: Proxy::start(None),
            profile: TempDir::with_prefix("kills-").expect("a folder for the profile"),
            memory: Memory::default(),
            goods: Goods::default(),
            tally: Tally::default(),
        }
    }

    /// The browser's life from its start to its kill, or to an end in peace.
    async fn live(&mut self, life: u64, dies: bool) {
        let mut draw = Rng::with_seed(self.seed.wrapping_mul(1 << 20).wrapping_add(life));
        let (fuse, charge) = if dies { Fuse::draw(&mut draw) } else { Fuse::never() };
        let browser = Browser::open(Engine::Chromium, self.profile.path()).await;
        self.find_what_was_left(&browser).await;
        let address = self.proxy.address();
        let began = self.tally.checks;
        let mut person = Person::new(&browser, draw, fuse, &mut self.memory, &mut self.goods);
        let living = async {
            let [seen, _] = person.open(&address).await;
            check(&browser, &mut person, &mut self.tally).await;
            // Two tabs that open before anything was said begin a conversation each.
            if seen.said.is_empty() || life.is_multiple_of(KILLS_PER_CONVERSATION) {
                person.begin_anew(&address).await;
            }
            if dies {
                person.act_on().await;
            }
            person.come_to_an_end().await;
            check(&browser, &mut person, &mut self.tally).await;
        };
        live_until_killed(living, charge, &browser).await;
        (self.tally.acts, self.tally.told_to_go_on) =
            (self.tally.acts + person.acts, self.tally.told_to_go_on + person.told_to_go_on);
        if dies {
            let opening = self.tally.checks == began;
            self.tally.kill(opening, self.memory.is_busy, &self.memory.under_way());
        }
    }

    /// What must hold of what is kept however the browser ended, before the page sees it.
    async fn find_what_was_left(&mut self, browser: &Browser) {
        // What the proxy answers here is of the page's origin and runs nothing.
        let nowhere = format!("{}nothing", self.proxy.address());
        browser.client().goto(&nowhere).await.expect("the proxy answers");
        let kept = Kept::read(browser.client()).await;
        assert_none(&of_kept(&kept, &self.memory));
        self.memory.learn_kept(&kept);
        self.tally.half_way += usize::from(kept.is_half_way());
        self.tally.to_run += kept.to_run().len();
        self.tally.waiting += kept.waiting().len();
    }
}

/// Lives until the end or the kill. A failure leaves a picture of the page.
async fn live_until_killed(living: impl Future<Output = ()>, charge: Charge, browser: &Browser) {
    let processes = browser.processes();
    let lived = tokio::select! {
        biased;
        () = charge.kill(&processes) => Ok(()),
        lived = AssertUnwindSafe(living).catch_unwind() => lived,
    };
    if let Err(failure) = lived {
        let picture = browser.client().screenshot().await;
        // A picture explains a failure; that it cannot be had must not hide the failure.
        if let Ok(picture) = picture {
            let _ = std::fs::write(files::pictures("e2e").join("kills.png"), picture);
        }
        resume_unwind(failure);
    }
}

/// Checks everything, once it rests, and learns what became of what was under way at the kill.
async fn check(browser: &Browser, person: &mut Person<'_>, tally: &mut Tally) {
    let seen = person.rest().await;
    let kept = Kept::read(browser.client()).await;
    assert_none(&of_rest(&kept, person.memory, &seen));
    person.memory.learn_kept(&kept);
    tally.lose(&person.memory.settle(&kept));
    tally.check(kept.rows.len(), kept.changes.len());
    assert_none(&browser.complaints().await);
}

#[track_caller]
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
