//! Who decides about a call: [`crate::approval`]'s order of precedence, line by line, up to the
//! question whether a person is asked. Whether they still may be is for the prompt to say.

use std::fmt;

use crate::approval::{Basis, Policy, StandingApproval};
use crate::handoff::{self, Agent};
use crate::message::ToolCall;
use crate::mistake::{Mistake, made};
use crate::reply::ReadCall;
use crate::time::Timestamp;
use crate::tool::{Access, ToolIdentity, ToolSpec};

/// A rule in code: it may approve calls without a person.
pub struct Rule {
    /// The only tool it is asked about; every tool, if there is none.
    pub tool: Option<String>,
    /// Whether it approves the call.
    pub approves: Verifier,
}

/// The code of a rule.
pub type Verifier = Box<dyn Fn(&ToolCall) -> Result<bool, RuleBroken>>;

/// A rule could not come to a verdict. The person is asked then, whatever later rules would say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleBroken;

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// What is to happen with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The provider ran it already, with this result.
    Provided(String),
    /// No tool of that name may be called.
    NotFound,
    /// It hands over to another agent.
    Handoff,
    /// Its arguments cannot be read or do not fit.
    BadArguments,
    /// It only reads.
    Free,
    /// A standing approval or a rule allows it.
    Covered(Basis),
    /// A person decides, unless an earlier no refuses it.
    Ask,
}

/// What verdicts rest on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) tools: &'a [ToolSpec],
    pub(crate) agents: &'a [Agent],
    /// The agent that calls, if it is still there.
    pub(crate) agent: Option<&'a Agent>,
    pub(crate) rules: &'a [Rule],
    pub(crate) now: Timestamp,
    /// Whether standing approvals and rules may still cover calls in this prompt.
    pub(crate) covers: bool,
}

impl<'a> Judge<'a> {
    /// The tool the agent may call by this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&'a ToolSpec> {
        self.tools.iter().find(|it| it.name == name && self.offers(it))
    }

    /// Whether the agent may call a tool: it is one of its own, and no policy is against it.
    pub(crate) fn offers(&self, spec: &ToolSpec) -> bool {
        let own = self.agent.is_some_and(|agent| agent.has(&spec.name));
        let is_tool = handoff::target(&spec.name).is_none();
        is_tool
            && (own || made(Mistake::ToolsOfOthersCount))
            && self.policy.access(spec) != Access::Unavailable
    }

    /// The agent that a call of this name hands over to.
    pub(crate) fn handoff(&self, name: &str) -> Option<&'a Agent> {
        let target = handoff::target(name)?;
        self.agents.iter().find(|agent| agent.name == target)
    }

    /// The tool a call is judged by: its identity, and whether "always" may cover it.
    pub(crate) fn judged_by(&self, spec: &ToolSpec) -> (ToolIdentity, bool) {
        (spec.identity(), self.policy.access(spec) != Access::AlwaysAsk)
    }

    /// Whether the policy on trial would refuse every call of the tool.
    pub(crate) fn would_refuse(&self, spec: &ToolSpec) -> bool {
        self.policy.would_be(spec) == Some(Access::Unavailable)
    }

    /// Whether a call names nothing that may be called, and was not carried out by the provider.
    pub(crate) fn is_unknown(&self, read: &ReadCall) -> bool {
        let name = &read.call.name;
        let known = self.handoff(name).is_some() || self.tool(name).is_some();
        read.provider_result.is_none() && !known
    }

    /// The verdict on a call. A standing approval that covers it has one use less.
    pub(crate) fn judge(&self, read: &ReadCall, standing: &mut [StandingApproval]) -> Verdict {
        if let Some(result) = &read.provider_result {
            return Verdict::Provided(result.clone());
        }
        if self.handoff(&read.call.name).is_some() {
            return Verdict::Handoff;
        }
        let Some(spec) = self.tool(&read.call.name) else {
            return Verdict::NotFound;
        };
        if !read.readable || !spec.fits(&read.call.arguments) {
            return Verdict::BadArguments;
        }
        if !self.policy.access(spec).is_gated() {
            return Verdict::Free;
        }
        self.covering(&read.call, spec, standing).map_or(Verdict::Ask, Verdict::Covered)
    }

    /// What allows a call that must be approved, so that nobody need be asked.
    pub(crate) fn covering(
        &self,
        call: &ToolCall,
        spec: &ToolSpec,
        standing: &mut [StandingApproval],
    ) -> Option<Basis> {
        let always_ask = self.policy.access(spec) == Access::AlwaysAsk;
        if !self.covers || always_ask && !made(Mistake::AlwaysAskIsCovered) {
            return None;
        }
        let identity = spec.identity();
        if standing.iter_mut().any(|approval| approval.cover(call, &identity, self.now)) {
            return Some(Basis::Standing);
        }
        self.a_rule_approves(call).then_some(Basis::Rule)
    }

    /// The first rule that approves decides; one that breaks ends the search.
    fn a_rule_approves(&self, call: &ToolCall) -> bool {
        let asked = |rule: &&Rule| rule.tool.as_ref().is_none_or(|tool| *tool == call.name);
        self.rules
            .iter()
            .filter(asked)
            .map(|rule| (rule.approves)(call))
            .find(|verdict| *verdict != Ok(false))
            == Some(Ok(true))
    }
}
