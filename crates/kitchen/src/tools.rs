//! What a model may call: the one list. One file for each tool.

mod add_to_shopping_list;
mod check_off_item;
mod get_shopping_list;
mod remove_from_shopping_list;
mod update_shopping_item;

use agent::tool::{Output, ToolError, ToolSet};
use serde_json::{Value, json};

use crate::household::{Household, Line};
use crate::item::NAME_MAX;
use crate::shopping::{NOTE_MAX, QUANTITY_MAX, Refusal};

pub(crate) use add_to_shopping_list::AddToShoppingList;
pub(crate) use check_off_item::CheckOffItem;
pub(crate) use get_shopping_list::GetShoppingList;
pub(crate) use remove_from_shopping_list::RemoveFromShoppingList;
pub(crate) use update_shopping_item::UpdateShoppingItem;

/// Every tool of the kitchen.
#[must_use]
pub fn all() -> ToolSet<Household> {
    ToolSet::new()
        .with::<GetShoppingList>()
        .with::<AddToShoppingList>()
        .with::<UpdateShoppingItem>()
        .with::<RemoveFromShoppingList>()
        .with::<CheckOffItem>()
}

/// The schema of an object with these properties and no others.
fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schema of a text. Line breaks and other control characters are refused by the list itself.
fn text(description: &str, min: usize, max: usize) -> Value {
    json!({
        "type": "string",
        "description": description,
        "minLength": min,
        "maxLength": max,
    })
}

fn item(description: &str) -> Value {
    text(description, 1, NAME_MAX)
}

fn quantity(description: &str) -> Value {
    text(description, 0, QUANTITY_MAX)
}

fn note(description: &str) -> Value {
    text(description, 0, NOTE_MAX)
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        Self { text: refusal.to_string() }
    }
}

/// What the store holds now: first what came of the call, then how long the list is.
fn now(what: &str, household: &Household) -> Output {
    let length = match household.shopping.len() {
        0 => "the list is empty".to_owned(),
        1 => "the list has 1 line".to_owned(),
        lines => format!("the list has {lines} lines"),
    };
    Output { text: format!("{what}; {length}") }
}

/// A line in words, as in "eggs: 12 (the brown ones), in the basket".
fn in_words(line: &Line) -> String {
    let mut words = line.item.clone();
    if !line.quantity.is_empty() {
        words.push_str(": ");
        words.push_str(&line.quantity);
    }
    if !line.note.is_empty() {
        words.push_str(" (");
        words.push_str(&line.note);
        words.push(')');
    }
    if line.checked {
        words.push_str(", in the basket");
    }
    words
}

#[cfg(test)]
mod tests;
