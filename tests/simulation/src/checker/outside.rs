//! What must hold of effects outside the household: each is sent when somebody allowed it, and what is
//! on record of it is so.

use agent::approval::Outcome;
use agent::audit::{ExecutionEvent, ExecutionOutcome};
use agent::id::RequestId;
use agent::resolution::{ResolutionEvent, ResolutionStep};

use super::Checker;
use crate::violation::{Checked, Rule, hold};

impl Checker {
    /// A step towards knowing what came of a call: it follows where that was unknown, and one after
    /// the other.
    pub(super) fn resolves(&mut self, event: ResolutionEvent) -> Checked {
        let unknown = self.executed.get(&event.request);
        let unknown = unknown.is_some_and(|it| it.outcome == ExecutionOutcome::Unknown);
        let earlier = self.resolved.insert(event.request.clone(), event.step);
        let may = unknown && event.step.may_follow(earlier);
        hold(may, Rule::Once, || format!("{event:?} follows on {earlier:?}"))?;
        let did = self.far_side.did(&event.request);
        match event.step {
            ResolutionStep::TryAgain => *self.tries.entry(event.request).or_default() += 1,
            ResolutionStep::AnsweredDone | ResolutionStep::AnsweredNotDone => {
                let so = did == Some(event.step == ResolutionStep::AnsweredDone);
                hold(so, Rule::TrueResult, || format!("{event:?}, but it is {did:?}"))?;
            }
            ResolutionStep::Check | ResolutionStep::MarkedDone | ResolutionStep::MarkedNotDone => {}
        }
        Ok(())
    }

    /// A letter leaves under the key of a request.
    ///
    /// # Errors
    /// If nobody allowed it, or it was sent before and nobody wanted it tried again.
    pub fn sends(&mut self, key: &RequestId) -> Checked {
        let decision = self.decisions.get(key).filter(|it| it.outcome == Outcome::Approved);
        hold(decision.is_some(), Rule::Permission, || format!("{key} was sent without a yes"))?;
        self.far_side.send(key);
        let (sent, tries) = (self.far_side.attempts(key), self.tries.get(key).copied());
        let may = sent <= 1 + tries.unwrap_or(0);
        hold(may, Rule::Once, || format!("{key} was sent {sent} times, wanted again {tries:?}"))
    }

    /// What is on record of a letter is so, or is called unknown.
    pub(super) fn is_so(&self, event: &ExecutionEvent) -> Checked {
        let (did, sent) =
            (self.far_side.did(&event.request), self.far_side.attempts(&event.request));
        let so = match event.outcome {
            ExecutionOutcome::Ran => did == Some(true),
            ExecutionOutcome::Failed => did == Some(false) || sent == 0,
            ExecutionOutcome::Unknown => true,
        };
        hold(so, Rule::TrueResult, || format!("{event:?}, but it is {did:?} of {sent}"))
    }
}
