//! An open page without its screen: the driver with a scripted model and clocks that jump.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse, Outcome};
use agent::audit::ExecutionOutcome;
use agent::handoff::Agent;
use agent::id::RequestId;
use agent::id::StandingApprovalId;
use agent::message::{Body, Content};
use agent::model::{
    ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest, ProposedCall, ReplyContent,
    StopReason, Usage,
};
use agent::resolution::Resolution;
use agent::time::{Reading, Timestamp};
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::{AbortHandle, Abortable, LocalBoxFuture};
use futures::{FutureExt, StreamExt};
use kitchen_assistant::driver::{Clock, Driver, Input, ModelClient, OnEvent, OutsideTool, Shown};
use store::records::Record;
use store::sessions::Conversation;
use store::settings::Preferences;
use view::View;
use view::activity::history::Held;
use view::backup::{Handed, Told};
use view::command::Command;
use view::conversation::{Turn, TurnBody};
use view::scene::{Cause, Proxy, Scene, Storage, StoreTask};
use wasm_bindgen_futures::spawn_local;

pub(crate) const START_MS: u64 = 1_796_000_000_000;
pub(crate) const MINUTE: u64 = 60_000;
pub(crate) const HOUR: u64 = 60 * MINUTE;
/// One attempt to reach a person: the product's.
pub(crate) const ATTEMPT: u64 = 10 * MINUTE;

/// A model that says what it was told to say, in order; with nothing left to say it says nothing,
/// like a provider that stalls.
#[derive(Clone, Default)]
pub(crate) struct ScriptedModelClient {
    pub(crate) turns: Rc<RefCell<VecDeque<Result<ModelReply, ModelError>>>>,
    pub(crate) heard: Rc<RefCell<Vec<ModelRequest>>>,
}

impl ModelClient for ScriptedModelClient {
    fn call(
        &self,
        _preferences: &Preferences,
        request: &ModelRequest,
        mut on_event: OnEvent,
    ) -> LocalBoxFuture<'static, Result<ModelReply, ModelError>> {
        self.heard.borrow_mut().push(request.clone());
        let turn = self.turns.borrow_mut().pop_front();
        Box::pin(async move {
            let Some(turn) = turn else { return std::future::pending().await };
            for content in turn.iter().flat_map(|reply| &reply.content) {
                if let ReplyContent::Text(text) = content {
                    on_event(ModelEvent::Text(text.clone()));
                }
            }
            turn
        })
    }

    fn offers(&self, _chosen: &str) -> LocalBoxFuture<'static, Proxy> {
        Box::pin(std::future::ready(Proxy::Unreachable))
    }
}

/// What a test looks at of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) shown: Shown,
    pub(crate) now: Timestamp,
    pub(crate) has_engine: bool,
    pub(crate) storage: Storage,
    pub(crate) damage: Vec<StoreTask>,
    pub(crate) streaming: bool,
    pub(crate) awaited: bool,
    /// Requests whose outcome was called unknown, and the latest step about each.
    pub(crate) unknown: Vec<(RequestId, Option<Resolution>)>,
    pub(crate) cards: Vec<ApprovalRequest>,
    pub(crate) always: Vec<StandingApprovalId>,
    pub(crate) list: Vec<(String, String)>,
    pub(crate) texts: Vec<String>,
    /// What is told of handoffs.
    pub(crate) handed_over: Vec<&'static str>,
    /// The agent whose card is shown.
    pub(crate) who_asks: Option<&'static str>,
    pub(crate) problems: Vec<Cause>,
    pub(crate) numbers: Vec<usize>,
    pub(crate) records: Vec<Record>,
    /// The items of the calls that records are about.
    pub(crate) words: Vec<String>,
    pub(crate) broken: bool,
    /// A file to be saved.
    pub(crate) export: Option<String>,
    /// What came of a copy, as it is told.
    pub(crate) told: Option<Told>,
    pub(crate) changes: Vec<kitchen::Change>,
    pub(crate) conversations: Vec<Conversation>,
    pub(crate) decided_elsewhere: Vec<RequestId>,
}

pub(crate) fn item(held: &Held) -> Option<String> {
    Some(held.call.as_ref()?.arguments.get("item")?.as_str()?.to_owned())
}

fn handed_over(turn: &Turn) -> Option<&'static str> {
    match &turn.body {
        TurnBody::HandedOver(to) => Some(to),
        TurnBody::Person(_)
        | TurnBody::Assistant(_)
        | TurnBody::Receipt(_)
        | TurnBody::Notice(_) => None,
    }
}

