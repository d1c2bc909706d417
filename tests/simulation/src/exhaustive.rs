//! Two calls wait for a person. Every order of a few events is tried, none is left to chance: from
//! each state each event, up to a depth. Two ways that lead to one state are followed once.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use agent::approval::Answer;
use agent::event::Event;
use agent::id::RequestId;
use agent::settings::Settings;
use serde_json::json;

use crate::database::{Fate, Plan};
use crate::model::{self, proposal};
use crate::mutant::Mutant;
use crate::person;
use crate::violation::{Checked, Violation};
use crate::world::{Ids, World};

/// What can happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A yes to the first call.
    YesToFirst,
    /// A no to the first call.
    NoToFirst,
    /// A yes to the second call.
    YesToSecond,
    /// A no to the second call.
    NoToSecond,
    /// Other words.
    MovesOn,
    /// The last deadline passes.
    TimePasses,
    /// The model answers.
    ModelAnswers,
    /// The program stops and starts again.
    Restarts,
    /// The person asks for both calls.
    Asks,
    /// The model proposes both calls, if it is asked.
    Proposes,
    /// The next transaction is undone.
    NextAborts,
    /// The program stops inside the next transaction and starts again.
    NextStops,
    /// The program stops behind the next transaction and starts again.
    NextStopsBehind,
    /// What was said of the next transaction is said of the one after it.
    OneLater,
}

impl Act {
    /// What people, time and the model do, and a program that stops while it waits.
    pub const PLAIN: [Self; 8] = [
        Self::YesToFirst,
        Self::NoToFirst,
        Self::YesToSecond,
        Self::NoToSecond,
        Self::MovesOn,
        Self::TimePasses,
        Self::ModelAnswers,
        Self::Restarts,
    ];

    /// All of them: the same, and everything that can become of any transaction.
    pub const ALL: [Self; 12] = [
        Self::YesToFirst,
        Self::NoToFirst,
        Self::YesToSecond,
        Self::NoToSecond,
        Self::MovesOn,
        Self::TimePasses,
        Self::ModelAnswers,
        Self::Restarts,
        Self::NextAborts,
        Self::NextStops,
        Self::NextStopsBehind,
        Self::OneLater,
    ];
}

/// What was found.
#[derive(Debug, Default)]
pub struct Explored {
    /// States that were reached, each by the shortest order that leads there.
    pub states: usize,
    /// The first order in which something did not hold.
    pub violation: Option<(Vec<Act>, Violation)>,
}

const LENGTH_MS: u64 = 600_000;

/// Tries every order of up to `depth` of these events, with a mistake planted or without.
///
/// # Errors
/// If the two calls cannot even be put to the person.
pub fn explore(acts: &[Act], depth: u32, mutant: Option<Mutant>) -> Result<Explored, Violation> {
    let start = State::of(two_calls(mutant)?);
    let mut known = HashSet::from([start.fingerprint()]);
    let mut reached = VecDeque::from([(start, Vec::new())]);
    while let Some((state, path)) = reached.pop_front() {
        for act in acts.iter().copied() {
            let mut next = state.clone();
            let mut path = path.clone();
            path.push(act);
            if let Err(violation) = next.act(act) {
                return Ok(Explored { states: known.len(), violation: Some((path, violation)) });
            }
            if known.insert(next.fingerprint()) && path.len() < depth as usize {
                reached.push_back((next, path));
            }
        }
    }
    Ok(Explored { states: known.len(), violation: None })
}

/// A household, and what becomes of the transactions to come.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) world: World,
    /// What becomes of the next transaction.
    next: Fate,
    /// How many go well before it.
    later: u32,
    /// What becomes of further transactions, by their numbers.
    pub(crate) faults: Vec<(u32, Plan)>,
    /// How many requests each transaction so far made.
    pub(crate) transactions: Vec<u32>,
}

impl State {
    fn of(world: World) -> Self {
        let (next, later) = (Fate::Commits, 0);
        Self { world, next, later, faults: Vec::new(), transactions: Vec::new() }
    }

    /// A household that nothing happened to yet. Its ids are fresh: what a fault took away and comes
    /// again is another thing.
    pub(crate) fn anew() -> Self {
        Self::of(World::new(Rc::new(settings()), None, Ids::Fresh, None))
    }

