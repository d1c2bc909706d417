//! Every bound of the proxy, each with its reason.

use std::time::Duration;

/// Connections beside those that carry streams: a browser opens six for each tab or so.
const CONNECTIONS_BESIDE: usize = 120;

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
    /// Connections that may be open at once, since each takes memory before it has said who it is.
    pub connections: usize,
    /// Most that waits in a connection for the other end to read on, and the longest head of a
    /// request or an answer: with hundreds of streams that nobody reads, it is most of the memory.
    pub buffer_bytes: usize,
    /// Most tokens a request may ask for, since each is paid.
    pub max_tokens: u64,
    /// Longest list of models, in bytes. The longest in use is some tens of kilobytes.
    pub list_bytes: usize,
    /// Longest wait for a list of models.
    pub list_time: Duration,
    /// Longest wait for a list while the status waits for it: nothing on the page waits longer.
    pub status_time: Duration,
    /// How long a list of models is taken for the newest.
    pub list_age: Duration,
    /// Longest wait for open connections to end when the proxy is stopped.
    pub stop_time: Duration,
    /// Longest wait for the last bytes of an answer to leave a connection that makes room.
    pub flush_time: Duration,
    /// Pause after a connection could not be taken: out of file descriptors, most likely, which come
    /// back as connections end.
    pub refused_time: Duration,
}

/// A bound that the configuration can set.
#[derive(Debug)]
pub(crate) struct Settable {
    pub(crate) name: &'static str,
    pub(crate) lowest: u64,
    pub(crate) highest: u64,
    pub(crate) set: fn(&mut Limits, u64),
}

pub(crate) const SETTABLE: [Settable; 8] = [
    settable("streams", 1, 10_000, |it, value| it.streams = size(value)),
    settable("connections", 2, 20_000, |it, value| it.connections = size(value)),
    settable("max_tokens", 1, 1_000_000, |it, value| it.max_tokens = value),
    settable("body_bytes", 1_000_000, 64_000_000, |it, value| it.body_bytes = size(value)),
    settable("reply_bytes", 1_000_000, 256_000_000, |it, value| it.reply_bytes = size(value)),
    settable("connect_seconds", 1, 300, |it, value| it.connect_time = Duration::from_secs(value)),
    settable("idle_seconds", 1, 3_600, |it, value| it.idle_time = Duration::from_secs(value)),
    settable("total_seconds", 1, 86_400, |it, value| it.total_time = Duration::from_secs(value)),
];

const fn settable(
    name: &'static str,
    lowest: u64,
    highest: u64,
    set: fn(&mut Limits, u64),
) -> Settable {
    Settable { name, lowest, highest, set }
}

/// Every bound above fits whatever counts bytes on a machine that runs this.
fn size(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

impl Limits {
    /// The names of those that can be set, as a sentence lists them.
    pub(crate) fn names() -> String {
        SETTABLE.map(|it| it.name).join(", ")
    }

    /// Lets as many connections be open as the streams need, and the pages beside them.
    pub fn make_room(&mut self) {
        self.connections = self.streams + CONNECTIONS_BESIDE;
    }
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
            connections: 8 + CONNECTIONS_BESIDE,
            buffer_bytes: 32_768,
            max_tokens: 16_384,
            list_bytes: 1_000_000,
            list_time: Duration::from_secs(10),
            status_time: Duration::from_secs(1),
            list_age: Duration::from_secs(5),
            stop_time: Duration::from_secs(5),
            flush_time: Duration::from_secs(1),
            refused_time: Duration::from_millis(100),
        }
    }
}
