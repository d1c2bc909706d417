//! The events of a reply, read one by one. A reply counts only with its proper end.

use std::collections::BTreeMap;

use agent::mistake::{Mistake, made};
use agent::model::{ModelEvent, ModelReply, StopReason, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::WINDOW_FULL;
use super::block::{Block, Body, Delta};
use crate::budget::{Budget, check_counts};
use crate::decoder::Event;
use crate::error::WireError;
use crate::failure::error_in_reply;
use crate::json::{malformed, parse};

/// What came of a reply so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    message: Option<Message>,
}

/// What came of the message so far. A message that begins again starts from nothing.
#[derive(Debug, Clone, Default)]
struct Message {
    blocks: BTreeMap<u64, Block>,
    stop: Option<String>,
    counts: Counts,
    budget: Budget,
    ended: bool,
}

/// Tokens as the protocol counts them: those from the provider's cache, those put into it, and the
/// rest, each apart.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    fresh: u64,
    put_in_cache: u64,
    cached: u64,
    output: u64,
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: Option<String>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct MessageStart {
    message: StartedMessage,
}

#[derive(Deserialize)]
struct StartedMessage {
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct BlockStart {
    index: u64,
    content_block: Box<RawValue>,
}

#[derive(Deserialize)]
struct BlockDelta {
    index: u64,
    delta: Delta,
}

#[derive(Deserialize)]
struct BlockStop {
    index: u64,
}

#[derive(Deserialize)]
struct MessageDelta {
    delta: Option<MessageEnd>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct MessageEnd {
    stop_reason: Option<String>,
}

/// A reply that came at once.
#[derive(Deserialize)]
struct WholeMessage {
    content: Vec<Box<RawValue>>,
    stop_reason: Option<String>,
    usage: Option<Value>,
}

impl Draft {
    /// Takes one event; what it adds for the eye.
    pub(crate) fn take(
        &mut self,
        event: &Event<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        let text = event.text;
        let head: Head = parse(text)?;
        let kind = match (head.kind, event.name, head.error) {
            (Some(kind), _, _) => kind,
            (None, _, Some(_)) => "error".to_owned(),
            (None, Some(name), None) => name.to_owned(),
            (None, None, None) => return Err(malformed("an event has no type")),
        };
        match kind.as_str() {
            "error" if !made(Mistake::FailureInReplyOverlooked) => {
                Err(error_in_reply(text.as_bytes()))
            }
            "message_start" => self.begin(text, events),
            "content_block_start" => self.message()?.begin_block(&parse(text)?, events),
            "content_block_delta" => self.message()?.change_block(parse(text)?, events),
            "content_block_stop" => self.message()?.end_block(&parse(text)?),
            "message_delta" => self.message()?.change_message(parse(text)?),
            "message_stop" => self.end(),
            _ => Ok(()),
        }
    }

    /// Nothing more comes: the reply, if it came to its proper end.
    pub(crate) fn finish(self) -> Result<ModelReply, WireError> {
        self.message.ok_or(WireError::CutOff)?.finish()
    }

    fn begin(&mut self, text: &str, events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        let MessageStart { message: started } = parse(text)?;
        let mut message = Message::default();
        message.count(started.usage.as_ref());
        if self.message.replace(message).is_some() {
            events.push(ModelEvent::Restarted);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), WireError> {
        let message =
            self.message.as_mut().ok_or_else(|| malformed("an end came before its message"))?;
        message.ended = true;
        Ok(())
    }

    /// The message that is being written.
    fn message(&mut self) -> Result<&mut Message, WireError> {
        match &mut self.message {
            None => Err(malformed("content came before its message")),
            Some(message) if message.ended => Err(malformed("content came after its message")),
            Some(message) => Ok(message),
        }
    }
}

/// A reply that came at once, as the text of its JSON.
pub(crate) fn decode_whole(text: &str) -> Result<ModelReply, WireError> {
    let WholeMessage { content, stop_reason, usage } = parse(text)?;
    let mut message = Message { stop: stop_reason, ended: true, ..Message::default() };
    message.count(usage.as_ref());
    for (index, content_block) in (0..).zip(content) {
        message.begin_block(&BlockStart { index, content_block }, &mut Vec::new())?;
        message.end_block(&BlockStop { index })?;
    }
    message.finish()
}

impl Message {
    fn begin_block(
        &mut self,
        start: &BlockStart,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        self.budget.charge(start.content_block.get().len())?;
        let block = Block::begin(&start.content_block)?;
        match &block.body {
            Body::Text(text) if text.is_empty() => {}
            Body::Text(text) => events.push(ModelEvent::Text(text.clone())),
            Body::Call { name, .. } => {
                events.push(ModelEvent::CallStarted { name: name.clone() });
            }
            Body::Opaque { .. } | Body::Unknown => {}
        }
        if self.blocks.insert(start.index, block).is_some() {
            return Err(malformed("a block began twice"));
        }
        let calls = self.blocks.values().filter(|block| block.is_call()).count();
        check_counts(self.blocks.len(), calls)
    }

