//! The chunks of a reply, read one by one, and a reply that came whole: its one choice.

use std::collections::BTreeMap;

use agent::message::Opaque;
use agent::mistake::{Mistake, made};
use agent::model::{ModelEvent, ModelReply, ReplyContent, StopReason, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::call::{Calls, Piece};
use super::{PROTOCOL, REASONING};
use crate::budget::{Budget, check_counts};
use crate::decoder::Event;
use crate::error::WireError;
use crate::failure::error_in_reply;
use crate::json::{malformed, parse};

/// What came of a reply so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    text: String,
    refused: bool,
    reasoning: BTreeMap<&'static str, String>,
    calls: Calls,
    /// Why it ended; its end has come with it. The tokens may come behind.
    reason: Option<String>,
    usage: Usage,
    budget: Budget,
}

#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Choice {
    index: Option<u64>,
    delta: Option<Delta>,
    /// All of it, in a reply that came whole.
    message: Option<Delta>,
    finish_reason: Option<String>,
}

/// What is added to a reply.
#[derive(Deserialize)]
struct Delta {
    content: Option<Value>,
    refusal: Option<String>,
    tool_calls: Option<Vec<Piece>>,
    /// How calls were made before there were several.
    function_call: Option<IgnoredAny>,
    reasoning_content: Option<String>,
    // Some servers send an object under these names, beside the text.
    reasoning: Option<Value>,
    reasoning_text: Option<Value>,
}

impl Draft {
    /// Takes one event; what it adds for the eye.
    pub(crate) fn take(
        &mut self,
        event: &Event<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        let chunk: Chunk = parse(event.text)?;
        if chunk.error.is_some() && !made(Mistake::FailureInReplyOverlooked) {
            return Err(error_in_reply(event.text.as_bytes()));
        }
        self.count(chunk.usage.as_ref());
        // One choice is asked for; another would be of another reply.
        let choice = chunk.choices.into_iter().flatten().find(|it| it.index.unwrap_or(0) == 0);
        let Some(Choice { delta, message, finish_reason, .. }) = choice else { return Ok(()) };
        for delta in delta.into_iter().chain(message.map(Delta::numbered)) {
            if self.reason.is_some() && !delta.is_empty() {
                return Err(malformed("content came behind the end of the reply"));
            }
            self.add(delta, events)?;
        }
        if let Some(reason) = finish_reason.filter(|reason| !reason.is_empty()) {
            self.budget.charge(reason.len())?;
            self.reason = Some(reason);
        }
        Ok(())
    }

    /// Nothing more comes: the reply, if it came to its proper end.
    pub(crate) fn finish(self) -> Result<ModelReply, WireError> {
        let reason = self.reason.or_else(|| made(Mistake::CutReplyCounts).then(String::new));
        let Some(reason) = reason else { return Err(WireError::CutOff) };
        let called = self.calls.len() > 0;
        let stop = match reason.as_str() {
            _ if self.refused => StopReason::Refusal,
            // Some servers say so although there are calls.
            "stop" if called => StopReason::ToolUse,
            "stop" => StopReason::EndTurn,
            "tool_calls" => StopReason::ToolUse,
            "length" => StopReason::MaxTokens,
            "content_filter" => StopReason::Refusal,
            _ => StopReason::Other(reason),
        };
        if stop == StopReason::MaxTokens
            && let Some(tool) = self.calls.last_name()
        {
            // The limit falls into the last call, whether or not its text parses.
            return Err(WireError::LengthLimit { tool: tool.to_owned() });
        }
        let mut content = Vec::new();
        if !self.reasoning.is_empty() {
            let fields: Map<_, _> = self
                .reasoning
                .into_iter()
                .map(|(key, text)| (key.to_owned(), Value::from(text)))
                .collect();
            let opaque = Opaque { provider: PROTOCOL.to_owned(), block: fields.into() };
            content.push(ReplyContent::Opaque(opaque));
        }
        if !self.text.is_empty() {
            content.push(ReplyContent::Text(self.text));
        }
        // A declined reply is withdrawn: its words may be shown, nothing may be done on them.
        if stop != StopReason::Refusal {
            content.extend(self.calls.into_contents()?);
        }
        Ok(ModelReply { content, stop, usage: self.usage })
    }

    fn add(&mut self, delta: Delta, events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        if delta.function_call.is_some() {
            return Err(malformed("a call came in the way of older models"));
        }
        let fields = [
            delta.reasoning_content.as_deref(),
            delta.reasoning.as_ref().and_then(Value::as_str),
            delta.reasoning_text.as_ref().and_then(Value::as_str),
        ];
        for (key, text) in REASONING.into_iter().zip(fields) {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                self.budget.charge(text.len())?;
                self.reasoning.entry(key).or_default().push_str(text);
            }
        }
        let words = delta.content.as_ref().map(words).transpose()?.unwrap_or_default();
        let refusal = delta.refusal.unwrap_or_default();
        self.refused |= !refusal.is_empty();
        for words in [words, refusal] {
            if !words.is_empty() {
                self.budget.charge(words.len())?;
                self.text.push_str(&words);
                events.push(ModelEvent::Text(words));
            }
        }
        for piece in delta.tool_calls.into_iter().flatten() {
            self.budget.charge(piece.len())?;
            let name = self.calls.add(piece)?;
            events.extend(name.map(|name| ModelEvent::CallStarted { name }));
            check_counts(self.calls.len(), self.calls.len())?;
        }
        Ok(())
    }

    fn count(&mut self, usage: Option<&Value>) {
        let tokens = |key: &str| usage?.pointer(key)?.as_u64();
        let Usage { input, cached, output, .. } = &mut self.usage;
        for (count, keys) in [
            (input, ["/prompt_tokens", "/prompt_tokens"]),
            (output, ["/completion_tokens", "/completion_tokens"]),
            (cached, ["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]),
        ] {
            if let Some(tokens) = keys.into_iter().find_map(tokens) {
                *count = tokens;
            }
        }
    }
}

impl Delta {
    /// In a reply that came whole every call stands alone, and none is counted.
    fn numbered(mut self) -> Self {
        for (place, piece) in (0..).zip(self.tool_calls.iter_mut().flatten()) {
            piece.index = Some(place);
        }
        self
    }

    fn is_empty(&self) -> bool {
        let says_something = |value: &Value| !value.is_null() && value != "";
        !self.content.as_ref().is_some_and(says_something)
            && self.refusal.as_ref().is_none_or(String::is_empty)
            && self.tool_calls.iter().flatten().all(Piece::is_empty)
    }
}

/// A reply that came whole, as the text of its JSON.
pub(crate) fn decode_whole(text: &str) -> Result<ModelReply, WireError> {
    let mut draft = Draft::default();
    draft.take(&Event { name: None, text }, &mut Vec::new())?;
    draft.finish()
}

/// Words as a string, or in parts of text; parts of thinking are none.
fn words(content: &Value) -> Result<String, WireError> {
    match content {
        Value::Null => Ok(String::new()),
        Value::String(words) => Ok(words.clone()),
        Value::Array(parts) => {
            let text = |part: &Value| part.get("text")?.as_str().map(str::to_owned);
            Ok(parts.iter().filter_map(text).collect())
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            Err(malformed("the content of a reply is no text"))
        }
    }
}
