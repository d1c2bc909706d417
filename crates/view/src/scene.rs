//! Everything a screen may show, as the driver holds it.

use std::sync::Arc;

use agent::id::RequestId;
use agent::model::ModelError;
use agent::session::Session;
use agent::settings::Wait;
use agent::time::Timestamp;
use kitchen::{Change, Household};
use serde::{Deserialize, Serialize};
use store::error::StoreError;
use store::sessions::Conversation;
use store::settings::Preferences;

use crate::activity::history::History;
use crate::backup::Handed;
use crate::command::Command;
use crate::engine::Engine;

/// Everything a screen may show.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The conversation, its open requests included.
    pub session: &'a Session,
    /// Every conversation that is kept, the one touched last first.
    pub conversations: &'a [Conversation],
    /// Requests that were open in this tab and were decided in another.
    pub decided_elsewhere: &'a [RequestId],
    /// Whether another tab goes on with the conversation, and this one shows what comes of it.
    pub follows: bool,
    /// The requests of which an answer from outside the household is waited for.
    pub awaited: &'a [RequestId],
    /// The reply that streams in right now.
    pub streaming: Option<&'a Streaming>,
    /// The household as the store holds it.
    pub household: &'a Household,
    /// What the page acts by, once it is loaded.
    pub engine: Option<&'a Engine>,
    /// While it is being loaded for something: what the person said meanwhile.
    pub loading: Option<&'a [&'a str]>,
    /// The changes that can be taken back, oldest first.
    pub changes: &'a [Change],
    /// Problems, oldest first.
    pub problems: &'a [Problem],
    /// Decisions and executions.
    pub history: &'a Arc<History>,
    /// What a part of the page asked for, until it takes it.
    pub handed: Option<&'a Arc<Handed>>,
    /// What the browser keeps.
    pub storage: &'a Storage,
    /// What of it cannot be read. The rest can be used.
    pub damage: &'a [Damage],
    /// What the proxy offers.
    pub proxy: &'a Proxy,
    /// What the person prefers.
    pub preferences: &'a Preferences,
    /// How long a card waits.
    pub wait: Wait,
    /// The driver's clock.
    pub now: Timestamp,
}

/// A reply that streams in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Streaming {
    /// The words so far.
    pub text: String,
    /// Tools whose calls have begun.
    pub calls: Vec<String>,
}

/// A problem that is still to be seen, where in the conversation it happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Its number, for [`crate::command::Command::Dismiss`].
    pub number: usize,
    /// How many messages the transcript had.
    pub after: usize,
    /// What happened.
    pub cause: Cause,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// The model gave no usable reply.
    Model {
        /// Why.
        error: ModelError,
        /// The person's text, if the loop took it back since nothing had come of it. It is sent
        /// again by [`crate::command::Command::Retry`].
        unsent: Option<String>,
    },
    /// The run hit a limit or met a reply it cannot use.
    Run(agent::effect::RunError),
    /// A decision could not be stored, so it counts as a no.
    DecisionNotStored {
        /// The tool.
        tool: String,
        /// Why.
        why: StoreError,
    },
    /// A yes to a card that was not as it was shown any more: nothing ran.
    CardChanged,
    /// The store failed.
    Store {
        /// What was to be done.
        task: StoreTask,
        /// Why it was not.
        why: StoreError,
    },
    /// What the page acts by was loaded for a text, and a question came with it that nobody had seen:
    /// the text would have answered it with no.
    CardCame {
        /// The text.
        unsent: String,
    },
    /// Another tab went on with the conversation each time a text was to be said in it.
    Overtaken {
        /// The text.
        unsent: String,
    },
    /// What was kept here at the last visit is gone.
    Emptied,
    /// What the page acts by could not be loaded.
    NotLoaded {
        /// What the person asked for, if they did, to be done when it is tried again.
        undone: Option<Command>,
    },
    /// A change by hand or an undo was refused.
    Kitchen {
        /// Why.
        why: String,
    },
}

