//! What a person sees, as data: pure projections of what the driver holds, tested natively.
//!
//! Where to start:
//! 1. [`scene::Scene`] goes in, [`View`] comes out: one projection for every screen.
//! 2. [`card`]: the question, whole. [`receipt`]: what stays of it.
//! 3. [`marks`] and [`markdown`]: why nothing a model writes can deceive or load anything.
//! 4. [`notice`]: every problem in plain words. [`command`]: everything a person can ask for.
//! 5. [`backup`]: a copy of everything, as a person is told of it.

pub mod activity;
pub mod agents;
pub mod backup;
pub mod card;
mod claim;
pub mod command;
pub mod conversation;
pub mod conversations;
pub mod engine;
pub mod line;
pub mod list;
pub mod markdown;
pub mod marks;
pub mod notice;
pub mod receipt;
pub mod resolution;
pub mod scene;
pub mod settings;
pub mod standing;
pub mod status;
pub mod time_left;
pub mod usage;

use std::sync::Arc;

use agent::approval::{BatchCall, CallState};
use agent::id::RequestId;
use agent::message::Message;
use agent::session::Activity;
use agent::time::Timestamp;

use crate::activity::history::History;
use crate::backup::Handed;
use crate::card::{Asked, Card};
use crate::conversation::{Streamed, Turn, TurnBody};
use crate::conversations::Way;
use crate::list::List;
use crate::notice::Notice;
use crate::scene::{Scene, Storage, StoreTask};
use crate::settings::Settings;
use crate::standing::Given;
use crate::status::Status;
use crate::usage::Counted;

/// Everything on the screen. Its parts are compared one by one, so that a word that streams in
/// draws nothing else again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// The driver's clock.
    pub now: Timestamp,
    /// Whether what the browser keeps has been read.
    pub is_ready: bool,
    /// The conversations one can go to, the one touched last first.
    pub conversations: Arc<Vec<Way>>,
    /// The conversation so far.
    pub turns: Arc<Vec<Turn>>,
    /// The reply that streams in.
    pub streamed: Option<Streamed>,
    /// What is going on.
    pub status: Status,
    /// What waits for the person.
    pub card: Option<Card>,
    /// Whether what the page acts by is loaded. Without it there is no card, and nothing is told of
    /// what may happen without asking.
    pub has_engine: bool,
    /// What may happen without asking, the latest first.
    pub standing_approvals: Arc<Vec<Given>>,
    /// What is wrong at all times, apart from any message.
    pub notices: Vec<Notice>,
    /// The shopping list.
    pub list: Arc<List>,
    /// The records, for the activity page to draw from.
    pub history: Arc<History>,
    /// What a part of the page asked for, until it takes it.
    pub handed: Option<Arc<Handed>>,
    /// The settings page.
    pub settings: Arc<Settings>,
    /// What the replies of the conversation used, as far as their providers counted.
    pub usage: Vec<Counted>,
}

impl View {
    /// Everything on the screen.
    #[must_use]
    pub fn of(scene: &Scene<'_>) -> Self {
        let messages = scene.session.messages();
        let asked: Vec<_> = scene.session.batch().iter().filter_map(asked).collect();
        let (shown, decided) = shown_and_decided(&asked, scene.preferences.one_at_a_time);
        let card = scene.engine.and_then(|engine| engine.card(&shown, scene));
        let mut turns = conversation::turns(messages, scene.problems, scene.changes, &decided);
        for turn in &mut turns {
            if let TurnBody::Receipt(receipt) = &mut turn.body
                && scene.decided_elsewhere.contains(&receipt.request)
            {
                receipt.say_elsewhere();
            }
            if let TurnBody::Receipt(receipt) = &mut turn.body
                && let Some(engine) = scene.engine
                && let Some(stage) = engine.resolve(receipt, scene)
            {
                turn.key.push_str(&stage);
            }
        }
        if let Some(engine) = scene.engine {
            engine.mark_what_is_sent(&mut turns, messages);
        }
        turns.extend(conversation::being_sent(scene.loading.unwrap_or_default(), scene.now));
        let is_unread = scene.damage.iter().any(|it| it.task == StoreTask::ReadHousehold);
        let list = List::of(scene.household, scene.changes, card.as_slice());
        let mut view = Self {
            now: scene.now,
            is_ready: !matches!(scene.storage, Storage::Opening | Storage::Blocked),
            conversations: Arc::new(conversations::ways(scene)),
            turns: Arc::new(turns),
            has_engine: scene.engine.is_some(),
            standing_approvals: Arc::new(
                scene.engine.map(|engine| engine.given(scene)).unwrap_or_default(),
            ),
            notices: Notice::lasting(scene),
            list: Arc::new(List { is_unread, ..list }),
            card,
            history: Arc::clone(scene.history),
            handed: scene.handed.cloned(),
            settings: Arc::new(Settings::of(scene)),
            usage: messages.iter().filter_map(counted).collect(),
            ..Self::default()
        };
        view.take_words(scene);
        view
    }

