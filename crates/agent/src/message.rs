//! What the person and the model said, and what came of each call. Messages are only appended.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::approval::Decision;
use crate::id::CallId;
use crate::model::Usage;
use crate::stored;
use crate::time::Timestamp;

/// One entry of the transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// When it was added.
    pub at: Timestamp,
    /// What it says.
    pub body: Body,
    /// What a reply of the model cost, if its provider counted that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Who speaks, and what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A text of the person.
    Person(String),
    /// A reply of the model, in its own order.
    Assistant(Vec<Content>),
    /// What came of one call. Results of one reply follow it one by one, in the order of its calls.
    Result(ToolResult),
    /// Words of the app for the model: what became known of a call after its result.
    Note(String),
}

/// A piece of a model's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Words for the person.
    Text(String),
    /// A proposed call.
    Call(ToolCall),
    /// A provider's own block, to be sent back unchanged to the same provider and to no other.
    Opaque(Opaque),
}

/// A provider's own block, such as signed thinking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opaque {
    /// The protocol that understands it, as the codec names itself.
    pub provider: String,
    /// The block, byte for byte as JSON.
    #[serde(deserialize_with = "stored::value")]
    pub block: Value,
}

/// A call a model proposed, as it was recorded. What is shown and what runs is this value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Our id.
    pub id: CallId,
    /// The model's id: data, possibly repeated in a later reply.
    pub model_id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments; empty if they could not be read (its result then says so).
    #[serde(deserialize_with = "stored::object")]
    pub arguments: Map<String, Value>,
}

/// What came of one call: the words for the model, and what a receipt needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call.
    pub call: CallId,
    /// What the model reads.
    pub text: String,
    /// How the call ended.
    pub ending: Ending,
    /// The decision that allowed or refused it; a free call has none.
    pub decision: Option<Decision>,
}

/// How a call ended. Only the first says that it did what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It ran.
    Ran,
    /// It ran and failed; its effect did not happen.
    Failed,
    /// A decision refused it; it did not run.
    Refused,
    /// It was closed unrun: a limit, a cancel, an end of the run.
    NotRun,
    /// No tool of that name may be called.
    NotFound,
    /// Its arguments could not be read or do not fit the tool.
    BadArguments,
    /// It was started and the program stopped: it may have run.
    Unknown,
    /// The provider ran it itself, before the reply came.
    Provider,
}
