//! A tab: the page's driver in miniature. What an event brings is carried out to its end, one
//! piece after the other, before the tab takes the next thing from outside.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use agent::approval::{ApprovalRequest, ApprovedCall};
use agent::audit::AuditEvent;
use agent::effect::{Effect, RunEnd, RunError};
use agent::event::Event;
use agent::id::{CallId, RequestId, SessionId};
use agent::message::{Body, ToolCall};
use agent::model::ModelRequest;
use agent::session::{Activity, Session};
use agent::settings::Settings;
use agent::time::{Reading, SteadyTime};
use store::outside::Begun;
use store::sessions::Trouble;

use crate::tools::{self, Program};
use crate::way::Coming;
use crate::witness::Witness;

/// A piece of work: an effect, in a form that can be copied with the world.
#[derive(Debug, Clone)]
pub enum Work {
    /// Save the conversation.
    Save,
    /// Call the model.
    CallModel(Box<ModelRequest>),
    /// Show a question.
    Ask(Box<ApprovalRequest>),
    /// Make a decision durable.
    Record(Box<AuditEvent>),
    /// Run a call.
    Run(Rc<ApprovedCall>),
    /// Take back an approval.
    Withdraw(Box<ToolCall>, RequestId),
    /// The run is over.
    Finish(RunEnd),
    /// Something did not count.
    Nothing,
}

impl From<Effect> for Work {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Save => Self::Save,
            Effect::CallModel(request) => Self::CallModel(Box::new(request)),
            Effect::Ask(request) => Self::Ask(Box::new(request)),
            Effect::RecordDecision(event) => Self::Record(Box::new(event)),
            Effect::RunTool(approved) => Self::Run(Rc::new(approved)),
            Effect::WithdrawApproval { call, request } => Self::Withdraw(Box::new(call), request),
            Effect::Finished(end) => Self::Finish(end),
            Effect::DroppedResponse(_) | Effect::Ignored(_) => Self::Nothing,
        }
    }
}

impl Work {
    /// The kind of transaction it is, if it is one.
    #[must_use]
    pub fn transaction(&self) -> Option<&'static str> {
        match self {
            Self::Save => Some("save"),
            Self::Record(_) => Some("record"),
            Self::Withdraw(..) => Some("withdraw"),
            Self::Run(approved) if approved.call().name == tools::LETTER => Some("attempt"),
            Self::Run(approved) if approved.request().is_some() => Some("run"),
            Self::Run(_) => Some("read"),
            Self::CallModel(_) | Self::Ask(_) | Self::Finish(_) | Self::Nothing => None,
        }
    }
}

/// A text on its way.
#[derive(Debug, Clone)]
pub struct Sent {
    /// What it says.
    pub text: String,
    /// How many messages there were before it.
    pub before: usize,
    /// Whether it is on its way once more, after another tab was first.
    pub again: bool,
}

/// A call of the model that is under way, by its number.
#[derive(Debug, Clone)]
pub struct Calling {
    /// Its number; a stopped call's late words are not the next one's.
    pub number: u64,
    /// What was asked.
    pub request: ModelRequest,
    /// The reply, while it comes.
    pub coming: Option<Box<Coming>>,
    /// How often it was made again by itself.
    pub again: u32,
}

/// An answer from outside the household that is waited for.
#[derive(Clone)]
pub struct Awaited {
    /// The key it is under.
    pub request: RequestId,
    /// Leave for the attempt, until its answer came.
    pub begun: Rc<Cell<Option<Begun>>>,
    /// The call that the loop waits for, if it does, and its conversation.
    pub first: Option<(SessionId, CallId)>,
}

/// Why a tab has no database. It keeps nothing then, and runs nothing that changes something, until
/// the page is loaded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// A newer version of the page has it.
    Replaced,
    /// It did not open.
    Unopened,
}

