//! The stream of a reply, read piece by piece. A reply counts only with its proper end.

use std::collections::BTreeMap;

use agent::limits::{CALLS_PER_REPLY_MAX, REPLY_BYTES_MAX};
use agent::model::{ModelEvent, ModelReply, StopReason, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::WINDOW_FULL;
use super::block::{Block, Body, Delta, malformed, parse};
use super::failure::{error_from_body, error_from_event};
use crate::error::WireError;
use crate::framing::{Frame, FrameReader};
use crate::limits::{BLOCKS_MAX, ENVELOPE_MAX_BYTES};

/// Reads the stream of one reply.
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    reader: FrameReader,
    /// The beginning of the stream until its first frame: perhaps it is no stream.
    start: Vec<u8>,
    framed: bool,
    draft: Option<Draft>,
    failed: Option<WireError>,
}

/// What came of the message so far. A message that begins again starts from nothing.
#[derive(Debug, Clone, Default)]
struct Draft {
    blocks: BTreeMap<u64, Block>,
    stop: Option<String>,
    usage: Usage,
    bytes: usize,
    ended: bool,
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

impl Decoder {
    /// Reads the next bytes, cut anywhere; what they add for the eye.
    ///
    /// # Errors
    /// The provider's own failure, what cannot be read, or a bound. The reply is then void, and
    /// every later call says so again.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, WireError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let read = self.read(bytes);
        self.failed = read.as_ref().err().cloned();
        read
    }

    /// The stream is over: the reply, if it came to its proper end.
    ///
    /// # Errors
    /// [`WireError::CutOff`] without a proper end, [`WireError::LengthLimit`] if the limit fell
    /// into the arguments of a call, [`WireError::NotAStream`], and whatever [`Decoder::feed`] said.
    pub fn finish(mut self) -> Result<ModelReply, WireError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if let Some(frame) = std::mem::take(&mut self.reader).finish()? {
            match self.take(&frame, &mut Vec::new()) {
                // The last frame has no end, so this is a cut and not nonsense; whether the reply
                // had its own end by then is asked below.
                Ok(()) | Err(WireError::Malformed(_)) => {}
                Err(error) => return Err(error),
            }
        }
        match self.draft {
            Some(draft) => draft.finish(),
            None if self.framed || begins_like_a_stream(&self.start) => Err(WireError::CutOff),
            None => Err(error_from_body(&self.start).unwrap_or_else(|| not_a_stream(&self.start))),
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, WireError> {
        if !self.framed {
            let room = ENVELOPE_MAX_BYTES - self.start.len();
            self.start.extend(bytes.iter().take(room));
        }
        let mut events = Vec::new();
        for frame in self.reader.feed(bytes)? {
            self.take(&frame, &mut events)?;
        }
        Ok(events)
    }

    fn take(&mut self, frame: &Frame, events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        self.framed = true;
        self.start = Vec::new();
        let data = frame.data.trim_ascii();
        // A keep-alive without content, and the end mark of another protocol.
        if data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        let text = std::str::from_utf8(data).map_err(|_| malformed("an event is not UTF-8"))?;
        if !text.starts_with('{') {
            return Err(malformed("an event is not an object"));
        }
        let head: Head = parse(text)?;
        let kind = match (head.kind, &frame.event, head.error) {
            (Some(kind), _, _) => kind,
            (None, _, Some(_)) => "error".to_owned(),
            (None, Some(event), None) => event.clone(),
            (None, None, None) => return Err(malformed("an event has no type")),
        };
        match kind.as_str() {
            "error" => Err(error_from_event(data)),
            "message_start" => self.begin(text, events),
            "content_block_start" => self.draft()?.begin_block(&parse(text)?, events),
            "content_block_delta" => self.draft()?.change_block(parse(text)?, events),
            "content_block_stop" => self.draft()?.end_block(&parse(text)?),
            "message_delta" => self.draft()?.change_message(parse(text)?),
            "message_stop" => self.end(),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, text: &str, events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        let MessageStart { message } = parse(text)?;
        let mut draft = Draft::default();
        draft.count(message.usage.as_ref());
        if self.draft.replace(draft).is_some() {
            events.push(ModelEvent::Restarted);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), WireError> {
        let draft =
            self.draft.as_mut().ok_or_else(|| malformed("an end came before its message"))?;
        draft.ended = true;
        Ok(())
    }

    /// The message that is being written.
    fn draft(&mut self) -> Result<&mut Draft, WireError> {
        match &mut self.draft {
            None => Err(malformed("content came before its message")),
            Some(draft) if draft.ended => Err(malformed("content came after its message")),
            Some(draft) => Ok(draft),
        }
    }
}

impl Draft {
    fn begin_block(
        &mut self,
        start: &BlockStart,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        self.charge(start.content_block.get().len())?;
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
        if self.blocks.len() > BLOCKS_MAX {
            return Err(WireError::TooLarge { what: "the number of blocks", limit: BLOCKS_MAX });
        }
        if self.blocks.values().filter(|block| block.is_call()).count() > CALLS_PER_REPLY_MAX {
            return Err(WireError::TooLarge {
                what: "the number of calls",
                limit: CALLS_PER_REPLY_MAX,
            });
        }
        Ok(())
    }

    fn change_block(
        &mut self,
        change: BlockDelta,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        self.charge(change.delta.len())?;
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
            self.charge(reason.len())?;
            self.stop = Some(reason);
        }
        Ok(())
    }

    fn finish(self) -> Result<ModelReply, WireError> {
        if !self.ended {
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
        Ok(ModelReply { content, stop, usage: self.usage })
    }

    fn block(&mut self, index: u64) -> Result<&mut Block, WireError> {
        self.blocks.get_mut(&index).ok_or_else(|| malformed("a piece came for no block"))
    }

    fn charge(&mut self, bytes: usize) -> Result<(), WireError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > REPLY_BYTES_MAX {
            return Err(WireError::TooLarge { what: "the reply", limit: REPLY_BYTES_MAX });
        }
        Ok(())
    }

    /// Counts are cumulative, so the last one holds. Gateways send zero for tokens read where they
    /// do not know the number yet, or any more.
    fn count(&mut self, usage: Option<&Value>) {
        let tokens = |key| usage?.get(key)?.as_u64();
        if let Some(input) = tokens("input_tokens").filter(|&input| input > 0) {
            self.usage.input = input;
        }
        if let Some(output) = tokens("output_tokens") {
            self.usage.output = output;
        }
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

/// Whether the bytes may be the beginning of a stream that was cut before its first event.
fn begins_like_a_stream(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    [b"event:".as_slice(), b"data:", b"id:", b"retry:", b":"]
        .into_iter()
        .any(|field| start.starts_with(field) || field.starts_with(start))
}

fn not_a_stream(start: &[u8]) -> WireError {
    let start = String::from_utf8_lossy(start).trim().chars().take(60).collect();
    WireError::NotAStream { start }
}
