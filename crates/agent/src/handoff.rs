//! The agents that serve a conversation, and the one bridge between them.
//!
//! Each agent has its own instructions and its own tools, and knows of the others only that the
//! conversation can be handed over to them. A handoff takes nothing along: what the next agent
//! calls is judged as every call is, by its own tools, and a no holds for it too.

use serde_json::json;

use crate::limits::HANDOFF_REASON_CHARS_MAX;
use crate::message::{Ending, ToolResult};
use crate::tool::{Access, ToolSpec};
use crate::wording;

/// What the name of every handoff begins with. No tool may have such a name.
const PREFIX: &str = "handoff_to_";

/// One of the agents of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name: of the letters a tool's name may have, since its handoff is named after it.
    pub name: String,
    /// What it does, for the agents that may hand over to it: "finds places and books tables".
    pub does: String,
    /// What it is told.
    pub instructions: String,
    /// The names of the tools it may call. It is offered no others.
    pub tools: Vec<String>,
}

impl Agent {
    /// Whether it may call the tool of that name.
    #[must_use]
    pub fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|own| own == tool)
    }

    /// How another agent hands the conversation over to it. It is no tool and never runs: the loop
    /// itself carries it out.
    #[must_use]
    pub fn handoff(&self) -> ToolSpec {
        ToolSpec {
            name: format!("{PREFIX}{}", self.name),
            description: wording::handoff(self),
            parameters: json!({
                "type": "object",
                "properties": {
                    "reason": { "type": "string", "maxLength": HANDOFF_REASON_CHARS_MAX },
                },
                "additionalProperties": false,
            }),
            version: "1".to_owned(),
            access: Access::Read,
        }
    }
}

/// The name of the agent that a call of this name hands over to, whether or not there is one of that
/// name; none if it is the name of a tool.
#[must_use]
pub fn target(call: &str) -> Option<&str> {
    call.strip_prefix(PREFIX)
}

/// The name of the agent that was handed over to, if this is the result of such a call and it took
/// place.
#[must_use]
pub fn taken<'a>(call: &'a str, result: &ToolResult) -> Option<&'a str> {
    target(call).filter(|_| result.ending == Ending::Ran)
}
