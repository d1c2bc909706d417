//! The log: method, path, status and duration. Never a key, a header's value or a body.

use std::fmt;
use std::io::Write;
use std::sync::Arc;

/// Where log lines go.
#[derive(Clone)]
pub struct Log(Arc<dyn Fn(&str) + Send + Sync>);

impl Log {
    /// Lines go to standard error.
    #[must_use]
    pub fn to_stderr() -> Self {
        Self::to(|line| {
            // A log that cannot be written must not stop an answer that can.
            let _ = writeln!(std::io::stderr(), "proxy: {line}");
        })
    }

    /// Lines go to `sink`.
    pub fn to(sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(sink))
    }

    /// Writes one line.
    pub fn line(&self, line: &str) {
        (self.0)(line);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}
