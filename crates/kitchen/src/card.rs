//! What a card says of a call in the kitchen's own words, beside the difference it makes.

use agent::message::ToolCall;
use agent::tool::Tool as _;
use serde_json::Value;

use crate::aisle;
use crate::household::{Household, Line};
use crate::item;
use crate::quantity::Quantity;
use crate::tools::{
    AddToShoppingList, CheckOffItem, GetShoppingList, RemoveFromShoppingList, UpdateShoppingItem,
};

/// A tool's name for people, as the title of its card.
#[must_use]
pub fn title(tool: &str) -> &'static str {
    match tool {
        GetShoppingList::NAME => "Read the shopping list",
        AddToShoppingList::NAME => "Add to the shopping list",
        UpdateShoppingItem::NAME => "Change a line of the shopping list",
        RemoveFromShoppingList::NAME => "Take off the shopping list",
        CheckOffItem::NAME => "Tick on the shopping list",
        _ => "Use a tool the kitchen does not know",
    }
}

/// What a person should know before saying yes, one sentence each, as in "Goes under Dairy &
/// eggs."
#[must_use]
pub fn remarks(call: &ToolCall, household: &Household) -> Vec<String> {
    let text = |name: &str| call.arguments.get(name).and_then(Value::as_str);
    let quantity = text("quantity").map(unread_remark);
    let name = match call.name.as_str() {
        AddToShoppingList::NAME => text("item"),
        UpdateShoppingItem::NAME => text("new_item"),
        _ => return Vec::new(),
    };
    let there = name.and_then(|name| there_remark(call, name, household));
    let aisle = name.filter(|_| there.is_none()).map(aisle_remark);
    [there, name.and_then(|name| look_alike_remark(name, household)), aisle, quantity.flatten()]
        .into_iter()
        .flatten()
        .collect()
}

fn aisle_remark(name: &str) -> String {
    format!("Goes under {}.", aisle::of(name).title())
}

fn there_remark(call: &ToolCall, name: &str, household: &Household) -> Option<String> {
    let line = household.find(name).and_then(|id| household.line(id)).ok()?;
    if call.name != AddToShoppingList::NAME {
        return None;
    }
    let Line { item, quantity, .. } = line;
    let what = if quantity.is_empty() { item.clone() } else { format!("{item}, {quantity},") };
    let place = if line.checked { "in the basket" } else { "on the list" };
    Some(format!("{what} is {place} already."))
}

fn unread_remark(quantity: &str) -> Option<String> {
    let read = Quantity::read(quantity);
    let parts: Vec<_> = read.unread().iter().map(|part| format!("“{part}”")).collect();
    let parts = parts.join(" and ");
    (!parts.is_empty())
        .then(|| format!("No amount could be read from {parts}. It is kept as it is."))
}

fn look_alike_remark(name: &str, household: &Household) -> Option<String> {
    let twin = household.shopping.iter().find(|line| item::looks_like(&line.item, name))?;
    Some(format!("Looks like {}, but is not.", twin.item))
}
