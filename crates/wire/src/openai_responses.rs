//! The Responses protocol of OpenAI, without anything kept by the provider: all items go each time.

pub(crate) mod decode;
pub(crate) mod encode;
mod item;

use serde_json::Value;

/// How this codec names itself in a provider's own blocks ([`agent::message::Opaque`]).
pub const PROTOCOL: &str = "openai_responses";

/// Where requests go.
pub const PATH: &str = "v1/responses";

/// Longest name of a tool.
const NAME_MAX_CHARS: usize = 64;

fn is_reasoning(item: &Value) -> bool {
    item.get("type").and_then(Value::as_str) == Some("reasoning")
}

/// Whether an item of reasoning says all that the provider needs to go on from it: it keeps nothing
/// itself, so it does not know the item by its id.
fn may_return(item: &Value) -> bool {
    let encrypted = item.get("encrypted_content").and_then(Value::as_str).unwrap_or_default();
    is_reasoning(item) && !encrypted.is_empty()
}
