//! One item of a reply: while it comes, and as it is when it is done.

use agent::message::Opaque;
use agent::model::ProposedCall;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::PROTOCOL;
use crate::budget::Arguments;
use crate::error::WireError;
use crate::json::{malformed, parse};

/// What came of an item. Its own end is the truth about it; pieces are for the eye.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    /// The name of the tool, if it began as a call.
    pub(super) tool: Option<String>,
    /// Words so far, for the person or of a refusal.
    pub(super) words: String,
    pub(super) refused: bool,
    pub(super) arguments: Arguments,
    /// The item as it was when it was done.
    pub(super) done: Option<Box<RawValue>>,
}

/// What an item is to us.
pub(super) enum Content {
    Words {
        text: String,
        refused: bool,
    },
    Call {
        call: ProposedCall,
        whole: bool,
    },
    Reasoning(Opaque),
    /// Of a type that says nothing to us.
    Nothing,
}

/// The fields of an item by which it is known at its beginning.
#[derive(Deserialize)]
pub(super) struct Head {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: Option<String>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    call_id: Option<String>,
    name: String,
    arguments: Option<String>,
    status: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Vec<Part>>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    refusal: Option<String>,
}

/// Reads an item that is done.
pub(super) fn read(raw: &RawValue) -> Result<Content, WireError> {
    let Head { kind, name } = parse(raw.get())?;
    match kind.as_str() {
        "message" => words(parse(raw.get())?),
        "function_call" => call(parse(raw.get())?),
        "reasoning" => {
            let block = parse(raw.get())?;
            Ok(Content::Reasoning(Opaque { provider: PROTOCOL.to_owned(), block }))
        }
        // Never declared, so never to be asked for; to leave one out would drop it unseen.
        "mcp_approval_request"
        | "custom_tool_call"
        | "local_shell_call"
        | "shell_call"
        | "computer_call"
        | "apply_patch_call" => {
            let name = name.unwrap_or_default();
            Err(WireError::Malformed(format!(
                "the reply asks for something that was not offered ({kind} {name})"
            )))
        }
        _ => Ok(Content::Nothing),
    }
}

fn words(message: Message) -> Result<Content, WireError> {
    let (mut text, mut refused) = (String::new(), false);
    for part in message.content.into_iter().flatten() {
        match part.kind.as_str() {
            "output_text" => text.push_str(&part.text.unwrap_or_default()),
            "refusal" => {
                refused = true;
                text.push_str(&part.refusal.unwrap_or_default());
            }
            _ => {}
        }
    }
    Ok(Content::Words { text, refused })
}

fn call(call: FunctionCall) -> Result<Content, WireError> {
    let FunctionCall { id, call_id, name, arguments, status } = call;
    let id = call_id.or(id).unwrap_or_default();
    if id.is_empty() || name.is_empty() {
        return Err(malformed("a call has no id or no name"));
    }
    // A host that gives no status gives no item before it is whole.
    let whole = status.is_none_or(|status| status == "completed");
    let arguments = Arguments::whole(&arguments.unwrap_or_default())?.into_text();
    let call = ProposedCall { id, name, arguments, provider_result: None };
    Ok(Content::Call { call, whole })
}
