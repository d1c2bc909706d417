//! Every bound on what is read from a provider, each with its reason.

/// One line of a stream, and one event of several lines. No provider sends near as much; more
/// would only be memory given away.
pub const LINE_MAX_BYTES: usize = 1_000_000;

/// A whole stream. A reply of [`REPLY_MAX_BYTES`] in deltas of a few letters has some thirty times
/// its own size in frames.
pub const STREAM_MAX_BYTES: usize = 16_000_000;

/// What one reply may say: texts, arguments and a provider's own blocks together.
pub const REPLY_MAX_BYTES: usize = 262_144;

/// The arguments of one call. A person has to read them all.
pub const ARGUMENTS_MAX_BYTES: usize = 65_536;

/// Calls in one reply.
pub const CALLS_MAX: usize = 16;

/// Blocks in one reply, so that empty ones cannot pile up either.
pub const BLOCKS_MAX: usize = 256;

/// How much is kept of a body that turns out not to be a stream: enough for an error envelope.
pub const ENVELOPE_MAX_BYTES: usize = 16_384;

/// How much of a provider's words about a failure is kept.
pub const WORDS_MAX_CHARS: usize = 500;

/// A request to our own model: a long conversation, and nothing that could be a file.
pub const REQUEST_MAX_BYTES: usize = 4_000_000;
