//! Judges of requests: what each provider demands, read off the JSON alone.

mod anthropic;
mod chat;
mod responses;

use std::collections::HashSet;

use agent::model::{ModelRequest, ToolChoice};
use serde_json::{Map, Value};
use wire::protocol::Protocol;

use super::told::Turn;

/// Judges a body and reads its turns. Of the request it takes what was declared and allowed.
pub(super) fn read(
    protocol: Protocol,
    body: &Value,
    request: &ModelRequest,
) -> Result<Vec<Turn>, String> {
    let may_call = request.tool_choice == ToolChoice::Auto;
    match protocol {
        Protocol::Anthropic => anthropic::read(body, may_call),
        Protocol::OpenAiChat => chat::read_openai(body, may_call),
        Protocol::OpenAiResponses => responses::read(body, may_call),
        Protocol::Ollama => chat::read_ollama(body, may_call),
    }
}

/// Refuses fields that are not among those a provider knows.
fn only_fields(value: &Value, known: &[&str]) -> Result<(), String> {
    let fields = object(value)?;
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("there is a field {key:?}")),
        None => Ok(()),
    }
}

fn object(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| format!("{value} is no object"))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let list = value[key].as_array().ok_or_else(|| format!("{key} is no list"))?;
    if list.is_empty() {
        return Err(format!("{key} is empty"));
    }
    Ok(list)
}

/// A text that says something: providers refuse one of blanks.
fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    let text = value[key].as_str().ok_or_else(|| format!("{key} is no text"))?;
    if text.trim().is_empty() {
        return Err(format!("{key} is blank"));
    }
    Ok(text)
}

/// A name of letters, digits, `_` and `-`, of at most so many.
fn name(value: &Value, key: &str, most: usize) -> Result<String, String> {
    let name = text(value, key)?;
    let legal = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if !legal || name.len() > most {
        return Err(format!("{key} {name:?} is not legal"));
    }
    Ok(name.to_owned())
}

/// Ids of calls: no two alike, and none longer than the strictest server takes.
#[derive(Default)]
struct Ids(HashSet<String>);

impl Ids {
    fn new_one(&mut self, value: &Value, key: &str) -> Result<String, String> {
        let id = name(value, key, 40)?;
        if !self.0.insert(id.clone()) {
            return Err(format!("two calls are {id}"));
        }
        Ok(id)
    }
}

/// A text of JSON that is an object.
fn arguments_text(value: &Value) -> Result<Map<String, Value>, String> {
    let text = value.as_str().ok_or("arguments are no text")?;
    serde_json::from_str(text).map_err(|error| format!("arguments: {error}"))
}

/// Tools by legal names, each once, with an object's schema.
fn tools(tools: &[Value], schema: &str, most: usize) -> Result<(), String> {
    let mut names = HashSet::new();
    for tool in tools {
        if !names.insert(name(tool, "name", most)?) {
            return Err("two tools have one name".to_owned());
        }
        if tool[schema]["type"] != "object" {
            return Err("a tool has no schema of an object".to_owned());
        }
    }
    Ok(())
}

/// The person speaks first, and the model never last.
fn ends(turns: &[Turn]) -> Result<(), String> {
    match (turns.first(), turns.last()) {
        (Some(Turn::Reply(_)), _) => Err("the model begins".to_owned()),
        (_, Some(Turn::Reply(reply))) if reply.results.is_empty() => {
            Err("the model ends".to_owned())
        }
        (Some(_), Some(_)) => Ok(()),
        (None, _) | (_, None) => Err("there are no turns".to_owned()),
    }
}

/// Every call has its one result, in order.
fn paired(turn: &Turn) -> Result<(), String> {
    let Turn::Reply(reply) = turn else { return Ok(()) };
    let calls: Vec<_> = reply.calls.iter().map(|call| &call.id).collect();
    let results: Vec<_> = reply.results.iter().map(|result| &result.call).collect();
    if calls != results {
        return Err(format!("calls {calls:?} have results {results:?}"));
    }
    Ok(())
}

/// Whether a text is marked as the result of a call that did not do what it was to do.
fn is_marked(text: &str) -> bool {
    ["NOT RUN: ", "FAILED: ", "OUTCOME UNKNOWN: "].iter().any(|mark| text.starts_with(mark))
}
