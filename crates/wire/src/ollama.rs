//! The chat protocol of Ollama: JSON line by line, and calls that come whole.

pub(crate) mod decode;
pub(crate) mod encode;

use serde_json::Value;

/// How this codec names itself in a provider's own blocks ([`agent::message::Opaque`]).
pub const PROTOCOL: &str = "ollama";

/// Where requests go.
pub const PATH: &str = "api/chat";

/// Longest name of a tool. The protocol sets no bound; this one is common to the others.
const NAME_MAX_CHARS: usize = 64;

/// The field for a model's thinking, in replies and when it goes back.
const THINKING: &str = "thinking";

/// The thinking in a block, if it is thinking and nothing else.
fn thinking(block: &Value) -> Option<&str> {
    let fields = block.as_object().filter(|fields| fields.len() == 1)?;
    fields.get(THINKING)?.as_str().filter(|text| !text.is_empty())
}

fn is_thinking(block: &Value) -> bool {
    thinking(block).is_some()
}
