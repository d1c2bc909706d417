//! A line of a recipe's ingredients, taken apart: how much, of what, and what else it says.
//!
//! One parser for all languages; what differs between them is in tables, one for each language. A
//! line is cut only between its words, and what is not understood stays in the name or the note.

mod amounts;
mod line;
mod name;
mod words;

use crate::language::Language;
use crate::quantity::unit::Unit;
use crate::quantity::{Number, Quantity, Span};
use line::Line;
use words::Words;

/// The longest line that is taken apart, in characters; of a longer one all is its name.
pub const LINE_MAX: usize = 1000;

/// A line of ingredients.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ingredient {
    /// What it is, as it stands in the line.
    pub name: String,
    /// How much, the main amount first. Empty if the line does not say.
    pub amounts: Vec<Measure>,
    /// How several amounts belong together.
    pub relation: Option<Relation>,
    /// The size of one container, as in "2 × 400 g cans".
    pub package: Vec<Measure>,
    /// What else the line says after the name, as in "finely chopped".
    pub note: String,
    /// How many of the amounts are the main one, and what is to be added to it.
    main: usize,
}

/// An amount as a line states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    span: Option<Span>,
    unit: &'static Unit,
}

impl Eq for Measure {}

/// How several amounts belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// All of them together, as in "2 tbsp plus 1 tsp".
    Sum,
    /// Each says the same, as in "300 g / 10½ oz".
    Alternatives,
    /// Some belong together and others say the same again.
    Mixed,
}

impl Measure {
    /// The number, or the lower end of a range. `None` of a measure without a number, as in "pinch
    /// of salt".
    #[must_use]
    pub fn number(&self) -> Option<Number> {
        self.span.map(|span| span.from)
    }

    /// The upper end of a range.
    #[must_use]
    pub fn upper(&self) -> Option<Number> {
        self.span.filter(|span| !span.is_one()).map(|span| span.to)
    }

    /// The unit by its name among units of all languages (g, ml, tbsp), or the word for one
    /// container. `None` of things that are counted.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        Some(self.unit.name).filter(|name| !name.is_empty())
    }
}

impl Ingredient {
    /// Takes a line apart. What of it was not understood stays in its name.
    #[must_use]
    pub fn read(text: &str, language: Language) -> Self {
        let words = Words::of(language);
        let line = Line::of(text, language, words);
        let whole = || Self { name: line.text().to_owned(), ..Self::default() };
        if line.text().chars().count() > LINE_MAX {
            return whole();
        }
        let mut found = amounts::find(&line, words);
        let named = name::find(&line, words, &mut found);
        let is_name = |name: &&str| name.contains(char::is_alphabetic);
        let Some(name) = line.slice(named.name).filter(is_name) else {
            return whole();
        };
        Self {
            name: name.to_owned(),
            note: line.slice(named.note).map(trimmed).unwrap_or_default().to_owned(),
            relation: found.relation(),
            main: found.main(),
            amounts: found.amounts,
            package: found.package,
        }
    }

    /// The main amount and what is to be added to it; what says the same again is left out.
    #[must_use]
    pub fn main(&self) -> &[Measure] {
        self.amounts.get(..self.main).unwrap_or_default()
    }

    /// How much it is, as a list adds it up: see [`Self::main`].
    ///
    /// Empty if the line does not say, or says more than can be added exactly.
    #[must_use]
    pub fn quantity(&self) -> Quantity {
        let read = self.main().iter().map(|it| Quantity::of(it.span?, it.unit));
        let sum = read.reduce(|sum, part| sum?.plus(&part?));
        sum.flatten().unwrap_or_default()
    }
}

fn trimmed(note: &str) -> &str {
    note.trim_matches(|letter: char| letter.is_whitespace() || ",;:-–".contains(letter))
}

#[cfg(test)]
mod tests;
