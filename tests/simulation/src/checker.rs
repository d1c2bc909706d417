//! Holds every step against what must hold. The evidence is what was really shown, said, recorded and run.

mod agents;
mod damage;
mod outside;

use std::collections::{BTreeMap, BTreeSet};

use agent::approval::{Always, ApprovalRequest, Basis, BatchCall, CallState, Outcome, Policy};
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::canonical::keyed_digest;
use agent::id::{CallId, RequestId};
use agent::message::{Body, Content, Ending, Message, ToolCall, ToolResult};
use agent::model::ModelRequest;
use agent::resolution::ResolutionStep;
use agent::settings::Settings;
use agent::tool::{Access, ToolIdentity, ToolSpec};
use kitchen::{Edit, Household};
use store::Store;
use store::chain::Head;
use store::error::StoreError;
use store::records::Record;
use store::stretch::Entry;

use crate::database::{Memory, Plan, View, at_once};
use crate::far_side::FarSide;
use crate::model::{self, Proposal};
use crate::tools;
use crate::violation::{Checked, Rule, Violation, hold};
use crate::witness::{Said, Witness, prompt};

/// The key of this household's digests.
pub const DIGEST_KEY: [u8; 32] = [7; 32];

/// What the checker knows of the whole household.
#[derive(Debug, Clone, Default)]
pub struct Checker {
    proposed: BTreeMap<CallId, ToolCall>,
    /// The agent that each was proposed by.
    owners: BTreeMap<CallId, String>,
    decisions: BTreeMap<RequestId, AuditEvent>,
    emitted: BTreeSet<RequestId>,
    refused: BTreeSet<RequestId>,
    executed: BTreeMap<RequestId, ExecutionEvent>,
    resolved: BTreeMap<RequestId, ResolutionStep>,
    /// The tool each request was judged by.
    judged: BTreeMap<RequestId, ToolIdentity>,
    household: Household,
    /// What lies outside it, and what was sent there.
    pub far_side: FarSide,
    /// How often each request was to be tried again, as far as that is on record.
    tries: BTreeMap<RequestId, u32>,
    commits: u64,
    /// Where the records ended when they were looked at last.
    head: Head,
}

/// What a decision is judged by.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// What the person was shown and said.
    pub witness: &'a Witness,
    /// How the loop is to behave.
    pub settings: &'a Settings,
    /// The tools of the tab.
    pub specs: &'a [ToolSpec],
    /// The conversation.
    pub messages: &'a [Message],
    /// The only tool that a rule in code approves.
    pub ruled: Option<&'a str>,
}

impl Checker {
    /// What is known once everything that was kept is gone.
    #[must_use]
    pub fn knowing_only(far_side: FarSide) -> Self {
        Self { far_side, ..Self::default() }
    }

    /// The calls that a session took from a reply of an agent are those of the reply.
    ///
    /// # Errors
    /// If one is not.
    pub fn reply(&mut self, agent: &str, proposals: &[Proposal], added: &[Message]) -> Checked {
        for call in added.iter().flat_map(calls) {
            let from = proposals.iter().any(|it| it.is(call));
            hold(from, Rule::AsRecorded, || format!("{call:?} is not what the model proposed"))?;
            self.proposed.insert(call.id.clone(), call.clone());
            self.owners.insert(call.id.clone(), agent.to_owned());
        }
        Ok(())
    }

    /// A question is put to the person.
    ///
    /// # Errors
    /// If it is another one than was proposed or shown before, or comes after a no.
    pub fn asks(&self, request: &ApprovalRequest, ground: Ground<'_>) -> Checked {
        let same = self.proposed.get(&request.call.id) == Some(&request.call);
        hold(same, Rule::AsRecorded, || format!("{request:?} shows another call"))?;
        self.is_its_agents(&request.call)?;
        let rounds = ground.witness.rounds_in(prompt(ground.messages));
        let bounded = rounds <= ground.settings.approval_rounds_max as usize;
        hold(bounded, Rule::Bounded, || format!("round {rounds} of questions in one prompt"))?;
        let shown = ground.witness.shown.get(&request.id);
        let same = shown.is_none_or(|shown| shown.call == request.call);
        hold(same, Rule::AsRecorded, || format!("{request:?} shows another call than before"))?;
        let denied = ground.settings.sticky_denial
            && request.gated
            && ground.witness.has_no_in(prompt(ground.messages));
        hold(shown.is_some() || !denied, Rule::Sticky, || {
            format!("{} is asked about after a no in the same prompt", request.call.name)
        })
    }

