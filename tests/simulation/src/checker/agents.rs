//! Permission never travels: each agent calls its own tools alone, and who is asked is whom the
//! conversation was handed over to.

use agent::message::ToolCall;
use agent::model::ModelRequest;

use super::Checker;
use crate::agents;
use crate::violation::{Checked, Rule, hold};

impl Checker {
    /// A call is asked about, or runs.
    pub(super) fn is_its_agents(&self, call: &ToolCall) -> Checked {
        let owner = self.owners.get(&call.id).map(String::as_str);
        hold(owner.is_some_and(|owner| agents::has(owner, &call.name)), Rule::Agents, || {
            format!("{} is called by {owner:?}, who does not have it", call.name)
        })
    }

    /// A request goes to the model. `gone`: a program came by that has not all of the agents, and
    /// the first one served for the other.
    pub(super) fn is_for_its_agent(&self, request: &ModelRequest, gone: bool) -> Checked {
        let (asked, in_charge) = (agents::asked(request), agents::in_charge(&request.messages));
        hold(asked == in_charge || gone && asked == agents::KITCHEN, Rule::Agents, || {
            format!("{asked} is asked, and {in_charge} is in charge")
        })?;
        let handoffs: Vec<_> = agents::targets(request).map(agents::handoff).collect();
        let stray = request.tools.iter().map(|tool| &tool.name);
        let stray = stray.clone().find(|it| !handoffs.contains(it) && !agents::has(asked, it));
        hold(stray.is_none(), Rule::Agents, || format!("{asked} is offered {stray:?}"))
    }
}
