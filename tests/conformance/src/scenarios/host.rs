//! A host of OpenAI's Responses protocol around the loop, as small as can be: what is asked leaves as
//! `mcp_approval_request` items, answers come back as `mcp_approval_response` items, and ids map both
//! ways.

use agent::approval::{Answer, BatchCall};
use agent::id::RequestId;
use agent::message::Body;
use agent::session::Session;
use serde::Deserialize;
use serde_json::{Value, json};

use super::expected::{Wire, WireItem};

const ASKS: &str = "mcp_approval_request";
const ANSWERS: &str = "mcp_approval_response";
/// What stands before the id of a request in that of its item.
const PREFIX: &str = "mcpr_";

/// What a host says to an input that never reaches the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no response of that id to go on from.
    UnknownResponse,
    /// An answer is to nothing that was ever asked in this conversation.
    UnknownApproval,
}

impl Refusal {
    /// Its name in scenarios.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::UnknownResponse => "unknown_response",
            Self::UnknownApproval => "unknown_approval",
        }
    }
}

/// The responses a client was given, oldest first.
#[derive(Default)]
pub(super) struct Host {
    responses: Vec<Value>,
}

/// A client's input.
#[derive(Deserialize)]
struct Input {
    previous_response_id: String,
    input: Vec<AnswerItem>,
}

#[derive(Deserialize)]
struct AnswerItem {
    #[serde(rename = "type")]
    kind: String,
    approval_request_id: String,
    approve: bool,
    reason: Option<String>,
}

impl Host {
    /// Gives the client the response to what it sent last. It asks what is open now.
    pub(super) fn respond(&mut self, session: &Session, failed: bool) {
        let items = session.open_requests().map(|request| {
            let id = format!("{PREFIX}{}", request.id.0);
            let arguments = Value::Object(request.call.arguments.clone()).to_string();
            json!({ "type": ASKS, "id": id, "name": request.call.name, "arguments": arguments })
        });
        let items: Vec<_> = items.collect();
        let id = format!("resp_{}", self.responses.len());
        let status = if failed { "failed" } else { "completed" };
        self.responses.push(json!({ "id": id, "status": status, "output": items }));
    }

    /// The newest response.
    pub(super) fn last(&self) -> Option<&Value> {
        self.responses.last()
    }

    /// The id of an item of the response to a step, or of the newest response that asked anything.
    pub(super) fn item(&self, step: Option<usize>, index: usize) -> Option<&str> {
        let items = |response: &Value| response.get("output").and_then(Value::as_array).cloned();
        let asked = |it: &&Value| items(it).is_some_and(|items| !items.is_empty());
        let response = match step {
            Some(step) => self.responses.get(step),
            None => self.responses.iter().rev().find(asked),
        };
        response?.get("output")?.get(index)?.get("id")?.as_str()
    }

    /// Reads a client's input to answers of the loop, all of them or none.
    pub(super) fn read(
        &self,
        body: Value,
        session: &Session,
    ) -> Result<Vec<(RequestId, Answer)>, Refusal> {
        let input: Input = serde_json::from_value(body).map_err(|_| Refusal::UnknownApproval)?;
        let mut known = self.responses.iter().filter_map(|it| it.get("id")?.as_str());
        if !known.any(|id| id == input.previous_response_id) {
            return Err(Refusal::UnknownResponse);
        }
        let answers = input.input.into_iter().map(|item| {
            let id = item.approval_request_id.strip_prefix(PREFIX);
            let request = id.map(|id| RequestId(id.to_owned()));
            let request = request.filter(|id| item.kind == ANSWERS && was_asked(session, id));
            let answer = if item.approve {
                Answer::Approve { always: None }
            } else {
                Answer::Reject { reason: item.reason }
            };
            Ok((request.ok_or(Refusal::UnknownApproval)?, answer))
        });
        answers.collect()
    }
}

/// A client's input, as it is sent.
pub(super) fn input(previous: &str, answers: &[(String, bool, Option<String>)]) -> Value {
    let items = answers.iter().map(|(item, approve, reason)| {
        json!({ "type": ANSWERS, "approval_request_id": item, "approve": approve, "reason": reason })
    });
    json!({ "previous_response_id": previous, "input": items.collect::<Vec<_>>() })
}

/// Compares a response with what a scenario says of it.
///
/// # Errors
/// With the difference.
pub(super) fn compare(response: Option<&Value>, expected: &Wire) -> Result<(), String> {
    let found = response.and_then(|response| {
        let items = response.get("output")?.as_array()?.iter().map(|item| {
            let arguments = serde_json::from_str(item.get("arguments")?.as_str()?).ok()?;
            let text = |key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
            Some(WireItem { kind: text("type")?, name: text("name")?, arguments })
        });
        let status = response.get("status")?.as_str()?.to_owned();
        Some(Wire { status, items: items.collect::<Option<_>>()? })
    });
    match found {
        Some(found) if found == *expected => Ok(()),
        found => Err(format!("wire: expected {expected:?}, found {found:?}")),
    }
}

/// Whether a request is open in a conversation, or was decided in it.
fn was_asked(session: &Session, request: &RequestId) -> bool {
    let decided = session.batch().iter().filter_map(BatchCall::decision);
    let told = session.messages().iter().filter_map(|message| match &message.body {
        Body::Result(result) => result.decision.as_ref(),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    session.open_requests().any(|it| it.id == *request)
        || decided.chain(told).any(|decision| decision.request == *request)
}
