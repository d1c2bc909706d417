//! THE LOOP. Which event leads where is one table, [`Session::step`]; the leaves below it are
//! straight lines.

mod advance;
mod answers;
mod copied;
mod prompt;
mod records;
mod replies;
mod resolutions;

use std::mem;

use serde::{Deserialize, Serialize};

use crate::approval::{ApprovalRequest, Batch, CardDigest, StandingApproval, read_standing};
use crate::audit::AuditEvent;
use crate::effect::{Effect, RunEnd, RunError};
use crate::event::Event;
use crate::id::{CallId, PromptId, RequestId};
use crate::message::ToolCall;
use crate::mistake::{Mistake, made};
use crate::run::prompt::{Prompt, TakenBack};
use crate::session::{Context, Session};
use crate::tool::ToolIdentity;

/// The run of a session and its state bag.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) phase: Phase,
    pub(crate) prompt: Prompt,
    /// The agent in charge. It raised what is open, and what is decided goes back to it.
    #[serde(default)]
    pub(crate) agent: Option<String>,
    /// Rounds since the action that set off this run; the one an answer releases is not counted.
    pub(crate) rounds: u32,
    /// Texts that wait until the batch has its results, in order.
    pub(crate) texts: Vec<String>,
    /// How many of them, at the end, the last action brought: they are taken back if it fails.
    pub(crate) fresh: usize,
    #[serde(deserialize_with = "read_standing")]
    pub(crate) standing: Vec<StandingApproval>,
    /// Decided requests of calls that were asked about again, so that no result names them.
    pub(crate) superseded: Vec<RequestId>,
    /// Decisions the store refused. They are written before the next one.
    pub(crate) unrecorded: Vec<AuditEvent>,
    /// The latest word on each outcome that was called unknown, by its request: each a
    /// [`crate::resolution::Resolution`] as JSON, so that only whoever asks for one reads it.
    #[serde(default)]
    pub(crate) resolutions: Vec<(RequestId, String)>,
    /// What the model is to be told of them before it is called next.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Nothing is to be done.
    #[default]
    Idle,
    /// A model call failed behind results or an older text; the run can go on from there.
    Unfinished,
    /// The model is answering.
    AwaitingModel {
        /// What a failure takes back.
        on_failure: Option<TakenBack>,
    },
    /// The calls of a reply are being decided and carried out.
    Batch(Batch),
}

impl Phase {
    /// The phase after the program was stopped in it: no reply will come any more.
    pub(crate) fn after_restart(self) -> Self {
        match self {
            Self::AwaitingModel { .. } => Self::Unfinished,
            Self::Idle | Self::Unfinished | Self::Batch(_) => self,
        }
    }
}

/// What the leaves of one step share: what it may look at, and the ids it gives.
pub(crate) struct Step<'a> {
    pub(crate) context: &'a Context<'a>,
    minted: u64,
}

impl Step<'_> {
    fn mint(&mut self) -> String {
        self.minted += 1;
        self.context.entropy.mint(self.minted)
    }

    pub(crate) fn call_id(&mut self) -> CallId {
        CallId(self.mint())
    }

    /// A question about a call that was not shown yet.
    pub(crate) fn request(
        &mut self,
        call: &ToolCall,
        tool: Option<&ToolIdentity>,
        gated: bool,
    ) -> ApprovalRequest {
        let (id, shown) = (RequestId(self.mint()), CardDigest::of(call, tool));
        let (call, requested_at) = (call.clone(), self.context.now);
        ApprovalRequest { id, call, requested_at, attempt: 0, deadline: None, gated, shown }
    }

    pub(crate) fn prompt_id(&mut self) -> PromptId {
        PromptId(self.mint())
    }
}

impl Session {
    /// Takes one event; the effects are to be carried out in order.
    ///
    /// Where something changed that an effect rests on, [`Effect::Save`] comes first.
    pub fn step(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        let step = &mut Step { context, minted: 0 };
        // Bounded anew before anything else, and kept: a wait must not grow with every restart.
        let mut effects = if self.bound_waits(context) { vec![Effect::Save] } else { Vec::new() };
        let overdue = self.next_deadline().is_some_and(|deadline| deadline <= context.now)
            && !made(Mistake::LateAnswerCounts);
        // An answer that comes too late finds its request closed.
        if overdue {
            effects.extend(self.take(Event::TimePassed, step));
        }
        effects.extend(self.take(event, step));
        effects
    }

    /// No deadline is further away than one full attempt, whatever the clock said when it was set.
    /// Gives back whether one was.
    fn bound_waits(&mut self, context: &Context<'_>) -> bool {
        let latest = context.settings.approval_timeout_ms.map(|ms| context.now.plus_ms(ms));
        match (&mut self.run.phase, latest) {
            (Phase::Batch(batch), Some(latest)) => batch.end_attempts_by(latest),
            (
                Phase::Batch(_) | Phase::Idle | Phase::Unfinished | Phase::AwaitingModel { .. },
                _,
            ) => false,
        }
    }