impl Seen {
    pub(crate) fn of(scene: &Scene<'_>, shown: Shown) -> Self {
        let texts = scene.session.messages().iter().flat_map(|message| match &message.body {
            Body::Person(text) => vec![format!("person: {text}")],
            Body::Assistant(content) => content
                .iter()
                .filter_map(|content| match content {
                    Content::Text(text) => Some(format!("assistant: {text}")),
                    Content::Call(_) | Content::Opaque(_) => None,
                })
                .collect(),
            Body::Result(result) => vec![format!("result: {}", result.text)],
            Body::Note(text) => vec![format!("note: {text}")],
        });
        let view = View::of(scene);
        Self {
            shown,
            now: scene.now,
            has_engine: scene.engine.is_some(),
            storage: scene.storage.clone(),
            damage: scene.damage.iter().map(|it| it.task).collect(),
            streaming: scene.streaming.is_some(),
            awaited: !scene.awaited.is_empty(),
            unknown: scene
                .session
                .called_unknown()
                .map(|(request, _)| (request.clone(), scene.session.resolution(request)))
                .collect(),
            // As a page shows them: none before it can act.
            cards: scene
                .session
                .open_requests()
                .filter(|_| scene.engine.is_some())
                .cloned()
                .collect(),
            always: scene.session.standing_approvals().iter().map(|it| it.id.clone()).collect(),
            list: scene
                .household
                .shopping
                .iter()
                .map(|line| (line.item.clone(), line.quantity.clone()))
                .collect(),
            texts: texts.collect(),
            handed_over: view.turns.iter().filter_map(handed_over).collect(),
            who_asks: view.card.map(|card| card.agent),
            numbers: scene.problems.iter().map(|problem| problem.number).collect(),
            problems: scene.problems.iter().map(|problem| problem.cause.clone()).collect(),
            words: scene.history.held().filter_map(item).collect(),
            broken: scene.history.broken().is_some(),
            export: scene.handed.and_then(|handed| match &**handed {
                Handed::Records(text) | Handed::Copy(text, _) => Some(text.clone()),
                Handed::Told(_) => None,
            }),
            told: scene.handed.and_then(|handed| match &**handed {
                Handed::Records(_) => None,
                Handed::Copy(_, told) | Handed::Told(told) => Some(told.clone()),
            }),
            records: scene.history.held().filter_map(|it| it.record().cloned()).collect(),
            changes: scene.changes.to_vec(),
            conversations: scene.conversations.to_vec(),
            decided_elsewhere: scene.decided_elsewhere.to_vec(),
        }
    }

    /// Whether the assistant said this.
    pub(crate) fn said(&self, text: &str) -> bool {
        self.texts.contains(&format!("assistant: {text}"))
    }

    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.records
            .iter()
            .filter_map(|record| match record {
                Record::Decision(decision) => Some(decision.outcome),
                Record::Execution(_) | Record::Resolution(_) => None,
            })
            .collect()
    }

    /// How many calls ran.
    pub(crate) fn executions(&self) -> usize {
        self.executions_that(ExecutionOutcome::Ran)
    }

    /// How many executions came to this.
    pub(crate) fn executions_that(&self, outcome: ExecutionOutcome) -> usize {
        let came_to =
            |record: &&Record| matches!(record, Record::Execution(it) if it.outcome == outcome);
        self.records.iter().filter(came_to).count()
    }
}

/// Clocks that go at their own pace and jump when they are told to.
#[derive(Clone, Default)]
pub(crate) struct JumpingClock {
    pub(crate) wall_ms: Rc<Cell<i64>>,
    pub(crate) monotonic_ms: Rc<Cell<u64>>,
}

impl JumpingClock {
    pub(crate) fn clock(&self) -> Clock {
        let clock = self.clone();
        Clock::new(move || {
            let performance = web_sys::window().unwrap().performance().unwrap();
            let passed = performance.now() as u64;
            Reading {
                wall: Timestamp((START_MS + passed).saturating_add_signed(clock.wall_ms.get())),
                monotonic_ms: passed + clock.monotonic_ms.get(),
            }
        })
    }

    /// Both clocks go on by this.
    pub(crate) fn pass(&self, ms: u64) {
        self.set(i64::try_from(ms).unwrap());
        self.monotonic_ms.set(self.monotonic_ms.get() + ms);
    }

    /// The wall clock alone is set, or went on while the machine slept.
    pub(crate) fn set(&self, ms: i64) {
        self.wall_ms.set(self.wall_ms.get() + ms);
    }
}

