//! The messages of a client's request, and the rules between calls and results.

use std::collections::HashSet;

use agent::id::CallId;
use agent::message::{Body, Content, Ending, Message, Opaque, ToolCall, ToolResult};
use agent::time::Timestamp;
use serde_json::{Map, Value};

use crate::anthropic::{PROTOCOL, is_opaque};
use crate::error::WireError;
use crate::tools::is_legal_id;

/// Where in a request something is wrong.
pub(super) struct Path(String);

impl Path {
    pub(super) fn root(field: &str) -> Self {
        Self(field.to_owned())
    }

    pub(super) fn at(&self, place: impl std::fmt::Display) -> Self {
        Self(format!("{}.{place}", self.0))
    }

    pub(super) fn wrong(&self, what: &str) -> WireError {
        WireError::Malformed(format!("{}: {what}", self.0))
    }
}

/// The messages of a request as a transcript. Neighbours of one role count as one turn.
pub(super) fn messages(values: &[Value]) -> Result<Vec<Message>, WireError> {
    let mut reader = Reader::default();
    for (place, value) in values.iter().enumerate() {
        let path = Path::root("messages").at(place);
        let content = value.get("content").ok_or_else(|| path.wrong("content is missing"))?;
        let blocks = blocks_of(content, &path)?;
        match value.get("role").and_then(Value::as_str) {
            Some("user") => reader.user(&blocks, &path)?,
            Some("assistant") => reader.assistant(&blocks, &path)?,
            Some(_) | None => return Err(path.wrong("role is neither user nor assistant")),
        }
    }
    reader.finish()
}

/// A text, given as such or in text blocks.
pub(super) fn text_of(value: &Value, path: &Path) -> Result<String, WireError> {
    let texts: Result<Vec<_>, _> = blocks_of(value, path)?
        .iter()
        .enumerate()
        .map(|(place, block)| match (block, string(block, "type")) {
            (Value::String(text), _) => Ok(text.clone()),
            (_, Some("text")) => required(block, "text", &path.at(place)).map(str::to_owned),
            (_, Some(_) | None) => Err(path.at(place).wrong("this model reads text only")),
        })
        .collect();
    Ok(texts?.join("\n"))
}

#[derive(Default)]
struct Reader {
    messages: Vec<Message>,
    /// Calls of the last reply that have no result yet.
    open: Vec<String>,
    known: HashSet<String>,
}

impl Reader {
    fn user(&mut self, blocks: &[Value], path: &Path) -> Result<(), WireError> {
        for (place, block) in blocks.iter().enumerate() {
            let path = path.at("content").at(place);
            match (block, string(block, "type")) {
                (Value::String(text), _) => self.person(text, &path)?,
                (_, Some("text")) => self.person(required(block, "text", &path)?, &path)?,
                (_, Some("tool_result")) => self.result(block, &path)?,
                (_, Some("image" | "document" | "search_result")) => {
                    return Err(path.wrong("this model reads text only"));
                }
                (_, Some(_) | None) => return Err(path.wrong("this is no block of a user")),
            }
        }
        Ok(())
    }

    fn person(&mut self, text: &str, path: &Path) -> Result<(), WireError> {
        self.nothing_open(path)?;
        self.push(Body::Person(not_blank(text, path)?));
        Ok(())
    }

    fn result(&mut self, block: &Value, path: &Path) -> Result<(), WireError> {
        let id = required(block, "tool_use_id", path)?;
        let Some(place) = self.open.iter().position(|open| open == id) else {
            return Err(path.wrong("there is no call of this id in the message before"));
        };
        self.open.remove(place);
        let text = match block.get("content") {
            None | Some(Value::Null) => String::new(),
            Some(content) => text_of(content, &path.at("content"))?,
        };
        let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
        self.push(Body::Result(ToolResult {
            call: CallId(id.to_owned()),
            text,
            ending: if failed { Ending::Failed } else { Ending::Ran },
            decision: None,
        }));
        Ok(())
    }

