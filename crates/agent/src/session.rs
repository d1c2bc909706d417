//! A conversation and everything that is kept with it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::approval::{Always, ApprovalRequest, BatchCall, Rule, StandingApproval};
use crate::handoff::Agent;
use crate::id::{CallId, Entropy, RequestId, SessionId};
use crate::message::{Body, Ending, Message, ToolCall};
use crate::resolution::Resolution;
use crate::run::{Phase, Run};
use crate::settings::Settings;
use crate::stored;
use crate::time::Timestamp;
use crate::tool::ToolSpec;

/// What one step may look at: time and randomness are passed in.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The driver's clock.
    pub now: Timestamp,
    /// Fresh randomness for new ids.
    pub entropy: Entropy,
    /// The tools there are now.
    pub tools: &'a [ToolSpec],
    /// The rules that may approve calls without a person, in order.
    pub rules: &'a [Rule],
    /// How the run is to behave.
    pub settings: &'a Settings,
    /// The agents; the first begins. Without any, no tool may be called.
    pub agents: &'a [Agent],
    /// The key of the digests in audit events, one for each installation.
    pub digest_key: &'a [u8; 32],
}

impl<'a> Context<'a> {
    /// The agent of that name; the first one, where none was asked yet.
    pub(crate) fn agent(&self, name: Option<&str>) -> Option<&'a Agent> {
        match name {
            Some(name) => self.agents.iter().find(|agent| agent.name == name),
            None => self.agents.first(),
        }
    }
}

/// A conversation: its transcript, the phase of its run, its state bag.
///
/// `Session::step` is the one way to change it; the accessors are for stores and screens.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub(crate) id: SessionId,
    pub(crate) messages: Vec<Message>,
    /// How many messages the store has, as they are.
    pub(crate) saved: usize,
    pub(crate) run: Run,
    /// Whether this program carries out what the run waits for. Not so after a restore, until an
    /// event says to go on.
    pub(crate) attended: bool,
}

/// Everything a session is, but its messages: for the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionState {
    version: u32,
    id: SessionId,
    /// How many messages belong to it.
    messages: usize,
    run: Run,
}

/// The version of [`SessionState`] that this code writes. It reads those before it too.
///
/// 1: standing approvals had no end; they are left out, and the person is asked again.
/// 2: standing approvals have an id, an expiry and a count of uses.
/// 3: an unknown outcome may become known, and the transcript may have notes of it.
const STATE_VERSION: u32 = 3;

/// Why a session cannot be restored. What was stored is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreError {
    /// It was written by another version of the program.
    Version {
        /// The version that was found.
        found: u32,
    },
    /// Messages that belong to it are missing.
    MessagesMissing {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { found } => write!(
                f,
                "the conversation was stored in version {found}, this program reads up to \
                 version {STATE_VERSION}"
            ),
            Self::MessagesMissing { expected, found } => {
                write!(f, "the conversation has {found} of its {expected} messages")
            }
        }
    }
}

impl std::error::Error for RestoreError {}

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Nothing; it takes the next message.
    Idle,
    /// The model is answering.
    AwaitingModel,
    /// Requests are open.
    AwaitingPerson,
    /// Decisions are being made durable.
    RecordingDecisions,
    /// Released calls are running.
    RunningTools,
    /// It stopped part-way, by a failure or with the program;
    /// [`Resumed`](crate::event::Event::Resumed) or a message goes on.
    Interrupted,
}

impl Session {
    /// A conversation in which nothing was said yet.
    #[must_use]
    pub fn new(id: SessionId) -> Self {
        Self { id, messages: Vec::new(), saved: 0, run: Run::default(), attended: false }
    }

    /// A conversation as it was stored. Nothing goes on by itself: if
    /// [`Session::activity`] says so, it is to be resumed.
    ///
    /// # Errors
    /// If it is of another version, or messages are missing. More messages than belong to it are no
    /// error: they were stored and the state was not, so they do not count.
    pub fn restore(state: SessionState, mut messages: Vec<Message>) -> Result<Self, RestoreError> {
        let SessionState { version, id, messages: expected, mut run } = state;
        if !(1..=STATE_VERSION).contains(&version) {
            return Err(RestoreError::Version { found: version });
        }
        if messages.len() < expected {
            return Err(RestoreError::MessagesMissing { expected, found: messages.len() });
        }
        let saved = messages.len();
        messages.truncate(expected);
        run.phase = run.phase.after_restart();
        // Surplus messages are to be overwritten, so the store has them only up to there.
        Ok(Self { id, messages, saved: saved.min(expected), run, attended: false })
    }

