//! What the calls of a reply need next: questions, decisions on record, calls released, results.

use crate::approval::{Batch, BatchCall, BatchEnd, Judge, Outcome, Stage, Taken};
use crate::effect::{Effect, RunEnd, RunError};
use crate::event::{Event, ToolOutcome};
use crate::id::CallId;
use crate::message::{Body, Ending};
use crate::mistake::{Mistake, made};
use crate::run::{Phase, Step, failed};
use crate::session::Session;
use crate::wording;

impl Session {
    /// Takes a batch as far as it goes without the person, the store or a tool.
    pub(super) fn advance(&mut self, mut batch: Batch, step: &mut Step<'_>) -> Vec<Effect> {
        let mut effects = vec![Effect::Save];
        if !self.attended {
            self.attended = true;
            effects.extend(batch.take_up().map(Effect::RunTool));
        }
        loop {
            self.refuse_after_no(&mut batch, step);
            self.send_decisions(&mut batch, &mut effects, step);
            let withdrawn = batch.calls.iter_mut().filter_map(BatchCall::send_withdrawal);
            effects.extend(
                withdrawn.map(|(call, request)| Effect::WithdrawApproval { call, request }),
            );
            match batch.stage(step.context.settings.one_at_a_time) {
                Stage::Questions => self.put_questions(&mut batch, &mut effects, step),
                Stage::Unchecked => self.check_tools(&mut batch, step),
                Stage::Ready(index) => effects.extend(batch.release(index).map(Effect::RunTool)),
                // What is told as not run must not run in another copy of the session either.
                Stage::Closing if batch.withdraw_unrun() => {}
                Stage::Closing | Stage::Done => return self.close(batch, effects, step),
                Stage::Recording | Stage::Running | Stage::Withdrawing | Stage::Person => {
                    self.run.phase = Phase::Batch(batch);
                    return effects;
                }
            }
        }
    }

    /// A released call came to its end.
    pub(super) fn tool_finished(
        &mut self,
        mut batch: Batch,
        call: CallId,
        outcome: ToolOutcome,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        if !batch.runs(&call) {
            return self.stays(
                Phase::Batch(batch),
                vec![Effect::Ignored(Event::ToolFinished { call, outcome })],
            );
        }
        batch.finish(outcome, step.context.settings.detailed_errors);
        self.advance(batch, step)
    }

    /// After a no nothing more is asked in this prompt. What is shown already keeps its answer.
    fn refuse_after_no(&mut self, batch: &mut Batch, step: &Step<'_>) {
        let forgotten = made(Mistake::NoIsForgotten);
        if step.context.settings.sticky_denial && self.run.prompt.denied && !forgotten {
            batch.refuse_queued(Outcome::Sticky, step.context.now);
        }
    }

    /// Shows requests that were not shown yet, unless this prompt has seen too many questions.
    fn put_questions(&mut self, batch: &mut Batch, effects: &mut Vec<Effect>, step: &Step<'_>) {
        let (now, settings) = (step.context.now, step.context.settings);
        if !batch.asked {
            if self.run.prompt.question_rounds >= settings.approval_rounds_max {
                batch.end = Some(BatchEnd::RoundsExhausted);
                batch.refuse_queued(Outcome::RoundsExhausted, now);
                return;
            }
            self.run.prompt.question_rounds += u32::from(!made(Mistake::RoundsNotCounted));
            batch.asked = true;
        }
        let raised = batch.calls.iter_mut().filter_map(|it| it.raise(now, settings));
        let shown = if settings.one_at_a_time { 1 } else { usize::MAX };
        effects.extend(raised.take(shown).map(Effect::Ask));
    }

