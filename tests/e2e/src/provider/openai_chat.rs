//! The Chat Completions of OpenAI, as they stream.

use serde_json::{Value, json};

use super::protocol::Protocol;
use super::reply::{End, Part, Reply, pieces};

pub(super) fn write(reply: &Reply, number: usize) -> String {
    let chunk = |choices: Value, usage: Value| {
        json!({ "id": format!("chatcmpl-{number}"), "object": "chat.completion.chunk", "created": 0,
            "model": "scripted", "choices": choices, "usage": usage })
    };
    let choice = |delta: Value, reason: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
        chunk(json!([choice]), Value::Null)
    };
    let first = json!({ "role": "assistant", "content": null });
    let mut chunks = vec![choice(first, Value::Null)];
    let mut calls = 0;
    for (_, part, whole) in reply.placed() {
        let deltas = deltas(part, calls, number, whole);
        chunks.extend(deltas.into_iter().map(|delta| choice(delta, Value::Null)));
        calls += usize::from(matches!(part, Part::Call { .. }));
    }
    match reply.end {
        End::Proper => {
            let reason = if reply.has_calls() { "tool_calls" } else { "stop" };
            chunks.push(choice(json!({}), reason.into()));
            let usage = json!({ "prompt_tokens": 1, "completion_tokens": 9, "total_tokens": 10 });
            chunks.push(chunk(json!([]), usage));
        }
        End::Error => {
            let error = json!({ "message": "The server had an error.", "type": "server_error",
                "param": null, "code": null });
            chunks.push(json!({ "error": error }));
        }
        End::Cut | End::Never => {}
    }
    let text: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    if reply.end == End::Proper { format!("{text}data: [DONE]\n\n") } else { text }
}

fn deltas(part: &Part, index: usize, number: usize, whole: bool) -> Vec<Value> {
    match part {
        Part::Thought => vec![json!({ "reasoning_content": Protocol::OpenAiChat.thought() })],
        Part::Words(words) => vec![json!({ "content": words })],
        Part::Call { tool, arguments } => {
            let head = json!({ "index": index, "id": format!("call_{number}_{index}"),
                "type": "function", "function": { "name": tool, "arguments": "" } });
            let piece = |text| json!({ "index": index, "function": { "arguments": text } });
            let all = [head].into_iter().chain(pieces(arguments, whole).into_iter().map(piece));
            all.map(|call| json!({ "tool_calls": [call] })).collect()
        }
    }
}
