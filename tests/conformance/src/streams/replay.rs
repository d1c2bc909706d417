//! A recording, replayed: whole, in chunks, with other line ends, and cut.

use agent::model::ModelReply;
use serde_json::Value;
use wire::error::WireError;
use wire::failure::error_from_response;
use wire::protocol::Protocol;

use super::expected::{Expected, Reading};

/// The largest chunk that is tried beside the whole recording.
const CHUNK_MAX_BYTES: usize = 16;

/// A recording as the bytes that came.
pub(super) struct Recording {
    protocol: Protocol,
    body: Vec<u8>,
}

impl Recording {
    /// Puts the framing back where a recording was kept without it.
    pub(super) fn new(name: &str, protocol: Protocol, body: Vec<u8>) -> Self {
        if !name.ends_with(".jsonl") {
            return Self { protocol, body };
        }
        let lines = body.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let framed = lines.flat_map(|line| [b"data: ", line, b"\n\n"].concat()).collect();
        Self { protocol, body: framed }
    }

    /// A recorded stream.
    pub(super) fn judge_stream(&self, expected: &Expected) -> Vec<String> {
        // Byte by byte, nothing that was told is lost with a later error of the same chunk.
        let reading = self.read(self.body.chunks(1));
        let mut complaints = expected.compare(&reading);
        for size in (2..=CHUNK_MAX_BYTES).chain([self.body.len().max(1)]) {
            let other = self.read(self.body.chunks(size));
            complaints
                .extend(same(&reading, &other).map(|why| format!("in chunks of {size}: {why}")));
        }
        for (end, name) in self.other_line_ends() {
            let rewritten = rewrite(&self.body, end);
            for size in [1, rewritten.len().max(1)] {
                let other = self.read(rewritten.chunks(size));
                complaints.extend(same(&reading, &other).map(|why| format!("with {name}: {why}")));
            }
        }
        complaints.extend(self.judge_cuts(&reading));
        complaints
    }

    /// A recorded stream that asks for something nobody here has words for: it is never a reply.
    pub(super) fn judge_refused(&self) -> Vec<String> {
        let sizes = (1..=CHUNK_MAX_BYTES).chain([self.body.len().max(1)]);
        let read = sizes.map(|size| self.read(self.body.chunks(size)));
        let cuts = (0..self.body.len()).map(|end| self.body.get(..end).unwrap_or_default());
        read.chain(cuts.map(|cut| self.read([cut].into_iter())))
            .filter(|reading| reading.reply.is_ok())
            .map(|reading| format!("it is a reply: {:?}", reading.reply))
            .collect()
    }

    /// A recorded reply that came whole. Without its end it is cut, wherever that is.
    pub(super) fn judge_whole(&self, expected: &Expected) -> Vec<String> {
        let whole = self.protocol.decode(&self.body);
        let mut complaints = expected.compare_end(&whole);
        let length = self.body.trim_ascii_end().len();
        for end in 0..self.body.len() {
            let reply = self.protocol.decode(self.body.get(..end).unwrap_or_default());
            let right = if end < length { Err(WireError::CutOff) } else { whole.clone() };
            if reply != right {
                complaints.push(format!("cut at {end} of {length}: {reply:?}"));
            }
        }
        complaints
    }

    /// A recorded answer that is no stream. Should it ever come with a success, it is no reply.
    pub(super) fn judge_answer(&self, status: u16, expected: &Expected) -> Vec<String> {
        let error = error_from_response(status, None, &self.body);
        let mut complaints = expected.compare(&Reading { events: Vec::new(), reply: Err(error) });
        complaints.extend(expected.compare(&self.read(self.body.chunks(1))));
        for end in 0..self.body.len() {
            let cut = self.body.get(..end).unwrap_or_default();
            if self.read([cut].into_iter()).reply.is_ok() {
                complaints.push(format!("cut at {end}: it is a reply"));
            }
        }
        complaints
    }

