//! Takes something off the shopping list.

use agent::tool::{Access, Output, Tool, ToolError, ToolSpec};
use serde::Deserialize;
use serde_json::json;

use super::{item, now, object};
use crate::household::Household;

/// The tool.
pub(crate) struct RemoveFromShoppingList;

/// Its arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    item: String,
}

impl Tool<Household> for RemoveFromShoppingList {
    const NAME: &'static str = "remove_from_shopping_list";
    const ACCESS: Access = Access::Write;
    type Args = Args;

    fn spec() -> ToolSpec {
        ToolSpec {
            name: Self::NAME.to_owned(),
            description: "Takes one line off the household's shopping list. The name must be the \
                          line's own, singular or plural; nothing is removed on a similar name. \
                          For what was bought, check the item off instead."
                .to_owned(),
            parameters: object(
                json!({ "item": item("The line, by the name it has on the list.") }),
                &["item"],
            ),
            version: "1".to_owned(),
            access: Self::ACCESS,
        }
    }

    fn run(args: Args, household: &mut Household) -> Result<Output, ToolError> {
        let line = household.find(&args.item)?;
        let removed = household.remove(line)?;
        Ok(now(&format!("{} is off the list", removed.item), household))
    }
}
