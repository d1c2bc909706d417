//! The calls of one reply, from the first verdict to the last result. Only here does a call become
//! an [`ApprovedCall`].

use serde::{Deserialize, Serialize};

use crate::approval::{ApprovalRequest, BatchCall, CallState, Outcome, StandingApproval, Taken};
use crate::event::ToolOutcome;
use crate::id::{CallId, RequestId};
use crate::message::{Ending, ToolCall, ToolResult};
use crate::mistake::{Mistake, made};
use crate::time::Timestamp;
use crate::tool::{Access, ToolIdentity, ToolSpec};
use crate::wording;

/// Leave to run one call, once. It is neither `Clone` nor `Deserialize`, so it cannot be replayed.
#[derive(Debug, PartialEq)]
pub struct ApprovedCall {
    call: ToolCall,
    request: Option<RequestId>,
    tool: Option<ToolIdentity>,
}

impl ApprovedCall {
    /// The recorded call.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The request it was approved under; a free call has none.
    #[must_use]
    pub fn request(&self) -> Option<&RequestId> {
        self.request.as_ref()
    }

    /// The tool the call was judged by.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolIdentity> {
        self.tool.as_ref()
    }

    /// Whether the leave holds for this tool: it is the one the call was judged by, it may still be
    /// called, and if it must be approved there was a request. The program that runs the call may
    /// be another version than the one that released it.
    pub(crate) fn holds_for(&self, spec: &ToolSpec) -> bool {
        let allowed = match spec.access {
            Access::Read => true,
            Access::Write | Access::AlwaysAsk => self.request.is_some(),
            Access::Unavailable => false,
        };
        let same = self.tool.as_ref() == Some(&spec.identity());
        allowed && same || made(Mistake::ChangedToolRuns)
    }
}

/// The calls of one reply.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Batch {
    pub(crate) calls: Vec<BatchCall>,
    /// A question of this reply was put to the person: further ones are of the same round.
    pub(crate) asked: bool,
    /// A standing approval or a rule covered a call: further ones are of the same round.
    pub(crate) covered: bool,
    /// The tools were found unchanged since the last decision, so calls may be released.
    pub(crate) checked: bool,
    /// How the run ends once nothing is being decided or run; it goes on if there is none.
    pub(crate) end: Option<BatchEnd>,
    /// The words of the last tool that failed.
    pub(crate) last_failure: Option<String>,
}

/// Why a batch is closed and the run ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BatchEnd {
    Cancelled,
    Terminated,
    MaxIterations,
    UnknownTool { name: String },
    RoundsExhausted,
}

/// What a batch needs next. The first line that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Decisions are being made durable.
    Recording,
    /// A call is running.
    Running,
    /// Leave to run is being taken back.
    Withdrawing,
    /// The run ends: what did not run is closed.
    Closing,
    /// Questions can be put to the person.
    Questions,
    /// The person is awaited.
    Person,
    /// All is decided: the tools are to be compared with those that were judged.
    Unchecked,
    /// This call can be released.
    Ready(usize),
    /// Every call has its result.
    Done,
}

impl Batch {
    /// What it needs next.
    pub(crate) fn stage(&self, one_at_a_time: bool) -> Stage {
        let any = |fits: fn(&BatchCall) -> bool| self.calls.iter().any(fits);
        let open = any(|it| it.open().is_some());
        if any(|it| matches!(it.state, CallState::Recording { .. })) {
            Stage::Recording
        } else if any(|it| matches!(it.state, CallState::Running(_))) {
            Stage::Running
        } else if any(BatchCall::is_withdrawing) {
            Stage::Withdrawing
        } else if self.end.is_some() {
            Stage::Closing
        } else if any(|it| it.queued().is_some()) && !(one_at_a_time && open) {
            Stage::Questions
        } else if open {
            Stage::Person
        } else if let Some(ready) = self.calls.iter().position(BatchCall::is_ready) {
            if self.checked { Stage::Ready(ready) } else { Stage::Unchecked }
        } else {
            Stage::Done
        }
    }

    /// Refuses what would have to be asked about and was not shown yet.
    pub(crate) fn refuse_queued(&mut self, outcome: Outcome, now: Timestamp) {
        let gated = |it: &&mut BatchCall| it.queued().is_some_and(|request| request.gated);
        for it in self.calls.iter_mut().filter(gated) {
            it.decide(Taken::by_loop(outcome), now);
        }
    }

    /// Brings deadlines that lie beyond `latest` there, and gives one to a request that has none.
    /// Gives back whether there were any.
    pub(crate) fn end_attempts_by(&mut self, latest: Timestamp) -> bool {
        let mut moved = false;
        for it in &mut self.calls {
            moved |= it.end_attempt_by(latest);
        }
        moved
    }

    /// The waiting calls that a standing approval covers, other than the one it comes from, and the
    /// approval as it is when it has covered them.
    pub(crate) fn covered_by(
        &self,
        mut standing: StandingApproval,
        from: &RequestId,
        now: Timestamp,
    ) -> (Vec<usize>, StandingApproval) {
        let covers = |(_, it): &(usize, &BatchCall)| {
            it.can_be_covered()
                && it.waiting().is_some_and(|request| request.id != *from)
                && it
                    .coverable_identity()
                    .is_some_and(|identity| standing.cover(it.call(), identity, now))
        };
        let covered = self.calls.iter().enumerate().filter(covers).map(|(index, _)| index);
        (covered.collect(), standing)
    }

    /// The requests that are shown, in the model's order.
    pub(crate) fn open(&self) -> impl Iterator<Item = &ApprovalRequest> {
        self.calls.iter().filter_map(BatchCall::open)
    }

