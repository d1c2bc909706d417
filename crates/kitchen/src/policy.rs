//! The policy over the kitchen's tools, and its version.

use agent::approval::{Mode, Policy, PolicyError};
use agent::settings::Wait;
use agent::tool::Access;

use crate::tools;

/// Goes up with every change below, so that a record tells what it was made under.
const VERSION: u32 = 1;

/// Every tool, in exactly one class.
pub(crate) const INVENTORY: [(&str, Access); 5] = [
    ("get_shopping_list", Access::Read),
    ("add_to_shopping_list", Access::Write),
    ("update_shopping_item", Access::Write),
    ("remove_from_shopping_list", Access::Write),
    ("check_off_item", Access::Write),
];

/// The policy over the kitchen's tools.
///
/// # Errors
/// If a tool is in no class, or in a laxer one than its author chose.
pub fn policy() -> Result<Policy, PolicyError> {
    Policy::new(VERSION, Mode::Enforce, &INVENTORY, Wait::default(), &tools::all().specs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_of_the_kitchen_is_in_exactly_one_class() {
        let policy = policy().expect("the inventory is whole");
        for spec in tools::all().specs() {
            assert!(INVENTORY.iter().any(|(name, _)| *name == spec.name), "{}", spec.name);
            assert_ne!(policy.access(&spec), Access::Unavailable, "{}", spec.name);
        }
    }

    #[test]
    fn a_tool_that_is_missing_from_the_inventory_is_noticed() {
        for left_out in 0..INVENTORY.len() {
            let mut inventory = INVENTORY.to_vec();
            let (name, _) = inventory.remove(left_out);
            let tools = tools::all().specs();
            let policy = Policy::new(2, Mode::Enforce, &inventory, Wait::default(), &tools);
            assert_eq!(policy, Err(PolicyError::Unclassed(name.to_owned())));
        }
    }

    #[test]
    fn no_tool_that_changes_the_list_can_be_made_to_run_freely() {
        let tools = tools::all().specs();
        for (index, (name, access)) in INVENTORY.into_iter().enumerate() {
            let mut inventory = INVENTORY.to_vec();
            inventory[index].1 = Access::Read;
            let policy = Policy::new(2, Mode::Enforce, &inventory, Wait::default(), &tools);
            let removed = PolicyError::ApprovalRemoved {
                tool: name.to_owned(),
                declared: access,
                class: Access::Read,
            };
            assert_eq!(policy.err(), access.is_gated().then_some(removed));
        }
    }
}
