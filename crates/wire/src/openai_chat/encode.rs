//! A request of the loop as the body of `POST /v1/chat/completions`.

use agent::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::{NAME_MAX_CHARS, PROTOCOL, is_reasoning};
use crate::error::WireError;
use crate::json::to_bytes;
use crate::protocol::Ask;
use crate::tools::declare;
use crate::transcript::{Call, Reply, Rules, Turn, instructions, turns};

/// Reasoning leads to what follows it, and all of a protocol's own blocks are reasoning here.
const RULES: Rules = Rules {
    protocol: PROTOCOL,
    name_max_chars: NAME_MAX_CHARS,
    may_return: is_reasoning,
    is_thought: is_reasoning,
};

/// The JSON body of a request.
///
/// Each result is a message of its own directly behind its reply. The protocol has no mark for
/// errors, so the text of a result says how its call ended. Reasoning goes back while the tools of
/// its prompt are still at work, and no longer: that is when models ask for it.
pub(crate) fn encode(ask: &Ask<'_>) -> Result<Vec<u8>, WireError> {
    let Ask { request, model, max_tokens, stream } = *ask;
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    body.insert("max_completion_tokens".to_owned(), max_tokens.into());
    body.insert("stream".to_owned(), stream.into());
    if stream {
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    }
    let mut messages: Vec<Value> = instructions(request)
        .map(|text| json!({ "role": "system", "content": text }))
        .into_iter()
        .collect();
    let turns = turns(request, &RULES)?;
    let last_text = turns.iter().rposition(|turn| matches!(turn, Turn::Person(_)));
    for (place, turn) in turns.iter().enumerate() {
        match turn {
            Turn::Person(texts) => {
                messages.push(json!({ "role": "user", "content": texts.join("\n\n") }));
            }
            Turn::Reply(reply) => {
                messages.push(assistant(reply, Some(place) > last_text)?);
                messages.extend(reply.results.iter().map(|it| {
                    json!({
                        "role": "tool", "tool_call_id": it.call, "content": it.marked_text(),
                    })
                }));
            }
        }
    }
    body.insert("messages".to_owned(), messages.into());
    declare(request, tool, &mut body);
    to_bytes(&body.into())
}

fn assistant(reply: &Reply<'_>, with_reasoning: bool) -> Result<Value, WireError> {
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    let words = Some(reply.words()).filter(|words| !words.is_empty());
    message.insert("content".to_owned(), words.into());
    let calls = reply.calls().map(call).collect::<Result<Vec<_>, _>>()?;
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), calls.into());
    }
    if with_reasoning {
        for (key, text) in reply.own().filter_map(Value::as_object).flatten() {
            // A reply in two parts has its reasoning in two parts, and one field for both.
            let before = message.get(key).and_then(Value::as_str).unwrap_or_default();
            let text = format!("{before}{}", text.as_str().unwrap_or_default());
            message.insert(key.clone(), text.into());
        }
    }
    Ok(message.into())
}

fn call(call: &Call<'_>) -> Result<Value, WireError> {
    Ok(json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments_text()? },
    }))
}

/// A tool as this protocol and Ollama's declare one.
pub(crate) fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.parameters,
        },
    })
}
