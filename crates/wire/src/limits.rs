//! Every bound on the bytes that are read, each with its reason. What a reply may hold is bounded by
//! [`agent::limits`]; the codecs stop reading there.

use agent::limits::REPLY_BYTES_MAX;

/// One line of a stream, and one event of several lines: a whole reply at once, in its envelope.
/// What is longer could not be used, so it is not read to its end.
pub const LINE_MAX_BYTES: usize = REPLY_BYTES_MAX + ENVELOPE_MAX_BYTES;

/// A whole stream. In deltas of a few letters a reply has some thirty times its own size in frames.
pub const STREAM_MAX_BYTES: usize = 16_000_000;

/// Blocks in one reply, so that empty ones cannot pile up either.
pub const BLOCKS_MAX: usize = 256;

/// How much is kept of a body that turns out not to be a stream: enough for an error envelope.
pub const ENVELOPE_MAX_BYTES: usize = 16_384;

/// How much of a provider's words about a failure is kept.
pub const WORDS_MAX_CHARS: usize = 500;

/// A request to our own model: a long conversation, and nothing that could be a file.
pub const REQUEST_MAX_BYTES: usize = 4_000_000;