/// A tab.
#[derive(Clone)]
pub struct Tab {
    /// The conversation it shows.
    pub session: Session,
    /// Its clock: the page's own, which never goes back.
    pub time: SteadyTime,
    /// How often it was saved, as far as this tab knows.
    pub revision: u64,
    /// What its person was shown and said.
    pub witness: Witness,
    /// The tools of the program that runs in it.
    pub program: Program,
    /// How its loop is to behave.
    pub settings: Rc<Settings>,
    /// What is to be carried out.
    pub work: VecDeque<Work>,
    /// What the loop is to be told after that.
    pub events: VecDeque<Event>,
    /// The call of the model that is under way.
    pub calling: Option<Calling>,
    /// The agent that was asked last.
    pub asked: String,
    /// Calls of the model so far.
    pub calls: u64,
    /// Answers from outside the household that are waited for.
    pub awaited: Vec<Awaited>,
    /// What the loop was told by the store and the tools.
    pub told: Vec<Event>,
    /// How the last run ended, if none is under way since.
    pub ended: Option<RunEnd>,
    /// A text on its way: if the first model call fails the loop takes it back, and the page keeps it.
    pub sent: Option<Sent>,
    /// The model call that gave nothing, and how long the transcript was then.
    pub trouble: Option<(usize, Trouble)>,
    /// Whether the last save failed.
    pub unsaved: bool,
    /// The version of its program.
    pub version: u32,
    /// Why it has no database, if it has none.
    pub closed: Option<Closed>,
    /// Whether the household could not be read when the program began.
    pub lacks_household: bool,
    /// Decisions that were said to be durable and are not written yet: only a mutant has any.
    pub unwritten: Vec<AuditEvent>,
}

impl Tab {
    /// A tab that opens with a conversation. What was under way goes on.
    #[must_use]
    pub fn open(
        session: Session,
        witness: Witness,
        clocks: Reading,
        program: Program,
        settings: Rc<Settings>,
    ) -> Self {
        Self {
            session,
            time: SteadyTime::starting_at(clocks),
            revision: 0,
            witness,
            program,
            settings,
            work: VecDeque::new(),
            events: VecDeque::new(),
            calling: None,
            asked: String::new(),
            calls: 0,
            awaited: Vec::new(),
            told: Vec::new(),
            ended: None,
            sent: None,
            trouble: None,
            unsaved: false,
            version: 0,
            closed: None,
            lacks_household: false,
            unwritten: Vec::new(),
        }
    }

    /// Whether all is carried out, so that it takes the next thing from outside.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.work.is_empty() && self.events.is_empty() && self.unwritten.is_empty()
    }

    /// Whether nothing will happen any more unless the person does something.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.is_quiet() && self.calling.is_none() && self.awaited.is_empty()
    }

    /// Whether an answer is awaited that ends the call under this request. What a person wanted
    /// about an outcome ends none.
    #[must_use]
    pub fn awaits_end_of(&self, request: Option<&RequestId>) -> bool {
        self.awaited.iter().any(|it| it.first.is_some() && Some(&it.request) == request)
    }

    /// The failure the conversation stands at, for the next visit.
    #[must_use]
    pub fn stands_at(&self) -> Option<&Trouble> {
        let here = self.session.messages().len();
        self.trouble.as_ref().filter(|(after, _)| *after >= here).map(|(_, trouble)| trouble)
    }

    /// Whether a text stands in the transcript, where it would.
    #[must_use]
    pub fn was_said(&self, sent: &Sent) -> bool {
        let later = self.session.messages().iter().skip(sent.before);
        later.into_iter().any(|it| matches!(&it.body, Body::Person(said) if *said == sent.text))
    }

    /// A run ended. A text that was taken back is kept for another try.
    pub fn finish(&mut self, end: RunEnd) {
        let sent = self.sent.take();
        if let RunEnd::Failed(RunError::Model(error)) = &end {
            let unsent = sent.filter(|sent| !self.was_said(sent)).map(|sent| sent.text);
            let trouble = Trouble { error: error.clone(), unsent };
            self.trouble = Some((self.session.messages().len(), trouble));
        }
        self.ended = Some(end);
    }

    /// The last failure again: a text that was taken back is said again. Without one, the run goes on.
    pub fn retry(&mut self) -> Option<String> {
        self.trouble.take().and_then(|(_, trouble)| trouble.unsent)
    }

    /// What the loop is told about a conversation that was left: what was under way goes on, and a
    /// wait went on while nobody looked. What failed waits for the person to try again.
    #[must_use]
    pub fn goes_on(&self) -> Option<Event> {
        match self.session.activity() {
            Activity::AwaitingModel
            | Activity::RecordingDecisions
            | Activity::RunningTools
            | Activity::Interrupted => Some(Event::Resumed),
            Activity::AwaitingPerson => Some(Event::TimePassed),
            Activity::Idle => None,
        }
        .filter(|_| self.trouble.is_none())
    }
}
