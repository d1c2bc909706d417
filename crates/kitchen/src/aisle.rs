//! In which part of the shop an item stands.

mod table;

use std::cmp::Ordering;

use crate::household::{Household, Line};
use crate::item;

/// A part of the shop, in the order in which a list shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aisle {
    /// Vegetables and fruit.
    Produce,
    /// Bread and what else is baked.
    Bread,
    /// Dairy and eggs.
    Dairy,
    /// Meat and fish.
    Meat,
    /// What keeps in a cupboard.
    Cupboard,
    /// Frozen things.
    Freezer,
    /// Drinks.
    Drinks,
    /// What is not eaten.
    Household,
    /// Everything else.
    Other,
}

impl Aisle {
    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Produce => "Vegetables & fruit",
            Self::Bread => "Bread",
            Self::Dairy => "Dairy & eggs",
            Self::Meat => "Meat & fish",
            Self::Cupboard => "Cupboard",
            Self::Freezer => "Freezer",
            Self::Drinks => "Drinks",
            Self::Household => "Household",
            Self::Other => "Other",
        }
    }
}

/// Where the item stands, as far as its words tell.
///
/// The whole name is looked up first, then its end ("halfvolle melk" is milk), then its start
/// ("eggs size M" are eggs), longest first.
#[must_use]
pub fn of(item: &str) -> Aisle {
    let key = item::shelf_key(item);
    let words: Vec<&str> = key.split([' ', ',', '(', ')']).filter(|it| !it.is_empty()).collect();
    if let Some(aisle) = words.first().and_then(|word| kept(word)) {
        return aisle;
    }
    let ends = (0..words.len()).filter_map(|from| words.get(from..));
    let starts = (1..words.len()).rev().filter_map(|to| words.get(..to));
    ends.chain(starts).find_map(|part| known(&part.join(" "))).unwrap_or(Aisle::Other)
}

/// How a thing is kept, where its first word says so, decides before what it is.
fn kept(word: &str) -> Option<Aisle> {
    match word {
        "frozen" | "diepvries" | "gefrorene" | "gefrorener" | "gefrorenes" => Some(Aisle::Freezer),
        "canned" | "dried" | "pickled" | "tinned" => Some(Aisle::Cupboard),
        _ => None,
    }
}

fn known(name: &str) -> Option<Aisle> {
    item::forms(name).iter().find_map(|form| {
        table::TABLE.iter().find(|(_, names)| stands_in(names, form)).map(|(aisle, _)| *aisle)
    })
}

/// Whether a name is one of sorted names with bars between them, by halving.
fn stands_in(mut names: &str, name: &str) -> bool {
    loop {
        let middle = names.floor_char_boundary(names.len() / 2);
        let (before, rest) = names.split_at(middle);
        let from = before.rfind('|').map_or(0, |bar| bar + 1);
        let to = rest.find('|').map_or(names.len(), |bar| middle + bar);
        match names.get(from..to).map(|it| it.cmp(name)) {
            Some(Ordering::Equal) => return true,
            Some(Ordering::Less) => names = names.get(to + 1..).unwrap_or_default(),
            Some(Ordering::Greater) => {
                names = names.get(..from.saturating_sub(1)).unwrap_or_default()
            }
            None => return false,
        }
        if names.is_empty() {
            return false;
        }
    }
}

/// The list by aisle; within an aisle in the order things were added. Empty aisles are left out.
#[must_use]
pub fn sorted(household: &Household) -> Vec<(Aisle, Vec<&Line>)> {
    let mut aisles: Vec<(Aisle, Vec<&Line>)> = Vec::new();
    for line in &household.shopping {
        let aisle = of(&line.item);
        match aisles.iter_mut().find(|(known, _)| *known == aisle) {
            Some((_, lines)) => lines.push(line),
            None => aisles.push((aisle, vec![line])),
        }
    }
    aisles.sort_by_key(|(aisle, _)| *aisle);
    aisles
}

#[cfg(test)]
mod tests;
