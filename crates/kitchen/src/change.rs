//! What a change did, line by line, and how it is taken back.

use std::collections::BTreeSet;

use agent::id::RequestId;
use agent::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::household::{Household, Line, LineId};
use crate::shopping::Index;

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
        for line in &change.lines {
            let now = line.id().and_then(|id| self.line(id).ok());
            if now != line.after.as_ref() {
                return Err(why_not(line, now));
            }
        }
        // What the change brought goes first: a line may stand there under the name of another.
        let touched: BTreeSet<_> = change.lines.iter().filter_map(LineChange::id).collect();
        let mut restored = self.clone();
        restored.shopping.retain(|line| !touched.contains(&line.id));
        let index = Index::of(&restored.shopping);
        for before in change.lines.iter().filter_map(|line| line.before.as_ref()) {
            if let Some(other) = index.find(&before.item).and_then(|it| restored.shopping.get(it)) {
                let (item, other) = (&before.item, &other.item);
                return Err(format!(
                    "“{item}” cannot be put back: “{other}” was put on the list since."
                ));
            }
        }
        let back = change.lines.iter().filter_map(|line| line.before.clone());
        restored.shopping.extend(back);
        restored.shopping.sort_by_key(|line| line.id);
        *self = restored;
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
