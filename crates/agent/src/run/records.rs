//! Decisions and the store: a decision counts once the store says that it is durable.

use crate::approval::{
    ApprovalRequest, Basis, Batch, BatchCall, Decision, Outcome, Standing, StandingApproval, Taken,
};
use crate::audit::{AuditEvent, HOUSEHOLD};
use crate::canonical::keyed_digest;
use crate::effect::Effect;
use crate::event::{Event, Recorded, ToolOutcome};
use crate::id::{CallId, RequestId, StandingApprovalId};
use crate::limits::STANDING_APPROVALS_MAX;
use crate::message::Ending;
use crate::mistake::{Mistake, made};
use crate::run::{Phase, Step};
use crate::session::{Context, Session};
use crate::time::Timestamp;
use crate::wording;

impl Session {
    /// Asks the store to keep the decisions it was not told yet, and first those it refused.
    pub(super) fn send_decisions(
        &self,
        batch: &mut Batch,
        effects: &mut Vec<Effect>,
        step: &Step<'_>,
    ) {
        let unsent: Vec<_> = batch.calls.iter_mut().filter_map(BatchCall::send).collect();
        if unsent.is_empty() {
            return;
        }
        effects.extend(self.run.unrecorded.iter().cloned().map(Effect::RecordDecision));
        let event = |(request, decision)| self.audit_event(request, decision, step);
        effects.extend(unsent.into_iter().map(event).map(Effect::RecordDecision));
    }

    /// The store's word on a decision of this batch.
    pub(super) fn recorded(
        &mut self,
        mut batch: Batch,
        request: RequestId,
        recorded: Recorded,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let settings = step.context.settings;
        let waits = batch.calls.iter_mut().find(|it| it.records(&request));
        let stood = waits.and_then(|it| {
            let stands = it.record(&recorded, settings)?;
            let rule = stands.always.and_then(|always| {
                StandingApproval::of(it, &stands.request.id, always, stands.decision.at)
            });
            Some((stands, rule))
        });
        let Some((stands, rule)) = stood else {
            self.run.phase = Phase::Batch(batch);
            return self.recorded_late(request, recorded);
        };
        self.run.prompt.denied |= match stands.decision.outcome {
            Outcome::Approved | Outcome::MovedOn => false,
            Outcome::Denied
            | Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted => true,
        };
        if recorded == Recorded::Refused {
            let event = self.audit_event(stands.request, stands.decision, step);
            self.run.unrecorded.push(event);
        }
        // The question may be older than the tool: "always" is given for the tool as it is now.
        let tools = step.context.tools;
        let may_stand = |rule: &StandingApproval| {
            rule.standing(step.context.now, tools, &settings.policy) != Standing::ToolChanged
        };
        if let Some(rule) = rule.filter(|rule| settings.standing_approvals && may_stand(rule)) {
            self.stand(rule, &mut batch, step);
        }
        batch.checked = false;
        self.advance(batch, step)
    }

    /// The store's word on an approval that was to be taken back. A call that was carried out before
    /// did run; any other is closed with the run, or judged by the tools as they are now.
    pub(super) fn approval_withdrawn(
        &mut self,
        mut batch: Batch,
        call: CallId,
        outcome: ToolOutcome,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let ends = batch.end.is_some();
        let judge = self.judge_of_now(batch.covered, step.context);
        let withdrawn = |it: &&mut BatchCall| it.is_withdrawing() && it.call().id == call;
        let Some(it) = batch.calls.iter_mut().find(withdrawn) else {
            return self.stays(
                Phase::Batch(batch),
                vec![Effect::Ignored(Event::ApprovalWithdrawn { call, outcome })],
            );
        };
        let mut covered = false;
        match outcome {
            ToolOutcome::Returned { text, terminate: _ } => {
                it.settle(text.unwrap_or_else(|| wording::COMPLETED.to_owned()), Ending::Ran);
            }
            ToolOutcome::Unknown => it.settle(wording::OUTCOME_UNKNOWN.to_owned(), Ending::Unknown),
            ToolOutcome::Failed { .. } if ends => {
                it.settle(wording::NOT_RUN.to_owned(), Ending::NotRun);
            }
            ToolOutcome::Failed { .. } => covered = self.judge_anew(it, &judge, step),
        }
        if covered {
            self.count_covered(&mut batch);
        }
        self.advance(batch, step)
    }

    /// The store's word on a decision that nothing waits for any more.
    pub(super) fn recorded_late(&mut self, request: RequestId, recorded: Recorded) -> Vec<Effect> {
        let before = self.run.unrecorded.len();
        if recorded != Recorded::Refused {
            self.run.unrecorded.retain(|event| event.request != request);
        }
        if self.run.unrecorded.len() < before {
            vec![Effect::Save]
        } else if self.run.unrecorded.iter().any(|event| event.request == request) {
            Vec::new()
        } else {
            vec![Effect::Ignored(Event::DecisionRecorded { request, recorded })]
        }
    }

    /// Keeps a standing approval, and settles the waiting calls of the batch that it covers.
    fn stand(&mut self, given: StandingApproval, batch: &mut Batch, step: &Step<'_>) {
        let now = step.context.now;
        let from = given.request();
        let (covered, standing) = batch.covered_by(self.as_it_would_stand(given, now), &from, now);
        for index in covered {
            if let Some(it) = batch.calls.get_mut(index) {
                it.decide(Taken::covered(Basis::Standing), now);
            }
        }
        let kept = &mut self.run.standing;
        match kept.iter_mut().find(|known| known.repeats(&standing)) {
            Some(known) => *known = standing,
            None => kept.push(standing),
        }
        kept.drain(..kept.len().saturating_sub(STANDING_APPROVALS_MAX));
    }

    /// A standing approval that was given twice is the first one, for as long as that one lasts.
    pub(crate) fn as_it_would_stand(
        &self,
        given: StandingApproval,
        now: Timestamp,
    ) -> StandingApproval {
        let known = self.run.standing.iter().find(|known| known.repeats(&given));
        known.filter(|known| known.is_live(now)).cloned().unwrap_or(given)
    }

    /// The person takes a standing approval back.
    pub(super) fn revoked(&mut self, id: StandingApprovalId) -> Vec<Effect> {
        let before = self.run.standing.len();
        self.run.standing.retain(|standing| standing.id != id || made(Mistake::RevokedStands));
        if self.run.standing.len() < before {
            vec![Effect::Save]
        } else {
            vec![Effect::Ignored(Event::Revoked(id))]
        }
    }

    fn audit_event(
        &self,
        request: ApprovalRequest,
        decision: Decision,
        step: &Step<'_>,
    ) -> AuditEvent {
        let ApprovalRequest { id, call, requested_at, attempt, .. } = request;
        let Decision { outcome, basis, reason, at, .. } = decision;
        let Context { tools, settings, .. } = step.context;
        let spec = tools.iter().find(|spec| spec.name == call.name);
        AuditEvent {
            policy_version: settings.policy.version(),
            operator: HOUSEHOLD.to_owned(),
            would_be: spec.and_then(|spec| settings.policy.would_be(spec)),
            request: id,
            session: self.id.clone(),
            prompt: self.run.prompt.id.clone(),
            arguments_digest: keyed_digest(step.context.digest_key, &call.arguments),
            call: call.id,
            tool: call.name,
            outcome,
            basis,
            reason,
            round: self.run.prompt.question_rounds,
            attempts: attempt,
            requested_at,
            decided_at: at,
        }
    }
}
