//! The steps of a scenario as they are written: actions, and what must be true after each.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::vector::{Args, Audit, ToolPolicy};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    #[serde(default = "main_conversation")]
    pub(super) conversation: String,
    #[serde(rename = "do")]
    pub(super) action: Action,
    pub(super) expect: Expect,
}

fn main_conversation() -> String {
    "main".to_owned()
}

/// One action; exactly one of its keys is there, `text` and `previous_response` go with another.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Action {
    pub(super) send: Option<String>,
    pub(super) answer: Option<String>,
    pub(super) respond: Option<Vec<Response>>,
    pub(super) text: Option<String>,
    pub(super) retry: Option<bool>,
    pub(super) replay: Option<usize>,
    pub(super) resume: Option<bool>,
    pub(super) cancel: Option<bool>,
    pub(super) inject: Option<Vec<Said>>,
    pub(super) reload: Option<bool>,
    pub(super) save_copy: Option<String>,
    pub(super) restore_copy: Option<String>,
    pub(super) advance_clock_ms: Option<u64>,
    pub(super) input_unavailable: Option<bool>,
    pub(super) set_tools: Option<Vec<ToolChange>>,
    pub(super) set_audit: Option<Audit>,
    pub(super) wire_input: Option<Vec<WireAnswer>>,
    /// `last`, or the id of no response.
    pub(super) previous_response: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Response {
    pub(super) request: Option<RequestRef>,
    pub(super) request_id: Option<String>,
    pub(super) from: Option<String>,
    #[serde(default)]
    pub(super) approve: Value,
    pub(super) reason: Option<String>,
    pub(super) always: Option<Always>,
    /// An answer of ours carries no copy of the call, so there is nothing to tamper with.
    #[serde(rename = "tamper")]
    _tamper: Option<Value>,
}

/// An answer as an item of the Responses protocol: to the item of a request, or to an id.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireAnswer {
    pub(super) item: RequestRef,
    pub(super) approve: bool,
    pub(super) reason: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum RequestRef {
    Index(usize),
    Named(String),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Always {
    Tool,
    ToolWithArguments,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolChange {
    pub(super) name: String,
    pub(super) policy: Option<ToolPolicy>,
    pub(super) version: Option<String>,
    pub(super) parameters: Option<Value>,
    pub(super) description: Option<String>,
    pub(super) always_ask: Option<bool>,
    #[serde(default)]
    pub(super) remove: bool,
}

/// A message in the normal form.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    pub(super) role: Role,
    pub(super) content: Vec<Piece>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    User,
    Assistant,
    Tool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Piece {
    Text(String),
    Call(CallShown),
    Result(ResultShown),
    Approval(ApprovalShown),
    Opaque(Value),
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallShown {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Args,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultShown {
    pub(super) id: String,
    pub(super) text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApprovalShown {
    pub(super) call_id: String,
    pub(super) approve: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    pub(super) outcome: Outcome,
    pub(super) error: Option<ExpectedError>,
    pub(super) reply: Option<String>,
    pub(super) executed: Vec<Executed>,
    pub(super) executions_total: Option<BTreeMap<String, usize>>,
    pub(super) pending: Option<Vec<PendingShown>>,
    pub(super) model_calls: Option<usize>,
    pub(super) model_requests: Option<Vec<Vec<Said>>>,
    pub(super) tools_offered: Option<Vec<String>>,
    pub(super) results: Option<BTreeMap<String, String>>,
    pub(super) dropped_responses: Option<usize>,
    pub(super) state: Option<State>,
    pub(super) audit: Option<Vec<AuditRecord>>,
    pub(super) notices: Option<Vec<String>>,
    pub(super) events: Option<Vec<String>>,
    /// The agent in charge.
    pub(super) active_agent: Option<String>,
    /// The response of a host of the Responses protocol.
    pub(super) wire: Option<Wire>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wire {
    pub(super) status: String,
    pub(super) items: Vec<WireItem>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireItem {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) arguments: Args,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Reply,
    Pending,
    Error,
    Cancelled,
    Terminated,
    Idle,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedError {
    pub(super) kind: String,
    pub(super) message: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Executed {
    pub(super) tool: String,
    pub(super) args: Args,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PendingShown {
    pub(super) tool: String,
    pub(super) args: Args,
    pub(super) call_id: Option<String>,
    pub(super) requires_confirmation: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditRecord {
    pub(super) tool: String,
    pub(super) outcome: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) pending: Option<Vec<String>>,
    pub(super) held: Option<Vec<String>>,
    pub(super) queued: Option<Vec<String>>,
    pub(super) in_doubt: Option<Vec<String>>,
    pub(super) rules: Option<Vec<RuleShown>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleShown {
    pub(super) tool: String,
    pub(super) args: Option<Args>,
}