/// An open page without its screen.
pub(crate) struct Page {
    pub(crate) inbox: UnboundedSender<Input>,
    pub(crate) scenes: UnboundedReceiver<Seen>,
    pub(crate) model: ScriptedModelClient,
    pub(crate) closing: AbortHandle,
    /// The questions of the scene that was last looked at.
    on_screen: Vec<RequestId>,
}

impl Page {
    pub(crate) fn open(store: &'static str, turns: Vec<Result<ModelReply, ModelError>>) -> Self {
        Self::open_by(Clock::of_browser(), store, turns)
    }

    pub(crate) fn open_by(
        clock: Clock,
        store: &'static str,
        turns: Vec<Result<ModelReply, ModelError>>,
    ) -> Self {
        Self::open_with(clock, store, turns, Vec::new())
    }

    pub(crate) fn open_with(
        clock: Clock,
        store: &'static str,
        turns: Vec<Result<ModelReply, ModelError>>,
        outside: Vec<OutsideTool>,
    ) -> Self {
        Self::open_among(clock, store, turns, outside, Vec::new)
    }

    /// A page with more agents than the kitchen's.
    pub(crate) fn open_among(
        clock: Clock,
        store: &'static str,
        turns: Vec<Result<ModelReply, ModelError>>,
        outside: Vec<OutsideTool>,
        agents: fn() -> Vec<Agent>,
    ) -> Self {
        let model = ScriptedModelClient::default();
        model.turns.borrow_mut().extend(turns);
        let (sender, scenes) = unbounded();
        let publish = move |scene: &Scene<'_>, shown: Shown| {
            sender.unbounded_send(Seen::of(scene, shown)).unwrap_or(());
        };
        let (driver, inbox, received) = Driver::new(model.clone(), clock, publish);
        let driver = driver.with_outside(outside).with_agents(agents);
        let (closing, registration) = AbortHandle::new_pair();
        spawn_local(Abortable::new(driver.run(store, received), registration).map(|_| ()));
        Self { inbox, scenes, model, closing, on_screen: Vec::new() }
    }

    pub(crate) fn ask(&self, command: Command) {
        self.inbox.unbounded_send(Input::Command(command, self.on_screen.clone())).unwrap();
    }

    pub(crate) fn say(&self, text: &str) {
        self.ask(Command::Say(text.to_owned()));
    }

    pub(crate) fn answer(&self, card: &ApprovalRequest, answer: Answer) {
        let (request, shown) = (card.id.clone(), card.shown.clone());
        self.ask(Command::Answer(ApprovalResponse { request, shown, answer }));
    }

    /// The first scene of which this holds.
    pub(crate) async fn until(&mut self, holds: impl Fn(&Seen) -> bool) -> Seen {
        loop {
            let seen = self.scenes.next().await.expect("the driver runs");
            self.on_screen = seen.cards.iter().map(|card| card.id.clone()).collect();
            if holds(&seen) {
                return seen;
            }
        }
    }

    pub(crate) async fn card(&mut self) -> ApprovalRequest {
        let seen = self.until(|seen| !seen.cards.is_empty()).await;
        seen.cards[0].clone()
    }

    pub(crate) async fn reply(&mut self, text: &str) -> Seen {
        let text = format!("assistant: {text}");
        self.until(|seen| seen.texts.last() == Some(&text)).await
    }

    /// Gone in the middle of whatever it did.
    pub(crate) fn close(self) {
        self.closing.abort();
    }
}

pub(crate) fn says(text: &str) -> Result<ModelReply, ModelError> {
    Ok(ModelReply {
        content: vec![ReplyContent::Text(text.to_owned())],
        stop: StopReason::EndTurn,
        usage: Usage::default(),
    })
}

pub(crate) fn proposes(quantity: &str) -> Result<ModelReply, ModelError> {
    adds(&format!(r#"{{"item":"eggs","quantity":"{quantity}"}}"#))
}

/// A call with these arguments.
pub(crate) fn adds(arguments: &str) -> Result<ModelReply, ModelError> {
    Ok(ModelReply {
        content: vec![ReplyContent::Call(ProposedCall {
            id: "toolu_1".to_owned(),
            name: "add_to_shopping_list".to_owned(),
            arguments: arguments.to_owned(),
            provider_result: None,
        })],
        stop: StopReason::ToolUse,
        usage: Usage::default(),
    })
}

pub(crate) fn fails(kind: ModelErrorKind) -> Result<ModelReply, ModelError> {
    Err(ModelError { kind, message: "as the script says".to_owned() })
}

pub(crate) fn yes() -> Answer {
    Answer::Approve { always: None }
}

pub(crate) fn eggs(quantity: &str) -> Vec<(String, String)> {
    vec![("eggs".to_owned(), quantity.to_owned())]
}
