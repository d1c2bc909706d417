//! One seed, one schedule: what happens, in which order, up to the point where nothing is left.

mod less;
mod net;
mod odd;
mod opening;
mod outside;
mod settings;
mod tabs;

use std::collections::BTreeSet;
use std::rc::Rc;

use agent::effect::RunEnd;
use agent::event::Event;
use agent::id::RequestId;
use agent::message::Body;
use agent::session::Activity;
use agent::settings::Settings;

use crate::coverage::Coverage;
use crate::database::{Fate, Plan, Slot};
use crate::kind::{Dice, Kind};
use crate::mutant::Mutant;
use crate::person::{self, Sight};
use crate::tab::Tab;
use crate::tools::Update;
use crate::violation::{Checked, Rule, Violation};
use crate::world::{Ids, Kept, World};
use tabs::Sharing;
use wire::protocol::Protocol;

/// Turns in which anything may happen.
const TURNS: usize = 100;

/// Turns, without faults, after which everything must have come to its end.
const CALM_TURNS: usize = 400;

/// Of so many seeds one is held against twins in every step.
const THOROUGH: u32 = 8;

/// Copies that are kept at a time.
const COPIES_MAX: usize = 4;

const HOUR_MS: u64 = 3_600_000;

/// What came of a seed.
#[derive(Debug)]
pub struct Played {
    /// Steps of loops.
    pub steps: u64,
    /// What was met.
    pub coverage: Coverage,
    /// What did not hold, if anything.
    pub violation: Option<Violation>,
}

/// Plays the schedule of a seed.
#[must_use]
pub fn play(seed: u64, mutant: Option<Mutant>) -> Played {
    play_out(Schedule::new(seed, mutant))
}

/// Plays the schedule of a seed and tells everything that happens in it.
#[must_use]
pub fn tell(seed: u64) -> Played {
    let mut schedule = Schedule::new(seed, None);
    schedule.world.talks = true;
    play_out(schedule)
}

fn play_out(mut schedule: Schedule) -> Played {
    let violation = schedule.run().err();
    let mut coverage = schedule.dice.coverage;
    coverage.add(&schedule.world.coverage);
    Played { steps: schedule.world.steps, coverage, violation }
}

struct Schedule {
    world: World,
    dice: Dice,
    settings: Rc<Settings>,
    copies: Vec<Kept>,
    seen: Vec<RequestId>,
    /// Calls of the model that were stopped, whose replies may still come.
    stopped: Vec<(Slot, u64)>,
    /// How the tabs share one conversation, if they do.
    sharing: Option<Sharing>,
    /// For how many turns each tab is frozen.
    frozen: [usize; 2],
    /// The newest version of the page that there is.
    deployed: u32,
    /// Whether each tab waits for another one to make way.
    waits: [bool; 2],
    /// A conversation was left behind: what it had asked is answered by nobody.
    left_behind: bool,
    /// The protocol in which replies come as bytes, if they do.
    protocol: Option<Protocol>,
}

impl Schedule {
    fn new(seed: u64, mutant: Option<Mutant>) -> Self {
        let mut dice = Dice::new(seed);
        let settings = Rc::new(settings::settings(&mut dice));
        let ruled = dice.chance(3).then_some("check_off_item");
        let mut world = World::new(Rc::clone(&settings), ruled, Ids::Fresh, mutant);
        world.thorough = dice.chance(THOROUGH);
        let sharing = tabs::draw(&mut dice);
        world.shared = sharing.is_some();
        let protocol = net::draw(&mut dice);
        Self {
            world,
            dice,
            settings,
            copies: Vec::new(),
            seen: Vec::new(),
            stopped: Vec::new(),
            sharing,
            frozen: [0, 0],
            deployed: 0,
            waits: [false, false],
            left_behind: false,
            protocol,
        }
    }

    fn run(&mut self) -> Checked {
        for _ in 0..TURNS {
            let second = self.world.tabs.get(1).is_some_and(Option::is_some);
            let slot = usize::from(self.dice.chance(if second { 2 } else { 6 }));
            self.turn(slot)?;
        }
        self.dice.calm();
        for _ in 0..CALM_TURNS {
            for slot in [0, 1] {
                self.turn(slot)?;
            }
            if self.is_over() {
                return self.ends();
            }
        }
        Err(Violation { rule: Rule::Live, why: "it does not come to an end".to_owned() })
    }

    fn is_over(&self) -> bool {
        let latest = self.world.latest;
        let done = |(slot, tab): (Slot, &Option<Tab>)| match tab {
            Some(tab) if tab.closed.is_some() => false,
            Some(tab) if self.is_left_alone(slot) => tab.is_at_rest(),
            // What it shows is what was saved last, by whichever tab.
            Some(tab) => is_done(tab) && !(self.world.shared && tab.revision < latest),
            None => true,
        };
        self.world.tabs.iter().enumerate().all(done)
    }

    fn tabs(&self) -> impl Iterator<Item = &Tab> {
        self.world.tabs.iter().flatten()
    }