    /// Requests are bound to the tools by which their calls were judged: those of the program in
    /// which they first appear.
    pub fn judges(&mut self, batch: &[BatchCall], specs: &[ToolSpec]) {
        for it in batch {
            let request = match it.state() {
                CallState::Queued(request)
                | CallState::Open(request)
                | CallState::Recording { request, .. } => request,
                CallState::Held
                | CallState::Approved(_)
                | CallState::Withdrawing { .. }
                | CallState::Running(_)
                | CallState::Settled(_) => continue,
            };
            if let Some(spec) = specs.iter().find(|spec| spec.name == it.call().name) {
                self.judged.entry(request.id.clone()).or_insert_with(|| spec.identity());
            }
        }
    }

    /// A decision is on its way to the store.
    ///
    /// # Errors
    /// If nothing that happened is a ground for it.
    pub fn decides(&mut self, event: &AuditEvent, ground: Ground<'_>) -> Checked {
        let first = self.emitted.insert(event.request.clone());
        let said = ground.witness.said.get(&event.request);
        let why = || format!("{event:?}, but the person said {said:?}");
        match (event.outcome, event.basis) {
            (Outcome::Approved, Basis::Person) => {
                hold(matches!(said, Some(Said::Yes(_))), Rule::Permission, why)
            }
            // Sent again it is as it was taken: it may be revoked since, and an update may have made
            // the tool another one, which is looked at before the call runs.
            (Outcome::Approved, Basis::Standing) => {
                hold(!first || self.stands(event, ground), Rule::Permission, why)
            }
            (Outcome::Approved, Basis::Rule) => {
                let may = !first || Self::may_be_covered(event, ground);
                hold(may && ground.ruled == Some(&event.tool), Rule::Permission, why)
            }
            (Outcome::Approved, Basis::Loop) => hold(false, Rule::Permission, why),
            (Outcome::Denied, _) => hold(said == Some(&Said::No), Rule::AsRecorded, why),
            (Outcome::TimedOut, _) => hold(said == Some(&Said::Otherwise), Rule::AsRecorded, why),
            (Outcome::Sticky, _) => {
                let denied = ground.settings.sticky_denial
                    && ground.witness.has_no_in(prompt(ground.messages));
                hold(denied || !first, Rule::Sticky, || format!("{event:?}, but nobody said no"))
            }
            (
                Outcome::Cancelled
                | Outcome::MovedOn
                | Outcome::InputUnavailable
                | Outcome::AuditFailed
                | Outcome::RoundsExhausted,
                _,
            ) => Ok(()),
        }
    }

    /// The store refused a decision.
    pub fn refused(&mut self, request: &RequestId) {
        self.refused.insert(request.clone());
    }

    /// Whether a person said "always" to this, and that was recorded.
    fn stands(&self, event: &AuditEvent, ground: Ground<'_>) -> bool {
        let may = ground.settings.standing_approvals && Self::may_be_covered(event, ground);
        let covers = |(id, said): (&RequestId, &Said)| {
            let Said::Yes(Some(always)) = said else { return false };
            let recorded = self.decisions.get(id).is_some_and(|it| it.outcome == Outcome::Approved);
            let Some(shown) = ground.witness.shown.get(id) else { return false };
            let arguments = keyed_digest(&DIGEST_KEY, &shown.call.arguments);
            let same = match always {
                Always::Tool => true,
                Always::ToolWithArguments => arguments == event.arguments_digest,
            };
            let revoked = ground.witness.revoked.contains(id);
            recorded && !revoked && shown.call.name == event.tool && same
        };
        may && ground.witness.said.iter().any(covers)
    }

