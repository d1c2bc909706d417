//! The records that the page holds: the newest, and as many older ones as were asked for. They are
//! shared with what is drawn from them, so that one more record costs little.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent::id::{CallId, SessionId};
use agent::message::ToolCall;
use agent::time::Timestamp;
use store::chain::{Broken, Head};
use store::records::Record;
use store::stretch::{Entry, Stretch};

/// A record that is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The record, where it stands.
    pub entry: Entry,
    /// The call it is about, where its conversation still has it and was looked at.
    pub call: Option<ToolCall>,
}

/// The records that are held, one after another up to the newest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    start: Head,
    held: Vec<Arc<Held>>,
    broken: Option<Broken>,
    is_read: bool,
}

impl History {
    /// Whether the newest records were read. Until then it is not known whether there are any.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    /// The records that are held, oldest first.
    pub fn held(&self) -> impl DoubleEndedIterator<Item = &Held> + ExactSizeIterator {
        self.held.iter().map(AsRef::as_ref)
    }

    /// What the oldest of them follows.
    #[must_use]
    pub fn start(&self) -> &Head {
        &self.start
    }

    /// The place of the newest.
    #[must_use]
    pub fn end(&self) -> &Head {
        self.held.last().map_or(&self.start, |held| &held.entry.at)
    }

    /// Whether these are all records there are.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.start.number == 0
    }

    /// Whether every record since then is held.
    #[must_use]
    pub fn reaches(&self, since: Timestamp) -> bool {
        self.is_whole() || self.held().find_map(Held::at).is_some_and(|at| at < since)
    }

    /// The first place that was found where records are not what was written.
    #[must_use]
    pub fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Takes records that follow those that are held, with the calls they are about where those are
    /// at hand.
    pub fn follow(&mut self, stretch: Stretch, call: impl Fn(&CallId) -> Option<ToolCall>) {
        if self.held.is_empty() {
            self.start = stretch.start;
        }
        self.is_read = true;
        let last = self.end().number;
        let newer = stretch.entries.into_iter().filter(|entry| entry.at.number > last);
        self.held.extend(newer.map(|entry| {
            let call = entry.record.as_ref().ok().and_then(|record| call(record.call()));
            Arc::new(Held { entry, call })
        }));
        self.mark(stretch.broken);
    }

    /// Takes records that come before those that are held.
    pub fn precede(&mut self, stretch: Stretch) {
        let first = self.start.number;
        let older = stretch.entries.into_iter().filter(|entry| entry.at.number <= first);
        self.held.splice(0..0, older.map(|entry| Arc::new(Held { entry, call: None })));
        self.start = stretch.start;
        self.mark(stretch.broken);
    }

    /// Takes note of a place where records are not what was written, unless one is known.
    pub fn mark(&mut self, broken: Option<Broken>) {
        if self.broken.is_none() {
            self.broken = broken;
        }
    }

    /// The conversations of records whose calls are not known.
    #[must_use]
    pub fn unknown_calls(&self) -> BTreeSet<SessionId> {
        let unknown = self.held().filter(|held| held.call.is_none());
        unknown.filter_map(|held| Some(held.record()?.session().clone())).collect()
    }

    /// Forgets what was said in a conversation; that something was decided in it stays.
    pub fn forget(&mut self, session: &SessionId) {
        for held in &mut self.held {
            if held.record().is_some_and(|record| record.session() == session) {
                let held = Arc::make_mut(held);
                held.call = None;
                match &mut held.entry.record {
                    Ok(Record::Decision(decision)) => decision.reason = None,
                    Ok(Record::Execution(execution)) => execution.result.clear(),
                    Ok(Record::Resolution(resolution)) => resolution.result.clear(),
                    Err(_) => {}
                }
            }
        }
    }

    /// Learns the calls of a conversation.
    pub fn learn(&mut self, session: &SessionId, calls: &BTreeMap<CallId, ToolCall>) {
        for held in &mut self.held {
            let Some(record) = held.record().filter(|record| record.session() == session) else {
                continue;
            };
            if let (None, Some(call)) = (&held.call, calls.get(record.call())) {
                Arc::make_mut(held).call = Some(call.clone());
            }
        }
    }
}

impl Held {
    /// The record, if it can be read.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        self.entry.record.as_ref().ok()
    }

    /// When it was decided or happened.
    #[must_use]
    pub fn at(&self) -> Option<Timestamp> {
        Some(match self.record()? {
            Record::Decision(event) => event.decided_at,
            Record::Execution(event) => event.at,
            Record::Resolution(event) => event.at,
        })
    }
}
