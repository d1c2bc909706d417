//! The stream that answers a request, read piece by piece. A reply counts only with its proper end.

use agent::model::{ModelEvent, ModelReply};

use crate::error::WireError;
use crate::failure;
use crate::framing::{Frame, FrameReader};
use crate::json::malformed;
use crate::limits::ENVELOPE_MAX_BYTES;
use crate::protocol::Protocol;
use crate::{anthropic, ollama, openai_chat, openai_responses};

/// Reads the stream of one reply, in any protocol.
#[derive(Debug, Clone)]
pub struct Decoder {
    by_line: bool,
    reader: FrameReader,
    /// The beginning of the stream until its first frame: perhaps it is no stream.
    start: Vec<u8>,
    framed: bool,
    draft: Draft,
    failed: Option<WireError>,
}

/// One event of a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event<'a> {
    /// Its name, if it has one beside its data.
    pub(crate) name: Option<&'a str>,
    /// Its data: the text of a JSON object, or of something that begins like one.
    pub(crate) text: &'a str,
}

/// What came of the reply so far.
#[derive(Debug, Clone)]
enum Draft {
    Anthropic(anthropic::decode::Draft),
    OpenAiChat(openai_chat::decode::Draft),
    OpenAiResponses(openai_responses::decode::Draft),
    Ollama(ollama::decode::Draft),
}

impl Decoder {
    /// A reader for a stream in this protocol.
    pub(crate) fn new(protocol: Protocol) -> Self {
        let draft = match protocol {
            Protocol::Anthropic => Draft::Anthropic(Default::default()),
            Protocol::OpenAiChat => Draft::OpenAiChat(Default::default()),
            Protocol::OpenAiResponses => Draft::OpenAiResponses(Default::default()),
            Protocol::Ollama => Draft::Ollama(Default::default()),
        };
        let by_line = protocol == Protocol::Ollama;
        let reader = if by_line { FrameReader::by_line() } else { FrameReader::default() };
        Self { by_line, reader, start: Vec::new(), framed: false, draft, failed: None }
    }

    /// Reads the next bytes, cut anywhere; what they add for the eye.
    ///
    /// # Errors
    /// The provider's own failure, what cannot be read, or a bound. The reply is then void, and
    /// every later call says so again.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, WireError> {
        let mut events = Vec::new();
        self.feed_into(bytes, &mut events)?;
        Ok(events)
    }

    /// Reads the next bytes, cut anywhere, as [`Decoder::feed`] does, and puts what they add for the
    /// eye into `events`: also what came before a failure, however the bytes were cut.
    ///
    /// # Errors
    /// As [`Decoder::feed`].
    pub fn feed_into(
        &mut self,
        bytes: &[u8],
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let read = self.read(bytes, events);
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
        let begun = self.begins_like_a_stream();
        if let Some(frame) = std::mem::take(&mut self.reader).finish()? {
            match self.take(&frame, &mut Vec::new()) {
                // The last frame has no end, so this is a cut and not nonsense; whether the reply
                // had its own end by then is asked below.
                Ok(()) | Err(WireError::Malformed(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if self.framed || begun {
            return self.draft.finish();
        }
        Err(self.no_stream())
    }

    fn read(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        if !self.framed {
            let room = ENVELOPE_MAX_BYTES - self.start.len();
            self.start.extend(bytes.iter().take(room));
        }
        for frame in self.reader.feed(bytes)? {
            self.take(&frame, events)?;
        }
        Ok(())
    }

    fn take(&mut self, frame: &Frame, events: &mut Vec<ModelEvent>) -> Result<(), WireError> {
        let first = !std::mem::replace(&mut self.framed, true);
        self.start = Vec::new();
        let data = frame.data.trim_ascii();
        // A keep-alive without content, and an end mark that says less than the reply itself.
        if data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        let text = std::str::from_utf8(data).map_err(|_| malformed("an event is not UTF-8"))?;
        if !text.starts_with('{') {
            if self.by_line && first {
                return Err(not_a_stream(data));
            }
            return Err(malformed("an event is not an object"));
        }
        let event = Event { name: frame.event.as_deref(), text };
        match &mut self.draft {
            Draft::Anthropic(draft) => draft.take(&event, events),
            Draft::OpenAiChat(draft) => draft.take(&event, events),
            Draft::OpenAiResponses(draft) => draft.take(&event, events),
            Draft::Ollama(draft) => draft.take(&event, events),
        }
    }

    /// Whether the bytes so far may be the beginning of a stream that was cut before its first event.
    fn begins_like_a_stream(&self) -> bool {
        let start = self.start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.start);
        let start = start.trim_ascii_start();
        let fields: &[&[u8]] =
            if self.by_line { &[b"{"] } else { &[b"event:", b"data:", b"id:", b"retry:", b":"] };
        fields.iter().any(|field| start.starts_with(field) || field.starts_with(start))
    }

    /// What a success that is not a stream is.
    fn no_stream(&self) -> WireError {
        if failure::is_error(&self.start) {
            return failure::error_in_reply(&self.start);
        }
        not_a_stream(&self.start)
    }
}

impl Draft {
    fn finish(self) -> Result<ModelReply, WireError> {
        match self {
            Self::Anthropic(draft) => draft.finish(),
            Self::OpenAiChat(draft) => draft.finish(),
            Self::OpenAiResponses(draft) => draft.finish(),
            Self::Ollama(draft) => draft.finish(),
        }
    }
}

fn not_a_stream(start: &[u8]) -> WireError {
    let start = String::from_utf8_lossy(start).trim().chars().take(60).collect();
    WireError::NotAStream { start }
}
