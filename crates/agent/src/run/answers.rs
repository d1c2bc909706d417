//! What a person, the clock or a lost input does to waiting requests.

use std::collections::{HashMap, HashSet};

use crate::approval::{
    Answer, ApprovalRequest, ApprovalResponse, Basis, Batch, BatchCall, BatchEnd, Outcome, Taken,
};
use crate::effect::{Effect, RunError};
use crate::event::Event;
use crate::id::RequestId;
use crate::message::Body;
use crate::mistake::{Mistake, made};
use crate::run::{Phase, Step, failed, has_words};
use crate::session::Session;
use crate::settings::{OnNewMessage, Settings};
use crate::time::Timestamp;
use crate::wording;

impl Session {
    /// A text while the calls of a reply are decided or carried out.
    pub(super) fn said_meanwhile(
        &mut self,
        mut batch: Batch,
        text: String,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let open = batch.open().next().is_some();
        match (open, has_words(&text), step.context.settings.on_new_message) {
            (true, _, OnNewMessage::Refuse) => self.unanswered(batch, vec![]),
            (true, true, OnNewMessage::RejectPending) => {
                self.decide_where(&mut batch, Outcome::MovedOn, |it| it.waiting().is_some(), step);
                self.begin_action(Some(text));
                self.advance(batch, step)
            }
            (true, false, OnNewMessage::RejectPending) => {
                self.begin_action(None);
                self.decide_where(&mut batch, Outcome::Denied, |it| it.open().is_some(), step);
                self.advance(batch, step)
            }
            (false, true, _) => {
                self.begin_action(Some(text));
                self.advance(batch, step)
            }
            (false, false, _) => {
                self.stays(Phase::Batch(batch), vec![Effect::Ignored(Event::Said(text))])
            }
        }
    }

    /// Answers while requests are open.
    pub(super) fn answered(
        &mut self,
        mut batch: Batch,
        responses: Vec<ApprovalResponse>,
        text: Option<String>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let Chosen { mut answers, dropped, stale } = choose(&batch, responses);
        let mut effects: Vec<_> = dropped.into_iter().map(Effect::DroppedResponse).collect();
        let refuse = step.context.settings.on_new_message == OnNewMessage::Refuse;
        if refuse && batch.open().any(|request| !answers.contains_key(&request.id)) {
            effects.extend(ask_again(&mut batch, &stale));
            return self.unanswered(batch, effects);
        }
        if answers.is_empty() && text.is_none() {
            effects.extend(ask_again(&mut batch, &stale));
            self.run.phase = Phase::Batch(batch);
            return effects;
        }
        let for_all = answers.values().next().filter(|_| made(Mistake::AnswerCoversAll)).cloned();
        for it in &mut batch.calls {
            let own = it.open().map(|request| answers.remove(&request.id));
            let answer = own.and_then(|own| own.or_else(|| for_all.clone()));
            if let Some(taken) = answer.and_then(|response| taken(response.answer)) {
                self.run.prompt.denied |= taken.outcome != Outcome::Approved;
                it.decide(taken, step.context.now);
            }
        }
        if text.is_some() && !refuse {
            self.decide_where(&mut batch, Outcome::MovedOn, |it| it.waiting().is_some(), step);
        }
        self.begin_action(text);
        let again = ask_again(&mut batch, &stale);
        effects.extend(self.advance(batch, step));
        effects.extend(again);
        effects
    }

    /// Answers while no request is open but calls are being carried out, or were when the program
    /// stopped. None of them counts; the second case goes on.
    pub(super) fn answered_again(
        &mut self,
        batch: Batch,
        responses: Vec<ApprovalResponse>,
        text: Option<String>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let goes_on =
            text.is_some() || !self.attended && self.any_decided(&batch.calls, &responses);
        let mut effects: Vec<_> = responses.into_iter().map(Effect::DroppedResponse).collect();
        if goes_on {
            self.begin_action(text);
            effects.extend(self.advance(batch, step));
        } else {
            self.run.phase = Phase::Batch(batch);
            if !self.attended {
                effects.extend(failed(RunError::UnknownApproval));
            }
        }
        effects
    }

