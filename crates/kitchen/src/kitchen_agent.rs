//! The kitchen's agent: what it is told, and which tools it has.

use agent::handoff::Agent;
use agent::wording;

use crate::policy::INVENTORY;

/// The agent of the kitchen, with every tool of it.
#[must_use]
pub fn agent() -> Agent {
    let own = "You are the kitchen assistant of one household: you help with cooking and with its \
               shopping list.";
    Agent {
        name: "kitchen".to_owned(),
        does: "helps with cooking and keeps the shopping list".to_owned(),
        instructions: format!("{own}\n{}", wording::conduct()),
        tools: INVENTORY.iter().map(|(tool, _)| (*tool).to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kitchens_agent_has_the_kitchens_tools_and_no_others() {
        let tools: Vec<_> = crate::tools().specs().into_iter().map(|spec| spec.name).collect();
        assert_eq!(agent().tools, tools);
    }
}
