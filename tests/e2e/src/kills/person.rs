//! A person with two tabs open on one conversation, and what they do in them.
//!
//! Controls are found by their words here and not by their computed roles, which takes a browser
//! many answers: what is pressed must be pressed soon after it was seen.

use agent::approval::Outcome;
use fantoccini::elements::Element;
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, Locator};
use fastrand::Rng;
use serde_json::json;

use crate::browser::Browser;
use crate::kills::fuse::Fuse;
use crate::kills::goods::Goods;
use crate::kills::memory::{Deed, Memory};
use crate::kills::seen::Seen;
use crate::until::until;

const MESSAGE: &str = "//textarea[@aria-label='Message']";
const ENTER: &str = "\u{E007}";
/// How many things may be on the list before more is taken off than added.
const LIST_LONG: usize = 8;
/// How long a person looks before they press a button again that did nothing.
const LOOKS: u32 = 20;
/// Brings what is out of sight, or below something else, before a person's eyes.
const SHOW: &str = "const button = arguments[0], it = button.getBoundingClientRect(); \
    const seen = document.elementFromPoint(it.x + it.width / 2, it.y + it.height / 2); \
    if (!button.contains(seen)) button.scrollIntoView({ block: 'center' })";

/// Something a person can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Propose(usize),
    TakeOff,
    Read,
    Approve,
    ApproveAll,
    Reject,
    RejectWithReason,
    Reply,
    Add,
    Remove,
    Undo,
    Switch,
}

/// A person, with the page open in two tabs.
pub(super) struct Person<'a> {
    browser: &'a Browser,
    client: &'a Client,
    tabs: Vec<WindowHandle>,
    here: usize,
    draw: Rng,
    fuse: Fuse,
    /// The button of the yes that was pressed last.
    pressed: Option<String>,
    /// What was done, and what the page showed of it.
    pub(super) memory: &'a mut Memory,
    goods: &'a mut Goods,
    /// How much was done.
    pub(super) acts: usize,
    /// How often a run was told to go on.
    pub(super) told_to_go_on: usize,
}

impl<'a> Person<'a> {
    pub(super) fn new(
        browser: &'a Browser,
        draw: Rng,
        fuse: Fuse,
        memory: &'a mut Memory,
        goods: &'a mut Goods,
    ) -> Self {
        Self {
            browser,
            client: browser.client(),
            tabs: Vec::new(),
            here: 0,
            draw,
            fuse,
            pressed: None,
            memory,
            goods,
            acts: 0,
            told_to_go_on: 0,
        }
    }

    /// Opens the page in two tabs, and waits until both rest.
    pub(super) async fn open(&mut self, address: &str) -> [Seen; 2] {
        self.fuse.opens();
        self.tabs.push(self.client.window().await.expect("a tab"));
        self.go(address).await;
        self.tabs.push(self.client.new_window(true).await.expect("another tab").handle);
        self.switch().await;
        self.go(address).await;
        if self.draw.bool() {
            self.switch().await;
        }
        self.rest().await
    }

    /// Begins a new conversation in both tabs, if nothing waits: long ones take long to draw.
    pub(super) async fn begin_anew(&mut self, address: &str) -> [Seen; 2] {
        let seen = self.rest().await;
        if seen.iter().all(|it| it.waiting.is_empty()) {
            self.press("//button[@title='New conversation']", |_| {}).await;
            let text = self.goods.read();
            self.say(MESSAGE, text).await;
            let client = self.client;
            until(client, "an answer in a new conversation", async || {
                self.look().await.filter(|it| it.rests() && it.said.len() == 1)
            })
            .await;
            self.switch().await;
            self.go(address).await;
        }
        self.rest().await
    }

    /// Does one thing after another.
    pub(super) async fn act_on(&mut self) -> ! {
        loop {
            let waits = self.draw.u8(0..5) > 0;
            let seen = if waits { self.quiet().await } else { self.glance().await };
            let act = self.choose(&seen, waits);
            self.act(act, &seen).await;
        }
    }

    /// Answers what waits, and says something that is answered.
    pub(super) async fn come_to_an_end(&mut self) -> [Seen; 2] {
        let mut seen = self.quiet().await;
        while !seen.waiting.is_empty() {
            self.act(Act::Approve, &seen).await;
            seen = self.quiet().await;
        }
        self.act(Act::Read, &seen).await;
        self.quiet().await;
        self.rest().await
    }