    /// Answers while nothing waits. An answer that was given before goes on with a failed run.
    pub(super) fn answered_nothing(
        &mut self,
        phase: Phase,
        responses: Vec<ApprovalResponse>,
        text: Option<String>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let unfinished = phase == Phase::Unfinished;
        let known = self.any_decided(&[], &responses);
        let mut effects: Vec<_> = responses.into_iter().map(Effect::DroppedResponse).collect();
        let rest = match text {
            Some(text) => self.say(text, unfinished, step),
            None if unfinished && known => self.go_on_unfinished(step),
            None => {
                self.run.phase = phase;
                failed(RunError::UnknownApproval)
            }
        };
        effects.extend(rest);
        effects
    }

    pub(super) fn resumed(&mut self, batch: Batch, step: &mut Step<'_>) -> Vec<Effect> {
        if self.attended && batch.open().next().is_none() {
            self.stays(Phase::Batch(batch), vec![Effect::Ignored(Event::Resumed)])
        } else if batch.open().next().is_some() && !batch.calls.iter().any(BatchCall::is_recording)
        {
            self.unanswered(batch, vec![])
        } else {
            self.begin_action(None);
            self.advance(batch, step)
        }
    }

    /// The person withdraws the question, or stops what is running.
    pub(super) fn cancelled(&mut self, mut batch: Batch, step: &mut Step<'_>) -> Vec<Effect> {
        if batch.open().next().is_none() && !self.attended {
            return self.stays(Phase::Batch(batch), vec![Effect::Ignored(Event::Cancelled)]);
        }
        self.begin_action(None);
        self.decide_where(&mut batch, Outcome::Cancelled, |it| it.waiting().is_some(), step);
        batch.end = Some(BatchEnd::Cancelled);
        self.advance(batch, step)
    }

    /// An answer in typed words: only a clear one decides.
    pub(super) fn typed(
        &mut self,
        mut batch: Batch,
        text: String,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        if batch.open().next().is_none() {
            return self.stays(Phase::Batch(batch), vec![Effect::Ignored(Event::Typed(text))]);
        }
        let outcome = match text.trim().to_lowercase().as_str() {
            "y" | "yes" => Outcome::Approved,
            "n" | "no" => Outcome::Denied,
            _ => return self.end_attempts(batch, BatchCall::use_up, step),
        };
        self.begin_action(None);
        self.decide_where(&mut batch, outcome, |it| it.open().is_some(), step);
        self.advance(batch, step)
    }

    pub(super) fn time_passed(&mut self, batch: Batch, step: &mut Step<'_>) -> Vec<Effect> {
        self.end_attempts(batch, BatchCall::expire, step)
    }

    pub(super) fn input_unavailable(
        &mut self,
        mut batch: Batch,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        self.begin_action(None);
        self.decide_where(&mut batch, Outcome::InputUnavailable, |it| it.waiting().is_some(), step);
        self.advance(batch, step)
    }

    /// Requests are open and were not answered: nothing changes.
    fn unanswered(&mut self, batch: Batch, mut effects: Vec<Effect>) -> Vec<Effect> {
        let open = batch.calls.iter().filter(|it| it.open().is_some());
        let message = wording::unanswered(open.map(|it| it.call().model_id.as_str()));
        self.run.phase = Phase::Batch(batch);
        effects.extend(failed(RunError::UnansweredApproval { message }));
        effects
    }

    /// Ends attempts to reach the person. What is asked once more is raised again, the rest is a no.
    fn end_attempts(
        &mut self,
        mut batch: Batch,
        end: fn(&mut BatchCall, Timestamp, &Settings) -> Option<ApprovalRequest>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let (now, settings) = (step.context.now, step.context.settings);
        let raised = batch.calls.iter_mut().filter_map(|it| end(it, now, settings));
        let mut effects: Vec<_> = raised.map(Effect::Ask).collect();
        if batch.calls.iter().any(BatchCall::is_unsent) {
            self.run.prompt.denied = true;
            self.begin_action(None);
            effects.splice(0..0, self.advance(batch, step));
        } else {
            self.run.phase = Phase::Batch(batch);
            if !effects.is_empty() {
                effects.insert(0, Effect::Save);
            }
        }
        effects
    }