    /// Whether there may be a yes without a person. A call whose tool is gone may be covered: it
    /// will not run.
    fn may_be_covered(event: &AuditEvent, ground: Ground<'_>) -> bool {
        let spec = ground.specs.iter().find(|it| it.name == event.tool);
        spec.is_none_or(|spec| ground.settings.policy.access(spec) != Access::AlwaysAsk)
    }

    /// A free call ran.
    ///
    /// # Errors
    /// If it is gated, or another than was proposed.
    pub fn reads(&self, call: &ToolCall, specs: &[ToolSpec], policy: &Policy) -> Checked {
        let same = self.proposed.get(&call.id) == Some(call);
        hold(same, Rule::AsRecorded, || format!("{call:?} is read otherwise than proposed"))?;
        self.is_its_agents(call)?;
        let free = specs.iter().any(|it| it.name == call.name && policy.access(it) == Access::Read);
        hold(free, Rule::Permission, || format!("{} ran and nobody was asked", call.name))
    }

    /// A person changed the list by hand.
    pub fn edits(&mut self, edit: Edit) {
        // What cannot be done changes nothing, and shows as a difference from what is kept.
        let _ = self.household.edit(edit);
    }

    /// Looks at everything that was newly kept, by a program with these tools.
    ///
    /// # Errors
    /// If a record changed, or something ran that should not have, twice, or otherwise.
    pub fn observe(&mut self, memory: &Memory, specs: &[ToolSpec], policy: &Policy) -> Checked {
        if memory.shared_commits() == self.commits {
            return Ok(());
        }
        self.commits = memory.shared_commits();
        memory.plan(Plan::default());
        let store = Store::new(View::onto(memory));
        let unreadable = |error: StoreError| Violation { rule: Rule::Kept, why: error.to_string() };
        let added = at_once(store.records_after(&self.head)).map_err(unreadable)?;
        self.breaks_where_harmed(memory, &added)?;
        for Entry { at, record } in added.entries {
            match record.map_err(|why| Violation { rule: Rule::Kept, why })? {
                Record::Decision(event) => {
                    let earlier = self.decisions.insert(event.request.clone(), event);
                    hold(earlier.is_none(), Rule::Once, || format!("{earlier:?} changed"))?;
                }
                Record::Execution(event) => self.ran(event, specs, policy)?,
                Record::Resolution(event) => self.resolves(event)?,
            }
            self.head = at;
        }
        let household = at_once(store.household(1)).map_err(unreadable)?.household;
        self.is_the_household(memory, &household)
    }

    fn ran(&mut self, event: ExecutionEvent, specs: &[ToolSpec], policy: &Policy) -> Checked {
        let request = event.request.clone();
        let decision = self.decisions.get(&request).filter(|it| it.outcome == Outcome::Approved);
        let Some(decision) = decision else {
            let why = format!("{} ran without a yes on record", event.tool);
            return Err(Violation { rule: Rule::Permission, why });
        };
        let call = self.proposed.get(&event.call);
        let Some(call) = call.filter(|call| call.name == event.tool) else {
            let why = format!("{event:?} is no call that was proposed");
            return Err(Violation { rule: Rule::AsRecorded, why });
        };
        let same = decision.call == call.id
            && decision.tool == call.name
            && decision.arguments_digest == keyed_digest(&DIGEST_KEY, &call.arguments);
        hold(same, Rule::AsRecorded, || format!("{call:?} ran, recorded was {decision:?}"))?;
        self.is_its_agents(call)?;
        let done = event.outcome == ExecutionOutcome::Ran;
        let same = |spec: &&ToolSpec| {
            spec.name == call.name
                && policy.access(spec) != Access::Unavailable
                && policy.would_be(spec) != Some(Access::Unavailable)
                && self.judged.get(&request) == Some(&spec.identity())
        };
        hold(!done || specs.iter().any(|it| same(&it)), Rule::AsRecorded, || {
            format!("{} ran and is another tool than was approved", call.name)
        })?;
        if let (true, Ok((after, _))) = (done, tools::rehearse(call, &self.household)) {
            self.household = after;
        }
        if event.tool == tools::LETTER {
            self.is_so(&event)?;
        }
        let earlier = self.executed.insert(request, event);
        hold(earlier.is_none(), Rule::Once, || format!("{earlier:?} ran again"))
    }

