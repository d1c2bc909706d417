//! The chat of Ollama, as it streams.

use serde_json::{Value, json};

use super::OLLAMA_MODEL;
use super::protocol::Protocol;
use super::reply::{End, Part, Reply};

/// A call always comes whole here, so that of a reply that is cut the end alone is missing.
pub(super) fn write(reply: &Reply) -> String {
    let line = |message: Value| {
        json!({ "model": OLLAMA_MODEL, "created_at": "2026-01-01T00:00:00Z", "message": message,
            "done": false })
    };
    let mut lines = Vec::new();
    let mut calls = 0;
    for (_, part, _) in reply.placed() {
        lines.push(line(message(part, calls)));
        calls += usize::from(matches!(part, Part::Call { .. }));
    }
    match reply.end {
        End::Proper => {
            let mut last = line(json!({ "role": "assistant", "content": "" }));
            last["done"] = true.into();
            last["done_reason"] = "stop".into();
            last["prompt_eval_count"] = 1.into();
            last["eval_count"] = 9.into();
            lines.push(last);
        }
        End::Error => lines.push(json!({ "error": "an error was encountered" })),
        End::Cut | End::Never => {}
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn message(part: &Part, index: usize) -> Value {
    match part {
        Part::Thought => json!({ "role": "assistant", "content": "",
            "thinking": Protocol::Ollama.thought() }),
        Part::Words(words) => json!({ "role": "assistant", "content": words }),
        // Older servers give no id, and every reply begins to count anew.
        Part::Call { tool, arguments } => json!({ "role": "assistant", "content": "",
            "tool_calls": [{ "function":
                { "index": index, "name": tool, "arguments": arguments } }] }),
    }
}
