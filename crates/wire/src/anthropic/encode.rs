//! A request of the loop as the body of `POST /v1/messages`.

use std::collections::HashSet;

use agent::model::{ModelRequest, ToolChoice};
use agent::tool::ToolSpec;
use serde::Serialize;
use serde_json::Value;

use super::is_legal_name;
use super::transcript::{Turn, has_calls, turns};
use crate::error::{Violation, WireError};

#[derive(Serialize)]
struct RequestBody<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'a str,
    messages: Vec<Turn<'a>>,
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

/// The JSON body of a request for a streamed reply of at most `max_tokens` tokens.
///
/// Calls and results go under our own call ids. Blank texts are left out, an output without text
/// becomes `(empty)`, other providers' blocks are left out, neighbours of one role become one turn.
///
/// # Errors
/// [`WireError::Unsendable`] if a call lacks its one result directly behind its reply, if there is
/// no turn of the person or of a tool to answer, or if an id or a name cannot be sent.
pub fn encode(request: &ModelRequest, model: &str, max_tokens: u32) -> Result<Vec<u8>, WireError> {
    let messages = turns(&request.messages)?;
    let tools = tools(&request.tools)?;
    if tools.is_empty() && has_calls(&messages) {
        return Err(Violation::NoTools.into());
    }
    let tool_choice = match request.tool_choice {
        _ if tools.is_empty() => None,
        ToolChoice::Auto => Some(Choice::Auto),
        ToolChoice::None => Some(Choice::None),
    };
    let system = match request.instructions.trim() {
        "" => "",
        _ => &request.instructions,
    };
    let body =
        RequestBody { model, max_tokens, stream: true, system, messages, tools, tool_choice };
    serde_json::to_vec(&body).map_err(|error| WireError::Malformed(error.to_string()))
}

fn tools(specs: &[ToolSpec]) -> Result<Vec<Tool<'_>>, Violation> {
    let mut names = HashSet::new();
    specs
        .iter()
        .map(|spec| {
            if !is_legal_name(&spec.name) {
                return Err(Violation::IllegalToolName(spec.name.clone()));
            }
            if !names.insert(&spec.name) {
                return Err(Violation::RepeatedTool(spec.name.clone()));
            }
            Ok(Tool {
                name: &spec.name,
                description: &spec.description,
                input_schema: &spec.parameters,
            })
        })
        .collect()
}
