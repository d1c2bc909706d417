//! The shopping list: one way in for every addition, and lines found by name, never by guess.

mod bring_in;
mod index;

pub use bring_in::{BroughtIn, LeftOut};
pub(crate) use index::Index;

use std::fmt;

use crate::household::{Household, Line, LineId};
use crate::item::{self, NAME_MAX};
use crate::quantity::Quantity;

/// The longest note, in characters.
pub const NOTE_MAX: usize = 300;
/// The longest quantity, in characters.
pub const QUANTITY_MAX: usize = 120;
/// How many lines are named where the list is told.
const NAMED_MAX: usize = 30;

/// Why the list was not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No name was given.
    NoName,
    /// A text is longer than the list takes.
    TooLong {
        /// What it is, as in "the name".
        what: &'static str,
        /// The most characters it may have.
        max: usize,
    },
    /// A text holds line breaks or other control characters.
    ControlCharacter {
        /// What it is, as in "the name".
        what: &'static str,
    },
    /// Nothing of that name is on the list.
    NotThere {
        /// The name.
        item: String,
        /// What is on the list.
        list: Vec<String>,
    },
    /// Several lines may be meant.
    Several {
        /// The name.
        item: String,
        /// The lines it may mean.
        lines: Vec<String>,
    },
    /// The line is gone.
    LineGone,
    /// The new name is another line's.
    NameTaken {
        /// The other line's name.
        item: String,
    },
    /// The amounts cannot be added exactly.
    TooMuch {
        /// The item.
        item: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => write!(f, "Nothing was named."),
            Self::TooLong { what, max } => {
                write!(f, "{what} is too long; at most {max} characters fit.")
            }
            Self::ControlCharacter { what } => {
                write!(f, "{what} holds a line break or another control character.")
            }
            Self::NotThere { item, list } if list.is_empty() => {
                write!(f, "“{item}” is not on the list; the list is empty.")
            }
            Self::NotThere { item, list } => {
                write!(f, "“{item}” is not on the list. On it: {}.", named(list))
            }
            Self::Several { item, lines } => {
                write!(f, "“{item}” may mean several lines: {}. Name one.", named(lines))
            }
            Self::LineGone => write!(f, "That line is not on the list any more."),
            Self::NameTaken { item } => write!(f, "“{item}” is a line of its own already."),
            Self::TooMuch { item } => {
                write!(f, "The amounts of “{item}” are too large to add exactly.")
            }
        }
    }
}

fn named(items: &[String]) -> String {
    let mut words: Vec<_> = items.iter().take(NAMED_MAX).map(|item| format!("“{item}”")).collect();
    if let Some(more) = items.len().checked_sub(NAMED_MAX).filter(|more| *more > 0) {
        words.push(format!("and {more} more"));
    }
    words.join(", ")
}

/// What a line is changed to; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineUpdate {
    /// The new name.
    pub item: Option<String>,
    /// The new quantity; empty for none.
    pub quantity: Option<String>,
    /// The new note; empty for none.
    pub note: Option<String>,
}

impl Household {
    /// Adds something: to the line it has already, or as a new line at the end.
    ///
    /// Amounts are added and notes kept side by side. A line that is in the basket comes out of it
    /// and starts anew: what was bought is not to be bought again, so a stated quantity replaces
    /// the one that was.
    ///
    /// # Errors
    /// If the name cannot be a name or the amounts cannot be added.
    pub fn add(&mut self, item: &str, quantity: &str, note: &str) -> Result<&Line, Refusal> {
        let (item, quantity, note) = (name(item)?, amount(quantity)?, self::note(note)?);
        // Two lines that may both be meant are no line: what is added stands for itself.
        let Ok(id) = self.find(&item) else {
            return Ok(self.append(item, quantity, note));
        };
        let line = self.line_mut(id)?;
        line.quantity =
            if line.checked && !quantity.is_empty() { quantity } else { added(line, &quantity)? };
        line.note = both_notes(&line.note, note)?;
        line.checked = false;
        Ok(line)
    }

    fn append(&mut self, item: String, quantity: String, note: String) -> &Line {
        self.last_line = self.highest_line().saturating_add(1);
        let id = LineId(self.last_line);
        self.shopping.push_mut(Line { id, item, quantity, note, checked: false })
    }

    /// The highest id that a line ever had.
    fn highest_line(&self) -> u64 {
        self.shopping.iter().map(|line| line.id.0).fold(self.last_line, u64::max)
    }

