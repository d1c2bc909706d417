//! One call of a reply, from the first verdict to its result.

use serde::{Deserialize, Serialize};

use crate::approval::{Always, ApprovalRequest, Basis, CardDigest, Decision, Outcome};
use crate::event::Recorded;
use crate::handoff;
use crate::id::RequestId;
use crate::message::{Ending, ToolCall, ToolResult};
use crate::mistake::{Mistake, made};
use crate::settings::Settings;
use crate::time::Timestamp;
use crate::tool::{ToolIdentity, ToolSpec};
use crate::wording;

/// One call of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchCall {
    pub(super) call: ToolCall,
    /// The tool as it was when the call was judged.
    pub(super) identity: Option<ToolIdentity>,
    /// Whether an answer to it may cover later calls.
    coverable: bool,
    pub(super) state: CallState,
}

/// Where a call stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// It is free and runs, unseen, when its neighbours are decided.
    Held,
    /// It is to be asked about, and another request is shown first.
    Queued(ApprovalRequest),
    /// It is shown and waits for an answer.
    Open(ApprovalRequest),
    /// A decision was taken and is not durable yet, so it does not count yet.
    Recording {
        /// The request it answers.
        request: ApprovalRequest,
        /// The decision.
        decision: Decision,
        /// What the person wants covered from now on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        always: Option<Always>,
        /// Whether the store was asked already.
        sent: bool,
    },
    /// A durable decision allows it; it runs when its neighbours are decided.
    Approved(Decision),
    /// A durable decision allowed it, and it is not to run any more. Until the store has taken the
    /// decision's leave away, another copy of the session may still carry it out.
    Withdrawing {
        /// The decision.
        decision: Decision,
        /// Whether the store was asked already.
        sent: bool,
    },
    /// It was released; a free call without a decision.
    Running(Option<Decision>),
    /// It has its result.
    Settled(ToolResult),
}

/// A decision as it stands after the store's word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stands {
    pub(crate) request: ApprovalRequest,
    pub(crate) decision: Decision,
    /// What the person wants covered from now on, if the yes stands.
    pub(crate) always: Option<Always>,
}

/// A decision that was taken, before its request is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    pub(crate) basis: Basis,
    pub(crate) reason: Option<String>,
    pub(crate) always: Option<Always>,
}

impl Taken {
    /// The loop's own decision.
    pub(crate) fn by_loop(outcome: Outcome) -> Self {
        Self { outcome, basis: Basis::Loop, reason: None, always: None }
    }

    /// A yes by a standing approval or a rule.
    pub(crate) fn covered(basis: Basis) -> Self {
        Self { outcome: Outcome::Approved, basis, reason: None, always: None }
    }
}

impl BatchCall {
    pub(crate) fn new(
        call: ToolCall,
        tool: Option<(ToolIdentity, bool)>,
        state: CallState,
    ) -> Self {
        let (identity, coverable) = tool.unzip();
        Self { call, identity, coverable: coverable.unwrap_or(false), state }
    }

    /// A call that has its result from the start.
    pub(crate) fn settled(call: ToolCall, text: String, ending: Ending) -> Self {
        let result = ToolResult { call: call.id.clone(), text, ending, decision: None };
        Self::new(call, None, CallState::Settled(result))
    }

