//! The activity page: decisions and executions, each a line of its own; what they come to; and
//! whether they are still what was written.

pub mod alert;
pub mod calendar;
pub mod chart;
pub mod figures;
pub mod filter;
pub mod history;
pub mod line;

use crate::activity::history::History;

/// The kinds of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// Who permitted.
    Decision,
    /// What happened.
    Execution,
    /// What was done to know what happened, and what became known.
    Resolution,
}

impl RecordKind {
    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Execution => "execution",
            Self::Resolution => "follow-up",
        }
    }
}

/// What is known of the chain, in a sentence; absent while there is nothing in it.
#[must_use]
pub fn chain_in_words(history: &History) -> Option<String> {
    let (held, all) = (history.held().len(), history.end().number);
    match (history.broken(), held) {
        (Some(broken), _) => Some(format!("Chain broken: {broken}")),
        (None, 0) => None,
        (None, 1) if all == 1 => Some("Chain whole, 1 record checked".to_owned()),
        (None, _) if history.is_whole() => Some(format!("Chain whole, {held} records checked")),
        (None, _) => Some(format!("Chain whole, the newest {held} of {all} records checked")),
    }
}
