//! A request of the loop as the body of `POST /api/chat`.

use agent::model::ToolChoice;
use serde_json::{Map, Value, json};

use super::{NAME_MAX_CHARS, PROTOCOL, THINKING, is_thinking, thinking};
use crate::error::WireError;
use crate::json::to_bytes;
use crate::openai_chat::encode::tool;
use crate::protocol::Ask;
use crate::transcript::{Call, Reply, Rules, Turn, instructions, turns};

const RULES: Rules = Rules {
    protocol: PROTOCOL,
    name_max_chars: NAME_MAX_CHARS,
    may_return: is_thinking,
    is_thought: is_thinking,
};

/// The JSON body of a request.
///
/// Results stand in the order of their calls, which is all that older servers go by; newer ones find
/// the ids too. The protocol has no mark for errors, so the text of a result says how its call ended.
/// It has no word against calls either: tools that may not be called are not declared, and a
/// transcript with calls is taken without them.
pub(crate) fn encode(ask: &Ask<'_>) -> Result<Vec<u8>, WireError> {
    let Ask { request, model, max_tokens, stream } = *ask;
    let mut messages: Vec<Value> = instructions(request)
        .map(|text| json!({ "role": "system", "content": text }))
        .into_iter()
        .collect();
    for turn in turns(request, &RULES)? {
        match turn {
            Turn::Person(texts) => {
                messages.push(json!({ "role": "user", "content": texts.join("\n\n") }));
            }
            Turn::Reply(reply) => {
                messages.push(assistant(&reply));
                messages.extend(reply.calls().zip(&reply.results).map(|(call, result)| {
                    json!({
                        "role": "tool",
                        "tool_name": call.name,
                        "tool_call_id": call.id,
                        "content": result.marked_text(),
                    })
                }));
            }
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    body.insert("messages".to_owned(), messages.into());
    body.insert("stream".to_owned(), stream.into());
    body.insert("options".to_owned(), json!({ "num_predict": max_tokens }));
    let may_call = match request.tool_choice {
        ToolChoice::Auto => true,
        ToolChoice::None => false,
    };
    if may_call && !request.tools.is_empty() {
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    to_bytes(&body.into())
}

fn assistant(reply: &Reply<'_>) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    message.insert("content".to_owned(), reply.words().into());
    let thoughts: String = reply.own().filter_map(thinking).collect();
    if !thoughts.is_empty() {
        message.insert(THINKING.to_owned(), thoughts.into());
    }
    let calls: Vec<Value> = reply.calls().enumerate().map(call).collect();
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), calls.into());
    }
    message.into()
}

fn call((index, call): (usize, &Call<'_>)) -> Value {
    json!({
        "id": call.id,
        "function": { "index": index, "name": call.name, "arguments": call.arguments },
    })
}
