//! Ticks a line of the shopping list, or takes the tick away.

use agent::tool::{Access, Output, Tool, ToolError, ToolSpec};
use serde::Deserialize;
use serde_json::json;

use super::{in_words, item, now, object};
use crate::household::Household;

/// The tool.
pub(crate) struct CheckOffItem;

/// Its arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    item: String,
    checked: bool,
}

impl Tool<Household> for CheckOffItem {
    const NAME: &'static str = "check_off_item";
    const ACCESS: Access = Access::Write;
    type Args = Args;

    fn spec() -> ToolSpec {
        ToolSpec {
            name: Self::NAME.to_owned(),
            description: "Checks one line of the household's shopping list, for something that \
                          is in the basket or bought, or unchecks it. The line stays on the list. \
                          The name must be the line's own, singular or plural."
                .to_owned(),
            parameters: object(
                json!({
                    "item": item("The line, by the name it has on the list."),
                    "checked": {
                        "type": "boolean",
                        "description": "True for bought, false for still to buy.",
                    },
                }),
                &["item", "checked"],
            ),
            version: "1".to_owned(),
            access: Self::ACCESS,
        }
    }

    fn run(args: Args, household: &mut Household) -> Result<Output, ToolError> {
        let line = household.find(&args.item)?;
        let line = household.check(line, args.checked)?;
        let basket = if line.checked { "" } else { ", not in the basket" };
        let line = format!("{}{basket}", in_words(line));
        Ok(now(&line, household))
    }
}