    /// Compares the tools with those the calls were judged by. A call whose tool is another one now
    /// does not run as it was judged: an approval it has is taken back first.
    fn check_tools(&mut self, batch: &mut Batch, step: &mut Step<'_>) {
        let judge = self.judge_of_now(batch.covered, step.context);
        let mut covered = false;
        for it in batch.calls.iter_mut().filter(|it| it.is_ready()) {
            if it.is_handoff() && judge.handoff(&it.call().name).is_some() {
                continue;
            }
            let spec = judge.tool(&it.call().name).filter(|spec| !judge.would_refuse(spec));
            let runs = |spec| it.may_run_as(spec, judge.policy.access(spec).is_gated());
            if spec.is_some_and(runs) {
                continue;
            }
            if it.decision().is_some() && !made(Mistake::YesNotWithdrawn) {
                it.withdraw();
            } else {
                covered |= self.judge_anew(it, &judge, step);
            }
        }
        batch.checked = true;
        if covered {
            self.count_covered(batch);
        }
    }

    /// Judges a call by the tools as they are now, as one that must be approved. Gives back whether
    /// nobody need be asked.
    pub(super) fn judge_anew(
        &mut self,
        it: &mut BatchCall,
        judge: &Judge<'_>,
        step: &mut Step<'_>,
    ) -> bool {
        let spec = judge.tool(&it.call().name).filter(|spec| !judge.would_refuse(spec));
        let Some(spec) = spec else {
            let told = wording::not_found(&it.call().name);
            it.settle(told, Ending::NotFound);
            return false;
        };
        if !spec.fits(&it.call().arguments) {
            it.settle(wording::BAD_ARGUMENTS.to_owned(), Ending::BadArguments);
            return false;
        }
        self.run.superseded.extend(it.decision().map(|decision| decision.request.clone()));
        let covering = judge.covering(it.call(), spec, self.standing(step.context));
        let judged = judge.judged_by(spec);
        let request = step.request(it.call(), Some(&judged.0), true);
        it.judge_again(judged, request);
        let Some(basis) = covering else { return false };
        it.decide(Taken::covered(basis), step.context.now);
        true
    }

    /// A round with a covered call counts, once.
    pub(super) fn count_covered(&mut self, batch: &mut Batch) {
        self.run.prompt.covered_rounds += u32::from(!batch.covered);
        batch.covered = true;
    }

    /// Every call has its result, or gets none any more: the transcript takes them over.
    fn close(
        &mut self,
        batch: Batch,
        mut effects: Vec<Effect>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let (end, failure) = (batch.end.clone(), batch.last_failure.clone());
        if let Some(agent) = batch.handed_over_to() {
            self.run.agent = Some(agent.to_owned());
            // What was turned down is turned down for the next agent too.
            self.run.prompt.denied &= !made(Mistake::HandoffLiftsNo);
        }
        for result in batch.into_results() {
            self.add(Body::Result(result), step.context);
        }
        if let Some(end) = end {
            let texts = std::mem::take(&mut self.run.texts);
            self.add_texts(texts, step);
            effects.push(Effect::Finished(run_end(end)));
            return effects;
        }
        let Some(message) = failure else {
            self.run.prompt.failing_rounds = 0;
            return self.go_on(true, effects, step);
        };
        self.run.prompt.failing_rounds += 1;
        let tolerated = step.context.settings.consecutive_errors_max;
        // A text that waits starts a new prompt, and with it the count.
        if self.run.prompt.failing_rounds > tolerated && self.run.texts.is_empty() {
            effects.extend(failed(RunError::ToolErrors { message }));
            return effects;
        }
        self.go_on(true, effects, step)
    }
}

fn run_end(end: BatchEnd) -> RunEnd {
    match end {
        BatchEnd::Cancelled => RunEnd::Cancelled,
        BatchEnd::Terminated => RunEnd::Terminated,
        BatchEnd::MaxIterations => RunEnd::Failed(RunError::MaxIterations),
        BatchEnd::UnknownTool { name } => RunEnd::Failed(RunError::UnknownTool { name }),
        BatchEnd::RoundsExhausted => RunEnd::Failed(RunError::ApprovalRoundsExhausted),
    }
}