    /// Takes the same decision on several of the waiting requests.
    fn decide_where(
        &mut self,
        batch: &mut Batch,
        outcome: Outcome,
        which: fn(&BatchCall) -> bool,
        step: &Step<'_>,
    ) {
        let basis = match outcome {
            Outcome::Approved | Outcome::Denied | Outcome::MovedOn | Outcome::Cancelled => {
                Basis::Person
            }
            Outcome::TimedOut
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted => Basis::Loop,
        };
        // Moving on is no verdict on what comes next; every other way to end unapproved is a no.
        self.run.prompt.denied |= !matches!(outcome, Outcome::Approved | Outcome::MovedOn);
        for it in batch.calls.iter_mut().filter(|it| which(it)) {
            it.decide(Taken { basis, ..Taken::by_loop(outcome) }, step.context.now);
        }
    }

    /// Whether one of the answers is to a request that was decided in this conversation.
    fn any_decided(&self, calls: &[BatchCall], responses: &[ApprovalResponse]) -> bool {
        let ids: HashSet<&RequestId> = responses.iter().map(|it| &it.request).collect();
        let decided = |id: &RequestId| ids.contains(id);
        let in_transcript = self.messages.iter().any(|message| match &message.body {
            Body::Result(result) => result.decision.as_ref().is_some_and(|it| decided(&it.request)),
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => false,
        });
        in_transcript
            || self.run.superseded.iter().any(decided)
            || calls.iter().filter_map(BatchCall::decision).any(|it| decided(&it.request))
    }
}

/// What counts of a person's answers.
#[derive(Default)]
struct Chosen {
    /// The one answer that counts for each open request.
    answers: HashMap<RequestId, ApprovalResponse>,
    /// Those that do not count.
    dropped: Vec<ApprovalResponse>,
    /// Open requests that got a yes to something else than what would run.
    stale: HashSet<RequestId>,
}

/// The first answer to an open request counts, but a no beats a yes, and a yes to something else
/// than what would run is none.
fn choose(batch: &Batch, responses: Vec<ApprovalResponse>) -> Chosen {
    let shown = batch.calls.iter().filter_map(|it| Some((&it.open()?.id, it)));
    let open: HashMap<&RequestId, &BatchCall> = shown.collect();
    let mut chosen = Chosen::default();
    for response in responses {
        let counts = match (open.get(&response.request), &response.answer) {
            (None, _) | (_, Answer::Unclear) => false,
            (Some(_), Answer::Reject { .. }) => true,
            (Some(it), Answer::Approve { .. }) => {
                it.card() == response.shown || made(Mistake::StaleCardCounts)
            }
        };
        if !counts {
            if response.answer != Answer::Unclear && open.contains_key(&response.request) {
                chosen.stale.insert(response.request.clone());
            }
            chosen.dropped.push(response);
            continue;
        }
        let no = matches!(response.answer, Answer::Reject { .. }) != made(Mistake::YesBeatsNo);
        let counted = chosen.answers.get(&response.request);
        let displaces = counted.is_none_or(|it| no && matches!(it.answer, Answer::Approve { .. }));
        let request = response.request.clone();
        let loser =
            if displaces { chosen.answers.insert(request, response) } else { Some(response) };
        chosen.dropped.extend(loser);
    }
    chosen
}

/// Asks what is still open of these requests again. It is kept before it is asked.
fn ask_again(batch: &mut Batch, requests: &HashSet<RequestId>) -> Vec<Effect> {
    let stale = |it: &&mut BatchCall| it.open().is_some_and(|open| requests.contains(&open.id));
    let again = batch.calls.iter_mut().filter(stale).filter_map(BatchCall::ask_again);
    let asked: Vec<_> = again.map(Effect::Ask).collect();
    if asked.is_empty() { asked } else { [Effect::Save].into_iter().chain(asked).collect() }
}

/// The decision a person's answer is; none if it is unclear.
fn taken(answer: Answer) -> Option<Taken> {
    let basis = Basis::Person;
    match answer {
        Answer::Approve { always } => {
            Some(Taken { outcome: Outcome::Approved, basis, reason: None, always })
        }
        Answer::Reject { reason } => {
            let reason = reason.filter(|reason| has_words(reason));
            Some(Taken { outcome: Outcome::Denied, basis, reason, always: None })
        }
        Answer::Unclear => None,
    }
}
