//! A model as the loop sees it: a request out, a reply or a failure back.

use serde::{Deserialize, Serialize};

use crate::message::{Message, Opaque};
use crate::tool::ToolSpec;

/// Everything one model call needs. Codecs turn it into a provider's bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// The agent's instructions.
    pub instructions: String,
    /// The transcript. Every call in it has its result.
    pub messages: Vec<Message>,
    /// The tools that are declared.
    pub tools: Vec<ToolSpec>,
    /// Whether the model may call them.
    pub tool_choice: ToolChoice,
}

/// Whether a model may call tools. They stay declared, since the transcript speaks of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// As it sees fit.
    Auto,
    /// Not this time.
    None,
}

/// A piece of a reply while it streams, for the eye only: nothing is decided on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelEvent {
    /// Words were added to the text.
    Text(String),
    /// A call has begun; its arguments are not there yet.
    CallStarted {
        /// The tool's name.
        name: String,
    },
    /// What came so far was void; the reply begins again.
    Restarted,
}

/// A whole reply, with its proper end.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReply {
    /// Its pieces, in order.
    pub content: Vec<ReplyContent>,
    /// Why it ended.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
}

/// A piece of a whole reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyContent {
    /// Words for the person.
    Text(String),
    /// A proposed call.
    Call(ProposedCall),
    /// A provider's own block.
    Opaque(Opaque),
}

/// A call as the provider sent it, whole but not yet judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedCall {
    /// The model's id for it.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The argument text as it came.
    pub arguments: String,
    /// The result, if the provider ran the call itself.
    pub provider_result: Option<String>,
}

/// Why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// The model had finished.
    EndTurn,
    /// It waits for the results of its calls.
    ToolUse,
    /// The length limit: the text is cut.
    MaxTokens,
    /// A stop sequence.
    StopSequence,
    /// The provider's model declined to answer.
    Refusal,
    /// The provider paused; sending the turn back continues it.
    Pause,
    /// A reason this codec does not know.
    Other(String),
}

/// Tokens, as the provider counted them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The model, as whoever asked it names it; a codec leaves it empty.
    #[serde(default)]
    pub model: String,
    /// Read, those of [`Usage::cached`] among them.
    pub input: u64,
    /// Read from what the provider had kept of an earlier request; they cost less.
    pub cached: u64,
    /// Written, thinking included.
    pub output: u64,
}

impl Usage {
    /// Whether the provider counted anything.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.input > 0 || self.output > 0
    }
}

/// Why a model call gave no reply. Whatever had come of it is discarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelError {
    /// What kind of failure.
    pub kind: ModelErrorKind,
    /// The provider's or the codec's own words.
    pub message: String,
}

/// The kinds of failure a person can do something different about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelErrorKind {
    /// The proxy could not be reached.
    ProxyUnreachable,
    /// The connection to the provider failed.
    Transport,
    /// Nothing came for too long.
    Timeout,
    /// The person stopped it.
    Cancelled,
    /// The stream ended without its proper end.
    CutOff,
    /// The length limit was reached inside a call's arguments.
    LengthLimit,
    /// Too many requests; the provider may say how long to wait.
    RateLimit {
        /// Seconds to wait.
        retry_after_s: Option<u64>,
    },
    /// The provider is overloaded.
    Overloaded,
    /// The key was refused, or there is none.
    Unauthorized,
    /// The model is not known to the provider.
    UnknownModel,
    /// The provider refused the request as wrong.
    BadRequest,
    /// What came could not be understood, or cannot be used.
    Protocol,
}