    /// The call.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> &CallState {
        &self.state
    }

    /// Whether "always" may be offered for it.
    #[must_use]
    pub fn can_be_covered(&self) -> bool {
        self.coverable && self.waiting().is_some_and(|request| request.gated)
    }

    /// The tool as it was when the call was judged, if an answer to it may cover later calls.
    pub(crate) fn coverable_identity(&self) -> Option<&ToolIdentity> {
        self.identity.as_ref().filter(|_| self.coverable)
    }

    /// The request, while it is shown or queued.
    pub(crate) fn waiting(&self) -> Option<&ApprovalRequest> {
        match &self.state {
            CallState::Open(request) | CallState::Queued(request) => Some(request),
            CallState::Held
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => None,
        }
    }

    /// The request, while it is shown.
    pub(crate) fn open(&self) -> Option<&ApprovalRequest> {
        self.waiting().filter(|_| matches!(self.state, CallState::Open(_)))
    }

    /// The request, while it is queued.
    pub(crate) fn queued(&self) -> Option<&ApprovalRequest> {
        self.waiting().filter(|_| matches!(self.state, CallState::Queued(_)))
    }

    /// Its result, if it has one.
    pub(crate) fn result(&self) -> Option<&ToolResult> {
        match &self.state {
            CallState::Settled(result) => Some(result),
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Running(_) => None,
        }
    }

    /// The decision on it, once one was taken.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        match &self.state {
            CallState::Recording { decision, .. }
            | CallState::Approved(decision)
            | CallState::Withdrawing { decision, .. } => Some(decision),
            CallState::Running(decision) => decision.as_ref(),
            CallState::Settled(result) => result.decision.as_ref(),
            CallState::Held | CallState::Queued(_) | CallState::Open(_) => None,
        }
    }

    /// Whether it could be released: a free call, or one with a durable yes.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.state, CallState::Held | CallState::Approved(_))
    }

    /// Whether it hands over to another agent once its neighbours are decided.
    pub(crate) fn is_handoff(&self) -> bool {
        matches!(self.state, CallState::Held) && handoff::target(&self.call.name).is_some()
    }

    /// The agent it handed over to, if it did.
    pub(crate) fn handed_over_to(&self) -> Option<&str> {
        handoff::taken(&self.call.name, self.result()?)
    }

    /// Whether a decision was taken that the store was not told.
    pub(crate) fn is_unsent(&self) -> bool {
        matches!(self.state, CallState::Recording { sent: false, .. })
    }

    /// Whether a decision waits for the store's word.
    pub(crate) fn is_recording(&self) -> bool {
        matches!(self.state, CallState::Recording { .. })
    }

    /// The decision that is to be sent to the store now, and the request it is about.
    pub(crate) fn send(&mut self) -> Option<(ApprovalRequest, Decision)> {
        match &mut self.state {
            CallState::Recording { request, decision, sent, .. } if !*sent => {
                *sent = true;
                Some((request.clone(), decision.clone()))
            }
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => None,
        }
    }

    /// Takes back leave to run that a durable decision gave. Nothing happens to a call without one.
    pub(crate) fn withdraw(&mut self) {
        if let CallState::Approved(decision) = &self.state {
            self.state = CallState::Withdrawing { decision: decision.clone(), sent: false };
        }
    }

    /// Whether the store is taking back leave to run it.
    pub(crate) fn is_withdrawing(&self) -> bool {
        matches!(self.state, CallState::Withdrawing { .. })
    }

    /// The approval that the store is to take back now.
    pub(crate) fn send_withdrawal(&mut self) -> Option<(ToolCall, RequestId)> {
        match &mut self.state {
            CallState::Withdrawing { decision, sent } if !*sent => {
                *sent = true;
                Some((self.call.clone(), decision.request.clone()))
            }
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => None,
        }
    }

    /// Shows the request from now on.
    pub(crate) fn raise(&mut self, now: Timestamp, settings: &Settings) -> Option<ApprovalRequest> {
        let request = self.queued()?.clone();
        let deadline = settings.approval_timeout_ms.map(|ms| now.plus_ms(ms));
        let request = ApprovalRequest { requested_at: now, attempt: 1, deadline, ..request };
        self.state = CallState::Open(request.clone());
        Some(request)
    }

    /// Puts the call up for a new question, or takes a decision on it.
    pub(crate) fn judge_again(&mut self, tool: (ToolIdentity, bool), request: ApprovalRequest) {
        self.identity = Some(tool.0);
        self.coverable = tool.1;
        self.state = CallState::Queued(request);
    }

    /// Takes a decision on a waiting request. Nothing happens to a call that does not wait.
    pub(crate) fn decide(&mut self, taken: Taken, now: Timestamp) {
        let Some(request) = self.waiting().cloned() else { return };
        let Taken { outcome, basis, reason, always } = taken;
        let decision = Decision { request: request.id.clone(), outcome, basis, reason, at: now };
        let always = always.filter(|_| self.coverable && request.gated);
        self.state = CallState::Recording { request, decision, always, sent: false };
    }

    /// Ends the call with a result; a decision on it stays with the result.
    pub(crate) fn settle(&mut self, text: String, ending: Ending) {
        let decision = self.decision().cloned();
        let result = ToolResult { call: self.call.id.clone(), text, ending, decision };
        self.state = CallState::Settled(result);
    }

    /// Brings the deadline of a shown request forward to `latest` if it lies beyond or is missing.
    /// Gives back whether it did.
    pub(crate) fn end_attempt_by(&mut self, latest: Timestamp) -> bool {
        let CallState::Open(request) = &mut self.state else { return false };
        let moves = request.deadline.is_none_or(|deadline| deadline > latest);
        if moves {
            request.deadline = Some(latest);
        }
        moves
    }

    /// Ends the attempts that are due. Gives back the request if a new attempt raises it again.
    pub(crate) fn expire(
        &mut self,
        now: Timestamp,
        settings: &Settings,
    ) -> Option<ApprovalRequest> {
        let before = self.open()?.attempt;
        while let Some(due) = self.open()?.deadline.filter(|deadline| *deadline <= now) {
            self.end_attempt(due, now, settings);
        }
        self.open().filter(|request| request.attempt > before).cloned()
    }

    /// What a card must have shown for a yes to be one: what would run, as it is recorded now.
    pub(crate) fn card(&self) -> CardDigest {
        CardDigest::of(&self.call, self.identity.as_ref())
    }

    /// Asks anew what the person saw otherwise. Neither the attempt nor its end changes: somebody
    /// was reached, so no attempt is used up, and no answer makes a wait longer.
    pub(crate) fn ask_again(&mut self) -> Option<ApprovalRequest> {
        let shown = self.card();
        let CallState::Open(request) = &mut self.state else { return None };
        request.shown = shown;
        Some(request.clone())
    }

    /// Ends an attempt early. Gives back the request if a new attempt raises it again.
    pub(crate) fn use_up(
        &mut self,
        now: Timestamp,
        settings: &Settings,
    ) -> Option<ApprovalRequest> {
        self.end_attempt(now, now, settings);
        self.open().cloned()
    }

    /// The next attempt begins at `next`, or nobody answered in time.
    fn end_attempt(&mut self, next: Timestamp, now: Timestamp, settings: &Settings) {
        let CallState::Open(request) = &mut self.state else { return };
        if request.attempt >= settings.approval_attempts {
            let approves = made(Mistake::SilenceApproves);
            self.decide(
                Taken::by_loop(if approves { Outcome::Approved } else { Outcome::TimedOut }),
                now,
            );
        } else {
            request.attempt += 1;
            request.deadline = settings.approval_timeout_ms.map(|ms| next.plus_ms(ms.max(1)));
        }
    }

    /// Whether it waits for the store's word on this request.
    pub(crate) fn records(&self, id: &RequestId) -> bool {
        matches!(&self.state, CallState::Recording { request, .. } if request.id == *id)
    }

    /// Takes the store's word on the decision; nothing happens to a call that does not wait for it.
    pub(crate) fn record(&mut self, recorded: &Recorded, settings: &Settings) -> Option<Stands> {
        let CallState::Recording { request, decision, always, .. } = &self.state else {
            return None;
        };
        let mut stands =
            Stands { request: request.clone(), decision: decision.clone(), always: *always };
        match recorded {
            Recorded::Durable => {}
            // The store has it from before the program stopped.
            Recorded::Earlier(earlier) if earlier == decision => {}
            Recorded::Earlier(_) if made(Mistake::EarlierDecisionIgnored) => {}
            Recorded::Earlier(earlier) => {
                stands.decision = earlier.clone();
                stands.always = None;
            }
            Recorded::Refused if made(Mistake::RefusedYesCounts) => {}
            Recorded::Refused if decision.outcome == Outcome::Approved => {
                stands.decision.outcome = Outcome::AuditFailed;
                stands.decision.basis = Basis::Loop;
                stands.always = None;
            }
            Recorded::Refused => {}
        }
        let (call, decision) = (self.call.id.clone(), stands.decision.clone());
        let text = wording::refused(&decision, &settings.reasons);
        let refusal = |ending| ToolResult { call, text, ending, decision: Some(decision.clone()) };
        self.state = match decision.outcome {
            Outcome::Approved => CallState::Approved(decision),
            Outcome::RoundsExhausted => CallState::Settled(refusal(Ending::NotRun)),
            Outcome::Denied
            | Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::MovedOn
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky => CallState::Settled(refusal(Ending::Refused)),
        };
        Some(stands)
    }

    /// Whether a call that is ready may run as the tool is now.
    pub(crate) fn may_run_as(&self, spec: &ToolSpec, gated: bool) -> bool {
        if made(Mistake::ChangedToolRuns) {
            return true;
        }
        let became_gated = self.state == CallState::Held && gated;
        self.identity.as_ref() == Some(&spec.identity()) && !became_gated
    }
}
