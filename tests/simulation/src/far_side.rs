//! What lies outside the household: it takes a letter under a key, late perhaps, and may lose its
//! answer. It does a thing once under a key, and answers a repetition as it did the first time.

use std::collections::BTreeMap;

use agent::event::ToolOutcome;
use agent::id::RequestId;

/// The far side, and the way to it.
#[derive(Debug, Clone, Default)]
pub struct FarSide {
    keys: BTreeMap<RequestId, Known>,
    /// Letters on their way.
    on_the_way: Vec<RequestId>,
}

/// What the far side knows of a key.
#[derive(Debug, Clone, Default)]
struct Known {
    /// Letters that were sent under it.
    attempts: u32,
    /// Whether it was done; undecided before it is known there.
    done: Option<bool>,
}

impl FarSide {
    /// A letter leaves.
    pub fn send(&mut self, key: &RequestId) {
        self.keys.entry(key.clone()).or_default().attempts += 1;
        self.on_the_way.push(key.clone());
    }

    /// The next letter on its way.
    #[must_use]
    pub fn next(&self) -> Option<RequestId> {
        self.on_the_way.first().cloned()
    }

    /// A letter comes. Under a key that is not decided yet it is done, if the far side wants it.
    pub fn take(&mut self, key: &RequestId, wants: bool) -> ToolOutcome {
        if let Some(at) = self.on_the_way.iter().position(|it| it == key) {
            self.on_the_way.remove(at);
        }
        answer(*self.keys.entry(key.clone()).or_default().done.get_or_insert(wants))
    }

    /// Somebody asks. Whoever is told no can rely on it: the key is closed.
    pub fn ask(&mut self, key: &RequestId) -> ToolOutcome {
        answer(*self.keys.entry(key.clone()).or_default().done.get_or_insert(false))
    }

    /// Whether it was done; none if that is not decided.
    #[must_use]
    pub fn did(&self, key: &RequestId) -> Option<bool> {
        self.keys.get(key).and_then(|known| known.done)
    }

    /// How many letters were sent under a key.
    #[must_use]
    pub fn attempts(&self, key: &RequestId) -> u32 {
        self.keys.get(key).map_or(0, |known| known.attempts)
    }
}

fn answer(done: bool) -> ToolOutcome {
    if done {
        ToolOutcome::Returned { text: Some("Posted.".to_owned()), terminate: false }
    } else {
        ToolOutcome::Failed { text: "It was not taken.".to_owned() }
    }
}
