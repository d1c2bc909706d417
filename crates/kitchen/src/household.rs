//! What the household keeps, and changes to it by hand.

use serde::{Deserialize, Serialize};

use crate::quantity::Quantity;

/// What the household keeps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Household {
    /// The shopping list, in the order things were added.
    pub shopping: Vec<Line>,
    /// The highest id a line ever had. It only grows, so that an id never names two lines.
    #[serde(default)]
    pub last_line: u64,
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

impl Line {
    /// How much, as it is read.
    #[must_use]
    pub fn amount(&self) -> Quantity {
        Quantity::read(&self.quantity)
    }
}

/// A line's id. Later lines have higher ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineId(pub u64);

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

impl Household {
    /// Makes a change by hand.
    ///
    /// # Errors
    /// Why it cannot be made, for the person. Nothing was changed.
    pub fn edit(&mut self, edit: Edit) -> Result<(), String> {
        let done = match edit {
            Edit::Add { item, quantity } => self.add(&item, &quantity, "").map(|_| ()),
            Edit::Check { line, checked } => self.check(line, checked).map(|_| ()),
            Edit::Remove { line } => self.remove(line).map(|_| ()),
        };
        done.map_err(|refusal| refusal.to_string())
    }
}
