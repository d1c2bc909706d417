//! A question to a person, and an answer.

use serde::{Deserialize, Serialize};

use crate::id::RequestId;
use crate::message::ToolCall;
use crate::time::Timestamp;

/// One question: may exactly this call run?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    /// Its id.
    pub id: RequestId,
    /// The call, as it will run.
    pub call: ToolCall,
    /// When it was first raised.
    pub requested_at: Timestamp,
    /// Which attempt to reach a person this is, from 1; 0 while it was not shown yet.
    pub attempt: u32,
    /// When this attempt ends; absent where waits are not bounded.
    pub deadline: Option<Timestamp>,
    /// False for a free call that is shown beside a gated one.
    pub gated: bool,
}

/// An answer: an id and a yes or no. It never carries arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalResponse {
    /// The request it answers.
    pub request: RequestId,
    /// What the person said.
    pub answer: Answer,
}

/// What a person can say to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Yes.
    Approve {
        /// Whether later calls are covered too.
        always: Option<Always>,
    },
    /// No.
    Reject {
        /// Why, for the model.
        reason: Option<String>,
    },
    /// Neither yes nor no could be read; it decides nothing.
    Unclear,
}

/// What a standing approval is to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Always {
    /// Every call of this tool.
    Tool,
    /// Calls of this tool with exactly these arguments.
    ToolWithArguments,
}
