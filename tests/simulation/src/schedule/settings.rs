//! How the loops of a seed are to behave, and what changes when a program is replaced.

use agent::approval::{Mode, Policy};
use agent::settings::{OnNewMessage, OnUnknownTool, Settings, Wait};
use agent::tool::Access;

use super::HOUR_MS;
use crate::kind::{Dice, Kind};
use crate::tools::{self, Change, Update};

/// How the loops of a seed are to behave.
pub(super) fn settings(dice: &mut Dice) -> Settings {
    let product = Settings { policy: policy(dice), ..Settings::product() };
    let product = product.waiting(Wait::default());
    if dice.chance(3) {
        return product;
    }
    Settings {
        hold_free_calls: !dice.chance(4),
        one_at_a_time: dice.chance(3),
        standing_approvals: !dice.chance(4),
        sticky_denial: !dice.chance(3),
        on_new_message: if dice.chance(3) {
            OnNewMessage::Refuse
        } else {
            OnNewMessage::RejectPending
        },
        on_unknown_tool: if dice.chance(5) { OnUnknownTool::EndRun } else { OnUnknownTool::Result },
        detailed_errors: dice.chance(2),
        iterations_max: if dice.chance(2) { 2 } else { product.iterations_max },
        consecutive_errors_max: if dice.chance(3) { 0 } else { product.consecutive_errors_max },
        approval_rounds_max: if dice.chance(3) { 2 } else { product.approval_rounds_max },
        covered_rounds_max: if dice.chance(3) { 1 } else { product.covered_rounds_max },
        approval_timeout_ms: dice.chance(2).then_some(HOUR_MS / 6),
        approval_attempts: if dice.chance(2) { 3 } else { 1 },
        ..product
    }
}

/// What another version of the program has changed.
pub(super) fn update(dice: &mut Dice) -> Update {
    if dice.rolls(Kind::AgentGone, 5) {
        return Some((0, Change::AgentGone));
    }
    let changes =
        [Change::Version, Change::AlwaysAsk, Change::Unavailable, Change::Arguments, Change::Gone];
    let tool = dice.below(tools::COUNT);
    dice.pick(&changes).map(|change| (tool, *change))
}

/// A policy over the kitchen's tools, each in the class its author gave it or a stricter one.
fn policy(dice: &mut Dice) -> Policy {
    let declared = Policy::declared();
    let trial = dice.rolls(Kind::PolicyOnTrial, 8);
    if !trial && !dice.rolls(Kind::StricterPolicy, 5) {
        return declared;
    }
    let mode = if trial { Mode::ReportOnly } else { Mode::Enforce };
    let specs = tools::program(None).specs;
    let inventory: Vec<_> = specs
        .iter()
        .map(|spec| {
            let stricter = [Access::Write, Access::AlwaysAsk, Access::Unavailable];
            let class = if dice.chance(3) { dice.pick(&stricter) } else { None };
            (spec.name.as_str(), spec.access.max(class.copied().unwrap_or(spec.access)))
        })
        .collect();
    let policy = Policy::new(1, mode, &inventory, Wait::default(), &specs);
    let policy = policy.unwrap_or_else(|_| Policy::closed());
    if dice.rolls(Kind::PolicyRolledBack, 4) {
        return policy.roll_back(&declared, &specs).unwrap_or_else(|_| Policy::closed());
    }
    policy
}
