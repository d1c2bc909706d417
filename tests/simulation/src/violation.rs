//! What must hold, and what did not.

use std::fmt;

/// Something that must hold and did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What must hold.
    pub rule: Rule,
    /// How it did not.
    pub why: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.why)
    }
}

/// What must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Nothing gated runs without a durable yes for exactly that call.
    Permission,
    /// A request has one decision, the first, and at most one execution.
    Once,
    /// What runs is what was proposed, shown and recorded.
    AsRecorded,
    /// A no holds for the rest of its prompt, as the settings say; and only a no does.
    Sticky,
    /// Each agent calls its own tools alone, and whoever was handed over to is asked.
    Agents,
    /// Every model request is one that every provider takes.
    ValidRequest,
    /// A result says what really happened.
    TrueResult,
    /// What is kept is what there is.
    Kept,
    /// A restored session goes on as the original does.
    Twin,
    /// Questions, like everything else, have an end.
    Bounded,
    /// Nothing is stuck, and a conversation can always take the next message.
    Live,
}

/// What every step comes to.
pub type Checked = Result<(), Violation>;

/// # Errors
/// If it does not hold.
pub(crate) fn hold(holds: bool, rule: Rule, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Violation { rule, why: why() }) }
}
