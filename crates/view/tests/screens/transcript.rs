//! What the screens are tried on: calls, answers and what came of them, made by hand.

use agent::approval::{ApprovalRequest, Basis, CardDigest, Decision, Outcome};
use agent::id::{CallId, RequestId};
use agent::message::{Body, Ending, Message, ToolCall, ToolResult};
use agent::time::Timestamp;
use kitchen::{Edit, Household};
use serde_json::{Value, json};

pub(crate) const NOW: Timestamp = Timestamp(1_000_000);

pub(crate) fn household(lines: &[(&str, &str)]) -> Household {
    let mut household = Household::default();
    for (item, quantity) in lines {
        let edit = Edit::Add { item: (*item).to_owned(), quantity: (*quantity).to_owned() };
        household.edit(edit).expect("an item");
    }
    household
}

pub(crate) fn call(id: &str, tool: &str, arguments: &Value) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        model_id: "toolu_1".to_owned(),
        name: tool.to_owned(),
        arguments: arguments.as_object().cloned().expect("an object"),
    }
}

pub(crate) fn add(id: &str, item: &str, quantity: &str) -> ToolCall {
    call(id, "add_to_shopping_list", &json!({ "item": item, "quantity": quantity }))
}

pub(crate) fn request(call: &ToolCall, deadline: Option<Timestamp>) -> ApprovalRequest {
    ApprovalRequest {
        id: RequestId(format!("request-{}", call.id)),
        call: call.clone(),
        requested_at: NOW,
        attempt: 1,
        deadline,
        gated: true,
        shown: CardDigest::of(call, None),
    }
}

pub(crate) fn decision(call: &ToolCall, outcome: Outcome, basis: Basis) -> Decision {
    Decision {
        request: RequestId(format!("request-{}", call.id)),
        outcome,
        basis,
        reason: None,
        at: NOW,
    }
}

pub(crate) fn message(body: Body) -> Message {
    Message { at: NOW, body, usage: None }
}

pub(crate) fn said(text: &str) -> Message {
    message(Body::Person(text.to_owned()))
}

pub(crate) fn result(call: &ToolCall, ending: Ending, decision: Option<Decision>) -> Message {
    let text = "the tool's own words".to_owned();
    message(Body::Result(ToolResult { call: call.id.clone(), text, ending, decision }))
}
