//! Every bound of the proxy, each with its reason.

use std::time::Duration;

/// What one client, one reply and all of them together may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Longest request body, in bytes. A long conversation is a few hundred kilobytes.
    pub body_bytes: usize,
    /// Longest wait for a whole request head, so that half-sent ones do not pile up.
    pub head_time: Duration,
    /// Longest wait for a whole request body, for the same reason.
    pub body_time: Duration,
    /// Longest wait for a connection to the provider. One that answers at all does so in a second
    /// or two.
    pub connect_time: Duration,
    /// Longest silence of the provider, before its first byte and between two.
    pub idle_time: Duration,
    /// Longest reply, from the request to its last byte: a slow model that thinks for minutes ends
    /// within it, one that never ends does not keep its place.
    pub total_time: Duration,
    /// Longest reply, in bytes: many times what the highest `max_tokens` can fill.
    pub reply_bytes: usize,
    /// Replies that may stream at once. A household has a few tabs; a runaway loop has more.
    pub streams: usize,
    /// Connections that may be open at once: a browser opens six for each tab or so, and each takes
    /// memory before it has said who it is.
    pub connections: usize,
    /// Highest `max_tokens` a request may ask for, since each token is paid.
    pub max_tokens: u64,
    /// Longest wait for open connections to end when the proxy is stopped.
    pub stop_time: Duration,
    /// Pause after a connection could not be taken: out of file descriptors, most likely, which come
    /// back as connections end.
    pub refused_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1_000_000,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
            connect_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(60),
            total_time: Duration::from_secs(600),
            reply_bytes: 16_000_000,
            streams: 8,
            connections: 128,
            max_tokens: 16_384,
            stop_time: Duration::from_secs(5),
            refused_time: Duration::from_millis(100),
        }
    }
}
