//! What the page acts by, and what can only be drawn up with it.
//!
//! The page loads it when something is first to be done. Until then it shows no card, for nobody
//! could answer it; everything else of a [`Scene`] is shown without.

use agent::approval::Policy;
use agent::handoff::Agent;
use agent::message::Message;
use agent::tool::{ToolSet, ToolSpec};
use kitchen::Household;

use crate::agents;
use crate::card::{Asked, Card};
use crate::conversation::{self, Turn};
use crate::receipt::Receipt;
use crate::resolution;
use crate::scene::Scene;
use crate::standing::{self, Given};

/// The tools and the policy over them.
pub struct Engine {
    tools: ToolSet<Household>,
    specs: Vec<ToolSpec>,
    policy: Policy,
    agents: Vec<Agent>,
    /// Tools whose far side can be asked whether something was done.
    checking: Vec<String>,
    // Held as values, so that whoever only shows things does not come with what draws these up.
    draw_up: fn(&[Asked<'_>], &Scene<'_>, &Self) -> Option<Card>,
    given: fn(&Scene<'_>, &Self) -> Vec<Given>,
    resolve: fn(&mut Receipt, &Scene<'_>, &Self) -> Option<String>,
    mark_what_is_sent: fn(&mut Vec<Turn>, &[Message]),
}

impl Engine {
    /// What acts by these tools under this policy.
    #[must_use]
    pub fn of(tools: ToolSet<Household>, policy: Policy) -> Self {
        let specs = tools.specs();
        let (checking, given, resolve) = (Vec::new(), standing::given, resolution::of_receipt);
        let mark_what_is_sent = conversation::mark_what_is_sent;
        let agents = Vec::new();
        Self { tools, specs, policy, agents, checking, draw_up, given, resolve, mark_what_is_sent }
    }

    /// The same, for these agents; the first begins. An engine without any acts for nobody.
    #[must_use]
    pub fn serving(mut self, agents: Vec<Agent>) -> Self {
        self.agents = agents;
        self
    }

    /// The same, where the far side of these tools can be asked whether something was done.
    #[must_use]
    pub fn checking(mut self, tools: Vec<String>) -> Self {
        self.checking = tools;
        self
    }

    /// Whether the far side of a tool can be asked.
    pub(crate) fn can_check(&self, tool: &str) -> bool {
        self.checking.iter().any(|known| known == tool)
    }

    /// The tools.
    #[must_use]
    pub fn tools(&self) -> &ToolSet<Household> {
        &self.tools
    }

    /// What each tool says of itself.
    #[must_use]
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The agents that act by it.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    pub(crate) fn card(&self, asked: &[Asked<'_>], scene: &Scene<'_>) -> Option<Card> {
        (self.draw_up)(asked, scene, self)
    }

    pub(crate) fn resolve(&self, receipt: &mut Receipt, scene: &Scene<'_>) -> Option<String> {
        (self.resolve)(receipt, scene, self)
    }

    pub(crate) fn mark_what_is_sent(&self, turns: &mut Vec<Turn>, messages: &[Message]) {
        (self.mark_what_is_sent)(turns, messages);
    }

    pub(crate) fn given(&self, scene: &Scene<'_>) -> Vec<Given> {
        (self.given)(scene, self)
    }
}

fn draw_up(asked: &[Asked<'_>], scene: &Scene<'_>, engine: &Engine) -> Option<Card> {
    let mut card = Card::of(asked, engine, scene.household, scene.wait, scene.now)?;
    card.agent = agents::title(scene.session.agent());
    card.less_often = standing::offers(&card, scene);
    Some(card)
}