    /// The questions on the screen that wait for an answer.
    #[must_use]
    pub fn questions(&self) -> Vec<RequestId> {
        let waiting = self.card.iter().flat_map(Card::waiting);
        waiting.map(|row| row.request.clone()).collect()
    }

    /// The problems told in the conversation, oldest first.
    pub fn problems(&self) -> impl Iterator<Item = (usize, &Notice)> {
        self.turns.iter().filter_map(|turn| match &turn.body {
            TurnBody::Notice(notice) => Some((notice.problem()?, &**notice)),
            TurnBody::Person(_)
            | TurnBody::Assistant(_)
            | TurnBody::HandedOver(_)
            | TurnBody::Receipt(_) => None,
        })
    }

    /// Takes what has streamed in since, and nothing else: for every word, where
    /// [`View::of`] is for everything that happens.
    pub fn take_words(&mut self, scene: &Scene<'_>) {
        self.streamed = scene.streaming.and_then(Streamed::of);
        if scene.loading.is_some() {
            self.status = Status::Loading;
            return;
        }
        self.status = match scene.session.activity() {
            // Without what acts nothing goes on; a message may be sent, and tries to load it.
            _ if scene.engine.is_none() => Status::Idle,
            // What is left unfinished is under way in the tab that drives.
            Activity::Interrupted if scene.follows => Status::of_reply(scene.streaming),
            Activity::Idle | Activity::AwaitingPerson | Activity::Interrupted => Status::Idle,
            Activity::AwaitingModel => Status::of_reply(scene.streaming),
            Activity::RunningTools if !scene.awaited.is_empty() => Status::Awaiting,
            Activity::RecordingDecisions | Activity::RunningTools => Status::Working,
        };
    }
}

fn counted(message: &Message) -> Option<Counted> {
    message.usage.clone().map(|usage| (message.at, usage))
}

/// A call as the screen sees it; `None` for one that nobody is asked about.
fn asked(call: &BatchCall) -> Option<Asked<'_>> {
    let (open, decision, result) = match call.state() {
        CallState::Open(request) => (Some(request), None, None),
        CallState::Recording { decision, .. }
        | CallState::Approved(decision)
        | CallState::Withdrawing { decision, .. } => (None, Some(decision), None),
        CallState::Running(Some(decision)) => (None, Some(decision), None),
        CallState::Settled(result) => (None, Some(result.decision.as_ref()?), Some(result)),
        CallState::Held | CallState::Queued(_) | CallState::Running(None) => return None,
    };
    Some(Asked { call: call.call(), open, decision, result })
}

/// What the card shows, and what has its receipt already. The rows of a batch stay together on the
/// card until the last is answered; one at a time, each goes when it is answered.
fn shown_and_decided<'a>(
    asked: &[Asked<'a>],
    one_at_a_time: bool,
) -> (Vec<Asked<'a>>, Vec<Asked<'a>>) {
    let is_asking = asked.iter().any(|it| it.open.is_some());
    asked.iter().partition(|it| is_asking && (!one_at_a_time || it.open.is_some()))
}