    fn choose(&mut self, seen: &Seen, rests: bool) -> Act {
        let waits = seen.waiting.len();
        let mut may = vec![Act::Add, Act::Switch];
        if rests && waits > 0 {
            may.extend([Act::Approve; 4]);
            may.extend([Act::Reject, Act::Reject, Act::Propose(1)]);
            may.extend(if waits == 1 {
                [Act::RejectWithReason, Act::Reply]
            } else {
                [Act::ApproveAll, Act::ApproveAll]
            });
        } else if rests {
            may.extend([Act::Propose(1), Act::Propose(1), Act::Propose(3), Act::Read]);
        }
        if rests && !self.lines(seen).is_empty() {
            may.extend([Act::Remove, Act::TakeOff]);
            let many = if seen.list.len() > LIST_LONG { 4 } else { 0 };
            may.extend(std::iter::repeat_n(Act::TakeOff, many));
        }
        if rests && !seen.undo.is_empty() {
            may.push(Act::Undo);
        }
        self.draw.choice(may).unwrap_or(Act::Switch)
    }

    async fn act(&mut self, act: Act, seen: &Seen) {
        self.acts += 1;
        match act {
            Act::Propose(many) => {
                let text = self.goods.add(many, &mut self.draw);
                self.say(MESSAGE, text).await;
            }
            Act::TakeOff => {
                let lines = self.lines(seen);
                let name = self.one_of(&lines);
                let text = self.goods.take_off(&name);
                self.say(MESSAGE, text).await;
            }
            Act::Read => {
                let text = self.goods.read();
                self.say(MESSAGE, text).await;
            }
            Act::Approve => self.approve(&seen.waiting).await,
            Act::ApproveAll => self.approve_all(&seen.waiting).await,
            Act::Reject => {
                let request = self.one_of(&seen.waiting);
                let no = "normalize-space(.)='Reject' or starts-with(@aria-label,'No, ')";
                self.press(&of(&request, no), |it| it.answer(&request, Outcome::Denied)).await;
            }
            Act::RejectWithReason => self.reject_with_reason(&seen.waiting).await,
            Act::Reply => {
                self.press("//button[normalize-space(.)='Reply']", |_| {}).await;
                let text = self.goods.add(1, &mut self.draw);
                self.say("//textarea[@aria-label='Your reply']", text).await;
            }
            Act::Add => self.add(seen).await,
            Act::Remove => {
                let lines = self.lines(seen);
                let name = self.one_of(&lines);
                let button = format!("//button[@aria-label='Take {name} off the list']");
                self.press(&button, |it| it.change(&name, seen)).await;
            }
            Act::Undo => {
                let name = self.one_of(&seen.undo);
                let list = "//section[@aria-label='Shopping list']";
                let button = format!("{list}//button[normalize-space(.)='Undo {name}']");
                self.press(&button, |it| it.change(&name, seen)).await;
            }
            Act::Switch => self.switch().await,
        }
    }

    async fn say(&mut self, field: &str, text: String) {
        let field = self.awake(field).await;
        field.send_keys(&text).await.expect("a text is typed");
        let waiting = self.glance().await.waiting;
        self.fuse.acts(false);
        self.memory.say(&text, &waiting);
        field.send_keys(ENTER).await.expect("a text is sent");
    }

    async fn add(&mut self, seen: &Seen) {
        let field = self.awake("//input[@id='add-item']").await;
        let name = self.goods.name();
        field.send_keys(&name).await.expect("a name is typed");
        self.fuse.acts(false);
        self.memory.change(&name, seen);
        field.send_keys(ENTER).await.expect("a name is added");
    }

    async fn approve(&mut self, waiting: &[String]) {
        let request = self.one_of(waiting);
        let button = of(
            &request,
            "starts-with(normalize-space(.),'Approve') or starts-with(@aria-label,'Yes, ')",
        );
        self.press(&button, |it| it.answer(&request, Outcome::Approved)).await;
        self.pressed = Some(button);
    }

    async fn approve_all(&mut self, waiting: &[String]) {
        let button = "//button[starts-with(normalize-space(.),'Yes to all')]";
        self.press(button, |it| {
            for request in waiting {
                it.answer(request, Outcome::Approved);
            }
        })
        .await;
        self.pressed = Some(button.to_owned());
    }

    async fn reject_with_reason(&mut self, waiting: &[String]) {
        let request = self.one_of(waiting);
        // What is left of many questions still stands among its answered neighbours.
        let opens = "normalize-space(.)='Reject with a reason' \
            or normalize-space(.)='No to all with a reason'";
        self.press(&format!("//button[{opens}]"), |_| {}).await;
        let field = self.awake("//input[@aria-label='Reason']").await;
        field.send_keys("we have it").await.expect("a reason is typed");
        let button = "//button[normalize-space(.)='Reject, and say this']";
        self.press(button, |it| it.answer(&request, Outcome::Denied)).await;
    }

