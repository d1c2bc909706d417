//! A request of the loop as the body of `POST /v1/responses`.

use agent::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::{NAME_MAX_CHARS, PROTOCOL, is_reasoning, may_return};
use crate::error::WireError;
use crate::json::to_bytes;
use crate::protocol::Ask;
use crate::tools::declare;
use crate::transcript::{Piece, Reply, Rules, Turn, instructions, turns};

/// What a request asks for so that reasoning can go back to a provider that keeps nothing.
const ENCRYPTED_REASONING: &str = "reasoning.encrypted_content";

/// Models without reasoning, by how their names begin. They refuse to be asked for it: "Encrypted
/// content is not supported with this model."
const WITHOUT_REASONING: [&str; 3] = ["gpt-3.5", "gpt-4", "chatgpt-"];

const RULES: Rules = Rules {
    protocol: PROTOCOL,
    name_max_chars: NAME_MAX_CHARS,
    may_return,
    is_thought: is_reasoning,
};

/// The JSON body of a request.
///
/// Items keep the order in which the model made them, so that reasoning stands before what it led
/// to. The protocol has no mark for errors, so the text of a result says how its call ended.
pub(crate) fn encode(ask: &Ask<'_>) -> Result<Vec<u8>, WireError> {
    let Ask { request, model, max_tokens, stream } = *ask;
    let mut items = Vec::new();
    for turn in turns(request, &RULES)? {
        match turn {
            Turn::Person(texts) => items.push(person(&texts)),
            Turn::Reply(reply) => add_reply(&reply, &mut items)?,
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    body.insert("max_output_tokens".to_owned(), max_tokens.into());
    body.insert("stream".to_owned(), stream.into());
    body.insert("store".to_owned(), false.into());
    if !WITHOUT_REASONING.iter().any(|start| model.starts_with(start)) {
        body.insert("include".to_owned(), json!([ENCRYPTED_REASONING]));
    }
    if let Some(text) = instructions(request) {
        body.insert("instructions".to_owned(), text.into());
    }
    body.insert("input".to_owned(), items.into());
    declare(request, tool, &mut body);
    to_bytes(&body.into())
}

fn person(texts: &[&str]) -> Value {
    let parts: Vec<_> =
        texts.iter().map(|text| json!({ "type": "input_text", "text": text })).collect();
    json!({ "type": "message", "role": "user", "content": parts })
}

fn add_reply(reply: &Reply<'_>, items: &mut Vec<Value>) -> Result<(), WireError> {
    for piece in &reply.pieces {
        items.push(match piece {
            Piece::Text(text) => json!({
                "type": "message",
                "role": "assistant",
                "content": [{ "type": "output_text", "text": text }],
            }),
            Piece::Call(call) => json!({
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": call.arguments_text()?,
            }),
            Piece::Own(item) => (*item).clone(),
        });
    }
    items.extend(reply.results.iter().map(|result| {
        json!({
            "type": "function_call_output",
            "call_id": result.call,
            "output": result.marked_text(),
        })
    }));
    Ok(())
}

/// Strictness is the default here and would refuse a schema with optional properties.
fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        "strict": false,
    })
}
