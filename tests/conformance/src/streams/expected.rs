//! What a right reader makes of a recording, and the comparison with what ours made of it.

use std::fmt::Debug;

use agent::arguments;
use agent::model::{ModelEvent, ModelReply, ProposedCall, ReplyContent, StopReason};
use serde::Deserialize;
use serde_json::{Map, Value};
use wire::error::WireError;

/// What a reader made of a recording.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    /// What it told while it read.
    pub(super) events: Vec<ModelEvent>,
    /// What it said at the end.
    pub(super) reply: Result<ModelReply, WireError>,
}

/// What a right reader makes of it. What is not given is not there, except usage, which then is
/// not known.
#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(super) struct Expected {
    pub(super) http_status: Option<u16>,
    errors: Vec<ExpectedError>,
    text: String,
    thinking: String,
    signature: bool,
    redacted: usize,
    reasoning_items: usize,
    refusal: String,
    messages: Option<usize>,
    stop_reason: Option<String>,
    status: Option<String>,
    incomplete_reason: Option<String>,
    tool_calls: Vec<ExpectedCall>,
    approval_requests: Vec<Value>,
    usage: Option<Map<String, Value>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct ExpectedError {
    #[serde(rename = "type")]
    kind: Option<String>,
    code: Option<String>,
    message: String,
}

#[derive(Debug, Deserialize)]
struct ExpectedCall {
    id: String,
    name: String,
    arguments: Option<Map<String, Value>>,
    raw: Option<String>,
    complete: bool,
}

impl Expected {
    /// What the recording says beyond what can be compared here.
    pub(super) fn not_judged(&self) -> impl Iterator<Item = &str> {
        let counts = self.usage.iter().flat_map(Map::keys).map(String::as_str);
        let counts = counts.filter(|key| !["input_tokens", "output_tokens"].contains(key));
        self.rest.keys().map(String::as_str).filter(|key| *key != "id").chain(counts)
    }

    /// Whether the recording asks a person to allow what a provider would run itself.
    pub(super) fn asks_for_approval(&self) -> bool {
        !self.approval_requests.is_empty()
    }

    /// What is wrong with a reading; nothing if it is right.
    pub(super) fn compare(&self, reading: &Reading) -> Vec<String> {
        let mut complaints = Vec::new();
        let restarts =
            reading.events.iter().filter(|event| **event == ModelEvent::Restarted).count();
        differ(&mut complaints, "messages", &self.messages.unwrap_or(1), &(restarts + 1));
        let words = words_so_far(&reading.events);
        differ(&mut complaints, "text while it came", &self.words(), &words);
        if reading.reply.is_err() {
            let begun: Vec<_> = self.tool_calls.iter().map(|call| call.name.clone()).collect();
            differ(&mut complaints, "calls begun", &begun, &calls_so_far(&reading.events));
        }
        complaints.extend(self.compare_end(&reading.reply));
        complaints
    }

    /// What is wrong with what a reader said at the end.
    pub(super) fn compare_end(&self, reply: &Result<ModelReply, WireError>) -> Vec<String> {
        let mut complaints = Vec::new();
        match reply {
            Ok(reply) => self.compare_reply(reply, &mut complaints),
            Err(error) => self.compare_error(error, &mut complaints),
        }
        complaints
    }

    /// Words for the person: a refusal is some too.
    fn words(&self) -> String {
        format!("{}{}", self.text, self.refusal)
    }

    /// Why it ended, in whichever words its protocol has for it.
    fn stop(&self) -> Option<StopReason> {
        let called = !self.tool_calls.is_empty();
        Some(match (self.stop_reason.as_deref(), self.status.as_deref()) {
            _ if !self.refusal.is_empty() => StopReason::Refusal,
            (Some("stop"), _) | (None, Some("completed")) if called => StopReason::ToolUse,
            (Some("stop"), _) | (None, Some("completed")) => StopReason::EndTurn,
            (Some("end_turn"), _) => StopReason::EndTurn,
            (Some("tool_use" | "tool_calls"), _) => StopReason::ToolUse,
            (Some("max_tokens" | "length"), _) => StopReason::MaxTokens,
            (Some("stop_sequence"), _) => StopReason::StopSequence,
            (Some("refusal" | "content_filter"), _) => StopReason::Refusal,
            (Some("pause_turn"), _) => StopReason::Pause,
            (Some(other), _) => StopReason::Other(other.to_owned()),
            (None, Some("incomplete")) => match self.incomplete_reason.as_deref() {
                Some("max_output_tokens") => StopReason::MaxTokens,
                Some(other) => StopReason::Other(other.to_owned()),
                None => return None,
            },
            (None, Some(_) | None) => return None,
        })
    }

