//! Owns the conversation. One inbox, one `match` on [`Effect`], one file for each kind of effect.
//!
//! Everything that happens arrives in the inbox and is handled to its end before the next: a click,
//! a streamed word and an answer of the store can never meet half-way.

mod alarm;
mod backup;
mod clock;
mod commands;
mod conversation;
mod effects;
mod engine;
mod entropy;
mod input;
mod lock;
mod marker;
mod model;
mod outside;
mod persistence;
mod records;
mod start;
mod tabs;

pub use clock::Clock;
pub use input::{CallNumber, Input, Shown};
pub use model::{HttpModelClient, ModelClient, OnEvent};
pub use outside::{FarSide, OutsideTool};

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use agent::effect::Effect;
use agent::event::Event;
use agent::handoff::Agent;
use agent::id::{RequestId, SessionId};
use agent::model::ModelEvent;
use agent::session::{Context, Session};
use agent::settings::Settings;
use conversation::Role;
use effects::Next;
use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::AbortHandle;
use gloo_timers::callback::Timeout;
use kitchen::{Change, Household};
use store::Store;
use store::chain::Head;
use store::sessions::Conversation;
use store::settings::Preferences;
use tabs::{Errand, PassedOn, Said, TabMessage, Tabs};
use view::activity::history::History;
use view::backup::Handed;
use view::command::Command;
use view::engine::Engine;
use view::scene::{Cause, Damage, Problem, Proxy, Scene, Storage, Streaming};

use crate::database::IndexedDb;
use crate::stopped::is_stopped;

/// How many changes the page holds at hand.
const RECENT: u32 = 500;