    pub(crate) fn act(&mut self, act: Act) -> Checked {
        match act {
            Act::Asks => {
                self.world.say(0, "We are out of eggs and milk.")?;
                self.settle()
            }
            Act::Proposes => {
                let number = self.world.tab(0)?.calling.as_ref().map(|it| it.number);
                let Some(number) = number else { return Ok(()) };
                self.world.model_ended(0, number, both_calls())?;
                self.settle()
            }
            Act::YesToFirst => self.answer(0, Answer::Approve { always: None }),
            Act::NoToFirst => self.answer(0, Answer::Reject { reason: None }),
            Act::YesToSecond => self.answer(1, Answer::Approve { always: None }),
            Act::NoToSecond => self.answer(1, Answer::Reject { reason: None }),
            Act::MovesOn => {
                self.world.say(0, "Actually, make that six.")?;
                self.settle()
            }
            Act::TimePasses => {
                // Elsewhere the time is nobody's business, and would only tell states apart.
                if let Some(deadline) = self.world.tab(0)?.session.next_deadline() {
                    let left = self.world.clocks.wall.ms_until(deadline);
                    self.world.passes(left);
                }
                self.world.tell(0, Event::TimePassed)?;
                self.settle()
            }
            Act::ModelAnswers => {
                let number = self.world.tab(0)?.calling.as_ref().map(|it| it.number);
                let Some(number) = number else { return Ok(()) };
                self.world.model_ended(0, number, model::Answer::words("Done."))?;
                self.settle()
            }
            Act::Restarts => {
                self.world.crash(0);
                self.start()?;
                self.settle()
            }
            Act::NextAborts => self.plan(Fate::Aborts),
            Act::NextStops => self.plan(Fate::CrashInside),
            Act::NextStopsBehind => self.plan(Fate::CrashAfter),
            Act::OneLater => {
                self.later += 1;
                Ok(())
            }
        }
    }

    fn plan(&mut self, fate: Fate) -> Checked {
        self.next = fate;
        Ok(())
    }

    fn start(&mut self) -> Checked {
        self.world.start(0, Rc::new(settings()), None)
    }

    /// Answers a request by the order in which they were first shown, open or not.
    fn answer(&mut self, index: usize, answer: Answer) -> Checked {
        let shown = &self.world.tab(0)?.witness.shown;
        let mut requests: Vec<_> = shown.values().collect();
        requests.sort_by_key(|request| request.call.model_id.clone());
        let id = requests.get(index).map(|request| request.id.clone());
        let request = id.unwrap_or_else(|| RequestId("never".to_owned()));
        let responses = vec![person::says(&request, answer)];
        self.world.tell(0, Event::Answered { responses, text: None })?;
        self.settle()
    }

    /// Carries out everything that is to be carried out.
    pub(crate) fn settle(&mut self) -> Checked {
        loop {
            let Some(Some(tab)) = self.world.tabs.first() else {
                self.start()?;
                continue;
            };
            if tab.is_quiet() {
                return Ok(());
            }
            let transaction = tab.work.front().and_then(|work| work.transaction()).is_some();
            let waits = !transaction || self.later > 0;
            self.later -= u32::from(transaction && self.later > 0);
            let fate = if waits { Fate::Commits } else { std::mem::take(&mut self.next) };
            // Undone at its end, where it has most to undo.
            let plan = Plan { fate, requests: u32::MAX, ..Plan::default() };
            let number = self.transactions.len();
            let fault = self.faults.iter().find(|(at, _)| transaction && *at as usize == number);
            self.world.work(0, fault.map_or(plan, |(_, plan)| *plan))?;
            if transaction {
                self.transactions.push(self.world.requests);
            }
        }
    }

    fn fingerprint(&self) -> (u64, u64) {
        let mut text = self.world.picture();
        let _ = write!(text, "{:?}{}", self.next, self.later);
        fingerprint(&text)
    }
}

/// Two numbers that no two states are likely to share, made of all that tells them apart.
pub(crate) fn fingerprint(text: &str) -> (u64, u64) {
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        text.hash(&mut hasher);
        hasher.finish()
    };
    (hash(0), hash(1))
}

/// How the loop behaves while the two calls wait.
#[must_use]
pub fn settings() -> Settings {
    Settings { approval_timeout_ms: Some(LENGTH_MS), approval_attempts: 1, ..Settings::product() }
}

/// A household in which two calls wait for a person.
///
/// # Errors
/// If they do not even get so far.
pub fn two_calls(mutant: Option<Mutant>) -> Result<World, Violation> {
    let world = World::new(Rc::new(settings()), None, Ids::ByTranscript, mutant);
    let mut state = State::of(world);
    state.act(Act::Asks)?;
    state.act(Act::Proposes)?;
    Ok(state.world)
}

fn both_calls() -> model::Answer {
    let tool = "add_to_shopping_list";
    model::Answer::calls(vec![
        proposal("1", tool, &json!({"item": "eggs", "quantity": "12"})),
        proposal("2", tool, &json!({"item": "milk", "quantity": "1 l"})),
    ])
}
