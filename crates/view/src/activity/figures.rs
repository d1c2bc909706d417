//! What the records come to: numbers, counted once whenever the records change.

use std::collections::BTreeMap;

use agent::approval::{Basis, Outcome};
use agent::audit::AuditEvent;
use agent::id::{PromptId, SessionId};
use agent::limits::APPROVAL_ROUNDS_MAX;
use store::records::Record;

use crate::activity::calendar::{Calendar, DAYS, WEEK};
use crate::activity::history::History;

/// How many weeks there are in the figures.
pub const WEEKS: usize = DAYS / WEEK;

/// The most rounds of questions that are told apart.
pub const ROUNDS: usize = APPROVAL_ROUNDS_MAX as usize;

/// What the records of the calendar's days come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Figures {
    /// Decisions of each day.
    pub days: Vec<Volume>,
    /// Questions of each week, oldest first.
    pub weeks: [Asked; WEEKS],
    /// How many prompts took one round of questions, two, and so on.
    pub rounds: [u32; ROUNDS],
    /// How often each tool was denied, the most first.
    pub denied: Vec<(String, u32)>,
    /// Decisions of the last week that could not be written down.
    pub not_kept: u32,
    /// Prompts of the last week that were stopped because of too many rounds.
    pub exhausted: u32,
}

/// Decisions, by what they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Volume {
    /// Allowed.
    pub allowed: u32,
    /// Denied by a person.
    pub denied: u32,
    /// Not answered in time.
    pub timed_out: u32,
    /// Any other no.
    pub other: u32,
}

impl Volume {
    /// All of them.
    #[must_use]
    pub fn total(self) -> u32 {
        self.allowed + self.denied + self.timed_out + self.other
    }
}

/// Questions that a person was asked, and how many of them ran out of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// Questions.
    pub questions: u32,
    /// Of these, not answered in time.
    pub timed_out: u32,
}

impl Asked {
    /// The share that was not answered in time, in percent; `None` if nothing was asked.
    #[must_use]
    pub fn percent(self) -> Option<u32> {
        (self.timed_out * 100 + self.questions / 2).checked_div(self.questions)
    }

    /// These and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            questions: self.questions + other.questions,
            timed_out: self.timed_out + other.timed_out,
        }
    }
}

impl Figures {
    /// Counts. A record from before the calendar's days is not counted.
    #[must_use]
    pub fn of(history: &History, calendar: &Calendar) -> Self {
        let days = vec![Volume::default(); calendar.0.len()];
        let mut counting = Counting { figures: Self { days, ..Self::default() }, ..<_>::default() };
        for record in history.held().filter_map(|held| held.record()) {
            if let Record::Decision(event) = record
                && let Some(day) = calendar.index(event.decided_at)
            {
                counting.count(event, calendar.0.len() - 1 - day, day);
            }
        }
        counting.end()
    }
}

#[derive(Default)]
struct Counting<'a> {
    figures: Figures,
    /// The rounds that a prompt took so far.
    prompts: BTreeMap<(&'a SessionId, &'a PromptId), u32>,
    exhausted: BTreeMap<(&'a SessionId, &'a PromptId), ()>,
    denied: BTreeMap<&'a str, u32>,
}

impl<'a> Counting<'a> {
    fn count(&mut self, event: &'a AuditEvent, days_ago: usize, day: usize) {
        if let Some(volume) = self.figures.days.get_mut(day) {
            *volume.share(event.outcome) += 1;
        }
        let week = (WEEKS - 1).checked_sub(days_ago / WEEK);
        if was_asked(event) {
            if let Some(asked) = week.and_then(|week| self.figures.weeks.get_mut(week)) {
                asked.questions += 1;
                asked.timed_out += u32::from(event.outcome == Outcome::TimedOut);
            }
            let rounds = self.prompts.entry((&event.session, &event.prompt)).or_default();
            *rounds = (*rounds).max(event.round).max(1);
        }
        if event.outcome == Outcome::Denied {
            *self.denied.entry(&event.tool).or_default() += 1;
        }
        if days_ago < WEEK {
            self.figures.not_kept += u32::from(event.outcome == Outcome::AuditFailed);
            if event.outcome == Outcome::RoundsExhausted {
                self.exhausted.insert((&event.session, &event.prompt), ());
            }
        }
    }

    fn end(self) -> Figures {
        let mut figures = self.figures;
        for rounds in self.prompts.into_values() {
            let at = (rounds as usize).clamp(1, ROUNDS) - 1;
            if let Some(prompts) = figures.rounds.get_mut(at) {
                *prompts += 1;
            }
        }
        figures.exhausted = u32::try_from(self.exhausted.len()).unwrap_or(u32::MAX);
        figures.denied =
            self.denied.into_iter().map(|(tool, count)| (tool.to_owned(), count)).collect();
        figures.denied.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        figures
    }
}

impl Volume {
    fn share(&mut self, outcome: Outcome) -> &mut u32 {
        match outcome {
            Outcome::Approved => &mut self.allowed,
            Outcome::Denied => &mut self.denied,
            Outcome::TimedOut => &mut self.timed_out,
            Outcome::Cancelled
            | Outcome::MovedOn
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted => &mut self.other,
        }
    }
}

/// Whether the question was put to a person: no rule covered it and no limit closed it.
fn was_asked(event: &AuditEvent) -> bool {
    match event.outcome {
        Outcome::Approved | Outcome::Denied => event.basis == Basis::Person,
        Outcome::TimedOut | Outcome::Cancelled | Outcome::MovedOn => true,
        Outcome::InputUnavailable
        | Outcome::AuditFailed
        | Outcome::Sticky
        | Outcome::RoundsExhausted => false,
    }
}
