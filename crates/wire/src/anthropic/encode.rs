//! A request of the loop as the body of `POST /v1/messages`.

use agent::model::ToolChoice;
use agent::tool::ToolSpec;
use serde::Serialize;
use serde_json::Value;

use super::transcript::{Message, RULES, messages};
use crate::error::WireError;
use crate::protocol::Ask;
use crate::transcript::{instructions, turns};

#[derive(Serialize)]
struct RequestBody<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    /// Without tools there is nothing to choose, and a choice is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Choice {
    Auto,
    None,
}

/// The JSON body of a request.
///
/// Calls and results go under our own call ids. Blank texts are left out, an output without text
/// becomes `(empty)`, other providers' blocks are left out, neighbours of one role become one turn.
pub(crate) fn encode(ask: &Ask<'_>) -> Result<Vec<u8>, WireError> {
    let Ask { request, model, max_tokens, stream } = *ask;
    let messages = messages(turns(request, &RULES)?);
    let tool_choice = match request.tool_choice {
        _ if request.tools.is_empty() => None,
        ToolChoice::Auto => Some(Choice::Auto),
        ToolChoice::None => Some(Choice::None),
    };
    let system = instructions(request).unwrap_or_default();
    let tools = request.tools.iter().map(tool).collect();
    let body = RequestBody { model, max_tokens, stream, system, messages, tools, tool_choice };
    serde_json::to_vec(&body).map_err(|error| WireError::Malformed(error.to_string()))
}

fn tool(spec: &ToolSpec) -> Tool<'_> {
    Tool { name: &spec.name, description: &spec.description, input_schema: &spec.parameters }
}
