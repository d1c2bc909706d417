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

/// What a tool may do once it need not ask: with anything, or with exactly the arguments that were
/// seen.
#[must_use]
pub fn scope(tool: &str, exactly: bool) -> &'static str {
    match (tool, exactly) {
        (AddToShoppingList::NAME, false) => "add anything, in any quantity, to the shopping list",
        (AddToShoppingList::NAME, true) => "add exactly this to the shopping list",
        (UpdateShoppingItem::NAME, false) => "change any line of the shopping list",
        (UpdateShoppingItem::NAME, true) => "make exactly this change to the shopping list",
        (RemoveFromShoppingList::NAME, false) => "take anything off the shopping list",
        (RemoveFromShoppingList::NAME, true) => "take exactly this off the shopping list",
        (CheckOffItem::NAME, false) => "tick or untick anything on the shopping list",
        (CheckOffItem::NAME, true) => "tick exactly this on the shopping list",
        (_, false) => "use this tool with anything",
        (_, true) => "use this tool with exactly this",
    }
}

/// What is good to know before saying yes, one sentence each, as in "Goes under Dairy & eggs."
#[must_use]
pub fn remarks(call: &ToolCall, household: &Household) -> Vec<String> {
    let Some(name) = name_given(call) else { return Vec::new() };
    let there = there_remark(call, name, household);
    let first = there.unwrap_or_else(|| aisle_remark(name));
    std::iter::once(first).chain(same_food_remark(name, household)).collect()
}

/// What a person must know before saying yes, one sentence each: something is not as it seems.
#[must_use]
pub fn warnings(call: &ToolCall, household: &Household) -> Vec<String> {
    let Some(name) = name_given(call) else { return Vec::new() };
    let quantity = text_of(call, "quantity").and_then(unread_remark);
    look_alike_remark(name, household).into_iter().chain(quantity).collect()
}

/// The name that a line would have from then on.
fn name_given(call: &ToolCall) -> Option<&str> {
    match call.name.as_str() {
        AddToShoppingList::NAME => text_of(call, "item"),
        UpdateShoppingItem::NAME => text_of(call, "new_item"),
        _ => None,
    }
}

fn text_of<'a>(call: &'a ToolCall, argument: &str) -> Option<&'a str> {
    call.arguments.get(argument).and_then(Value::as_str)
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

fn same_food_remark(name: &str, household: &Household) -> Option<String> {
    let items = household.shopping.iter().map(|line| line.item.as_str());
    let twin = item::same_food(name, items)?;
    Some(format!("May be the same as {twin}, which has a line of its own."))
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

#[cfg(test)]
mod tests {
    use agent::id::CallId;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_in_another_language_is_remarked_on_and_added_for_itself() {
        let mut household = Household::default();
        household.add("tofu", "", "").expect("room on the list");
        let arguments = json!({"item": "豆腐", "quantity": "1"});
        let call = ToolCall {
            id: CallId("call".to_owned()),
            model_id: "call".to_owned(),
            name: AddToShoppingList::NAME.to_owned(),
            arguments: arguments.as_object().cloned().expect("an object"),
        };
        let remarks = remarks(&call, &household);
        assert_eq!(
            remarks,
            ["Goes under Other.", "May be the same as tofu, which has a line of its own."]
        );
        household.add("豆腐", "1", "").expect("room on the list");
        assert_eq!(household.shopping.len(), 2);
    }
}
