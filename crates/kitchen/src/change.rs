//! What a change did, line by line, and how it is taken back.

use agent::id::RequestId;
use agent::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::household::{Household, Line, LineId};

/// One line before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineChange {
    /// The line before; absent if it was not there.
    pub before: Option<Line>,
    /// The line after; absent if it is gone.
    pub after: Option<Line>,
}

impl LineChange {
    fn id(&self) -> Option<LineId> {
        self.before.as_ref().or(self.after.as_ref()).map(|line| line.id)
    }
}

/// A change's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(pub u64);

/// A change that was made, kept so that it can be taken back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Its id, given by the store.
    pub id: ChangeId,
    /// When.
    pub at: Timestamp,
    /// The request of the call that made it; absent if it was made by hand.
    pub request: Option<RequestId>,
    /// Every line it touched.
    pub lines: Vec<LineChange>,
    /// Whether it was taken back.
    pub undone: bool,
}

/// Every line that differs between two states of the household, in the order of the list.
#[must_use]
pub fn difference(before: &Household, after: &Household) -> Vec<LineChange> {
    let line_of = |household: &Household, id: LineId| household.line(id).ok().cloned();
    let mut ids: Vec<_> =
        before.shopping.iter().chain(&after.shopping).map(|line| line.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter()
        .map(|id| LineChange { before: line_of(before, id), after: line_of(after, id) })
        .filter(|change| change.before != change.after)
        .collect()
}

impl Household {
    /// Puts back every line as it was before the change, in its old place.
    ///
    /// Mark the change as undone in the same transaction; what this did is a change like any
    /// other and can be taken back itself.
    ///
    /// # Errors
    /// What later change depends on it, for the person. Nothing was changed.
    pub fn undo(&mut self, change: &Change) -> Result<(), String> {
        if change.undone {
            return Err("This was taken back already.".to_owned());
        }
        let mut restored = self.clone();
        for line in &change.lines {
            restored.put_back(line)?;
        }
        *self = restored;
        Ok(())
    }

    fn put_back(&mut self, change: &LineChange) -> Result<(), String> {
        let Some(id) = change.id() else { return Ok(()) };
        let now = self.line(id).ok();
        if now != change.after.as_ref() {
            return Err(why_not(change, now));
        }
        self.shopping.retain(|line| line.id != id);
        if let Some(before) = &change.before {
            if let Ok(other) = self.find(&before.item).and_then(|other| self.line(other)) {
                let (item, other) = (&before.item, &other.item);
                return Err(format!(
                    "“{item}” cannot be put back: “{other}” was put on the list since."
                ));
            }
            let place = self.shopping.partition_point(|line| line.id < id);
            self.shopping.insert(place, before.clone());
        }
        Ok(())
    }
}

fn why_not(change: &LineChange, now: Option<&Line>) -> String {
    let line = now.or(change.after.as_ref()).or(change.before.as_ref());
    let item = line.map_or("", |line| line.item.as_str());
    let since = match (now, &change.after) {
        (None, _) => "was taken off the list since",
        (Some(_), None) => "was put back on the list since",
        (Some(_), Some(_)) => "was changed again since",
    };
    format!("“{item}” {since}, so this cannot be taken back. Take back the later change first.")
}

#[cfg(test)]
mod tests;
