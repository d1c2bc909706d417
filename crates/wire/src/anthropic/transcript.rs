//! The transcript as turns of user and assistant, with every rule of calls and results checked.

use std::collections::HashSet;

use agent::id::CallId;
use agent::message::{Body, Content, Ending, Message, Opaque, ToolCall, ToolResult};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{EMPTY, NAME_MAX_CHARS, PROTOCOL, is_legal_char, is_legal_id, is_opaque, is_thinking};
use crate::error::Violation;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    User,
    Assistant,
}

/// One message of the protocol.
#[derive(Debug, Serialize)]
pub(super) struct Turn<'a> {
    pub(super) role: Role,
    pub(super) content: Vec<Block<'a>>,
}

/// One block of a message.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: &'a str,
        name: String,
        input: &'a Map<String, Value>,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    #[serde(untagged)]
    Opaque(&'a Value),
}

/// The transcript as turns.
pub(super) fn turns(messages: &[Message]) -> Result<Vec<Turn<'_>>, Violation> {
    let mut builder = Builder::default();
    for message in messages {
        match &message.body {
            Body::Person(text) => builder.person(text)?,
            Body::Assistant(contents) => builder.assistant(contents)?,
            Body::Result(result) => builder.result(result)?,
        }
    }
    builder.finish()
}

/// Whether the transcript has calls.
pub(super) fn has_calls(turns: &[Turn<'_>]) -> bool {
    turns.iter().flat_map(|turn| &turn.content).any(|block| match block {
        Block::ToolUse { .. } | Block::ToolResult { .. } => true,
        Block::Text { .. } | Block::Opaque(_) => false,
    })
}

#[derive(Default)]
struct Builder<'a> {
    turns: Vec<Turn<'a>>,
    /// Calls of the last reply that have no result yet.
    open: Vec<&'a CallId>,
    known: HashSet<&'a CallId>,
}

impl<'a> Builder<'a> {
    fn person(&mut self, text: &'a str) -> Result<(), Violation> {
        self.nothing_open()?;
        if !is_blank(text) {
            self.push(Role::User, Block::Text { text });
        }
        Ok(())
    }

    fn assistant(&mut self, contents: &'a [Content]) -> Result<(), Violation> {
        self.nothing_open()?;
        for content in contents {
            match content {
                Content::Text(text) if is_blank(text) => {}
                Content::Text(text) => self.push(Role::Assistant, Block::Text { text }),
                Content::Call(call) => self.call(call)?,
                Content::Opaque(opaque) if may_return(opaque) => {
                    self.push(Role::Assistant, Block::Opaque(&opaque.block));
                }
                Content::Opaque(_) => {}
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &'a ToolCall) -> Result<(), Violation> {
        if !is_legal_id(&call.id.0) {
            return Err(Violation::IllegalCallId(call.id.0.clone()));
        }
        if !self.known.insert(&call.id) {
            return Err(Violation::RepeatedCall(call.id.clone()));
        }
        self.open.push(&call.id);
        let name = legal_name(&call.name);
        self.push(Role::Assistant, Block::ToolUse { id: &call.id.0, name, input: &call.arguments });
        Ok(())
    }

    fn result(&mut self, result: &'a ToolResult) -> Result<(), Violation> {
        let Some(place) = self.open.iter().position(|open| **open == result.call) else {
            let id = result.call.clone();
            return Err(if self.known.contains(&result.call) {
                Violation::SecondResult(id)
            } else {
                Violation::ResultWithoutCall(id)
            });
        };
        self.open.remove(place);
        let block = Block::ToolResult {
            tool_use_id: &result.call.0,
            content: if is_blank(&result.text) { EMPTY } else { &result.text },
            is_error: is_error(result.ending),
        };
        self.push(Role::User, block);
        Ok(())
    }

    /// Since nobody speaks while a call is open, results always come first in a user's turn.
    fn nothing_open(&self) -> Result<(), Violation> {
        match self.open.first() {
            Some(id) => Err(Violation::CallWithoutResult((*id).clone())),
            None => Ok(()),
        }
    }

    fn push(&mut self, role: Role, block: Block<'a>) {
        match self.turns.last_mut() {
            Some(turn) if turn.role == role => turn.content.push(block),
            Some(_) | None => {
                if role == Role::User {
                    self.close_assistant();
                }
                match self.turns.last_mut() {
                    Some(turn) if turn.role == role => turn.content.push(block),
                    Some(_) | None => self.turns.push(Turn { role, content: vec![block] }),
                }
            }
        }
    }

    /// A turn that ends with thinking is refused; the thinking led nowhere, so it may go.
    fn close_assistant(&mut self) {
        let Some(turn) = self.turns.last_mut().filter(|turn| turn.role == Role::Assistant) else {
            return;
        };
        while turn.content.last().is_some_and(is_thought) {
            turn.content.pop();
        }
        if turn.content.is_empty() {
            self.turns.pop();
        }
    }

    fn finish(mut self) -> Result<Vec<Turn<'a>>, Violation> {
        self.nothing_open()?;
        self.close_assistant();
        match (self.turns.first(), self.turns.last()) {
            (Some(Turn { role: Role::Assistant, .. }), _) => Err(Violation::BeginsWithModel),
            (_, Some(Turn { role: Role::Assistant, .. })) => Err(Violation::EndsWithModel),
            (Some(_), Some(_)) => Ok(self.turns),
            (None, _) | (_, None) => Err(Violation::Empty),
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Refusals and failures alike: a model must not read any of them as success.
fn is_error(ending: Ending) -> bool {
    match ending {
        Ending::Ran | Ending::Provider => false,
        Ending::Failed
        | Ending::Refused
        | Ending::NotRun
        | Ending::NotFound
        | Ending::BadArguments
        | Ending::Unknown => true,
    }
}

/// Only this protocol's own kinds of block go back, and thinking only with its signature, which a
/// reply cut by the length limit lacks.
fn may_return(opaque: &Opaque) -> bool {
    let text = |key| opaque.block.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = text("type");
    opaque.provider == PROTOCOL
        && is_opaque(kind)
        && (kind != "thinking" || !text("signature").is_empty())
}

fn is_thought(block: &Block<'_>) -> bool {
    match block {
        Block::Opaque(value) => value.get("type").and_then(Value::as_str).is_some_and(is_thinking),
        Block::Text { .. } | Block::ToolUse { .. } | Block::ToolResult { .. } => false,
    }
}

/// A model can make up a name that the protocol then refuses, for ever. Its result says that there
/// is no such tool, so the name only has to be sendable.
fn legal_name(name: &str) -> String {
    let legal: String =
        name.chars().take(NAME_MAX_CHARS).map(|c| if is_legal_char(c) { c } else { '_' }).collect();
    if legal.is_empty() { "_".to_owned() } else { legal }
}
