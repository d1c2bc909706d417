//! Two tabs on one conversation in which two calls wait, and no lock between them: every order of
//! their steps, one transaction at a time, with at most so many clicks and so many crashes. None is
//! left to chance. Two ways that lead to one state are followed once.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::rc::Rc;

use agent::approval::Answer;
use agent::event::Event;
use agent::session::Activity;

use crate::database::{Fate, Plan, Slot};
use crate::exhaustive::{fingerprint, settings, two_calls};
use crate::person;
use crate::violation::{Checked, Violation};
use crate::world::World;

/// What can happen next in a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// It carries out the next piece of what it has to do.
    Works(Slot),
    /// Its program stops in that piece.
    Stops(Slot, Fate),
    /// A program starts in it.
    Starts(Slot),
    /// It hears that the other one saved, and reads again.
    Hears(Slot),
    /// Its person answers the card of one of the calls, as this tab shows it.
    Answers(Slot, usize, bool),
    /// Its person goes on with what was left.
    GoesOn(Slot),
}

/// How much may happen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Clicks of the people, in all.
    pub clicks: u32,
    /// Programs that stop, in all.
    pub crashes: u32,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Explored {
    /// States that were reached.
    pub states: usize,
    /// Moves from one state to another.
    pub moves: usize,
    /// The moves after which something did not hold.
    pub violation: Option<(Vec<Move>, Violation)>,
}

#[derive(Clone)]
struct State {
    world: World,
    left: Bounds,
}

/// Tries every order.
///
/// # Errors
/// If the two calls cannot even be put to the person in both tabs.
pub fn explore(bounds: Bounds) -> Result<Explored, Violation> {
    let mut world = two_calls(None)?;
    world.shared = true;
    world.thorough = false;
    world.start(1, Rc::new(settings()), None)?;
    let start = State { world, left: bounds };
    let mut known = HashSet::from([start.fingerprint()]);
    let mut reached = vec![(start, Vec::new())];
    let mut explored = Explored::default();
    while let Some((state, path)) = reached.pop() {
        for next_move in state.moves() {
            let mut next = state.clone();
            let mut path = path.clone();
            path.push(next_move);
            explored.moves += 1;
            if let Err(violation) = next.make(next_move) {
                return Ok(Explored { violation: Some((path, violation)), ..explored });
            }
            if known.insert(next.fingerprint()) {
                reached.push((next, path));
            }
        }
        explored.states = known.len();
    }
    Ok(explored)
}

impl State {
    fn moves(&self) -> Vec<Move> {
        [0, 1].into_iter().flat_map(|slot| self.moves_in(slot)).collect()
    }

    fn moves_in(&self, slot: Slot) -> Vec<Move> {
        let Some(Some(tab)) = self.world.tabs.get(slot) else {
            return vec![Move::Starts(slot)];
        };
        let crashes = self.left.crashes > 0;
        if !tab.is_quiet() {
            let mut moves = vec![Move::Works(slot)];
            let transaction = tab.work.front().and_then(|work| work.transaction()).is_some();
            if crashes && transaction {
                let fates = [Fate::CrashBefore, Fate::CrashInside, Fate::CrashAfter];
                moves.extend(fates.map(|fate| Move::Stops(slot, fate)));
            }
            return moves;
        }
        let mut moves = Vec::new();
        if tab.revision < self.world.latest {
            moves.push(Move::Hears(slot));
        }
        if self.left.clicks > 0 {
            let open = tab.session.open_requests().count();
            let answers = (0..open).flat_map(|at| [true, false].map(|yes| (at, yes)));
            moves.extend(answers.map(|(at, yes)| Move::Answers(slot, at, yes)));
            if tab.session.activity() == Activity::Interrupted {
                moves.push(Move::GoesOn(slot));
            }
        }
        moves
    }

    fn make(&mut self, next: Move) -> Checked {
        match next {
            Move::Works(slot) => self.world.work(slot, Plan::default()),
            Move::Stops(slot, fate) => {
                self.left.crashes -= 1;
                self.world.work(slot, Plan { fate, requests: u32::MAX, ..Plan::default() })
            }
            Move::Starts(slot) => self.world.start(slot, Rc::new(settings()), None),
            Move::Hears(slot) => self.world.reload(slot),
            Move::Answers(slot, at, yes) => {
                self.left.clicks -= 1;
                let open = self.world.tab(slot)?.session.open_requests().nth(at);
                let reject = Answer::Reject { reason: None };
                let answer = if yes { Answer::Approve { always: None } } else { reject };
                let responses = open.map(|request| person::says(&request.id, answer));
                let responses = responses.into_iter().collect();
                self.world.tell(slot, Event::Answered { responses, text: None })
            }
            Move::GoesOn(slot) => {
                self.left.clicks -= 1;
                self.world.tell(slot, Event::Resumed)
            }
        }
    }

    fn fingerprint(&self) -> (u64, u64) {
        let mut text = self.world.picture();
        let _ = write!(text, "{:?}{}", self.left, self.world.latest);
        for tab in &self.world.tabs {
            let doing = tab.as_ref().map(|it| (&it.work, &it.events, it.revision, it.calls));
            let _ = write!(text, "{doing:?}");
        }
        fingerprint(&text)
    }
}
