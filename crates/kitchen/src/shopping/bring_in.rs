//! A whole list brought in at once, from a copy. Its lines go to what is there by the one merge of
//! the kitchen; a line that cannot is left out and named, and keeps no other from coming in.

use crate::household::{Household, Line, LineId};
use crate::shopping::{Index, Refusal, added, amount, both_notes, name, note};

/// What came of bringing a list in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BroughtIn {
    /// Lines that are new on the list.
    pub added: usize,
    /// Lines that went to one that was there.
    pub merged: usize,
    /// Lines that stay out, the first first.
    pub left_out: Vec<LeftOut>,
}

/// A line that was not brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it was.
    pub item: String,
    /// Why, for the person.
    pub why: String,
}

impl Household {
    /// Takes every line off the list. Their ids are not used again.
    pub fn clear(&mut self) {
        self.last_line = self.highest_line();
        self.shopping.clear();
    }

    /// Brings the lines of another list in, under ids of their own. They are merged with the lines
    /// that are there, as [`Household::add`] does it, and never with each other: two lines that stood
    /// side by side do so again. What was in the basket there adds nothing to what is to be bought.
    pub fn bring_in(&mut self, lines: &[Line]) -> BroughtIn {
        let index = Index::of(&self.shopping);
        let mut brought_in = BroughtIn::default();
        self.last_line = self.highest_line();
        for line in lines {
            match self.bring_in_line(line, &index) {
                Ok(true) => brought_in.merged += 1,
                Ok(false) => brought_in.added += 1,
                Err(refusal) => brought_in
                    .left_out
                    .push(LeftOut { item: line.item.clone(), why: refusal.to_string() }),
            }
        }
        brought_in
    }

    /// True if there was a line for it already.
    fn bring_in_line(&mut self, line: &Line, index: &Index) -> Result<bool, Refusal> {
        let (item, quantity, note) =
            (name(&line.item)?, amount(&line.quantity)?, note(&line.note)?);
        let there = index.find(&item).and_then(|place| self.shopping.get_mut(place));
        let Some(there) = there else {
            self.last_line = self.last_line.saturating_add(1);
            let (id, checked) = (LineId(self.last_line), line.checked);
            self.shopping.push(Line { id, item, quantity, note, checked });
            return Ok(false);
        };
        let (amount, is_bought) = match (there.checked, line.checked) {
            (_, true) => (there.quantity.clone(), there.checked),
            (true, false) if !quantity.is_empty() => (quantity, false),
            (_, false) => (added(there, &quantity)?, false),
        };
        there.note = both_notes(&there.note, note)?;
        (there.quantity, there.checked) = (amount, is_bought);
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
