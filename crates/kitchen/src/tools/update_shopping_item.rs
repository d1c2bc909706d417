//! Changes a line of the shopping list.

use agent::tool::{Access, Output, Tool, ToolError, ToolSpec};
use serde::Deserialize;
use serde_json::json;

use super::{in_words, item, note, now, object, quantity};
use crate::household::Household;
use crate::shopping::LineUpdate;

/// The tool.
pub(crate) struct UpdateShoppingItem;

/// Its arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    item: String,
    new_item: Option<String>,
    quantity: Option<String>,
    note: Option<String>,
}

impl Tool<Household> for UpdateShoppingItem {
    const NAME: &'static str = "update_shopping_item";
    const ACCESS: Access = Access::Write;
    type Args = Args;

    fn spec() -> ToolSpec {
        ToolSpec {
            name: Self::NAME.to_owned(),
            description: "Changes one line of the household's shopping list: its name, its \
                          quantity, its note. What is given replaces what the line says; what is \
                          not given stays. The item must be on the list."
                .to_owned(),
            parameters: object(
                json!({
                    "item": item("The line, by the name it has on the list."),
                    "new_item": item("Its new name."),
                    "quantity": quantity("The whole new quantity; empty to have none."),
                    "note": note("The whole new note; empty to have none."),
                }),
                &["item"],
            ),
            version: "1".to_owned(),
            access: Self::ACCESS,
        }
    }

    fn run(args: Args, household: &mut Household) -> Result<Output, ToolError> {
        let update = LineUpdate { item: args.new_item, quantity: args.quantity, note: args.note };
        if update == LineUpdate::default() {
            let text = "Say what is to change: new_item, quantity or note.".to_owned();
            return Err(ToolError { text });
        }
        let line = household.find(&args.item)?;
        let line = in_words(household.update(line, update)?);
        Ok(now(&line, household))
    }
}