    fn turn(&mut self, slot: Slot) -> Checked {
        self.clock();
        if self.is_frozen(slot) {
            return Ok(());
        }
        let Some(Some(tab)) = self.world.tabs.get(slot) else { return self.start(slot) };
        if !tab.is_quiet() {
            if self.dice.rolls(Kind::NewerVersion, 200) {
                self.upgrade()?;
            }
            let fate = self.fate(slot);
            let unanswered = matches!(
                fate,
                Fate::UnansweredKept | Fate::UnansweredUndone | Fate::UnansweredLate
            );
            let plan = Plan {
                fate,
                requests: self.requests(slot),
                again: unanswered && self.dice.rolls(Kind::UnansweredAgain, 4),
                unopened: if unanswered { self.failures(Kind::ReopenFails, 3) } else { 0 },
                terminates: self.next(slot) == Some("run") && self.dice.rolls(Kind::Terminates, 25),
            };
            return self.world.work(slot, plan);
        }
        if self.world.is_closed(slot) && (self.dice.is_calm() || self.dice.chance(8)) {
            // Its person does what it asks for: loads the page again.
            self.world.crash(slot);
            return self.start(slot);
        }
        if self.beside(slot)? {
            return Ok(());
        }
        if let Some(checked) = self.outside(slot) {
            return checked;
        }
        let sight = self.sight(slot)?;
        if let Some(checked) = self.odd(slot) {
            return checked;
        }
        if self.world.tab(slot)?.calling.is_some() {
            return self.awaits_model(slot);
        }
        match person::act(&mut self.dice, &sight) {
            Some(Event::Said(text)) => self.world.say(slot, &text),
            Some(Event::Resumed) => match self.world.tab(slot)?.retry() {
                Some(text) => self.world.say(slot, &text),
                None => self.world.tell(slot, Event::Resumed),
            },
            Some(event) => self.world.tell(slot, event),
            None => Ok(()),
        }
    }

    /// What the person sees in a tab, and remembers from now on.
    fn sight(&mut self, slot: Slot) -> Result<Sight, Violation> {
        let session = &self.world.tab(slot)?.session;
        let open: Vec<_> = session.open_requests().map(|request| request.id.clone()).collect();
        let sight = Sight {
            standing: session.standing_approvals().iter().map(|it| it.id.clone()).collect(),
            interrupted: session.activity() == Activity::Interrupted,
            seen: self.seen.clone(),
            open,
        };
        for id in &sight.open {
            if !self.seen.contains(id) {
                self.seen.push(id.clone());
            }
        }
        Ok(sight)
    }

    /// A tab that is frozen does nothing, and goes on later as if nothing had been.
    fn is_frozen(&mut self, slot: Slot) -> bool {
        let longest = if self.dice.rolls(Kind::Frozen, 150) { 30 } else { 0 };
        let length = self.dice.below(longest);
        let calm = self.dice.is_calm();
        let Some(left) = self.frozen.get_mut(slot) else { return false };
        *left = if calm { 0 } else { left.saturating_sub(1).max(length) };
        *left > 0
    }

    /// Time goes by.
    fn clock(&mut self) {
        let drift = self.dice.ms(20_000);
        self.world.passes(drift);
        let wall = self.world.clocks.wall;
        if self.dice.rolls(Kind::ClockForward, 50) {
            // Asleep, or set forward: the other clock stands still.
            let far = if self.dice.chance(2) { 9 * HOUR_MS } else { HOUR_MS / 4 };
            self.world.clocks.wall = wall.plus_ms(self.dice.ms(far));
        }
        if self.dice.rolls(Kind::ClockBack, 120) {
            let back = self.dice.ms(2 * HOUR_MS);
            self.world.clocks.wall.0 = wall.0.saturating_sub(back);
        }
    }