    /// The one line of that name: spelled the same, else but for accents, else but for number.
    ///
    /// # Errors
    /// If there is none or there are several. Nothing is ever guessed from a similar name.
    pub fn find(&self, item: &str) -> Result<LineId, Refusal> {
        let key = item::key(item);
        let keys: Vec<_> = self.shopping.iter().map(|line| item::key(&line.item)).collect();
        let degrees: [fn(&str, &str) -> bool; 3] =
            [|a, b| a == b, item::keys_same_but_for_accents, item::keys_same_but_for_number];
        for same in degrees {
            let lines = self.shopping.iter().zip(&keys).filter(|(_, it)| same(it, &key));
            let lines: Vec<_> = lines.map(|(line, _)| line).collect();
            match lines.as_slice() {
                [] => {}
                [line] => return Ok(line.id),
                [..] => {
                    let lines = lines.iter().map(|line| line.item.clone()).collect();
                    return Err(Refusal::Several { item: item.to_owned(), lines });
                }
            }
        }
        let list = self.shopping.iter().map(|line| line.item.clone()).collect();
        Err(Refusal::NotThere { item: item.to_owned(), list })
    }

    /// Puts a line into the basket, or back.
    ///
    /// # Errors
    /// If the line is gone.
    pub fn check(&mut self, line: LineId, checked: bool) -> Result<&Line, Refusal> {
        let line = self.line_mut(line)?;
        line.checked = checked;
        Ok(line)
    }

    /// Takes a line off the list.
    ///
    /// # Errors
    /// If the line is gone already.
    pub fn remove(&mut self, line: LineId) -> Result<Line, Refusal> {
        let place = self.shopping.iter().position(|it| it.id == line).ok_or(Refusal::LineGone)?;
        Ok(self.shopping.remove(place))
    }

    /// Changes a line.
    ///
    /// # Errors
    /// If the line is gone or the new name is another line's. Nothing was changed.
    pub fn update(&mut self, id: LineId, update: LineUpdate) -> Result<&Line, Refusal> {
        let item = update.item.map(|item| name(&item)).transpose()?;
        let quantity = update.quantity.map(|quantity| amount(&quantity)).transpose()?;
        let note = update.note.map(|note| self::note(&note)).transpose()?;
        if let Some(item) = &item {
            let others = Self { shopping: self.all_but(id), last_line: self.last_line };
            if let Ok(taken) = others.find(item) {
                let item = others.line(taken)?.item.clone();
                return Err(Refusal::NameTaken { item });
            }
        }
        let line = self.line_mut(id)?;
        line.item = item.unwrap_or_else(|| std::mem::take(&mut line.item));
        line.quantity = quantity.unwrap_or_else(|| std::mem::take(&mut line.quantity));
        line.note = note.unwrap_or_else(|| std::mem::take(&mut line.note));
        Ok(line)
    }

    /// The line with that id.
    ///
    /// # Errors
    /// If it is gone.
    pub fn line(&self, id: LineId) -> Result<&Line, Refusal> {
        self.shopping.iter().find(|line| line.id == id).ok_or(Refusal::LineGone)
    }

    fn line_mut(&mut self, id: LineId) -> Result<&mut Line, Refusal> {
        self.shopping.iter_mut().find(|line| line.id == id).ok_or(Refusal::LineGone)
    }

    fn all_but(&self, id: LineId) -> Vec<Line> {
        self.shopping.iter().filter(|line| line.id != id).cloned().collect()
    }
}

/// The quantity of a line with more of it. Without an amount on one side the other stays as it
/// is written.
fn added(line: &Line, quantity: &str) -> Result<String, Refusal> {
    if quantity.is_empty() {
        return Ok(line.quantity.clone());
    }
    if line.quantity.is_empty() {
        return Ok(quantity.to_owned());
    }
    let sum = line.amount().plus(&Quantity::read(quantity));
    let sum = sum.map(|sum| sum.to_string()).filter(|text| text.chars().count() <= QUANTITY_MAX);
    sum.ok_or_else(|| Refusal::TooMuch { item: line.item.clone() })
}

fn both_notes(old: &str, new: String) -> Result<String, Refusal> {
    if old.is_empty() || old == new {
        return Ok(new);
    }
    if new.is_empty() || old.split("; ").any(|part| part == new) {
        return Ok(old.to_owned());
    }
    note(&format!("{old}; {new}"))
}

fn name(text: &str) -> Result<String, Refusal> {
    let name = fitting(text, "The name", NAME_MAX)?;
    if item::key(&name).is_empty() { Err(Refusal::NoName) } else { Ok(name) }
}

fn amount(text: &str) -> Result<String, Refusal> {
    fitting(text, "The quantity", QUANTITY_MAX)
}

fn note(text: &str) -> Result<String, Refusal> {
    fitting(text, "The note", NOTE_MAX)
}

/// The text with single spaces and none at its ends, if the list takes it.
fn fitting(text: &str, what: &'static str, max: usize) -> Result<String, Refusal> {
    if text.trim().chars().any(char::is_control) {
        return Err(Refusal::ControlCharacter { what });
    }
    let tidy = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if tidy.chars().count() > max { Err(Refusal::TooLong { what, max }) } else { Ok(tidy) }
}

#[cfg(test)]
mod tests;
