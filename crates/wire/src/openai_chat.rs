//! The Chat Completions protocol of OpenAI, and of the many servers that call themselves compatible.

mod call;
pub(crate) mod decode;
pub(crate) mod encode;

use serde_json::Value;

/// How this codec names itself in a provider's own blocks ([`agent::message::Opaque`]).
pub const PROTOCOL: &str = "openai_chat";

/// Where requests go.
pub const PATH: &str = "v1/chat/completions";

/// Longest name of a tool.
const NAME_MAX_CHARS: usize = 64;

/// The fields in which servers put a model's reasoning. What came in one goes back in the same.
const REASONING: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_text"];

/// Whether a block is reasoning in those fields, and nothing else.
fn is_reasoning(block: &Value) -> bool {
    block.as_object().is_some_and(|fields| {
        let known = |(key, text): (&String, &Value)| {
            REASONING.contains(&key.as_str()) && text.as_str().is_some_and(|text| !text.is_empty())
        };
        !fields.is_empty() && fields.iter().all(known)
    })
}