    /// Presses a button once it can be pressed; what it does is noted just before.
    async fn press(&mut self, button: &str, note: impl Fn(&mut Memory)) {
        let client = self.client;
        until(client, &format!("a press on {button}"), async || {
            let found = self.awake(button).await;
            let before = self.memory.under_way().len();
            note(self.memory);
            let under_way = self.memory.under_way();
            if under_way.len() > before {
                self.fuse.acts(under_way.contains(&Deed::Yes));
            }
            // It may have been drawn anew meanwhile; then nothing was pressed.
            found.click().await.ok()
        })
        .await;
    }

    /// A control that is in sight and can be used.
    async fn awake(&self, path: &str) -> Element {
        until(self.client, path, async || {
            let control = self.client.find(Locator::XPath(path)).await.ok()?;
            self.client.execute(SHOW, vec![serde_json::to_value(&control).ok()?]).await.ok()?;
            let asleep = control.attr("aria-disabled").await.ok()?;
            (asleep.as_deref() != Some("true")).then_some(control)
        })
        .await
    }

    /// Opens the page in this tab.
    async fn go(&mut self, address: &str) {
        self.memory.open(self.here);
        self.client.goto(address).await.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// Looks at the other tab from now on.
    async fn switch(&mut self) {
        self.here = 1 - self.here;
        self.turn_to(self.here).await;
        self.browser.chromium("Page.bringToFront", json!({})).await;
    }

    async fn turn_to(&self, tab: usize) {
        let tab = self.tabs.get(tab).cloned().expect("two tabs are open");
        self.client.switch_to_window(tab).await.expect("the tab is there");
    }

    /// Looks at this tab.
    async fn look(&mut self) -> Option<Seen> {
        let seen = Seen::look(self.client).await?;
        self.memory.learn(self.here, &seen);
        Some(seen)
    }

    async fn glance(&mut self) -> Seen {
        let client = self.client;
        until(client, "a tab", async || self.look().await).await
    }

    /// Looks at both tabs.
    async fn look_at_both(&mut self) -> Option<[Seen; 2]> {
        let here = self.look().await;
        let other = 1 - self.here;
        self.turn_to(other).await;
        let there = Seen::look(self.client).await;
        self.turn_to(self.here).await;
        self.memory.learn(other, there.as_ref()?);
        Some([here?, there?])
    }

    /// Waits until nothing is going on and both tabs show the same. What was interrupted is told to
    /// go on.
    pub(super) async fn rest(&mut self) -> [Seen; 2] {
        let client = self.client;
        until(client, "two tabs at rest", async || {
            let seen = self.look_at_both().await?;
            let [here, there] = &seen;
            if !(here.rests() && there.rests() && here.agrees_with(there)) {
                return None;
            }
            if here.goes_on {
                let on = "//button[normalize-space(.)='Go on' or normalize-space(.)='Try again' \
                    or normalize-space(.)='Send it now']";
                self.client.find(Locator::XPath(on)).await.ok()?.click().await.ok()?;
                self.told_to_go_on += 1;
                return None;
            }
            Some(seen)
        })
        .await
    }

    /// Waits until everything that was done has been taken and both tabs rest. A yes that came too
    /// early for its card is pressed again, as a person would.
    async fn quiet(&mut self) -> Seen {
        let client = self.client;
        let mut looks = 0;
        until(client, "everything taken", async || {
            let [seen, _] = self.rest().await;
            if self.memory.under_way().is_empty() {
                return Some(seen);
            }
            looks += 1;
            if looks % LOOKS == 0
                && let Some(button) = &self.pressed
            {
                let button = self.client.find(Locator::XPath(button)).await.ok()?;
                button.click().await.ok()?;
            }
            None
        })
        .await
    }

    fn one_of(&mut self, all: &[String]) -> String {
        self.draw.choice(all).cloned().expect("there is one to choose")
    }

    /// The names of the lines nothing is proposed for.
    fn lines(&self, seen: &Seen) -> Vec<String> {
        let lines = seen.list.iter().filter(|line| !line.ends_with(Seen::PENCILLED));
        lines.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    }
}

/// The button of a request.
fn of(request: &str, which: &str) -> String {
    format!("//*[@data-request='{request}']//button[{which}]")
}
