//! A question to a person, and an answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canonical;
use crate::id::RequestId;
use crate::message::ToolCall;
use crate::time::Timestamp;
use crate::tool::ToolIdentity;

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
    /// What a card shows of it. A record from before there were digests has none, and the first yes
    /// to it is asked again.
    #[serde(default)]
    pub shown: CardDigest,
}

/// What a card shows of a call, as one digest: the SHA-256 of the canonical JSON of the tool's name,
/// the arguments and the tool's identity, in this order in a list.
///
/// It covers what was recorded and nothing that is worked out anew while the card waits, such as
/// what the call would do to the list as it is now or the time that is left.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CardDigest(pub String);

impl CardDigest {
    /// The digest of a card that shows this call of this tool.
    #[must_use]
    pub fn of(call: &ToolCall, tool: Option<&ToolIdentity>) -> Self {
        let (name, arguments) = (Value::from(&*call.name), Value::from(call.arguments.clone()));
        let tool = tool.map_or(Value::Null, |tool| Value::from(tool.as_str()));
        Self(canonical::digest(&[&name, &arguments, &tool]))
    }
}

/// An answer: an id, a yes or no, and the digest of what was seen. It never carries arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalResponse {
    /// The request it answers.
    pub request: RequestId,
    /// What the card showed. A yes to anything but what would run is not a yes: nothing runs, and
    /// the request is asked again as it is. A no is a no, whatever was seen.
    #[serde(default)]
    pub shown: CardDigest,
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
