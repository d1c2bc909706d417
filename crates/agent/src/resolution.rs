//! What becomes known of an effect after its outcome was called unknown, step by step. A step is
//! added and none is ever changed: what was told before stays as it was told.

use serde::{Deserialize, Serialize};

use crate::audit::ExecutionOutcome;
use crate::id::{CallId, RequestId, SessionId};
use crate::time::Timestamp;

/// A step towards knowing, as it is recorded. What a person wants is durable before it is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolutionEvent {
    /// The request whose execution has an unknown outcome.
    pub request: RequestId,
    /// The conversation.
    pub session: SessionId,
    /// The call.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// The step.
    pub step: ResolutionStep,
    /// What the far side said. A store keeps it apart, where it can be forgotten.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub result: String,
    /// When.
    pub at: Timestamp,
    /// On whose behalf.
    pub operator: String,
}

/// A step towards knowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionStep {
    /// The person wants the far side to be asked whether it was done.
    Check,
    /// The person wants it tried again under the same key.
    TryAgain,
    /// The person looked: it was done.
    MarkedDone,
    /// The person looked: it was not done.
    MarkedNotDone,
    /// The far side says that it was done.
    AnsweredDone,
    /// The far side says that it was not done, and will not be under this key.
    AnsweredNotDone,
}

impl ResolutionStep {
    /// What is known after it.
    #[must_use]
    pub fn outcome(self) -> ExecutionOutcome {
        match self {
            Self::Check | Self::TryAgain => ExecutionOutcome::Unknown,
            Self::MarkedDone | Self::AnsweredDone => ExecutionOutcome::Ran,
            Self::MarkedNotDone | Self::AnsweredNotDone => ExecutionOutcome::Failed,
        }
    }

    /// Whether a person did it; otherwise it is the far side's own word.
    #[must_use]
    pub fn is_of_a_person(self) -> bool {
        match self {
            Self::Check | Self::TryAgain | Self::MarkedDone | Self::MarkedNotDone => true,
            Self::AnsweredDone | Self::AnsweredNotDone => false,
        }
    }

    /// Whether it may follow on `earlier`, the step before it. What is known is known, but the far
    /// side's own word counts over what a person believes.
    #[must_use]
    pub fn may_follow(self, earlier: Option<Self>) -> bool {
        let Some(earlier) = earlier else { return true };
        match earlier.outcome() {
            ExecutionOutcome::Unknown => true,
            ExecutionOutcome::Ran | ExecutionOutcome::Failed => {
                earlier.is_of_a_person()
                    && !self.is_of_a_person()
                    && self.outcome() != earlier.outcome()
            }
        }
    }
}

/// The latest step about a request, and the number of its record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The number of its record: of two the greater one is the later.
    pub number: u64,
    /// The step.
    pub event: ResolutionEvent,
}