    /// A request goes to the model; perhaps after a program in which an agent was gone.
    ///
    /// # Errors
    /// If a provider would not take it, or it says what is not so.
    pub fn request(&self, request: &ModelRequest, agent_gone: bool) -> Checked {
        model::is_valid(request).map_err(|why| Violation { rule: Rule::ValidRequest, why })?;
        self.is_for_its_agent(request, agent_gone)?;
        for message in &request.messages {
            if let Body::Result(result) = &message.body {
                self.result(result)?;
            }
        }
        Ok(())
    }

    fn result(&self, result: &ToolResult) -> Checked {
        let Some(decision) = &result.decision else { return Ok(()) };
        let executed = self.executed.get(&decision.request);
        let so = match result.ending {
            Ending::Ran => executed.is_some_and(|it| it.result == result.text),
            // A tab whose no the store refused cannot know of another one's yes.
            Ending::Refused => {
                decision.outcome != Outcome::Approved
                    && (executed.is_none() || self.refused.contains(&decision.request))
            }
            // Of nothing outside it is said that it failed if it was done, or may yet be.
            Ending::Failed => {
                let (far, key) = (&self.far_side, &decision.request);
                let ran = executed.is_some_and(|it| it.outcome == ExecutionOutcome::Ran);
                !ran && (far.attempts(key) == 0 || far.did(key) == Some(false))
            }
            // Nor will it run yet, in any copy of the conversation.
            Ending::NotRun | Ending::NotFound | Ending::BadArguments => {
                decision.outcome != Outcome::Approved
                    || executed.is_some_and(|it| it.outcome == ExecutionOutcome::Failed)
            }
            Ending::Unknown | Ending::Provider => true,
        };
        let recorded = decision.outcome != Outcome::Approved
            || self
                .decisions
                .get(&decision.request)
                .is_some_and(|it| it.outcome == decision.outcome);
        hold(so && recorded, Rule::TrueResult, || {
            format!("{result:?}, but what happened is {executed:?}")
        })
    }

    /// How many things are on the household's list.
    #[must_use]
    pub fn item_count(&self) -> usize {
        self.household.shopping.len()
    }

    /// Everything that later judgements depend on, as text. How much was kept so far is left out.
    #[must_use]
    pub fn picture(&self) -> String {
        let Self {
            proposed,
            decisions,
            emitted,
            refused,
            executed,
            resolved,
            judged,
            household,
            ..
        } = self;
        format!(
            "{proposed:?}{decisions:?}{emitted:?}{refused:?}{executed:?}{resolved:?}{judged:?}{household:?}"
        )
    }

    /// Requests with a yes on record that neither ran nor have a result that says why not.
    pub fn forgotten<'a>(
        &'a self,
        named: &'a BTreeSet<RequestId>,
    ) -> impl Iterator<Item = &'a AuditEvent> {
        let yes = self.decisions.values().filter(|it| it.outcome == Outcome::Approved);
        yes.filter(|it| !self.executed.contains_key(&it.request) && !named.contains(&it.request))
    }
}

/// The calls of a message.
pub fn calls(message: &Message) -> impl Iterator<Item = &ToolCall> {
    let content = match &message.body {
        Body::Assistant(content) => content.as_slice(),
        Body::Person(_) | Body::Result(_) | Body::Note(_) => &[],
    };
    content.iter().filter_map(|it| match it {
        Content::Call(call) => Some(call),
        Content::Text(_) | Content::Opaque(_) => None,
    })
}
