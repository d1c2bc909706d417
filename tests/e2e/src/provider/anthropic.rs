//! The Messages of Anthropic, as they stream.

use serde_json::{Value, json};

use super::protocol::Protocol;
use super::reply::{End, Part, Reply, pieces};

/// What seals a thought.
pub(super) const SIGNATURE: &str = "c2lnbmVk";

pub(super) fn write(reply: &Reply, number: usize) -> String {
    let message = json!({ "id": format!("msg_{number}"), "type": "message", "role": "assistant",
        "content": [], "model": "scripted", "stop_reason": null, "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 } });
    let mut events = vec![json!({ "type": "message_start", "message": message })];
    for (index, part, whole) in reply.placed() {
        let (block, deltas) = block(part, &format!("toolu_{number}_{index}"), whole);
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
        events.extend(
            deltas.into_iter().map(
                |delta| json!({ "type": "content_block_delta", "index": index, "delta": delta }),
            ),
        );
        if whole {
            events.push(json!({ "type": "content_block_stop", "index": index }));
        }
    }
    match reply.end {
        End::Proper => {
            let reason = if reply.has_calls() { "tool_use" } else { "end_turn" };
            let end = json!({ "stop_reason": reason, "stop_sequence": null });
            let usage = json!({ "output_tokens": 9 });
            events.push(json!({ "type": "message_delta", "delta": end, "usage": usage }));
            events.push(json!({ "type": "message_stop" }));
        }
        End::Error => {
            let error = json!({ "type": "overloaded_error", "message": "Overloaded" });
            events.push(json!({ "type": "error", "error": error }));
        }
        End::Cut | End::Never => {}
    }
    let line = |event: &Value| {
        let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    };
    events.iter().map(line).collect()
}

fn block(part: &Part, id: &str, whole: bool) -> (Value, Vec<Value>) {
    match part {
        Part::Thought => (
            json!({ "type": "thinking", "thinking": "", "signature": "" }),
            vec![
                json!({ "type": "thinking_delta", "thinking": Protocol::Anthropic.thought() }),
                json!({ "type": "signature_delta", "signature": SIGNATURE }),
            ],
        ),
        Part::Words(words) => (
            json!({ "type": "text", "text": "" }),
            vec![json!({ "type": "text_delta", "text": words })],
        ),
        Part::Call { tool, arguments } => {
            let json = [String::new()].into_iter().chain(pieces(arguments, whole));
            let delta =
                |piece: String| json!({ "type": "input_json_delta", "partial_json": piece });
            (
                json!({ "type": "tool_use", "id": id, "name": tool, "input": {} }),
                json.map(delta).collect(),
            )
        }
    }
}
