//! The household: plain values and the tools on them.

use agent::time::Timestamp;
use agent::tool::ToolSet;
use serde::{Deserialize, Serialize};

/// What the household keeps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Household {
    /// The shopping list, in the order things were added.
    pub shopping: Vec<Line>,
}

/// A line of the shopping list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its id, never used again.
    pub id: LineId,
    /// What to buy, in the household's own words.
    pub item: String,
    /// How much, as it is written.
    pub quantity: String,
    /// A note; empty if there is none.
    pub note: String,
    /// Whether it is in the basket.
    pub checked: bool,
}

/// A line's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineId(pub u64);

/// One line before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineChange {
    /// The line before; absent if it was not there.
    pub before: Option<Line>,
    /// The line after; absent if it is gone.
    pub after: Option<Line>,
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
    pub request: Option<agent::id::RequestId>,
    /// Every line it touched.
    pub lines: Vec<LineChange>,
    /// Whether it was taken back.
    pub undone: bool,
}

/// A change by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Add something; merges with what is there.
    Add {
        /// What.
        item: String,
        /// How much; may be empty.
        quantity: String,
    },
    /// Put a line into the basket, or back.
    Check {
        /// The line.
        line: LineId,
        /// Whether it is in the basket.
        checked: bool,
    },
    /// Take a line off.
    Remove {
        /// The line.
        line: LineId,
    },
}

/// Every line that differs between two states of the household.
#[must_use]
pub fn difference(_before: &Household, _after: &Household) -> Vec<LineChange> {
    Vec::new()
}

impl Household {
    /// Makes a change by hand.
    ///
    /// # Errors
    /// Why it cannot be made, for the person. Nothing was changed.
    pub fn edit(&mut self, _edit: Edit) -> Result<(), String> {
        Ok(())
    }

    /// Puts back every line as it was before the change.
    ///
    /// # Errors
    /// What later change depends on it, for the person. Nothing was changed.
    pub fn undo(&mut self, _change: &Change) -> Result<(), String> {
        Ok(())
    }
}

/// Every tool of the kitchen.
#[must_use]
pub fn tools() -> ToolSet<Household> {
    ToolSet::new()
}

/// A tool's name for people, as the title of its card.
#[must_use]
pub fn title(_tool: &str) -> &'static str {
    ""
}