    fn compare_error(&self, error: &WireError, complaints: &mut Vec<String>) {
        let cut_call = self.tool_calls.iter().find(|call| !call.complete);
        let right = match (self.errors.first(), cut_call, self.stop()) {
            (Some(expected), _, _) => expected.is(error),
            (None, Some(call), Some(StopReason::MaxTokens)) => {
                *error == WireError::LengthLimit { tool: call.name.clone() }
            }
            (None, _, None) => *error == WireError::CutOff,
            (None, _, Some(_)) => false,
        };
        if !right {
            complaints.push(format!("it is not right that {error}"));
        }
    }

    fn compare_reply(&self, reply: &ModelReply, complaints: &mut Vec<String>) {
        if let Some(error) = self.errors.first() {
            complaints.push(format!("it is a reply although {}", error.message));
        }
        differ(complaints, "stop reason", &self.stop(), &Some(reply.stop.clone()));
        let of_usage = |key| self.usage.as_ref()?.get(key)?.as_u64();
        for (key, actual) in
            [("input_tokens", reply.usage.input), ("output_tokens", reply.usage.output)]
        {
            differ(complaints, key, &of_usage(key).unwrap_or(actual), &actual);
        }
        let blocks = Blocks::of(reply);
        differ(complaints, "text", &self.words(), &blocks.text);
        differ(complaints, "thinking", &self.thinking, &blocks.thinking);
        differ(complaints, "signature", &self.signature, &blocks.signed);
        differ(complaints, "redacted thinking", &self.redacted, &blocks.redacted);
        differ(complaints, "items of reasoning", &self.reasoning_items, &blocks.reasoning);
        differ(complaints, "calls", &self.tool_calls.len(), &blocks.calls.len());
        for (expected, actual) in self.tool_calls.iter().zip(blocks.calls) {
            expected.compare(actual, complaints);
        }
    }
}

impl ExpectedError {
    pub(super) fn is(&self, error: &WireError) -> bool {
        match error {
            WireError::Provider { code, message, .. } => {
                Some(code) == self.code.as_ref().or(self.kind.as_ref()) && *message == self.message
            }
            WireError::CutOff
            | WireError::LengthLimit { .. }
            | WireError::Malformed(_)
            | WireError::TooLarge { .. }
            | WireError::NotAStream { .. }
            | WireError::Unsendable(_) => false,
        }
    }
}

impl ExpectedCall {
    fn compare(&self, actual: &ProposedCall, complaints: &mut Vec<String>) {
        differ(complaints, "call id", &self.id, &actual.id);
        differ(complaints, "call name", &self.name, &actual.name);
        let raw = self.raw.as_ref().unwrap_or(&actual.arguments);
        differ(complaints, "argument text", raw, &actual.arguments);
        // What a card would show; nothing if there can be none.
        let shown = arguments::read(&actual.arguments).ok();
        let arguments = self.arguments.as_ref().filter(|_| self.complete);
        differ(complaints, "arguments", &arguments, &shown.as_ref());
    }
}

/// The pieces of a reply, by kind.
#[derive(Default)]
struct Blocks<'a> {
    text: String,
    thinking: String,
    signed: bool,
    redacted: usize,
    reasoning: usize,
    calls: Vec<&'a ProposedCall>,
}

impl<'a> Blocks<'a> {
    fn of(reply: &'a ModelReply) -> Self {
        let mut blocks = Self::default();
        for content in &reply.content {
            match content {
                ReplyContent::Text(text) => blocks.text.push_str(text),
                ReplyContent::Call(call) => blocks.calls.push(call),
                ReplyContent::Opaque(opaque) => {
                    let text =
                        |key| opaque.block.get(key).and_then(Value::as_str).unwrap_or_default();
                    blocks.reasoning += usize::from(text("type") == "reasoning");
                    blocks.redacted += usize::from(text("type") == "redacted_thinking");
                    blocks.thinking.push_str(text("thinking"));
                    blocks.signed |= !text("signature").is_empty();
                }
            }
        }
        blocks
    }
}

fn differ<T: Debug + PartialEq>(
    complaints: &mut Vec<String>,
    what: &str,
    expected: &T,
    actual: &T,
) {
    if expected != actual {
        complaints.push(format!("{what}: expected {expected:?}, got {actual:?}"));
    }
}

fn since_restart(events: &[ModelEvent]) -> &[ModelEvent] {
    events.rsplit(|event| *event == ModelEvent::Restarted).next().unwrap_or_default()
}

fn words_so_far(events: &[ModelEvent]) -> String {
    let words = |event: &ModelEvent| match event {
        ModelEvent::Text(words) => Some(words.clone()),
        ModelEvent::CallStarted { .. } | ModelEvent::Restarted => None,
    };
    since_restart(events).iter().filter_map(words).collect()
}

fn calls_so_far(events: &[ModelEvent]) -> Vec<String> {
    let name = |event: &ModelEvent| match event {
        ModelEvent::CallStarted { name } => Some(name.clone()),
        ModelEvent::Text(_) | ModelEvent::Restarted => None,
    };
    since_restart(events).iter().filter_map(name).collect()
}
