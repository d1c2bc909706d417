//! Everything that can happen to a run.

use crate::approval::{ApprovalResponse, Decision};
use crate::id::{CallId, RequestId, StandingApprovalId};
use crate::model::{ModelError, ModelReply};
use crate::resolution::Resolution;

/// Something happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person sent a text.
    Said(String),
    /// The person answered requests, perhaps with a text beside.
    Answered {
        /// The answers.
        responses: Vec<ApprovalResponse>,
        /// The text.
        text: Option<String>,
    },
    /// The person typed an answer to the open requests, where a caller takes such. Only a clear yes
    /// is a yes, for all that is shown; anything but yes and no uses up an attempt.
    Typed(String),
    /// Go on with what was interrupted.
    Resumed,
    /// The person withdrew the open question, or stopped the run.
    Cancelled,
    /// The person takes back what they said "always" to. What it covered already stays decided.
    Revoked(StandingApprovalId),
    /// The model replied, whole.
    ModelReplied(ModelReply),
    /// The model call gave nothing that can be used.
    ModelFailed(ModelError),
    /// The store answered an [`crate::effect::Effect::RecordDecision`].
    DecisionRecorded {
        /// The request.
        request: RequestId,
        /// What the store says.
        recorded: Recorded,
    },
    /// A released call came to its end.
    ToolFinished {
        /// The call.
        call: CallId,
        /// How.
        outcome: ToolOutcome,
    },
    /// The store answered an [`crate::effect::Effect::WithdrawApproval`].
    ApprovalWithdrawn {
        /// The call.
        call: CallId,
        /// "Failed" if it did not happen and never will; otherwise it was carried out before, and
        /// this is what came of it.
        outcome: ToolOutcome,
    },
    /// The store has a later word on an outcome that was called unknown.
    Resolved(Resolution),
    /// Time went by; deadlines that are due take effect.
    TimePassed,
    /// The way to ask a person is gone.
    InputUnavailable,
}

/// What the store says about a decision it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It is durable and it is the first for this request.
    Durable,
    /// The request was decided before, in another tab or by another copy of the session. That
    /// decision counts, and so does what came of it.
    Earlier(Decision),
    /// It could not be stored: it does not count.
    Refused,
}

/// How a released call came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolOutcome {
    /// It returned; `None` if it had nothing to say.
    Returned {
        /// What the tool said.
        text: Option<String>,
        /// Whether the tool asked for the run to end.
        terminate: bool,
    },
    /// It failed and changed nothing.
    Failed {
        /// The tool's own words.
        text: String,
    },
    /// It was started before the program stopped and may have run.
    Unknown,
}
