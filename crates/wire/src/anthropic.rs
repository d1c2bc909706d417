//! The Messages protocol of Anthropic (version 2023-06-01): both its ends.
//!
//! The page is a client of it, through [`Protocol`](crate::protocol::Protocol); the proxy serves the
//! built-in model with it ([`server`]).

mod block;
pub(crate) mod decode;
pub(crate) mod encode;
mod failure;
pub mod server;
mod transcript;

pub use failure::ErrorKind;

/// How this codec names itself in a provider's own blocks ([`agent::message::Opaque`]).
pub const PROTOCOL: &str = "anthropic";

/// Where requests go.
pub const PATH: &str = "v1/messages";

/// The version of the protocol, sent in the header `anthropic-version`.
pub const VERSION: &str = "2023-06-01";

/// The protocol's name for a length limit other than `max_tokens`: the model's window is full.
const WINDOW_FULL: &str = "model_context_window_exceeded";

/// Longest name of a tool.
const NAME_MAX_CHARS: usize = 128;

/// Whether a type of block is the provider's own business: signed thinking, or a tool that it runs
/// itself, with its result. Such blocks are kept and sent back, and are never calls for us.
fn is_opaque(kind: &str) -> bool {
    is_thinking(kind)
        || kind == "server_tool_use"
        || kind == "mcp_tool_use"
        || kind == "container_upload"
        || (kind.ends_with("_tool_result") && kind != "tool_result")
}

fn is_thinking(kind: &str) -> bool {
    kind == "thinking" || kind == "redacted_thinking"
}
