//! Decisions and the store: a decision counts once the store says that it is durable.

use crate::approval::{
    Always, ApprovalRequest, Basis, Batch, BatchCall, Decision, Outcome, StandingApproval, Taken,
};
use crate::audit::AuditEvent;
use crate::canonical::keyed_digest;
use crate::effect::Effect;
use crate::event::{Event, Recorded};
use crate::id::RequestId;
use crate::run::{Phase, Step};
use crate::session::Session;

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
            let rule = stands.always.and_then(|always| standing(it, always, &stands.decision));
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
        if let Some(rule) = rule.filter(|_| settings.standing_approvals) {
            self.stand(rule, &mut batch, step);
        }
        batch.checked = false;
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
    fn stand(&mut self, rule: StandingApproval, batch: &mut Batch, step: &Step<'_>) {
        let covers = |it: &&mut BatchCall| {
            it.can_be_covered() && it.identity().is_some_and(|tool| rule.covers(it.call(), tool))
        };
        for it in batch.calls.iter_mut().filter(covers) {
            it.decide(Taken::covered(Basis::Standing), step.context.now);
        }
        if !self.run.standing.iter().any(|known| known.repeats(&rule)) {
            self.run.standing.push(rule);
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
        AuditEvent {
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

/// The standing approval a person's "always" asks for, bound to what they saw.
fn standing(it: &BatchCall, always: Always, decision: &Decision) -> Option<StandingApproval> {
    let call = it.call();
    Some(StandingApproval {
        tool: call.name.clone(),
        identity: it.identity()?.clone(),
        arguments: match always {
            Always::Tool => None,
            Always::ToolWithArguments => Some(call.arguments.clone()),
        },
        given_at: decision.at,
    })
}
