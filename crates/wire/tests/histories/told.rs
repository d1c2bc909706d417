//! What must be in a request, from the conversation alone.

use agent::message::{Body, Content, Ending, Message, ToolResult};
use serde_json::{Map, Value};
use wire::protocol::Protocol;

/// A turn, in the words of no protocol.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Turn {
    /// Texts of the person, joined.
    Person(String),
    /// A reply of the model.
    Reply(Reply),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reply {
    /// Its words, joined.
    pub(super) text: String,
    pub(super) calls: Vec<Called>,
    /// The provider's own blocks.
    pub(super) own: Vec<Value>,
    pub(super) results: Vec<ToldResult>,
    /// Blocks that led to nothing yet.
    pub(super) behind: Vec<Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Called {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ToldResult {
    pub(super) call: String,
    pub(super) text: String,
    /// Whether it says that the call did not do what it was to do.
    pub(super) is_error: bool,
}

/// What a request must tell.
pub(super) struct Told(Vec<Turn>);

impl Told {
    /// Of these messages, to this protocol.
    pub(super) fn of(messages: &[Message], protocol: Protocol) -> Self {
        let mut turns: Vec<Turn> = Vec::new();
        for message in messages {
            match &message.body {
                Body::Person(text) | Body::Note(text) if text.trim().is_empty() => {}
                Body::Person(text) | Body::Note(text) => {
                    drop_empty(&mut turns);
                    match turns.last_mut() {
                        Some(Turn::Person(so_far)) => join(so_far, text),
                        _ => turns.push(Turn::Person(text.clone())),
                    }
                }
                Body::Assistant(contents) => {
                    if !matches!(turns.last(), Some(Turn::Reply(reply)) if reply.results.is_empty())
                    {
                        drop_empty(&mut turns);
                        turns.push(Turn::Reply(Reply::default()));
                    }
                    if let Some(Turn::Reply(reply)) = turns.last_mut() {
                        add(contents, protocol, reply);
                    }
                }
                Body::Result(result) => {
                    let Some(Turn::Reply(reply)) = turns.last_mut() else { panic!("no reply") };
                    reply.results.push(read_result(result, protocol));
                }
            }
        }
        for turn in &mut turns {
            if let Turn::Reply(Reply { calls, results, behind, own, .. }) = turn {
                behind.clear();
                *own = gather(std::mem::take(own), protocol);
                results.sort_by_key(|it| calls.iter().position(|call| call.id == it.call));
            }
        }
        forget_old_reasoning(&mut turns, protocol);
        Self(turns)
    }

    /// How what was read differs from what must be there.
    pub(super) fn compare(&self, read: &[Turn]) -> Result<(), String> {
        for (place, (expected, found)) in self.0.iter().zip(read).enumerate() {
            if expected != found {
                return Err(format!("turn {place}: expected {expected:?}, found {found:?}"));
            }
        }
        if self.0.len() != read.len() {
            return Err(format!("there are {} turns, not {}", read.len(), self.0.len()));
        }
        Ok(())
    }
}

/// A reply of which nothing could be told is none.
fn drop_empty(turns: &mut Vec<Turn>) {
    if let Some(Turn::Reply(reply)) = turns.last_mut() {
        reply.behind.clear();
    }
    if matches!(turns.last(), Some(Turn::Reply(reply)) if *reply == Reply::default()) {
        turns.pop();
    }
}

pub(super) fn join(so_far: &mut String, text: &str) {
    if !so_far.is_empty() {
        so_far.push_str("\n\n");
    }
    so_far.push_str(text);
}

fn add(contents: &[Content], protocol: Protocol, reply: &mut Reply) {
    for content in contents {
        match content {
            Content::Text(text) if text.trim().is_empty() => continue,
            Content::Text(text) => join(&mut reply.text, text),
            Content::Call(call) => reply.calls.push(Called {
                id: call.id.0.clone(),
                name: sendable(&call.name, protocol),
                arguments: call.arguments.clone(),
            }),
            // Thinking goes back before what it led to, or not at all.
            Content::Opaque(opaque) => {
                let own = opaque.provider == protocol.name() && returns(protocol, &opaque.block);
                reply.behind.extend(own.then(|| opaque.block.clone()));
                continue;
            }
        }
        reply.own.append(&mut reply.behind);
    }
}

/// Where a message has one field for all the thinking of a reply, it holds all of it.
fn gather(own: Vec<Value>, protocol: Protocol) -> Vec<Value> {
    match protocol {
        Protocol::Anthropic | Protocol::OpenAiResponses => own,
        Protocol::OpenAiChat | Protocol::Ollama => {
            let mut fields = Map::new();
            for (key, text) in own.iter().flat_map(|block| block.as_object().unwrap()) {
                let before = fields.get(key).and_then(Value::as_str).unwrap_or_default();
                let all = format!("{before}{}", text.as_str().unwrap());
                fields.insert(key.clone(), all.into());
            }
            if fields.is_empty() { Vec::new() } else { vec![fields.into()] }
        }
    }
}

/// Whether a block is the protocol's own to take back.
fn returns(protocol: Protocol, block: &Value) -> bool {
    let full = |key: &str| block.get(key).and_then(Value::as_str).is_some_and(|it| !it.is_empty());
    match protocol {
        Protocol::Anthropic => match block["type"].as_str() {
            Some("thinking") => full("signature"),
            Some("redacted_thinking") => true,
            Some(_) | None => false,
        },
        Protocol::OpenAiChat => full("reasoning_content") || full("reasoning"),
        Protocol::OpenAiResponses => block["type"] == "reasoning" && full("encrypted_content"),
        Protocol::Ollama => full("thinking") && block.as_object().unwrap().len() == 1,
    }
}

/// Chat Completions takes reasoning back only while the tools of a prompt are at work.
fn forget_old_reasoning(turns: &mut [Turn], protocol: Protocol) {
    let last_text = turns.iter().rposition(|turn| matches!(turn, Turn::Person(_)));
    for (place, turn) in turns.iter_mut().enumerate() {
        if let Turn::Reply(reply) = turn
            && protocol == Protocol::OpenAiChat
            && Some(place) < last_text
        {
            reply.own.clear();
        }
    }
}

fn sendable(name: &str, protocol: Protocol) -> String {
    let most = if protocol == Protocol::Anthropic { 128 } else { 64 };
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = name.chars().take(most).map(|c| if legal(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

fn read_result(result: &ToolResult, protocol: Protocol) -> ToldResult {
    let is_error = !matches!(result.ending, Ending::Ran | Ending::Provider);
    let text = match result.text.trim() {
        "" => "(empty)",
        _ => &result.text,
    };
    let marker = match (protocol, result.ending) {
        (Protocol::Anthropic, _) | (_, Ending::Ran | Ending::Provider) => "",
        (_, Ending::Failed) => "FAILED: ",
        (_, Ending::Unknown) => "OUTCOME UNKNOWN: ",
        (_, Ending::Refused | Ending::NotRun | Ending::NotFound | Ending::BadArguments) => {
            "NOT RUN: "
        }
    };
    ToldResult { call: result.call.0.clone(), text: format!("{marker}{text}"), is_error }
}