    fn change_block(
        &mut self,
        change: BlockDelta,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        self.budget.charge(change.delta.len())?;
        let words = self.block(change.index)?.add(change.delta)?;
        events.extend(words.map(ModelEvent::Text));
        Ok(())
    }

    fn end_block(&mut self, stop: &BlockStop) -> Result<(), WireError> {
        let block = self.block(stop.index)?;
        if std::mem::replace(&mut block.ended, true) {
            return Err(malformed("a block ended twice"));
        }
        Ok(())
    }

    fn change_message(&mut self, change: MessageDelta) -> Result<(), WireError> {
        self.count(change.usage.as_ref());
        if let Some(reason) = change.delta.and_then(|delta| delta.stop_reason) {
            self.budget.charge(reason.len())?;
            self.stop = Some(reason);
        }
        Ok(())
    }

    fn finish(self) -> Result<ModelReply, WireError> {
        if !self.ended && !made(Mistake::CutReplyCounts) {
            return Err(WireError::CutOff);
        }
        let reason = self.stop.ok_or_else(|| malformed("the reply ended without a reason"))?;
        let stop = stop_reason(reason);
        let cut = is_cut(&stop);
        let last = self.blocks.keys().next_back().copied();
        let mut content = Vec::new();
        for (index, block) in self.blocks {
            // A declined reply is withdrawn: its words may be shown, nothing may be done on them.
            if stop == StopReason::Refusal && block.is_call() {
                continue;
            }
            content.extend(block.into_content(cut, Some(index) == last)?);
        }
        Ok(ModelReply { content, stop, usage: self.counts.usage() })
    }

    fn block(&mut self, index: u64) -> Result<&mut Block, WireError> {
        self.blocks.get_mut(&index).ok_or_else(|| malformed("a piece came for no block"))
    }

    /// Counts are cumulative, so the last one holds. Gateways send zero for tokens read where they
    /// do not know the number yet, or any more.
    fn count(&mut self, usage: Option<&Value>) {
        let tokens = |key| usage?.get(key)?.as_u64();
        let Counts { fresh, put_in_cache, cached, output } = &mut self.counts;
        for (key, count) in [
            ("input_tokens", fresh),
            ("cache_creation_input_tokens", put_in_cache),
            ("cache_read_input_tokens", cached),
        ] {
            if let Some(read) = tokens(key).filter(|&read| read > 0) {
                *count = read;
            }
        }
        if let Some(written) = tokens("output_tokens") {
            *output = written;
        }
    }
}

impl Counts {
    fn usage(self) -> Usage {
        let Self { fresh, put_in_cache, cached, output } = self;
        let input = fresh.saturating_add(put_in_cache).saturating_add(cached);
        Usage { input, cached, output, ..Usage::default() }
    }
}

fn stop_reason(reason: String) -> StopReason {
    match reason.as_str() {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "refusal" => StopReason::Refusal,
        "pause_turn" => StopReason::Pause,
        _ => StopReason::Other(reason),
    }
}

fn is_cut(stop: &StopReason) -> bool {
    match stop {
        StopReason::MaxTokens => true,
        StopReason::Other(reason) => reason == WINDOW_FULL,
        StopReason::EndTurn
        | StopReason::ToolUse
        | StopReason::StopSequence
        | StopReason::Refusal
        | StopReason::Pause => false,
    }
}