    /// Everything but the messages, for the store.
    #[must_use]
    pub fn state(&self) -> SessionState {
        SessionState {
            version: STATE_VERSION,
            id: self.id.clone(),
            messages: self.messages.len(),
            run: self.run.clone(),
        }
    }

    /// The index of the first message the store does not have. What it has from there on is to be
    /// replaced: a text was taken back.
    #[must_use]
    pub fn unsaved_from(&self) -> usize {
        self.saved
    }

    /// The store has all messages as they are now. To be called when the snapshot is written; if
    /// writing then fails, [`Session::mark_unsaved`] undoes it.
    pub fn mark_saved(&mut self) {
        self.saved = self.messages.len();
    }

    /// The store has only the messages before `index`.
    pub fn mark_unsaved(&mut self, index: usize) {
        self.saved = self.saved.min(index);
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The agent in charge, to whom the calls and requests of the batch belong. None while no agent
    /// was asked anything, and in a conversation from before there were several.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        self.run.agent.as_deref()
    }

    /// The transcript. The last reply's calls get their results there when all have one; until
    /// then [`Session::batch`] tells how they stand.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The calls of the reply that is being carried out, in the model's order.
    #[must_use]
    pub fn batch(&self) -> &[BatchCall] {
        match &self.run.phase {
            Phase::Batch(batch) => &batch.calls,
            Phase::Idle | Phase::Unfinished | Phase::AwaitingModel { .. } => &[],
        }
    }

    /// The requests that are shown, in the model's order.
    pub fn open_requests(&self) -> impl Iterator<Item = &ApprovalRequest> {
        self.batch().iter().filter_map(BatchCall::open)
    }

    /// What it is doing.
    #[must_use]
    pub fn activity(&self) -> Activity {
        match &self.run.phase {
            Phase::Idle => Activity::Idle,
            Phase::Unfinished => Activity::Interrupted,
            Phase::AwaitingModel { .. } => Activity::AwaitingModel,
            Phase::Batch(batch) => {
                let recording = batch.calls.iter().any(BatchCall::is_recording);
                match (batch.open().next().is_some(), self.attended) {
                    (true, false) if recording => Activity::Interrupted,
                    (true, _) => Activity::AwaitingPerson,
                    (false, false) => Activity::Interrupted,
                    (false, true) if recording => Activity::RecordingDecisions,
                    (false, true) => Activity::RunningTools,
                }
            }
        }
    }

    /// The latest word on the outcome of a request that was called unknown, if there is one.
    #[must_use]
    pub fn resolution(&self, request: &RequestId) -> Option<Resolution> {
        let (_, kept) = self.run.resolutions.iter().find(|(known, _)| known == request)?;
        stored::parse(kept).ok()
    }

    /// The requests whose outcome was called unknown, each with its call.
    pub fn called_unknown(&self) -> impl Iterator<Item = (&RequestId, &CallId)> {
        let told = self.messages.iter().filter_map(|message| match &message.body {
            Body::Result(result) => Some(result),
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
        });
        told.chain(self.batch().iter().filter_map(BatchCall::result))
            .filter(|result| result.ending == Ending::Unknown)
            .filter_map(|result| Some((&result.decision.as_ref()?.request, &result.call)))
    }

    /// When [`TimePassed`](crate::event::Event::TimePassed) is next to be told.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.open_requests().filter_map(|request| request.deadline).min()
    }

    /// What the person said "always" to, in this conversation, the latest last. Some of it may cover
    /// nothing any more, see [`StandingApproval::standing`].
    #[must_use]
    pub fn standing_approvals(&self) -> &[StandingApproval] {
        &self.run.standing
    }

    /// The standing approval that "always" to this request would make, if it may have one.
    #[must_use]
    pub fn would_stand(
        &self,
        request: &RequestId,
        always: Always,
        now: Timestamp,
    ) -> Option<StandingApproval> {
        let mut calls = self.batch().iter().filter(|it| it.can_be_covered());
        let it = calls.find(|it| it.waiting().is_some_and(|waiting| waiting.id == *request))?;
        let given = StandingApproval::of(it, request, always, now)?;
        Some(self.as_it_would_stand(given, now))
    }

    /// The other waiting calls that "always" to this request would settle with it, shown or queued.
    #[must_use]
    pub fn would_cover(
        &self,
        request: &RequestId,
        always: Always,
        now: Timestamp,
    ) -> Vec<&ToolCall> {
        let Phase::Batch(batch) = &self.run.phase else { return Vec::new() };
        let Some(standing) = self.would_stand(request, always, now) else { return Vec::new() };
        let (covered, _) = batch.covered_by(standing, request, now);
        covered
            .into_iter()
            .filter_map(|index| batch.calls.get(index))
            .map(BatchCall::call)
            .collect()
    }
}
