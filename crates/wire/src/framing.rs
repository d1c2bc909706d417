//! Server-sent events, and JSON line by line: bytes to frames, across any chunk boundary, and frames
//! to text.
//!
//! Events as the HTML standard reads a stream, with three differences. Data stays bytes, so that a broken
//! character is refused by whoever parses it and never repaired. A last frame without its blank
//! line is handed out, since providers leave it away; whoever reads it must not take half a frame
//! for a whole one. Lines and streams have bounds.

use std::mem;

use crate::error::WireError;
use crate::limits::{LINE_MAX_BYTES, STREAM_MAX_BYTES};

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its name, if it has one.
    pub event: Option<String>,
    /// Its data; several data lines are joined by a line feed.
    pub data: Vec<u8>,
}

/// Reads frames out of chunks of bytes.
#[derive(Debug, Clone, Default)]
pub struct FrameReader {
    /// Whether every line is the data of a frame.
    by_line: bool,
    line: Vec<u8>,
    after_carriage_return: bool,
    past_first_line: bool,
    event: Option<String>,
    data: Option<Vec<u8>>,
    total_bytes: usize,
}

impl FrameReader {
    /// A reader for a stream in which every line that is not blank is a frame (NDJSON).
    #[must_use]
    pub fn by_line() -> Self {
        Self { by_line: true, ..Self::default() }
    }

    /// Reads one chunk; the frames that are whole with it.
    ///
    /// # Errors
    /// [`WireError::TooLarge`] for a line, an event or a stream past its bound. Nothing that comes
    /// after it can be read.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<Vec<Frame>, WireError> {
        self.total_bytes = self.total_bytes.saturating_add(chunk.len());
        if self.total_bytes > STREAM_MAX_BYTES {
            return Err(WireError::TooLarge { what: "the stream", limit: STREAM_MAX_BYTES });
        }
        let mut frames = Vec::new();
        for &byte in chunk {
            let follows_carriage_return = mem::replace(&mut self.after_carriage_return, false);
            match byte {
                b'\n' if follows_carriage_return => {}
                b'\n' | b'\r' => {
                    self.after_carriage_return = byte == b'\r';
                    frames.extend(self.end_line()?);
                }
                _ => {
                    if self.line.len() == LINE_MAX_BYTES {
                        return Err(too_long());
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(frames)
    }

    /// The stream is over. What is left of it may be a frame that only lacks its blank line, or
    /// half a frame: the reader cannot tell.
    ///
    /// # Errors
    /// [`WireError::TooLarge`] for an event past its bound.
    pub fn finish(mut self) -> Result<Option<Frame>, WireError> {
        if !self.line.is_empty()
            && let Some(frame) = self.end_line()?
        {
            return Ok(Some(frame));
        }
        Ok(self.dispatch())
    }

    fn end_line(&mut self) -> Result<Option<Frame>, WireError> {
        let line = mem::take(&mut self.line);
        let first = !mem::replace(&mut self.past_first_line, true);
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if first => rest,
            Some(_) | None => &line,
        };
        if self.by_line {
            let frame = Frame { event: None, data: line.to_vec() };
            return Ok((!line.trim_ascii().is_empty()).then_some(frame));
        }
        if line.is_empty() {
            return Ok(self.dispatch());
        }
        let (field, value) = split_field(line);
        match field {
            b"data" => self.add_data(value)?,
            b"event" => self.event = Some(String::from_utf8_lossy(value).trim_end().to_owned()),
            // Comments have an empty name; ids and retry times mean nothing to a single reply.
            _ => {}
        }
        Ok(None)
    }

    fn add_data(&mut self, value: &[u8]) -> Result<(), WireError> {
        let Some(data) = &mut self.data else {
            self.data = Some(value.to_vec());
            return Ok(());
        };
        if data.len() + value.len() >= LINE_MAX_BYTES {
            return Err(too_long());
        }
        data.push(b'\n');
        data.extend_from_slice(value);
        Ok(())
    }

    fn dispatch(&mut self) -> Option<Frame> {
        let event = self.event.take();
        self.data.take().map(|data| Frame { event, data })
    }
}

/// One frame as text. `data` is JSON on one line.
pub(crate) fn frame(event: &str, data: &serde_json::Value) -> String {
    format!("event: {event}\ndata: {data}\n\n")
}

fn too_long() -> WireError {
    WireError::TooLarge { what: "an event of the stream", limit: LINE_MAX_BYTES }
}

fn split_field(line: &[u8]) -> (&[u8], &[u8]) {
    let mut parts = line.splitn(2, |&byte| byte == b':');
    let field = parts.next().unwrap_or_default();
    let value = parts.next().unwrap_or_default();
    (field, value.strip_prefix(b" ").unwrap_or(value))
}
