//! A model's reply becomes a batch: every call is judged.

use crate::approval::{
    Batch, BatchCall, BatchEnd, CallState, Judge, StandingApproval, Taken, Verdict,
};
use crate::effect::{Effect, RunEnd, RunError};
use crate::message::{Body, Ending, ToolResult};
use crate::model::{ModelError, ModelErrorKind, ModelReply, StopReason};
use crate::reply::{self, ReadCall, ReadReply};
use crate::run::Step;
use crate::run::prompt::TakenBack;
use crate::session::{Context, Session};
use crate::settings::OnUnknownTool;
use crate::wording;

impl Session {
    /// A reply came, whole.
    pub(super) fn take_reply(
        &mut self,
        reply: ModelReply,
        on_failure: Option<TakenBack>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        let ModelReply { content, stop, usage } = reply;
        let read = match reply::read(content, || step.call_id()) {
            Ok(read) => read,
            Err(message) => return self.model_failed(on_failure, RunError::Protocol { message }),
        };
        if stop == StopReason::MaxTokens && !read.calls.is_empty() {
            // The last call may be cut, and nobody can tell.
            let message = "the reply was cut at the length limit".to_owned();
            let error = ModelError { kind: ModelErrorKind::LengthLimit, message };
            return self.model_failed(on_failure, RunError::Model(error));
        }
        let text = read.text();
        let ReadReply { content, calls } = read;
        if !content.is_empty() {
            self.add_reply(content, usage, step.context);
        }
        if calls.iter().all(|read| read.provider_result.is_some()) {
            for result in calls.into_iter().filter_map(provided) {
                self.add(Body::Result(result), step.context);
            }
            return vec![Effect::Save, Effect::Finished(RunEnd::Replied { text })];
        }
        let batch = self.judge(calls, step);
        self.run.rounds += 1;
        self.advance(batch, step)
    }

    fn judge(&mut self, calls: Vec<ReadCall>, step: &mut Step<'_>) -> Batch {
        let context = step.context;
        let judge = self.judge_of_now(false, context);
        let end = self.closes(&calls, &judge, context);
        // Of a reply that is closed nothing is carried out, so nothing of it uses an approval up.
        let standing: &mut [StandingApproval] =
            if end.is_none() { self.standing(context) } else { &mut [] };
        let verdicts: Vec<_> = calls.iter().map(|read| judge.judge(read, standing)).collect();
        let show_free = !context.settings.hold_free_calls && verdicts.contains(&Verdict::Ask);

        let mut batch = Batch { end, ..Batch::default() };
        for (ReadCall { call, .. }, verdict) in calls.into_iter().zip(&verdicts) {
            let (told, ending) = match verdict {
                Verdict::Provided(result) => (result.clone(), Ending::Provider),
                Verdict::NotFound => (wording::not_found(&call.name), Ending::NotFound),
                Verdict::BadArguments => (wording::BAD_ARGUMENTS.to_owned(), Ending::BadArguments),
                Verdict::Handoff => {
                    batch.calls.push(BatchCall::new(call, None, CallState::Held));
                    continue;
                }
                Verdict::Free | Verdict::Covered(_) | Verdict::Ask => {
                    let gated = *verdict != Verdict::Free;
                    // A call that will be closed unrun is held too: nothing is decided about it.
                    let asked = batch.end.is_none() && (gated || show_free);
                    let judged = judge.tool(&call.name).map(|spec| judge.judged_by(spec));
                    let state = if asked {
                        let tool = judged.as_ref().map(|(identity, _)| identity);
                        CallState::Queued(step.request(&call, tool, gated))
                    } else {
                        CallState::Held
                    };
                    let mut it = BatchCall::new(call, judged, state);
                    if let Verdict::Covered(basis) = verdict {
                        it.decide(Taken::covered(*basis), context.now);
                    }
                    batch.calls.push(it);
                    continue;
                }
            };
            batch.calls.push(BatchCall::settled(call, told, ending));
        }
        if batch.end.is_none() && verdicts.iter().any(|it| matches!(it, Verdict::Covered(_))) {
            self.count_covered(&mut batch);
        }
        batch
    }

    /// Whether the reply ends the run before anything of it is carried out.
    fn closes(
        &self,
        calls: &[ReadCall],
        judge: &Judge<'_>,
        context: &Context<'_>,
    ) -> Option<BatchEnd> {
        if !self.may_call_tools(context) {
            return Some(BatchEnd::MaxIterations);
        }
        match context.settings.on_unknown_tool {
            OnUnknownTool::Result => None,
            OnUnknownTool::EndRun => {
                let unknown = calls.iter().find(|read| judge.is_unknown(read))?;
                Some(BatchEnd::UnknownTool { name: unknown.call.name.clone() })
            }
        }
    }
}

fn provided(read: ReadCall) -> Option<ToolResult> {
    let text = read.provider_result?;
    Some(ToolResult { call: read.call.id, text, ending: Ending::Provider, decision: None })
}