    /// Takes the batch up again after the program was stopped: decisions are sent to the store once
    /// more, tools are compared once more, and leave to run the released call is given once more.
    /// The store's ledger knows what was recorded and what was carried out.
    pub(crate) fn take_up(&mut self) -> Option<ApprovedCall> {
        self.checked = false;
        for it in &mut self.calls {
            if let CallState::Recording { sent, .. } | CallState::Withdrawing { sent, .. } =
                &mut it.state
            {
                *sent = made(Mistake::RestartForgetsDecisions);
            }
        }
        self.running().filter(|_| !made(Mistake::RestartForgetsRun))
    }

    /// Whether this call was released and did not come to its end.
    pub(crate) fn runs(&self, call: &CallId) -> bool {
        let runs =
            |it: &BatchCall| matches!(it.state, CallState::Running(_)) && it.call.id == *call;
        self.calls.iter().any(runs)
    }

    /// Releases a call that is ready: the one place where leave to run is given. A handoff needs
    /// none: it has its result at once, and takes effect when the batch is over.
    pub(crate) fn release(&mut self, index: usize) -> Option<ApprovedCall> {
        let it = self.calls.get_mut(index)?;
        if it.is_handoff() {
            it.settle(wording::TRANSFERRED.to_owned(), Ending::Ran);
            return None;
        }
        let decision = match &it.state {
            CallState::Held => None,
            CallState::Approved(decision) => Some(decision.clone()),
            CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => return None,
        };
        it.state = CallState::Running(decision);
        self.running()
    }

    /// Leave to run the released call.
    fn running(&self) -> Option<ApprovedCall> {
        self.calls.iter().find_map(|it| match &it.state {
            CallState::Running(decision) => Some(ApprovedCall {
                call: it.call.clone(),
                request: decision.as_ref().map(|decision| decision.request.clone()),
                tool: it.identity.clone(),
            }),
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Settled(_) => None,
        })
    }

    /// The agent in charge from here on, if it is handed over to: of several the last.
    pub(crate) fn handed_over_to(&self) -> Option<&str> {
        self.calls.iter().rev().find_map(BatchCall::handed_over_to)
    }

    /// Takes leave to run back from every call that was approved and is not to run any more. Gives
    /// back whether there was one.
    pub(crate) fn withdraw_unrun(&mut self) -> bool {
        if !made(Mistake::YesNotWithdrawn) {
            self.calls.iter_mut().for_each(BatchCall::withdraw);
        }
        self.calls.iter().any(BatchCall::is_withdrawing)
    }

    /// Takes the end of the released call. `details`: the model is told why it failed.
    pub(crate) fn finish(&mut self, outcome: ToolOutcome, details: bool) {
        let running = |it: &&mut BatchCall| matches!(it.state, CallState::Running(_));
        let Some(it) = self.calls.iter_mut().find(running) else { return };
        let (text, ending) = match outcome {
            ToolOutcome::Returned { text, terminate } => {
                if terminate {
                    self.end = Some(BatchEnd::Terminated);
                }
                (text.unwrap_or_else(|| wording::COMPLETED.to_owned()), Ending::Ran)
            }
            ToolOutcome::Failed { text } => {
                let told = wording::failed(details.then_some(&text));
                self.last_failure = Some(text);
                (told, if made(Mistake::FailureSaysRan) { Ending::Ran } else { Ending::Failed })
            }
            ToolOutcome::Unknown => (wording::OUTCOME_UNKNOWN.to_owned(), Ending::Unknown),
        };
        it.settle(text, ending);
    }

    /// The results, in the model's order; what has none was not run.
    pub(crate) fn into_results(self) -> Vec<ToolResult> {
        let result = |mut it: BatchCall| {
            if !matches!(it.state, CallState::Settled(_)) && !made(Mistake::UnrunLeftOut) {
                it.settle(wording::NOT_RUN.to_owned(), Ending::NotRun);
            }
            match it.state {
                CallState::Settled(result) => Some(result),
                CallState::Held
                | CallState::Queued(_)
                | CallState::Open(_)
                | CallState::Recording { .. }
                | CallState::Approved(_)
                | CallState::Withdrawing { .. }
                | CallState::Running(_) => None,
            }
        };
        self.calls.into_iter().filter_map(result).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn spec(version: &str, access: Access) -> ToolSpec {
        let (name, version) = ("add".to_owned(), version.to_owned());
        let (description, parameters) = (String::new(), json!({"type": "object"}));
        ToolSpec { name, description, parameters, version, access }
    }

    fn leave(request: Option<&str>) -> ApprovedCall {
        let call = ToolCall {
            id: CallId("call".to_owned()),
            model_id: "1".to_owned(),
            name: "add".to_owned(),
            arguments: Map::new(),
        };
        let tool = Some(spec("1", Access::Write).identity());
        ApprovedCall { call, request: request.map(|id| RequestId(id.to_owned())), tool }
    }

    #[test]
    fn leave_to_run_holds_for_the_tool_that_was_judged_and_no_other() {
        let approved = leave(Some("request"));
        assert!(approved.holds_for(&spec("1", Access::Write)));
        assert!(approved.holds_for(&spec("1", Access::AlwaysAsk)));
        assert!(!approved.holds_for(&spec("2", Access::Write)));
        assert!(!approved.holds_for(&spec("1", Access::Unavailable)));
    }

    #[test]
    fn leave_without_a_request_holds_for_what_only_reads() {
        let free = leave(None);
        assert!(free.holds_for(&spec("1", Access::Read)));
        assert!(!free.holds_for(&spec("1", Access::Write)));
        assert!(!free.holds_for(&spec("1", Access::AlwaysAsk)));
    }
}
