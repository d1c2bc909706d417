//! A client's request, checked as strictly as the provider checks it.

use std::collections::HashSet;

use agent::message::Message;
use agent::model::{ModelRequest, ToolChoice};
use agent::tool::{Access, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::blocks::{Path, messages, text_of};
use crate::anthropic::NAME_MAX_CHARS;
use crate::error::WireError;
use crate::limits::REQUEST_MAX_BYTES;
use crate::tools::is_legal_id;

/// What a client asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedRequest {
    /// The request, in the words of the loop. Call ids are the client's; times are zero; a result
    /// is `Ran` or `Failed`; a tool is `AlwaysAsk`, since the wire does not say who decides.
    pub request: ModelRequest,
    /// The model it wants.
    pub model: String,
    /// Whether the reply is to be streamed.
    pub stream: bool,
    /// The longest reply it takes, in tokens.
    pub max_tokens: u32,
}

/// What a client may send beside that and what makes no difference to a model that is not sampled.
const WITHOUT_EFFECT: [&str; 16] = [
    "cache_control",
    "container",
    "context_management",
    "diagnostics",
    "inference_geo",
    "metadata",
    "output_config",
    "service_tier",
    "speed",
    "stop_sequences",
    "temperature",
    "thinking",
    "top_k",
    "top_p",
    "user_profile_id",
    "workspace_id",
];

#[derive(Deserialize)]
struct Request {
    model: String,
    max_tokens: u32,
    messages: Vec<Value>,
    system: Option<Value>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    tools: Option<Vec<Tool>>,
    tool_choice: Option<Choice>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Tool {
    #[serde(rename = "type")]
    kind: Option<String>,
    name: String,
    #[serde(default)]
    description: Option<String>,
    input_schema: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(rename = "type")]
    kind: String,
}

/// Reads the body of `POST /v1/messages`.
///
/// # Errors
/// [`WireError::TooLarge`] for a body past its bound, else [`WireError::Malformed`] with the place
/// and what is wrong there: a rule of the protocol is broken, or the request wants what the
/// built-in model cannot do.
pub fn decode_request(body: &[u8]) -> Result<ServedRequest, WireError> {
    if body.len() > REQUEST_MAX_BYTES {
        return Err(WireError::TooLarge { what: "the request", limit: REQUEST_MAX_BYTES });
    }
    let request: Request =
        serde_json::from_slice(body).map_err(|error| WireError::Malformed(error.to_string()))?;
    if let Some(field) = request.rest.keys().find(|key| !WITHOUT_EFFECT.contains(&key.as_str())) {
        return Err(Path::root(field).wrong("extra inputs are not permitted"));
    }
    if request.model.trim().is_empty() {
        return Err(Path::root("model").wrong("it must not be empty"));
    }
    if request.max_tokens == 0 {
        return Err(Path::root("max_tokens").wrong("it must be at least 1"));
    }
    let tools = tools(request.tools.unwrap_or_default())?;
    let tool_choice = tool_choice(request.tool_choice, tools.is_empty())?;
    let instructions = match &request.system {
        None | Some(Value::Null) => String::new(),
        Some(system) => text_of(system, &Path::root("system"))?,
    };
    let messages: Vec<Message> = messages(&request.messages)?;
    Ok(ServedRequest {
        request: ModelRequest { instructions, messages, tools, tool_choice },
        model: request.model,
        stream: request.stream.unwrap_or(false),
        max_tokens: request.max_tokens,
    })
}

fn tools(tools: Vec<Tool>) -> Result<Vec<ToolSpec>, WireError> {
    let mut names = HashSet::new();
    tools
        .into_iter()
        .enumerate()
        .map(|(place, tool)| {
            let path = Path::root("tools").at(place);
            if tool.kind.as_deref().is_some_and(|kind| kind != "custom") {
                return Err(path.wrong("this model has no tools of its own"));
            }
            if !is_legal_id(&tool.name) || tool.name.len() > NAME_MAX_CHARS {
                return Err(path.wrong("the name is not 1 to 128 letters, digits, _ and -"));
            }
            if !names.insert(tool.name.clone()) {
                return Err(path.wrong("tool names must be unique"));
            }
            let is_object =
                |schema: &Value| schema.get("type").is_some_and(|kind| kind == "object");
            let parameters = tool
                .input_schema
                .filter(is_object)
                .ok_or_else(|| path.wrong("input_schema must be a schema of type object"))?;
            Ok(ToolSpec {
                name: tool.name,
                description: tool.description.unwrap_or_default(),
                parameters,
                version: String::new(),
                access: Access::AlwaysAsk,
            })
        })
        .collect()
}

fn tool_choice(choice: Option<Choice>, no_tools: bool) -> Result<ToolChoice, WireError> {
    let path = Path::root("tool_choice");
    match choice.as_ref().map(|choice| choice.kind.as_str()) {
        None => Ok(ToolChoice::Auto),
        Some(_) if no_tools => Err(path.wrong("it may only be given with tools")),
        Some("auto") => Ok(ToolChoice::Auto),
        Some("none") => Ok(ToolChoice::None),
        Some("any" | "tool") => Err(path.wrong("this model cannot be made to call a tool")),
        Some(_) => Err(path.wrong("it is none of auto, any, tool and none")),
    }
}