/// Is told whenever the person may see something new.
type Publish = Box<dyn FnMut(&Scene<'_>, Shown)>;

/// Owns the conversation and everything the page holds.
pub struct Driver {
    model: Box<dyn ModelClient>,
    publish: Publish,
    inbox: UnboundedSender<Input>,
    /// There once the engine is.
    engine: Option<Engine>,
    /// The tools whose effect is outside the household.
    outside: Vec<OutsideTool>,
    /// The agents beside the kitchen's.
    others: fn() -> Vec<Agent>,
    /// Answers from there that are waited for.
    awaited: Vec<outside::Awaited>,
    /// The engine is being loaded.
    is_loading: bool,
    /// Somebody waits for that.
    is_waited_for: bool,
    /// What came meanwhile.
    waiting: Vec<Input>,
    /// The lock on the open conversation was given back, because without the engine this tab would
    /// only have kept it from others.
    gave_way: bool,
    digest_key: [u8; 32],
    name: String,
    store: Option<Store<IndexedDb>>,
    tabs: Option<Tabs>,
    role: Role,
    session: Session,
    revision: u64,
    /// Whether the open conversation was kept when it was last to be.
    is_kept: bool,
    answered_here: Vec<RequestId>,
    decided_elsewhere: Vec<RequestId>,
    conversations: Vec<Conversation>,
    household: Household,
    changes: Vec<Change>,
    history: Arc<History>,
    /// Where the records end that were not checked yet, while there are any.
    unchecked: Option<Head>,
    /// What a part of the page asked for, until it takes it.
    handed: Option<Arc<Handed>>,
    problems: Vec<Problem>,
    problems_seen: usize,
    storage: Storage,
    damage: Vec<Damage>,
    proxy: Proxy,
    preferences: Preferences,
    streaming: Option<Streaming>,
    /// What the other tabs know of it.
    streaming_told: Option<Streaming>,
    call: Option<(CallNumber, AbortHandle)>,
    calls: u64,
    sent: Option<Sent>,
    passed_on: Vec<PassedOn>,
    /// Texts to say once the model has answered.
    later: VecDeque<Said>,
    asked_for_persistence: bool,
    /// Another tab saved the open conversation since this one read it.
    overtaken: bool,
    clock: Clock,
    alarm: Option<Timeout>,
    waking: Option<alarm::Waking>,
}

/// A text on its way: if the first model call fails the loop takes it back, and the page keeps it.
struct Sent {
    said: Said,
    /// How many messages there were before it.
    before: usize,
}

impl Driver {
    /// A driver that nothing has happened to yet, and the way to its inbox. `publish` is called
    /// whenever the person may see something new.
    pub fn new(
        model: impl ModelClient + 'static,
        clock: Clock,
        publish: impl FnMut(&Scene<'_>, Shown) + 'static,
    ) -> (Self, UnboundedSender<Input>, UnboundedReceiver<Input>) {
        let (inbox, received) = unbounded();
        let driver = Self {
            model: Box::new(model),
            publish: Box::new(publish),
            inbox: inbox.clone(),
            engine: None,
            outside: Vec::new(),
            others: Vec::new,
            awaited: Vec::new(),
            is_loading: false,
            is_waited_for: false,
            waiting: Vec::new(),
            gave_way: false,
            digest_key: entropy::bytes(),
            name: String::new(),
            store: None,
            tabs: None,
            role: Role::Drives(None),
            session: Session::new(SessionId::fresh(entropy::fresh())),
            revision: 0,
            is_kept: true,
            answered_here: Vec::new(),
            decided_elsewhere: Vec::new(),
            conversations: Vec::new(),
            household: Household::default(),
            changes: Vec::new(),
            history: Arc::default(),
            unchecked: None,
            handed: None,
            problems: Vec::new(),
            problems_seen: 0,
            storage: Storage::Opening,
            damage: Vec::new(),
            proxy: Proxy::Asking,
            preferences: Preferences::default(),
            streaming: None,
            streaming_told: None,
            call: None,
            calls: 0,
            sent: None,
            passed_on: Vec::new(),
            later: VecDeque::new(),
            asked_for_persistence: false,
            overtaken: false,
            clock,
            alarm: None,
            waking: None,
        };
        (driver, inbox, received)
    }

    /// Opens the store of that name, goes on where the last visit ended, and then deals with
    /// whatever comes until the page is gone.
    pub async fn run(mut self, store: &str, mut received: UnboundedReceiver<Input>) {
        self.waking = Some(alarm::Waking::listen(self.inbox.clone()));
        self.publish(Shown::Everything);
        self.ask_for_offers();
        self.start(store).await;
        // Whom the last visit chose is known only now.
        if self.preferences.provider != Preferences::default().provider {
            self.ask_for_offers();
        }
        self.publish(Shown::Everything);
        self.go_on_with_what_was_left();
        self.publish(Shown::Everything);
        while let Some(input) = received.next().await {
            if is_stopped() {
                return;
            }
            // What has come meanwhile is shown in one go: a fast stream does not repaint per word.
            let mut shown = self.receive(input).await;
            while !is_stopped()
                && let Ok(input) = received.try_recv()
            {
                shown = shown.max(self.receive(input).await);
            }
            self.publish(shown);
        }
    }

    /// Takes what came. Whatever acts is the engine's, which is loaded for it.
    async fn receive(&mut self, input: Input) -> Shown {
        match input {
            Input::Persistence(persistent) => {
                if matches!(self.storage, Storage::Open { .. }) {
                    self.storage = Storage::Open { persistent };
                }
            }
            Input::Offers(proxy) => self.proxy = proxy,
            Input::Loaded(is_loaded) => self.engine_loaded(is_loaded).await,
            Input::StoreEnded(ended) => self.store_ended(ended).await,
            Input::Command(Command::CheckProxy, _) => self.ask_for_offers(),
            Input::Command(Command::Dismiss(number), _) if !self.dismiss(number) => {}
            Input::TimePassed if !self.somebody_is_asked() => {}
            Input::Command(..)
            | Input::ModelEvent(..)
            | Input::ModelEnded(..)
            | Input::Attempted(..)
            | Input::Heard(_)
            | Input::Granted(..)
            | Input::Woken
            | Input::CheckRecords
            | Input::TimePassed => {
                return self.act_on(input).await;
            }
        }
        Shown::Everything
    }

    async fn take(&mut self, input: Input) -> Shown {
        let shown = self.deal_with(input).await;
        if mem::take(&mut self.overtaken) {
            self.catch_up().await;
        }
        while self.call.is_none()
            && let Some(said) = self.later.pop_front()
        {
            self.see_to(Errand::Say(said)).await;
        }
        self.tell_streaming();
        shown
    }

    /// Goes on from what another tab saved. A text that was on its way is said after it, once: if
    /// that tab is first again, the text is given back.
    async fn catch_up(&mut self) {
        let unsaid = self.sent.take();
        let is_read = self.reload().await;
        let Some(sent) = unsaid.filter(|sent| !self.was_said(&sent.said.text, sent.before)) else {
            return;
        };
        if is_read {
            self.see_to(Errand::Say(sent.said.clone())).await;
        }
        if !is_read || mem::take(&mut self.overtaken) {
            self.sent = None;
            self.reload().await;
            self.report(Cause::Overtaken { unsent: sent.said.text });
        }
    }

    async fn deal_with(&mut self, input: Input) -> Shown {
        match input {
            Input::Command(command, seen) => self.obey(command, seen).await,
            Input::ModelEvent(number, event) => {
                if self.is_current(number) {
                    self.stream(event);
                }
                return Shown::Words;
            }
            Input::ModelEnded(number, ended) => {
                if self.is_current(number) {
                    self.call = None;
                    self.streaming = None;
                    self.happen(match ended {
                        Ok(reply) => Event::ModelReplied(reply),
                        Err(error) => Event::ModelFailed(error),
                    })
                    .await;
                }
            }
            Input::Attempted(request, outcome) => self.attempted(&request, outcome).await,
            Input::Heard(message) => return self.hear(message).await,
            Input::Granted(id, held) => self.granted(&id, held).await,
            Input::CheckRecords => return self.check_older_records().await,
            Input::TimePassed => self.look_at_the_clock().await,
            Input::Woken => {
                self.read_again().await;
                self.look_at_the_clock().await;
            }
            Input::Persistence(_) | Input::Offers(_) | Input::Loaded(_) | Input::StoreEnded(_) => {}
        }
        Shown::Everything
    }

    /// Steps the session with an event, and with every event its effects bring.
    async fn happen(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for effect in self.step(event) {
                if is_stopped() {
                    return;
                }
                match self.carry_out(effect).await {
                    Next::Nothing => {}
                    Next::Event(event) => events.push_back(event),
                    Next::Overtaken => {
                        self.overtaken = true;
                        return;
                    }
                }
            }
        }
    }

    fn step(&mut self, event: Event) -> Vec<Effect> {
        let wait = self.wait();
        let engine = engine::of(&mut self.engine, &self.outside, self.others);
        let settings = Settings {
            policy: engine.policy().clone(),
            one_at_a_time: self.preferences.one_at_a_time,
            ..Settings::product()
        }
        .waiting(wait);
        let context = Context {
            now: self.clock.now(),
            entropy: entropy::fresh(),
            tools: engine.specs(),
            rules: &[],
            settings: &settings,
            agents: engine.agents(),
            digest_key: &self.digest_key,
        };
        self.session.step(event, &context)
    }

    fn is_current(&self, number: CallNumber) -> bool {
        self.call.as_ref().is_some_and(|(current, _)| *current == number)
    }

    fn stream(&mut self, event: ModelEvent) {
        let streaming = self.streaming.get_or_insert_default();
        match event {
            ModelEvent::Text(words) => streaming.text.push_str(&words),
            ModelEvent::CallStarted { name } => streaming.calls.push(name),
            ModelEvent::Restarted => *streaming = Streaming::default(),
        }
    }

    fn report(&mut self, cause: Cause) {
        self.problems_seen += 1;
        self.problems.push(Problem {
            number: self.problems_seen,
            after: self.session.messages().len(),
            cause,
        });
    }

    /// Lets the tabs that follow read along.
    fn tell_streaming(&mut self) {
        if matches!(self.role, Role::Drives(_)) && self.streaming != self.streaming_told {
            self.streaming_told.clone_from(&self.streaming);
            let id = self.session.id().clone();
            self.tell(&TabMessage::Streaming(id, self.streaming.clone()));
        }
    }

    fn publish(&mut self, shown: Shown) {
        let now = self.clock.now();
        self.set_alarm(now);
        let awaited: Vec<_> = self.awaited.iter().map(|it| it.request.clone()).collect();
        let said: Vec<_> = self.waiting.iter().filter_map(Input::text).collect();
        let scene = Scene {
            session: &self.session,
            conversations: &self.conversations,
            decided_elsewhere: &self.decided_elsewhere,
            follows: matches!(self.role, Role::Follows),
            awaited: &awaited,
            streaming: self.streaming.as_ref(),
            household: &self.household,
            engine: self.engine.as_ref(),
            loading: self.is_waited_for.then_some(&said),
            changes: &self.changes,
            problems: &self.problems,
            history: &self.history,
            handed: self.handed.as_ref(),
            storage: &self.storage,
            damage: &self.damage,
            proxy: &self.proxy,
            preferences: &self.preferences,
            wait: self.wait(),
            now,
        };
        (self.publish)(&scene, shown);
    }
}