    fn assistant(&mut self, blocks: &[Value], path: &Path) -> Result<(), WireError> {
        self.nothing_open(path)?;
        if self.messages.is_empty() {
            return Err(path.wrong("the first message must be of the user"));
        }
        let mut contents = Vec::new();
        for (place, block) in blocks.iter().enumerate() {
            let path = path.at("content").at(place);
            contents.push(match (block, string(block, "type")) {
                (Value::String(text), _) => Content::Text(not_blank(text, &path)?),
                (_, Some("text")) => {
                    Content::Text(not_blank(required(block, "text", &path)?, &path)?)
                }
                (_, Some("tool_use")) => Content::Call(self.call(block, &path)?),
                (_, Some(kind)) if is_opaque(kind) => {
                    Content::Opaque(Opaque { provider: PROTOCOL.to_owned(), block: block.clone() })
                }
                (_, Some(_) | None) => return Err(path.wrong("this is no block of an assistant")),
            });
        }
        match self.messages.last_mut().map(|message| &mut message.body) {
            Some(Body::Assistant(so_far)) => so_far.extend(contents),
            Some(Body::Person(_) | Body::Result(_) | Body::Note(_)) | None => {
                self.push(Body::Assistant(contents))
            }
        }
        Ok(())
    }

    fn call(&mut self, block: &Value, path: &Path) -> Result<ToolCall, WireError> {
        let id = required(block, "id", path)?;
        if !is_legal_id(id) {
            return Err(path.wrong("the id is not letters, digits, _ and -"));
        }
        if !self.known.insert(id.to_owned()) {
            return Err(path.wrong("ids of calls must be unique"));
        }
        self.open.push(id.to_owned());
        let arguments: &Map<String, Value> = block
            .get("input")
            .and_then(Value::as_object)
            .ok_or_else(|| path.wrong("input is not an object"))?;
        Ok(ToolCall {
            id: CallId(id.to_owned()),
            model_id: id.to_owned(),
            name: required(block, "name", path)?.to_owned(),
            arguments: arguments.clone(),
        })
    }

    fn nothing_open(&self, path: &Path) -> Result<(), WireError> {
        match self.open.first() {
            Some(id) => Err(path.wrong(&format!("call {id} has no result directly behind it"))),
            None => Ok(()),
        }
    }

    fn push(&mut self, body: Body) {
        self.messages.push(Message { at: Timestamp::default(), body, usage: None });
    }

    fn finish(self) -> Result<Vec<Message>, WireError> {
        let path = Path::root("messages");
        self.nothing_open(&path)?;
        match self.messages.last().map(|message| &message.body) {
            Some(Body::Person(_) | Body::Result(_) | Body::Note(_)) => Ok(self.messages),
            Some(Body::Assistant(_)) => {
                Err(path.wrong("the conversation must end with a message of the user"))
            }
            None => Err(path.wrong("at least one message is required")),
        }
    }
}

/// A string stands for one text block.
fn blocks_of(content: &Value, path: &Path) -> Result<Vec<Value>, WireError> {
    match content {
        Value::String(_) => Ok(vec![content.clone()]),
        Value::Array(blocks) => {
            // A bare string is no block; it only stands for one where it is the whole content.
            if blocks.iter().any(|block| !block.is_object()) {
                return Err(path.wrong("a block is not an object"));
            }
            Ok(blocks.clone())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            Err(path.wrong("content is neither text nor a list of blocks"))
        }
    }
}

fn not_blank(text: &str, path: &Path) -> Result<String, WireError> {
    if text.trim().is_empty() {
        return Err(path.wrong("text must not be empty"));
    }
    Ok(text.to_owned())
}

fn string<'a>(block: &'a Value, key: &str) -> Option<&'a str> {
    block.get(key)?.as_str()
}

fn required<'a>(block: &'a Value, key: &str, path: &Path) -> Result<&'a str, WireError> {
    string(block, key).ok_or_else(|| path.at(key).wrong("it is missing or not a string"))
}
