//! The lines of a reply, read one by one; a reply that came whole is its only line.

use agent::message::Opaque;
use agent::model::{ModelEvent, ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::{PROTOCOL, THINKING};
use crate::budget::{Arguments, Budget, check_counts};
use crate::decoder::Event;
use crate::error::WireError;
use crate::failure::error_in_reply;
use crate::json::{malformed, parse};

/// What came of a reply so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    text: String,
    thinking: String,
    calls: Vec<ProposedCall>,
    /// Why it ended; its end has come with it.
    reason: Option<String>,
    usage: Usage,
    budget: Budget,
}

#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
    done: Option<bool>,
    done_reason: Option<String>,
    prompt_eval_count: Option<u64>,
    eval_count: Option<u64>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    thinking: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

/// A call, always whole. Older servers give it no id.
#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: Option<Box<RawValue>>,
}

impl Draft {
    /// Takes one line; what it adds for the eye.
    pub(crate) fn take(
        &mut self,
        event: &Event<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        let line: Line = parse(event.text)?;
        if line.error.is_some() {
            return Err(error_in_reply(event.text.as_bytes()));
        }
        if self.reason.is_some() {
            return Err(malformed("a line came behind the end of the reply"));
        }
        if let Some(message) = line.message {
            self.add(message, events)?;
        }
        if line.done == Some(true) {
            let reason = line.done_reason.unwrap_or_default();
            self.budget.charge(reason.len())?;
            self.reason = Some(reason);
            self.usage.input = line.prompt_eval_count.unwrap_or_default();
            self.usage.output = line.eval_count.unwrap_or_default();
        }
        Ok(())
    }

    /// Nothing more comes: the reply, if it came to its proper end.
    pub(crate) fn finish(self) -> Result<ModelReply, WireError> {
        let Some(reason) = self.reason else { return Err(WireError::CutOff) };
        let stop = match reason.as_str() {
            // The reason is the same with calls and without; early servers gave none.
            "stop" | "" if self.calls.is_empty() => StopReason::EndTurn,
            "stop" | "" => StopReason::ToolUse,
            "length" => StopReason::MaxTokens,
            _ => StopReason::Other(reason),
        };
        let mut content = Vec::new();
        if !self.thinking.is_empty() {
            let block = json!({ THINKING: self.thinking });
            content.push(ReplyContent::Opaque(Opaque { provider: PROTOCOL.to_owned(), block }));
        }
        if !self.text.is_empty() {
            content.push(ReplyContent::Text(self.text));
        }
        content.extend(self.calls.into_iter().map(ReplyContent::Call));
        Ok(ModelReply { content, stop, usage: self.usage })
    }

    fn add(&mut self, message: Message, events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        let Message { content, thinking, tool_calls } = message;
        let thinking = thinking.unwrap_or_default();
        self.budget.charge(thinking.len())?;
        self.thinking.push_str(&thinking);
        if let Some(words) = content.filter(|words| !words.is_empty()) {
            self.budget.charge(words.len())?;
            self.text.push_str(&words);
            events.push(ModelEvent::Text(words));
        }
        for call in tool_calls.into_iter().flatten() {
            let name = call.function.name.clone();
            self.call(call)?;
            check_counts(self.calls.len(), self.calls.len())?;
            events.push(ModelEvent::CallStarted { name });
        }
        Ok(())
    }

    /// Two calls that say the same are two calls, so each gets an id of its own.
    fn call(&mut self, call: Call) -> Result<(), WireError> {
        let Call { id, function: Function { name, arguments } } = call;
        if name.is_empty() {
            return Err(malformed("a call has no name"));
        }
        let is_new = |id: &String| !id.is_empty() && self.calls.iter().all(|call| call.id != *id);
        let id = id.filter(is_new).or_else(|| {
            let mut places = self.calls.len()..;
            places.find_map(|place| Some(format!("call_{place}")).filter(is_new))
        });
        let arguments = match arguments.as_ref().map_or("", |raw| raw.get()) {
            "null" => Arguments::default(),
            // Some servers send the text of an object in place of the object.
            text if text.starts_with('"') => Arguments::whole(&parse::<String>(text)?)?,
            text => Arguments::whole(text)?,
        };
        let (id, arguments) = (id.unwrap_or_default(), arguments.into_text());
        self.budget.charge(id.len() + name.len() + arguments.len())?;
        self.calls.push(ProposedCall { id, name, arguments, provider_result: None });
        Ok(())
    }
}

/// A reply that came whole, as the text of its JSON.
pub(crate) fn decode_whole(text: &str) -> Result<ModelReply, WireError> {
    let mut draft = Draft::default();
    draft.take(&Event { name: None, text }, &mut Vec::new())?;
    draft.finish()
}