    fn take(&mut self, event: Event, step: &mut Step<'_>) -> Vec<Effect> {
        match (mem::take(&mut self.run.phase), event) {
            // The person writes.
            (Phase::Idle, Event::Said(text)) if has_words(&text) => self.say(text, false, step),
            (Phase::Unfinished, Event::Said(text)) if has_words(&text) => {
                self.say(text, true, step)
            }
            (Phase::Batch(batch), Event::Said(text)) => self.said_meanwhile(batch, text, step),

            // The person answers.
            (Phase::Batch(batch), Event::Answered { responses, text }) => {
                let text = text.filter(|text| has_words(text));
                if batch.open().next().is_some() {
                    self.answered(batch, responses, text, step)
                } else {
                    self.answered_again(batch, responses, text, step)
                }
            }
            (phase @ (Phase::Idle | Phase::Unfinished), Event::Answered { responses, text }) => {
                self.answered_nothing(phase, responses, text.filter(|it| has_words(it)), step)
            }
            (phase @ Phase::AwaitingModel { .. }, Event::Answered { responses, text: None }) => {
                self.run.phase = phase;
                responses.into_iter().map(Effect::DroppedResponse).collect()
            }

            (Phase::Batch(batch), Event::Typed(text)) => self.typed(batch, text, step),
            (phase @ (Phase::Idle | Phase::Unfinished), Event::Typed(_)) => {
                self.stays(phase, failed(RunError::UnknownApproval))
            }

            // The person goes on, or stops.
            (Phase::Idle, Event::Resumed) => failed(RunError::NothingToResume),
            (Phase::Unfinished, Event::Resumed) => self.go_on_unfinished(step),
            (Phase::Batch(batch), Event::Resumed) => self.resumed(batch, step),
            (Phase::AwaitingModel { on_failure }, Event::Cancelled) => {
                self.give_up(on_failure, RunEnd::Cancelled)
            }
            (Phase::Batch(batch), Event::Cancelled) => self.cancelled(batch, step),

            // The model answers, or fails.
            (Phase::AwaitingModel { on_failure }, Event::ModelReplied(reply)) => {
                self.take_reply(reply, on_failure, step)
            }
            (Phase::AwaitingModel { on_failure }, Event::ModelFailed(error)) => {
                self.model_failed(on_failure, RunError::Model(error))
            }

            // The store, a tool, the clock.
            (Phase::Batch(batch), Event::DecisionRecorded { request, recorded }) => {
                self.recorded(batch, request, recorded, step)
            }
            (Phase::Batch(batch), Event::ToolFinished { call, outcome }) => {
                self.tool_finished(batch, call, outcome, step)
            }
            (Phase::Batch(batch), Event::ApprovalWithdrawn { call, outcome }) => {
                self.approval_withdrawn(batch, call, outcome, step)
            }
            (Phase::Batch(batch), Event::TimePassed) => self.time_passed(batch, step),
            (phase, Event::TimePassed) => self.stays(phase, vec![]),
            (Phase::Batch(batch), Event::InputUnavailable) if batch.open().next().is_some() => {
                self.input_unavailable(batch, step)
            }

            // An older decision, written late: nothing waits for it.
            (phase, Event::DecisionRecorded { request, recorded }) => {
                self.run.phase = phase;
                self.recorded_late(request, recorded)
            }

            (phase, Event::Revoked(id)) => {
                self.run.phase = phase;
                self.revoked(id)
            }

            (phase, Event::Resolved(resolution)) => {
                self.run.phase = phase;
                self.resolved(resolution)
            }

            // Late, doubled or out of turn: nothing changes, and the driver gets it back.
            (phase, event) => self.stays(phase, vec![Effect::Ignored(event)]),
        }
    }

    /// The run goes on standing where it stood.
    fn stays(&mut self, phase: Phase, effects: Vec<Effect>) -> Vec<Effect> {
        self.run.phase = phase;
        effects
    }

    /// A new action of the person or the clock sets off a new run. Its text waits until the calls
    /// that are under way have their results.
    fn begin_action(&mut self, text: Option<String>) {
        self.run.rounds = 0;
        self.run.fresh = usize::from(text.is_some());
        self.run.texts.extend(text);
    }

    /// A text while nothing waits. `unfinished`: what the run is again if the text is taken back.
    fn say(&mut self, text: String, unfinished: bool, step: &mut Step<'_>) -> Vec<Effect> {
        self.begin_action(Some(text));
        self.go_on(unfinished, vec![Effect::Save], step)
    }

    /// A run that a failed model call left unfinished is taken up again.
    fn go_on_unfinished(&mut self, step: &mut Step<'_>) -> Vec<Effect> {
        self.begin_action(None);
        self.go_on(true, vec![Effect::Save], step)
    }

    /// The model call failed.
    fn model_failed(&mut self, on_failure: Option<TakenBack>, error: RunError) -> Vec<Effect> {
        self.give_up(on_failure, RunEnd::Failed(error))
    }

    /// The run ends without the model. What it was to answer is taken back if it came with this
    /// action.
    fn give_up(&mut self, on_failure: Option<TakenBack>, end: RunEnd) -> Vec<Effect> {
        self.take_back(on_failure);
        vec![Effect::Save, Effect::Finished(end)]
    }

    fn take_back(&mut self, on_failure: Option<TakenBack>) {
        self.run.phase = match on_failure {
            Some(TakenBack { messages, prompt, unfinished }) => {
                self.messages.truncate(messages);
                self.saved = self.saved.min(messages);
                self.run.prompt = prompt;
                if unfinished { Phase::Unfinished } else { Phase::Idle }
            }
            None => Phase::Unfinished,
        };
    }
}

fn failed(error: RunError) -> Vec<Effect> {
    vec![Effect::Finished(RunEnd::Failed(error))]
}

fn has_words(text: &str) -> bool {
    !text.trim().is_empty()
}