    /// Cut anywhere before its proper end, a stream is an error; behind it, nothing is missing.
    fn judge_cuts(&self, whole: &Reading) -> Vec<String> {
        let proper_end = self.proper_end();
        let mut complaints = Vec::new();
        let mut decoder = self.protocol.decoder();
        for end in 0..self.body.len() {
            let reply = decoder.clone().finish();
            let right = if proper_end.is_some_and(|proper_end| end >= proper_end) {
                self.is_the_same(&reply, &whole.reply)
            } else {
                // A failure the provider tells of in the stream is known as soon as it is told.
                reply == Err(WireError::CutOff) || is_told(&reply) && reply == whole.reply
            };
            if !right {
                complaints.push(format!("cut at {end} of {}: {reply:?}", self.body.len()));
            }
            let next = self.body.get(end..=end).unwrap_or_default();
            // An error stays with the decoder and is what it says at the end.
            let _ = decoder.feed(next);
        }
        complaints
    }

    /// Tokens may be told behind the end of a reply.
    fn is_the_same(
        &self,
        reply: &Result<ModelReply, WireError>,
        whole: &Result<ModelReply, WireError>,
    ) -> bool {
        match (self.protocol, reply, whole) {
            (Protocol::OpenAiChat, Ok(reply), Ok(whole)) => {
                ModelReply { usage: whole.usage.clone(), ..reply.clone() } == *whole
            }
            (_, reply, whole) => reply == whole,
        }
    }

    /// Where the last message of a stream ends: behind the JSON that says so. Found without the
    /// codec.
    fn proper_end(&self) -> Option<usize> {
        let mut at = 0;
        let mut found = None;
        for line in self.body.split(|byte| *byte == b'\n') {
            let data = line.strip_prefix(b"data:").unwrap_or(line);
            if let Ok(event) = serde_json::from_slice::<Value>(data) {
                match self.ends(&event) {
                    Some(true) => found = Some(at + line.trim_ascii_end().len()),
                    Some(false) => found = None,
                    None => {}
                }
            }
            at += line.len() + 1;
        }
        found
    }

    /// Whether an event ends its reply, or begins or breaks one.
    fn ends(&self, event: &Value) -> Option<bool> {
        let kind = event.get("type").and_then(Value::as_str);
        match self.protocol {
            Protocol::Anthropic => match kind {
                Some("message_stop") => Some(true),
                Some("message_start" | "error") => Some(false),
                Some(_) | None => None,
            },
            Protocol::OpenAiChat => {
                event.pointer("/choices/0/finish_reason")?.as_str().map(|_| true)
            }
            Protocol::OpenAiResponses => match kind {
                Some("response.completed" | "response.incomplete") => Some(true),
                Some("error") => Some(false),
                Some(_) | None => None,
            },
            Protocol::Ollama => event.get("done")?.as_bool().filter(|done| *done),
        }
    }

    /// The recording in other words: with the other line ends, and with comments.
    fn other_line_ends(&self) -> Vec<(&'static str, &'static str)> {
        let mut ends = vec![("\r\n", "CR LF"), ("\r", "CR")];
        // JSON line by line knows no comments.
        ends.extend(
            (self.protocol != Protocol::Ollama).then_some(("\n: keep-alive\n", "comments")),
        );
        ends
    }

    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> Reading {
        let mut decoder = self.protocol.decoder();
        let mut events = Vec::new();
        for chunk in chunks {
            match decoder.feed(chunk) {
                Ok(more) => events.extend(more),
                Err(error) => return Reading { events, reply: Err(error) },
            }
        }
        Reading { events, reply: decoder.finish() }
    }
}

/// How another reading differs. A failed one may have told less before it failed.
fn same(reading: &Reading, other: &Reading) -> Option<String> {
    let told = if reading.reply.is_ok() {
        other.events == reading.events
    } else {
        reading.events.starts_with(&other.events)
    };
    (other.reply != reading.reply || !told).then(|| format!("{:?}", other.reply))
}

fn is_told(reply: &Result<ModelReply, WireError>) -> bool {
    matches!(reply, Err(WireError::Provider { .. }))
}

fn rewrite(body: &[u8], end: &str) -> Vec<u8> {
    let lines: Vec<_> = body.split(|byte| *byte == b'\n').collect();
    lines.join(end.as_bytes())
}