/// What the store was to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreTask {
    /// To read the household.
    ReadHousehold,
    /// To read the changes made to it.
    ReadChanges,
    /// To read what the person prefers.
    ReadSettings,
    /// To read the key of the digests, without which nothing can be decided.
    ReadKey,
    /// To list the conversations.
    ListConversations,
    /// To read a conversation.
    OpenConversation,
    /// To keep a conversation.
    SaveConversation,
    /// To forget a conversation.
    ForgetConversation,
    /// To change the list by hand, or take a change back.
    ChangeList,
    /// To carry out what was approved.
    RunTool,
    /// To write down what came of it outside the household.
    RecordOutcome,
    /// To write down what is to be done where that is unknown.
    Resolve,
    /// To keep what the person prefers.
    KeepSettings,
    /// To read what another tab kept.
    ReadOthers,
    /// To read what was decided and done.
    ReadRecords,
    /// To write what was decided and done as one file.
    ExportRecords,
}

/// Something kept that cannot be read. It stays as it is, and nothing is built on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What was to be read.
    pub task: StoreTask,
    /// Why it cannot be.
    pub why: StoreError,
}

impl Damage {
    /// Whether nothing may be asked or run because of it: neither what a call would do could be
    /// shown, nor what was decided be written down.
    #[must_use]
    pub fn forbids_acting(&self) -> bool {
        matches!(self.task, StoreTask::ReadHousehold | StoreTask::ReadKey)
    }
}

impl Cause {
    /// Whether it tells why a run did not come to its end.
    #[must_use]
    pub fn is_of_the_run(&self) -> bool {
        match self {
            Self::Model { .. } | Self::Run(_) => true,
            Self::DecisionNotStored { .. }
            | Self::CardChanged
            | Self::CardCame { .. }
            | Self::Overtaken { .. }
            | Self::Emptied
            | Self::Store { .. }
            | Self::NotLoaded { .. }
            | Self::Kitchen { .. } => false,
        }
    }

    /// What the person asked for and was not done, if that is what it tells of: to be done again.
    #[must_use]
    pub fn undone(&self) -> Option<Command> {
        if let Self::NotLoaded { undone } = self {
            return undone.clone();
        }
        self.unsent().map(|text| Command::Say(text.to_owned()))
    }

    /// The person's text that was not sent, if there is one.
    #[must_use]
    pub fn unsent(&self) -> Option<&str> {
        match self {
            Self::Model { unsent, .. } => unsent.as_deref(),
            Self::NotLoaded { undone: Some(Command::Say(text)) } => Some(text),
            Self::CardCame { unsent } | Self::Overtaken { unsent } => Some(unsent),
            Self::Run(_)
            | Self::DecisionNotStored { .. }
            | Self::CardChanged
            | Self::Emptied
            | Self::Store { .. }
            | Self::NotLoaded { .. }
            | Self::Kitchen { .. } => None,
        }
    }
}

/// What the browser keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// It is being opened.
    Opening,
    /// It is open; `persistent` if the browser promised not to clear it on its own.
    Open {
        /// The browser's promise.
        persistent: bool,
    },
    /// It cannot be opened before a tab with an older version of the page is closed.
    Blocked,
    /// A newer version of the page has it now: this one keeps nothing any more and runs nothing.
    Replaced,
    /// It cannot be used, for this reason: nothing is kept and no tool that changes something runs.
    Unavailable(StoreError),
}

/// What the proxy offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proxy {
    /// It has not answered yet.
    Asking,
    /// It does not answer.
    Unreachable,
    /// It answered.
    Ready {
        /// The providers it knows.
        providers: Vec<ProviderOffer>,
    },
}

/// One provider, as the proxy offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderOffer {
    /// Its name in requests, as in `/api/NAME/`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The models it offers.
    pub models: Vec<String>,
    /// Models that were meant to be offered, and that it does not have.
    pub lacking: Vec<String>,
    /// Why it cannot be used, if it cannot, as in "no key".
    pub missing: Option<String>,
}
