//! Standing approvals: what a person said "always" to.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical::canonical_object;
use crate::message::ToolCall;
use crate::time::Timestamp;
use crate::tool::ToolIdentity;

/// A person's word that calls of one tool, or exactly one call of it, need not be asked about.
///
/// It is bound to the tool's identity: a different tool under the old name is asked about again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StandingApproval {
    /// The tool's name.
    pub tool: String,
    /// The tool as it was when the person was asked.
    pub identity: ToolIdentity,
    /// The only arguments it covers; all, if there are none.
    pub arguments: Option<Map<String, Value>>,
    /// When it was given.
    pub given_at: Timestamp,
}

impl StandingApproval {
    /// Whether it covers a call of the tool with this identity.
    #[must_use]
    pub fn covers(&self, call: &ToolCall, identity: &ToolIdentity) -> bool {
        self.tool == call.name
            && self.identity == *identity
            && self.arguments.as_ref().is_none_or(|arguments| same(arguments, &call.arguments))
    }

    /// Whether it says the same as another.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        let Self { tool, identity, arguments, given_at: _ } = self;
        let same_arguments = match (arguments, &other.arguments) {
            (Some(ours), Some(theirs)) => same(ours, theirs),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        *tool == other.tool && *identity == other.identity && same_arguments
    }
}

fn same(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    canonical_object(left) == canonical_object(right)
}