    /// The kind of transaction that is next.
    fn next(&self, slot: Slot) -> Option<&'static str> {
        let tab = self.world.tabs.get(slot).and_then(Option::as_ref);
        tab.and_then(|it| it.work.front()).and_then(|work| work.transaction())
    }

    /// How many requests of a transaction go well before it is undone. One that reads has but one.
    fn requests(&mut self, slot: Slot) -> u32 {
        let most = if self.next(slot) == Some("read") { 1 } else { 12 };
        u32::try_from(self.dice.below(most)).unwrap_or(0)
    }

    /// What becomes of the next transaction.
    fn fate(&mut self, slot: Slot) -> Fate {
        let aborts = match self.next(slot) {
            Some("record") => Kind::DecisionRefused,
            Some("save") => Kind::SaveFails,
            Some(_) => Kind::RunAborts,
            None => return Fate::Commits,
        };
        // What is rare is to meet every fate all the same.
        let one_in = match self.next(slot) {
            Some("withdraw") => 8,
            Some("run" | "attempt") => 30,
            Some(_) | None => 60,
        };
        if self.world.is_closed(slot) {
            Fate::Closed
        } else if self.dice.rolls(aborts, 12) {
            Fate::Aborts
        } else if let Some(fate) = self.unkept(self.next(slot), one_in) {
            fate
        } else if self.dice.rolls(Kind::CrashBefore, one_in) {
            Fate::CrashBefore
        } else if self.dice.rolls(Kind::CrashInside, one_in) {
            Fate::CrashInside
        } else if self.dice.rolls(Kind::CrashAfter, one_in) {
            Fate::CrashAfter
        } else {
            Fate::Commits
        }
    }

    /// What a database without room, or one that does not answer, makes of the next transaction.
    fn unkept(&mut self, next: Option<&str>, one_in: u32) -> Option<Fate> {
        let writes = next != Some("read");
        if writes && self.dice.rolls(Kind::NoRoom, one_in) {
            Some(Fate::Full)
        } else if writes && self.dice.rolls(Kind::NoRoomAtCommit, one_in) {
            Some(Fate::FullAtCommit)
        } else if writes && self.dice.rolls(Kind::KeptUnanswered, one_in) {
            Some(Fate::UnansweredKept)
        } else if writes && next != Some("save") && self.dice.rolls(Kind::KeptLate, one_in) {
            Some(Fate::UnansweredLate)
        } else {
            self.dice.rolls(Kind::UndoneUnanswered, one_in).then_some(Fate::UnansweredUndone)
        }
    }

    /// A tab opens: the first one always does, the second with a copy.
    fn start(&mut self, slot: Slot) -> Checked {
        let other = self.world.is_there(1 - slot);
        self.waits_to_open(slot, false);
        self.finds_less(slot, other)?;
        if self.sharing.is_some() {
            let change = self.update();
            return self.join(slot, change);
        }
        let fresh = self.world.conversations(slot)?.is_empty();
        if slot == 1 && fresh {
            let Some(copy) = self.dice.pick(&self.copies).cloned() else { return Ok(()) };
            if !self.dice.rolls(Kind::SecondTab, 12) {
                return Ok(());
            }
            self.left_behind = true;
            self.world.put_back(slot, copy);
        } else if !self.copies.is_empty() && self.dice.rolls(Kind::OldCopy, 5) {
            self.left_behind = true;
            if let Some(copy) = self.dice.pick(&self.copies).cloned() {
                self.world.put_back(slot, copy);
            }
        }
        let change = self.update();
        let Some(version) = self.opens(slot)? else { return Ok(()) };
        self.world.start(slot, Rc::clone(&self.settings), change)?;
        self.world.tab(slot)?.version = version;
        Ok(())
    }

    /// What another version of the program has changed, if one comes now.
    fn update(&mut self) -> Update {
        if self.dice.rolls(Kind::AppUpdate, 6) { settings::update(&mut self.dice) } else { None }
    }

    /// Everything came to its end: nobody's yes was forgotten, and the next message is answered.
    fn ends(&mut self) -> Checked {
        let mut named = BTreeSet::new();
        for tab in self.tabs() {
            named.extend(named_requests(tab));
        }
        let forgotten = self.world.checker.forgotten(&named).next().cloned();
        let unsaved = self.world.lost_unsaved || self.tabs().any(|tab| tab.unsaved);
        if let Some(event) = forgotten.filter(|_| !self.left_behind && !unsaved) {
            let why = format!("{event:?} neither ran nor is told of");
            return Err(Violation { rule: Rule::Live, why });
        }
        if self.waits.contains(&true) {
            let why = "a tab waits for ever for another one to make way".to_owned();
            return Err(Violation { rule: Rule::Live, why });
        }
        for slot in [0, 1] {
            if self.world.tabs.get(slot).is_some_and(Option::is_some) && !self.follows(slot) {
                self.last_word(slot)?;
            }
        }
        self.world.checker.finds_harm(&self.world.memory)
    }

    fn last_word(&mut self, slot: Slot) -> Checked {
        if self.world.shared && self.world.tab(slot)?.revision < self.world.latest {
            self.world.reload(slot)?;
        }
        // Two tabs do not say the same: of two equal texts one might be the other, said again.
        self.world.say(slot, &format!("Thank you for tab {slot}."))?;
        for _ in 0..CALM_TURNS {
            if is_done(self.world.tab(slot)?) {
                break;
            }
            self.turn(slot)?;
        }
        let ended = &self.world.tab(slot)?.ended;
        if matches!(ended, Some(RunEnd::Replied { .. })) {
            return Ok(());
        }
        let why = format!("the last message came to {ended:?}");
        Err(Violation { rule: Rule::Live, why })
    }
}

/// Whether a tab has nothing left to do.
fn is_done(tab: &Tab) -> bool {
    tab.is_at_rest() && tab.session.activity() == Activity::Idle
}

/// The requests that a conversation's results, or its marks of calls asked again, speak of.
pub(crate) fn named_requests(tab: &Tab) -> Vec<RequestId> {
    let results = tab.session.messages().iter().filter_map(|message| match &message.body {
        Body::Result(result) => result.decision.as_ref().map(|it| it.request.clone()),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    let state = serde_json::to_value(tab.session.state()).unwrap_or_default();
    let again = state.pointer("/run/superseded").and_then(serde_json::Value::as_array).cloned();
    let again = again.into_iter().flatten().filter_map(|id| id.as_str().map(str::to_owned));
    results.chain(again.map(RequestId)).collect()
}
