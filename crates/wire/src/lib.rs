//! Provider bytes to and from the words of the loop, without sockets. Where to start:
//! 1. [`provider`]: the one list of providers.
//! 2. [`anthropic`]: a codec: requests out, streams in, and the same from the other side.
//! 3. [`framing`]: server-sent events across any chunk boundary.
//!
//! Whatever is in doubt is an error, since an error never becomes a call that a person could
//! approve: a stream without its proper end, a call cut by the length limit, text that is no JSON.

pub mod anthropic;
pub mod error;
pub mod framing;
pub mod limits;
pub mod provider;
pub mod status;
