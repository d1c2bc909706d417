//! A scenario file as it is written. A key that is not known here is an error, never passed over.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::expected::Step;

/// The arguments of a call.
pub(super) type Args = Map<String, Value>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) format: String,
    pub(super) theme: String,
    pub(super) vectors: Vec<Vector>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vector {
    pub(super) name: String,
    pub(super) theme: String,
    #[serde(rename = "title")]
    _title: String,
    #[serde(rename = "origin")]
    _origin: Value,
    #[serde(rename = "deviates")]
    _deviates: Option<String>,
    /// All of them are there; one that is not known is an error.
    #[serde(rename = "requires")]
    _requires: Vec<Capability>,
    pub(super) modes: Vec<Mode>,
    pub(super) entry_agent: Option<String>,
    pub(super) config: Config,
    pub(super) tools: Vec<Tool>,
    pub(super) model: Vec<Turn>,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Capability {
    Crash,
    Clock,
    TypedAnswers,
    Audit,
    Handoff,
    ResponsesWire,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    NonStreaming,
    Streaming,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Config {
    pub(super) bypass: bool,
    pub(super) one_at_a_time: bool,
    pub(super) standing_approvals: bool,
    pub(super) auto_rules: Vec<AutoRule>,
    pub(super) sticky_denial: bool,
    pub(super) on_new_message: OnNewMessage,
    /// Whether the scenario types answers; the loop takes them always.
    #[serde(rename = "typed_answers")]
    _typed_answers: bool,
    pub(super) max_iterations: u32,
    pub(super) max_consecutive_errors: u32,
    pub(super) max_auto_approval_iterations: u32,
    pub(super) max_approval_rounds: u32,
    pub(super) approval_timeout_ms: Option<u64>,
    pub(super) approval_attempts: u32,
    pub(super) unknown_tool: UnknownTool,
    pub(super) detailed_errors: bool,
    pub(super) audit: Audit,
    pub(super) reject_reason: String,
    pub(super) moved_on_reason: String,
    pub(super) sticky_reason: String,
    pub(super) timeout_reason: String,
    pub(super) cancel_reason: String,
    pub(super) audit_failure_reason: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            bypass: true,
            one_at_a_time: false,
            standing_approvals: true,
            auto_rules: Vec::new(),
            sticky_denial: false,
            on_new_message: OnNewMessage::Error,
            _typed_answers: false,
            max_iterations: 40,
            max_consecutive_errors: 3,
            max_auto_approval_iterations: 40,
            max_approval_rounds: 5,
            approval_timeout_ms: None,
            approval_attempts: 1,
            unknown_tool: UnknownTool::Result,
            detailed_errors: false,
            audit: Audit::None,
            reject_reason: String::new(),
            moved_on_reason: String::new(),
            sticky_reason: String::new(),
            timeout_reason: String::new(),
            cancel_reason: String::new(),
            audit_failure_reason: String::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OnNewMessage {
    Error,
    RejectPending,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum UnknownTool {
    Result,
    Terminate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Audit {
    None,
    Ok,
    Fail,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AutoRule {
    #[serde(rename = "any")]
    _any: Option<bool>,
    pub(super) tool: Option<String>,
    #[serde(default)]
    pub(super) fails: bool,
    pub(super) when: Option<When>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct When {
    pub(super) arg: String,
    pub(super) equals: Option<Value>,
    pub(super) max: Option<f64>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolPolicy {
    Auto,
    Approval,
    Unavailable,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: Option<String>,
    /// The only agent that has it.
    pub(super) agent: Option<String>,
    pub(super) version: Option<String>,
    pub(super) policy: ToolPolicy,
    pub(super) parameters: Option<Value>,
    #[serde(default)]
    pub(super) outcomes: Vec<ToolScript>,
    #[serde(default)]
    pub(super) always_ask: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolScript {
    #[serde(rename = "return", default, deserialize_with = "present")]
    pub(super) returned: Option<Option<String>>,
    pub(super) error: Option<String>,
    #[serde(default)]
    pub(super) terminate: bool,
    #[serde(default)]
    pub(super) crash_after_effect: bool,
    #[serde(default)]
    pub(super) registers: Vec<Tool>,
}

/// Tells `null` from an absent key.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    /// The agent that must be asking.
    pub(super) agent: Option<String>,
    #[serde(default)]
    pub(super) content: Vec<Block>,
    pub(super) error: Option<Failure>,
    pub(super) then_error: Option<Failure>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Failure {
    pub(super) kind: FailureKind,
    #[serde(default)]
    pub(super) message: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FailureKind {
    Transport,
    RateLimit,
    Timeout,
    Cancelled,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    pub(super) text: Option<String>,
    pub(super) call: Option<Call>,
    pub(super) server_result: Option<String>,
    pub(super) opaque: Option<Value>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Option<Args>,
    pub(super) raw_args: Option<String>,
}
