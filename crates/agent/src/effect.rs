//! Everything a run can ask of its driver. Effects are carried out in order.

use crate::approval::{ApprovalRequest, ApprovalResponse, ApprovedCall};
use crate::audit::AuditEvent;
use crate::event::Event;
use crate::id::RequestId;
use crate::message::ToolCall;
use crate::model::{ModelError, ModelRequest};

/// Something is to be done.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Make the session durable, before the effects that follow.
    Save,
    /// Call the model; answer with [`Event::ModelReplied`] or [`Event::ModelFailed`].
    CallModel(ModelRequest),
    /// Show the question to the person. It is recorded in the state bag already.
    Ask(ApprovalRequest),
    /// Make the decision durable; answer with [`Event::DecisionRecorded`].
    RecordDecision(AuditEvent),
    /// Run the call, once; answer with [`Event::ToolFinished`]. One at a time, in order.
    RunTool(ApprovedCall),
    /// Take back the approval of a call that is not to run any more, durably, so that no other copy
    /// of the session carries it out; answer with [`Event::ApprovalWithdrawn`].
    WithdrawApproval {
        /// The call.
        call: ToolCall,
        /// The request under which it was approved.
        request: RequestId,
    },
    /// The run is over.
    Finished(RunEnd),
    /// An answer did not count.
    DroppedResponse(ApprovalResponse),
    /// An event did not fit: late, doubled or out of turn. Nothing changed.
    Ignored(Event),
}

/// How a run ended. (Waiting for a person is no end.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// The model answered.
    Replied {
        /// Its words.
        text: String,
    },
    /// The person withdrew the question or stopped the run.
    Cancelled,
    /// A tool ended the run.
    Terminated,
    /// It could not go on.
    Failed(RunError),
}

/// Why a run could not go on. A conversation can always take the next message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// Requests are open and were not answered; nothing ran and nothing changed.
    UnansweredApproval {
        /// The message that names their calls.
        message: String,
    },
    /// The answer fits no open request and there is nothing else to do.
    UnknownApproval,
    /// There is nothing to go on with.
    NothingToResume,
    /// The model call failed.
    Model(ModelError),
    /// The model's reply cannot be used and was discarded whole.
    Protocol {
        /// What is wrong with it.
        message: String,
    },
    /// Too many rounds in one run.
    MaxIterations,
    /// Too many failing rounds in a row.
    ToolErrors {
        /// The words of the last tool that failed.
        message: String,
    },
    /// A tool that does not exist was called, where that ends the run.
    UnknownTool {
        /// Its name.
        name: String,
    },
    /// Too many rounds of questions in one prompt.
    ApprovalRoundsExhausted,
}
