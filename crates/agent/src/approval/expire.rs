//! How a call ends whose conversation was brought in from a copy: it expires. Nobody can answer it
//! there, and nothing of it runs.

use crate::approval::{Basis, BatchCall, CallState, Decision, Outcome};
use crate::event::ToolOutcome;
use crate::id::RequestId;
use crate::message::Ending;
use crate::settings::Reasons;
use crate::time::Timestamp;
use crate::wording;

/// What is on record of a request where its conversation is brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The decision on it.
    pub decision: Decision,
    /// What came of it, if it was carried out.
    pub outcome: Option<ToolOutcome>,
}

/// What expired in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// Questions that waited for an answer.
    pub waiting: usize,
    /// Calls that were allowed and not carried out.
    pub allowed: usize,
    /// Calls that were under way: nobody can tell what came of them.
    pub unknown: usize,
    /// Standing approvals, which are left out.
    pub standing: usize,
}

impl BatchCall {
    /// The request of a call without a result, if it has one.
    pub(crate) fn unsettled(&self) -> Option<&RequestId> {
        match &self.state {
            CallState::Queued(request)
            | CallState::Open(request)
            | CallState::Recording { request, .. } => Some(&request.id),
            CallState::Approved(decision)
            | CallState::Withdrawing { decision, .. }
            | CallState::Running(Some(decision)) => Some(&decision.request),
            CallState::Held | CallState::Running(None) | CallState::Settled(_) => None,
        }
    }

    /// Ends the call if it has no result: with what is known of its request, or else unrun.
    pub(crate) fn end_as_copied(
        &mut self,
        known: Option<&Known>,
        reasons: &Reasons,
        now: Timestamp,
    ) -> Expired {
        let mut expired = Expired::default();
        let (mut text, mut ending) = (wording::EXPIRED.to_owned(), Ending::NotRun);
        if let Some(Known { decision, outcome }) = known {
            self.state = CallState::Approved(decision.clone());
            (text, ending) = match (decision.outcome, outcome) {
                (_, Some(outcome)) => told(outcome),
                (Outcome::Approved, None) => {
                    expired.allowed = 1;
                    (text, ending)
                }
                (_, None) => (wording::refused(decision, reasons), Ending::Refused),
            };
        } else {
            match &self.state {
                CallState::Queued(request)
                | CallState::Open(request)
                | CallState::Recording { request, .. } => {
                    // A decision that was not durable yet did not count yet.
                    let (request, outcome, basis) =
                        (request.id.clone(), Outcome::Cancelled, Basis::Loop);
                    let decision = Decision { request, outcome, basis, reason: None, at: now };
                    self.state = CallState::Approved(decision);
                    expired.waiting = 1;
                }
                CallState::Approved(_) | CallState::Withdrawing { .. } => expired.allowed = 1,
                CallState::Running(Some(_)) => {
                    (text, ending) = (wording::OUTCOME_UNKNOWN.to_owned(), Ending::Unknown);
                    expired.unknown = 1;
                }
                CallState::Held | CallState::Running(None) => {}
                CallState::Settled(_) => return expired,
            }
        }
        self.settle(text, ending);
        expired
    }
}

/// What the model is told of a call that was carried out.
fn told(outcome: &ToolOutcome) -> (String, Ending) {
    match outcome {
        ToolOutcome::Returned { text, terminate: _ } => {
            (text.clone().unwrap_or_else(|| wording::COMPLETED.to_owned()), Ending::Ran)
        }
        ToolOutcome::Failed { text } => (wording::failed(Some(text)), Ending::Failed),
        ToolOutcome::Unknown => (wording::OUTCOME_UNKNOWN.to_owned(), Ending::Unknown),
    }
}
