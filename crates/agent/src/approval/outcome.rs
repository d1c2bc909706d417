//! How a request ended. Every way to end that is not an approval is a no.

use serde::{Deserialize, Serialize};

use crate::id::RequestId;
use crate::time::Timestamp;

/// A decision on one request: taken once, final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The request it decides.
    pub request: RequestId,
    /// What was decided.
    pub outcome: Outcome,
    /// On what it rests.
    pub basis: Basis,
    /// The person's reason, if there was one.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It may run, once.
    Approved,
    /// A person said no.
    Denied,
    /// Nobody answered in time.
    TimedOut,
    /// The question was withdrawn.
    Cancelled,
    /// The person said something else instead.
    MovedOn,
    /// The way to ask a person was gone.
    InputUnavailable,
    /// The decision could not be recorded, so it does not count.
    AuditFailed,
    /// An earlier no in the same prompt refused it.
    Sticky,
    /// Too many rounds of questions in one prompt.
    RoundsExhausted,
}

/// On what a decision rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A person's answer to this very request.
    Person,
    /// A standing approval.
    Standing,
    /// A rule in code.
    Rule,
    /// The loop itself: a limit, a deadline, an earlier no.
    Loop,
}
