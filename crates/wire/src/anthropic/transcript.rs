//! The transcript as turns of user and assistant.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{NAME_MAX_CHARS, PROTOCOL, is_opaque, is_thinking};
use crate::transcript::{Outcome, Piece, Rules, Turn};

/// How the transcript is told in this protocol.
pub(super) const RULES: Rules =
    Rules { protocol: PROTOCOL, name_max_chars: NAME_MAX_CHARS, may_return, is_thought };

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    User,
    Assistant,
}

/// One message of the protocol.
#[derive(Debug, Serialize)]
pub(super) struct Message<'a> {
    role: Role,
    content: Vec<Block<'a>>,
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

/// The messages. Results open the user's message, and the person's texts follow in the same one.
pub(super) fn messages(turns: Vec<Turn<'_>>) -> Vec<Message<'_>> {
    let mut messages = Vec::new();
    for turn in turns {
        match turn {
            Turn::Person(texts) => {
                push(&mut messages, Role::User, texts.into_iter().map(|text| Block::Text { text }));
            }
            Turn::Reply(reply) => {
                push(&mut messages, Role::Assistant, reply.pieces.into_iter().map(block));
                push(&mut messages, Role::User, reply.results.into_iter().map(result));
            }
        }
    }
    messages
}

fn push<'a>(messages: &mut Vec<Message<'a>>, role: Role, blocks: impl Iterator<Item = Block<'a>>) {
    match messages.last_mut() {
        Some(message) if message.role == role => message.content.extend(blocks),
        Some(_) | None => {
            let content: Vec<_> = blocks.collect();
            if !content.is_empty() {
                messages.push(Message { role, content });
            }
        }
    }
}

fn block(piece: Piece<'_>) -> Block<'_> {
    match piece {
        Piece::Text(text) => Block::Text { text },
        Piece::Call(call) => Block::ToolUse { id: call.id, name: call.name, input: call.arguments },
        Piece::Own(block) => Block::Opaque(block),
    }
}

fn result(outcome: Outcome<'_>) -> Block<'_> {
    let is_error = outcome.is_error();
    Block::ToolResult { tool_use_id: outcome.call, content: outcome.text, is_error }
}

/// Only the protocol's own kinds of block, and thinking only with its signature, which a reply cut
/// by the length limit lacks.
fn may_return(block: &Value) -> bool {
    let text = |key| block.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = text("type");
    is_opaque(kind) && (kind != "thinking" || !text("signature").is_empty())
}

fn is_thought(block: &Value) -> bool {
    block.get("type").and_then(Value::as_str).is_some_and(is_thinking)
}
