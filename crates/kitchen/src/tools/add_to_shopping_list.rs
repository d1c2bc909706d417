//! Adds something to the shopping list.

use agent::tool::{Access, Output, Tool, ToolError, ToolSpec};
use serde::Deserialize;
use serde_json::json;

use super::{in_words, item, note, now, object, quantity};
use crate::household::Household;

/// The tool.
pub(crate) struct AddToShoppingList;

/// Its arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    item: String,
    quantity: String,
    note: Option<String>,
}

impl Tool<Household> for AddToShoppingList {
    const NAME: &'static str = "add_to_shopping_list";
    const ACCESS: Access = Access::Write;
    type Args = Args;

    fn spec() -> ToolSpec {
        ToolSpec {
            name: Self::NAME.to_owned(),
            description: "Adds one item to the household's shopping list. If the item is on the \
                          list, the quantity is added to that line; amounts that do not add up, \
                          such as grams and cups, stand side by side. If the line is checked, it \
                          is unchecked and a given quantity replaces the old one."
                .to_owned(),
            parameters: object(
                json!({
                    "item": item("What to buy, without the amount, as in \"eggs\"."),
                    "quantity": quantity(
                        "How much to add, as in \"12\", \"500 g\", \"1 1/2 lb\" or \"2 packs\". \
                         Empty if no amount was said.",
                    ),
                    "note": note("What to look for, as in \"the brown ones\"."),
                }),
                &["item", "quantity"],
            ),
            version: "1".to_owned(),
            access: Self::ACCESS,
        }
    }

    fn run(args: Args, household: &mut Household) -> Result<Output, ToolError> {
        let note = args.note.unwrap_or_default();
        let line = household.add(&args.item, &args.quantity, &note)?;
        let line = in_words(line);
        Ok(now(&line, household))
    }
}
