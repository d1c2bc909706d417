//! The agents of a scenario: who begins, and who has which tools.

use std::collections::HashMap;

use agent::handoff::Agent;
use agent::tool::ToolSpec;

use super::vector::{Tool, Vector};

/// The agent of a scenario that names none.
const SOLE: &str = "cook";

/// The agents of a scenario.
pub(super) struct Agents {
    /// The first begins.
    names: Vec<String>,
    /// The only agent that has a tool; a tool without one belongs to all.
    owners: HashMap<String, Option<String>>,
}

impl Agents {
    /// The agents that a scenario names.
    pub(super) fn of(vector: &Vector) -> Self {
        let mut names: Vec<String> = Vec::new();
        let others = vector.tools.iter().filter_map(|tool| tool.agent.as_ref());
        for name in vector.entry_agent.iter().chain(others) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if names.is_empty() {
            names.push(SOLE.to_owned());
        }
        Self { names, owners: HashMap::new() }
    }

    /// A tool is registered.
    pub(super) fn register(&mut self, tool: &Tool) {
        self.owners.insert(tool.name.clone(), tool.agent.clone());
    }

    /// Whether an agent has a tool.
    pub(super) fn has(&self, agent: &str, tool: &str) -> bool {
        self.owners.get(tool).and_then(Option::as_ref).is_none_or(|owner| owner == agent)
    }

    /// The agents as the loop knows them, with those of these tools that each has.
    pub(super) fn with(&self, specs: &[ToolSpec]) -> Vec<Agent> {
        let mut agents = Vec::new();
        for name in &self.names {
            let tools = specs.iter().map(|spec| spec.name.clone());
            agents.push(Agent {
                name: name.clone(),
                does: format!("serves as {name}"),
                instructions: instructions(name),
                tools: tools.filter(|tool| self.has(name, tool)).collect(),
            });
        }
        agents
    }

    /// The agent that is told this.
    pub(super) fn told(&self, told: &str) -> Option<&str> {
        self.names.iter().find(|name| instructions(name) == told).map(String::as_str)
    }
}

/// What an agent is told.
fn instructions(agent: &str) -> String {
    format!("You are the {agent}.")
}
