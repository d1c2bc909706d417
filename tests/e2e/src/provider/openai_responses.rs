//! The Responses of OpenAI, as they stream.

use serde_json::{Value, json};

use super::protocol::Protocol;
use super::reply::{End, Part, Reply, pieces};

pub(super) fn write(reply: &Reply, number: usize) -> String {
    let response = |status: &str, output: &[Value], error: Value, usage: Value| {
        json!({ "id": format!("resp_{number}"), "object": "response", "created_at": 0,
            "status": status, "error": error, "incomplete_details": null, "model": "scripted",
            "output": output, "store": false, "usage": usage })
    };
    let open = response("in_progress", &[], Value::Null, Value::Null);
    let mut events = vec![
        json!({ "type": "response.created", "response": open }),
        json!({ "type": "response.in_progress", "response": open }),
    ];
    let mut output = Vec::new();
    for (index, part, whole) in reply.placed() {
        let id = format!("{number}_{index}");
        let begun = json!({ "type": "response.output_item.added", "output_index": index,
            "item": item(part, &id, false) });
        events.push(begun);
        events.extend(deltas(part, index, &id, whole));
        if whole {
            let item = item(part, &id, true);
            let ended = json!({ "type": "response.output_item.done", "output_index": index,
                "item": item });
            events.push(ended);
            output.push(item);
        }
    }
    match reply.end {
        End::Proper => {
            let usage = json!({ "input_tokens": 1, "output_tokens": 9, "total_tokens": 10 });
            let whole = response("completed", &output, Value::Null, usage);
            events.push(json!({ "type": "response.completed", "response": whole }));
        }
        End::Error => {
            let error = json!({ "code": "server_is_overloaded", "message": "Overloaded." });
            let failed = response("failed", &[], error, Value::Null);
            events.push(json!({ "type": "response.failed", "response": failed }));
        }
        End::Cut | End::Never => {}
    }
    let numbered = events.into_iter().enumerate().map(|(number, mut event)| {
        event["sequence_number"] = number.into();
        let name = event["type"].as_str().unwrap_or_default().to_owned();
        format!("event: {name}\ndata: {event}\n\n")
    });
    numbered.collect()
}

fn item(part: &Part, id: &str, done: bool) -> Value {
    let status = if done { "completed" } else { "in_progress" };
    match part {
        Part::Thought => json!({ "type": "reasoning", "id": format!("rs_{id}"), "summary": [],
            "encrypted_content": if done { Protocol::OpenAiResponses.thought() } else { "" } }),
        Part::Words(words) => {
            let text = json!({ "type": "output_text", "text": words, "annotations": [] });
            let content = if done { json!([text]) } else { json!([]) };
            json!({ "type": "message", "id": format!("msg_{id}"), "status": status,
                "role": "assistant", "content": content })
        }
        Part::Call { tool, arguments } => {
            let text = if done { arguments.to_string() } else { String::new() };
            json!({ "type": "function_call", "id": format!("fc_{id}"),
                "call_id": format!("call_{id}"), "name": tool, "arguments": text,
                "status": status })
        }
    }
}

fn deltas(part: &Part, index: usize, id: &str, whole: bool) -> Vec<Value> {
    match part {
        Part::Thought => Vec::new(),
        Part::Words(words) => {
            let of = |kind: &str, key: &str, value: Value| {
                let mut event = json!({ "type": kind, "item_id": format!("msg_{id}"),
                    "output_index": index, "content_index": 0 });
                event[key] = value;
                event
            };
            let empty = json!({ "type": "output_text", "text": "", "annotations": [] });
            let begun = [
                of("response.content_part.added", "part", empty),
                of("response.output_text.delta", "delta", (*words).into()),
            ];
            let done = whole.then(|| of("response.output_text.done", "text", (*words).into()));
            begun.into_iter().chain(done).collect()
        }
        Part::Call { arguments, .. } => {
            let of = |kind: &str, key: &str, text: String| {
                let mut event = json!({ "type": kind, "item_id": format!("fc_{id}"),
                    "output_index": index });
                event[key] = text.into();
                event
            };
            let kind = "response.function_call_arguments";
            let pieces = pieces(arguments, whole).into_iter();
            let pieces = pieces.map(|piece| of(&format!("{kind}.delta"), "delta", piece));
            let done =
                whole.then(|| of(&format!("{kind}.done"), "arguments", arguments.to_string()));
            pieces.chain(done).collect()
        }
    }
}
