//! Every bound of the loop, each with its reason. Settings may lower some of them, none is absent.

use std::ops::RangeInclusive;

/// Calls in one reply. A household's errand is a dozen items; more is a model that lost its way.
pub const CALLS_PER_REPLY_MAX: usize = 16;

/// Bytes of argument text in one call: a long recipe fits, a flood does not.
pub const ARGUMENT_BYTES_MAX: usize = 64 * 1024;

/// Bytes of one whole reply, words and arguments together.
pub const REPLY_BYTES_MAX: usize = 256 * 1024;

/// Bytes of a conversation in one request, whatever its protocol: some fifty thousand tokens, which is
/// more than a household's errands need, and each round pays for all of them again.
pub const TRANSCRIPT_BYTES_MAX: usize = 192 * 1024;

/// Levels of objects and lists in arguments. No tool needs more than a handful.
pub const ARGUMENT_DEPTH_MAX: usize = 32;

/// Characters in the reason for a handoff: a sentence, for the eye of whoever reads the transcript.
pub const HANDOFF_REASON_CHARS_MAX: usize = 300;

/// The largest integer that every JSON reader gives back unchanged (2^53); larger ones stay text.
pub const EXACT_INTEGER_MAX: u64 = 1 << 53;

/// Rounds in one run: enough to look, change and look again, few enough to notice a loop.
pub const ITERATIONS_MAX: u32 = 8;

/// Failing rounds in a row: a model that did not learn from three failures will not from a fourth.
pub const CONSECUTIVE_ERRORS_MAX: u32 = 3;

/// Rounds of questions in one prompt: beyond this, asking has become nagging.
pub const APPROVAL_ROUNDS_MAX: u32 = 5;

/// Rounds in one prompt that standing approvals and rules may carry without a person looking on.
pub const COVERED_ROUNDS_MAX: u32 = 8;

/// Minutes that one attempt to reach a person may last: time enough to come back from the stove, and
/// never so long that a card outlives what it was about.
pub const ATTEMPT_MINUTES: RangeInclusive<u32> = 1..=60;

/// Minutes that one attempt lasts where nothing else was chosen.
pub const ATTEMPT_MINUTES_DEFAULT: u32 = 10;

/// Attempts to reach a person: who did not answer five times will not answer the sixth.
pub const ATTEMPTS: RangeInclusive<u32> = 1..=5;

/// Attempts where nothing else was chosen.
pub const ATTEMPTS_DEFAULT: u32 = 3;

/// Days that a standing approval for exact arguments lasts: what a household buys every week is
/// asked about once a month.
pub const STANDING_DAYS: u64 = 30;

/// Calls that one standing approval covers before the person is asked again.
pub const STANDING_USES_MAX: u32 = 50;

/// Standing approvals in one conversation; the oldest makes room.
pub const STANDING_APPROVALS_MAX: usize = 100;
