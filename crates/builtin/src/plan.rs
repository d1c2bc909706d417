//! From what is wanted to the calls that do it.

use serde_json::{Map, Value, json};

use crate::wish::Wish;

/// A call, before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// The tool.
    pub(crate) tool: String,
    /// Its arguments.
    pub(crate) arguments: Map<String, Value>,
}

/// Reads the list.
pub(crate) const READ: &str = "get_shopping_list";
/// Adds to it.
pub(crate) const ADD: &str = "add_to_shopping_list";
/// Changes a line.
pub(crate) const UPDATE: &str = "update_shopping_item";
/// Takes a line off.
pub(crate) const REMOVE: &str = "remove_from_shopping_list";
/// Ticks a line.
pub(crate) const CHECK: &str = "check_off_item";

/// The calls that do what is wanted, in the same order.
pub(crate) fn steps(wishes: &[Wish]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for wish in wishes {
        let step = step(wish);
        // The same twice in one message is said twice, not wanted twice.
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

fn step(wish: &Wish) -> Step {
    match wish {
        Wish::Add { item, quantity } => of(ADD, json!({ "item": item, "quantity": quantity })),
        Wish::Remove { item } => of(REMOVE, json!({ "item": item })),
        Wish::Check { item, checked } => of(CHECK, json!({ "item": item, "checked": checked })),
        Wish::Change { item, quantity } => {
            of(UPDATE, json!({ "item": item, "quantity": quantity }))
        }
        Wish::Read { .. } => of(READ, json!({})),
    }
}

fn of(tool: &str, arguments: Value) -> Step {
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    };
    Step { tool: tool.to_owned(), arguments }
}
