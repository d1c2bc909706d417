//! A reply as a provider writes it: the events of a stream, in two protocols, and what they mean to
//! whoever reads them one by one. Neither knows how the page reads.

use agent::model::StopReason;
use serde_json::{Value, json};
use wire::protocol::Protocol;

use crate::model::Proposal;

/// The protocols in which replies come.
pub const PROTOCOLS: [Protocol; 2] = [Protocol::Anthropic, Protocol::OpenAiChat];

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// The reply begins.
    Begins,
    /// Words begin, at a place of the reply.
    WordsBegin(usize),
    /// More words.
    Words(usize, String),
    /// A call begins, with its id and its tool.
    Call(usize, String, String),
    /// More of its arguments.
    Arguments(usize, String),
    /// What is at a place is whole.
    Closes(usize),
    /// Why the reply ends.
    Reason(StopReason),
    /// The reply is whole.
    Ends,
    /// Nothing: the connection is kept alive.
    Ping,
    /// The provider failed, and says how.
    Fails(&'static str),
}

impl Piece {
    /// The event as the protocol writes it, its name first; nothing if the protocol has none.
    fn event(&self, protocol: Protocol) -> Option<(&'static str, String)> {
        match protocol {
            Protocol::Anthropic => self.of_anthropic(),
            Protocol::OpenAiChat | Protocol::OpenAiResponses | Protocol::Ollama => {
                self.of_chat().map(|data| ("", data))
            }
        }
    }

    fn of_anthropic(&self) -> Option<(&'static str, String)> {
        let (kind, rest) = match self {
            Self::Begins => (
                "message_start",
                json!({"message": {"id": "msg_1", "role": "assistant", "content": [],
                    "usage": {"input_tokens": 9, "output_tokens": 1}}}),
            ),
            Self::WordsBegin(at) => (
                "content_block_start",
                json!({"index": at, "content_block": {"type": "text", "text": ""}}),
            ),
            Self::Words(at, text) => (
                "content_block_delta",
                json!({"index": at, "delta": {"type": "text_delta", "text": text}}),
            ),
            Self::Call(at, id, name) => (
                "content_block_start",
                json!({"index": at, "content_block":
                    {"type": "tool_use", "id": id, "name": name, "input": {}}}),
            ),
            Self::Arguments(at, text) => (
                "content_block_delta",
                json!({"index": at, "delta": {"type": "input_json_delta", "partial_json": text}}),
            ),
            Self::Closes(at) => ("content_block_stop", json!({"index": at})),
            Self::Reason(stop) => {
                let reason = match stop {
                    StopReason::ToolUse => "tool_use",
                    StopReason::MaxTokens => "max_tokens",
                    StopReason::EndTurn
                    | StopReason::StopSequence
                    | StopReason::Refusal
                    | StopReason::Pause
                    | StopReason::Other(_) => "end_turn",
                };
                ("message_delta", json!({"delta": {"stop_reason": reason}}))
            }
            Self::Ends => ("message_stop", json!({})),
            Self::Ping => ("ping", json!({})),
            Self::Fails(kind) => {
                ("error", json!({"error": {"type": kind, "message": "It failed."}}))
            }
        };
        Some((kind, typed(kind, rest)))
    }

    fn of_chat(&self) -> Option<String> {
        let choice = |delta: Value, reason: Value| {
            json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}).to_string()
        };
        let call = |call: Value| choice(json!({"tool_calls": [call]}), Value::Null);
        Some(match self {
            Self::Begins => choice(json!({"role": "assistant", "content": ""}), Value::Null),
            Self::WordsBegin(_) | Self::Closes(_) => return None,
            Self::Words(_, text) => choice(json!({"content": text}), Value::Null),
            Self::Call(at, id, name) => call(json!({"index": at, "id": id, "type": "function",
                "function": {"name": name, "arguments": ""}})),
            Self::Arguments(at, text) => {
                call(json!({"index": at, "function": {"arguments": text}}))
            }
            Self::Reason(stop) => {
                let reason = match stop {
                    StopReason::ToolUse => "tool_calls",
                    StopReason::MaxTokens => "length",
                    StopReason::EndTurn
                    | StopReason::StopSequence
                    | StopReason::Refusal
                    | StopReason::Pause
                    | StopReason::Other(_) => "stop",
                };
                choice(json!({}), Value::from(reason))
            }
            Self::Ends => "[DONE]".to_owned(),
            Self::Ping => String::new(),
            Self::Fails(code) => {
                json!({"error": {"message": "It failed.", "type": "error", "code": code}})
                    .to_string()
            }
        })
    }

    /// Whether a reply has its proper end with it.
    #[must_use]
    pub fn ends_reply(&self, protocol: Protocol) -> bool {
        match self {
            Self::Ends => protocol == Protocol::Anthropic,
            Self::Reason(_) => protocol != Protocol::Anthropic,
            Self::Begins
            | Self::WordsBegin(_)
            | Self::Words(..)
            | Self::Call(..)
            | Self::Arguments(..)
            | Self::Closes(_)
            | Self::Ping
            | Self::Fails(_) => false,
        }
    }
}

