//! The agents of the household in miniature, and who is in charge by what was said: the checker's own
//! word on it, and not the session's.

use agent::handoff::Agent;
use agent::message::{Body, Content, Message};
use agent::model::ModelRequest;

use crate::tools::LETTER;

/// The agent that begins.
pub const KITCHEN: &str = "kitchen";

/// The agent that goes to the shop.
pub const SHOPPER: &str = "shopper";

/// What the names of handoffs begin with.
const HANDOFF: &str = "handoff_to_";

/// Whether an agent has a tool. Reading the list and sending letters is both agents'.
#[must_use]
pub fn has(agent: &str, tool: &str) -> bool {
    let own = match agent {
        KITCHEN => ["add_to_shopping_list", "update_shopping_item", "remove_from_shopping_list"]
            .contains(&tool),
        SHOPPER => tool == "check_off_item",
        _ => false,
    };
    own || matches!(agent, KITCHEN | SHOPPER) && ["get_shopping_list", LETTER].contains(&tool)
}

/// The agents as the loop knows them.
#[must_use]
pub fn all() -> [Agent; 2] {
    [KITCHEN, SHOPPER].map(|name| {
        let tools = kitchen::agent().tools.into_iter().chain([LETTER.to_owned()]);
        Agent {
            name: name.to_owned(),
            does: String::new(),
            instructions: name.to_owned(),
            tools: tools.filter(|tool| has(name, tool)).collect(),
        }
    })
}

/// The agent that a request is for.
#[must_use]
pub fn asked(request: &ModelRequest) -> &str {
    &request.instructions
}

/// The name of a handoff to an agent.
#[must_use]
pub fn handoff(to: &str) -> String {
    format!("{HANDOFF}{to}")
}

/// The agents a request lets the model hand over to.
pub fn targets(request: &ModelRequest) -> impl Iterator<Item = &str> {
    request.tools.iter().filter_map(|tool| tool.name.strip_prefix(HANDOFF))
}

/// The agent in charge after a conversation: the last that was said to be handed over to.
#[must_use]
pub fn in_charge(messages: &[Message]) -> &str {
    let mut in_charge = KITCHEN;
    let mut handoffs: Vec<(&agent::id::CallId, &str)> = Vec::new();
    for message in messages {
        match &message.body {
            Body::Assistant(content) => {
                let calls = content.iter().filter_map(|piece| match piece {
                    Content::Call(call) => Some((&call.id, call.name.strip_prefix(HANDOFF)?)),
                    Content::Text(_) | Content::Opaque(_) => None,
                });
                handoffs = calls.collect();
            }
            Body::Result(result) if result.text == "Transferred." => {
                let to = handoffs.iter().find(|(id, _)| **id == result.call);
                in_charge = to.map_or(in_charge, |(_, to)| to);
            }
            Body::Result(_) | Body::Person(_) | Body::Note(_) => {}
        }
    }
    in_charge
}