fn typed(kind: &str, mut rest: Value) -> String {
    if let Some(fields) = rest.as_object_mut() {
        fields.insert("type".to_owned(), Value::from(kind));
    }
    rest.to_string()
}

/// A stream as bytes.
#[derive(Debug, Default)]
pub struct Written {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where each event is whole.
    pub whole_at: Vec<usize>,
}

/// Writes events, with one of the line ends that a stream may have.
#[must_use]
pub fn write(protocol: Protocol, pieces: &[Piece], line_end: &str) -> Written {
    let mut written = Written::default();
    for piece in pieces {
        let Some((name, data)) = piece.event(protocol) else {
            written.whole_at.push(written.bytes.len());
            continue;
        };
        if data.is_empty() {
            written.bytes.extend_from_slice(b": still here");
        } else {
            for part in if name.is_empty() { ["", ""] } else { ["event: ", name] } {
                written.bytes.extend_from_slice(part.as_bytes());
            }
            if !name.is_empty() {
                written.bytes.extend_from_slice(line_end.as_bytes());
            }
            written.bytes.extend_from_slice(b"data: ");
            written.bytes.extend_from_slice(data.as_bytes());
        }
        written.whole_at.push(written.bytes.len());
        for _ in 0..2 {
            written.bytes.extend_from_slice(line_end.as_bytes());
        }
    }
    written
}

/// A call while its events come.
struct Draft {
    at: usize,
    id: String,
    name: String,
    text: String,
    closed: bool,
}

/// The calls that events mean, read one by one in the order in which they came. None if their order
/// shows that something is missing, or came twice: whoever cannot tell what was meant takes nothing.
#[must_use]
pub fn meaning(protocol: Protocol, pieces: &[Piece]) -> Vec<Proposal> {
    read(protocol, pieces).unwrap_or_default()
}

fn read(protocol: Protocol, pieces: &[Piece]) -> Option<Vec<Proposal>> {
    let strict = protocol == Protocol::Anthropic;
    let (mut begun, mut ended) = (!strict, false);
    let mut calls: Vec<Draft> = Vec::new();
    for piece in pieces {
        match piece {
            // Only here a reply can begin again, from nothing.
            Piece::Begins if strict => (begun, ended, calls) = (true, false, Vec::new()),
            Piece::Begins | Piece::Ping => {}
            Piece::Ends if strict && !begun => return None,
            Piece::Ends => ended |= strict,
            Piece::Reason(_) if !strict => ended = true,
            // Nothing says so there.
            Piece::WordsBegin(_) | Piece::Closes(_) if !strict => {}
            _ if ended || !begun => return None,
            Piece::WordsBegin(_) | Piece::Words(..) | Piece::Reason(_) => {}
            Piece::Fails(_) => return None,
            Piece::Call(at, id, name) => match calls.iter_mut().find(|it| it.at == *at) {
                Some(_) if strict => return None,
                Some(call) => (call.id, call.name) = (id.clone(), name.clone()),
                None => calls.push(Draft {
                    at: *at,
                    id: id.clone(),
                    name: name.clone(),
                    text: String::new(),
                    closed: false,
                }),
            },
            Piece::Arguments(at, text) => match calls.iter_mut().find(|it| it.at == *at) {
                Some(call) if call.closed => return None,
                Some(call) => call.text.push_str(text),
                None if strict => return None,
                None => calls.push(Draft {
                    at: *at,
                    id: String::new(),
                    name: String::new(),
                    text: text.clone(),
                    closed: false,
                }),
            },
            Piece::Closes(at) => {
                let call = calls.iter_mut().find(|it| it.at == *at);
                if call.is_some_and(|it| std::mem::replace(&mut it.closed, true)) {
                    return None;
                }
            }
        }
    }
    let whole = ended && calls.iter().all(|it| it.closed || !strict);
    let calls = calls.into_iter().enumerate().map(|(place, it)| {
        // Here an id may be left away; the place of the call stands for it.
        let placed = it.id.is_empty() && !strict;
        let id = if placed { format!("call_{place}") } else { it.id };
        Proposal::as_came(id, it.name, it.text)
    });
    whole.then(|| calls.collect())
}
