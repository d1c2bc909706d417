//! The part of the driver that acts. It loads when something is first to be done: what was kept is
//! on the screen before that.

use std::mem;

use agent::approval::Policy;
use agent::handoff::Agent;
use agent::model::{ModelError, ModelReply, ModelRequest};
use agent::session::Activity;
use futures::future::LocalBoxFuture;
use store::settings::Preferences;
use view::command::Command;
use view::engine::Engine;
use view::scene::Cause;
use wasm_bindgen_futures::spawn_local;

use super::conversation::Role;
use super::model::{self, OnEvent};
use super::outside::OutsideTool;
use super::{Driver, Input, Shown};
use crate::part::{NotLoaded, in_time, part};

part! { engine:
    /// Only has the engine loaded.
    fn fetch() -> () { () }

    /// Makes the driver able to act, and deals with what waited for that.
    fn begin(driver: &mut Driver, waiting: Vec<Input>) -> LocalBoxFuture<'_, ()> {
        Box::pin(driver.begin_to_act(waiting))
    }

    /// Deals with what came.
    fn take(driver: &mut Driver, input: Input) -> LocalBoxFuture<'_, Shown> {
        Box::pin(driver.take(input))
    }

    /// Asks the model through the proxy.
    fn ask_model(
        preferences: Preferences,
        request: ModelRequest,
        on_event: OnEvent
    ) -> LocalBoxFuture<'static, Result<ModelReply, ModelError>> {
        Box::pin(model::ask(preferences, request, on_event))
    }
}

/// The engine, which is made when it is first needed.
pub(super) fn of<'a>(
    engine: &'a mut Option<Engine>,
    outside: &[OutsideTool],
    others: fn() -> Vec<Agent>,
) -> &'a mut Engine {
    engine.get_or_insert_with(|| made(outside, others()))
}

/// The tools of the kitchen and those outside it, the policy over them, and the agents that have
/// them. What is no other agent's is the kitchen's.
fn made(outside: &[OutsideTool], others: Vec<Agent>) -> Engine {
    // Without a policy that holds nothing may be called; a test in the kitchen holds it.
    let mut policy = kitchen::policy().unwrap_or_else(|_| Policy::closed());
    let mut tools = kitchen::tools();
    let mut kitchen = kitchen::agent();
    for OutsideTool { spec, .. } in outside {
        if !others.iter().any(|agent| agent.has(&spec.name)) {
            kitchen.tools.push(spec.name.clone());
        }
        tools = tools.with_outside(spec.clone());
        policy = policy.with(spec);
    }
    let asked = outside.iter().filter(|tool| tool.check.is_some());
    let agents = [kitchen].into_iter().chain(others).collect();
    Engine::of(tools, policy)
        .serving(agents)
        .checking(asked.map(|tool| tool.spec.name.clone()).collect())
}

impl Driver {
    /// The same driver with more agents than the kitchen's, which begins. The page has none yet.
    #[must_use]
    pub fn with_agents(mut self, others: fn() -> Vec<Agent>) -> Self {
        self.others = others;
        self
    }

    /// Acts on what came. Until the engine is there it waits its turn, and the page goes on: whatever
    /// a person asks for meanwhile is seen at once.
    pub(super) async fn act_on(&mut self, input: Input) -> Shown {
        if self.engine.is_some() {
            return match take(self, input).await {
                Ok(work) => work.await,
                Err(NotLoaded) => Shown::Everything,
            };
        }
        match input {
            Input::Command(Command::LoadEngine, _) => self.load_engine(),
            Input::Heard(_) | Input::Woken | Input::Granted(..) => {
                self.waiting.push(input);
                self.load_engine();
            }
            Input::Command(..)
            | Input::Loaded(_)
            | Input::ModelEvent(..)
            | Input::ModelEnded(..)
            | Input::Attempted(..)
            | Input::Persistence(_)
            | Input::Offers(_)
            | Input::StoreEnded(_)
            | Input::CheckRecords
            | Input::TimePassed => {
                self.waiting.push(input);
                self.load_engine_in_sight();
                return Shown::Everything;
            }
        }
        Shown::Words
    }

    fn load_engine(&mut self) {
        if !mem::replace(&mut self.is_loading, true) {
            let inbox = self.inbox.clone();
            spawn_local(async move {
                let _ = inbox.unbounded_send(Input::Loaded(in_time(fetch()).await.is_ok()));
            });
        }
    }

    /// Somebody waits for it, sees that, and is told if it cannot be had.
    fn load_engine_in_sight(&mut self) {
        self.is_waited_for = true;
        self.load_engine();
    }

    /// The engine is there and deals with what waited for it, or is not to be had.
    pub(super) async fn engine_loaded(&mut self, is_loaded: bool) {
        self.is_loading = false;
        let is_waited_for = mem::take(&mut self.is_waited_for);
        let waiting = mem::take(&mut self.waiting);
        if !is_loaded {
            self.cannot_act(&waiting, is_waited_for);
        } else if let Ok(work) = begin(self, waiting).await {
            work.await;
        }
    }

    /// What the person asked for, if that is what came: of a second try, what was tried before. An
    /// answer is not among it: it is given to what is on the screen, and then the engine is there.
    fn take_undone(&mut self, input: &Input) -> Option<Command> {
        let Input::Command(command, _) = input else { return None };
        if let Command::Retry(Some(number)) = command {
            let at = self.problems.iter().position(|it| it.number == *number)?;
            return self.problems.remove(at).cause.undone();
        }
        let again = !matches!(command, Command::Retry(_) | Command::Stop | Command::Answer(_));
        again.then(|| command.clone())
    }

    /// What needs no engine is on the screen. What was left unfinished, and a question that waits,
    /// need it at once.
    pub(super) fn go_on_with_what_was_left(&mut self) {
        // What may be done about an unknown outcome, and what is known of it since, comes with it.
        let unknown = self.session.called_unknown().next().is_some();
        if unknown || self.session.activity() != Activity::Idle {
            self.load_engine_in_sight();
        }
    }

    /// Tells what was not done because the engine could not be loaded; a text is given back. The
    /// conversation is left to a tab that can act, and what others told is read again with the
    /// engine.
    fn cannot_act(&mut self, waiting: &[Input], is_waited_for: bool) {
        if matches!(self.role, Role::Drives(Some(_))) {
            self.role = Role::Follows;
        }
        self.gave_way = true;
        let undone: Vec<_> = waiting.iter().filter_map(|input| self.take_undone(input)).collect();
        if is_waited_for && undone.is_empty() {
            self.forget_that_it_was_not_loaded();
            self.report(Cause::NotLoaded { undone: None });
        }
        for command in undone {
            self.report(Cause::NotLoaded { undone: Some(command) });
        }
    }

    /// What was not sent stays, to be tried again.
    fn forget_that_it_was_not_loaded(&mut self) {
        self.problems.retain(|problem| !matches!(problem.cause, Cause::NotLoaded { undone: None }));
    }

    async fn begin_to_act(&mut self, waiting: Vec<Input>) {
        self.engine = Some(made(&self.outside, (self.others)()));
        self.forget_that_it_was_not_loaded();
        self.read_records().await;
        if mem::take(&mut self.gave_way) {
            self.take_turn().await;
            self.reload().await;
            self.read_again().await;
            self.refresh_preferences().await;
        }
        self.go_on().await;
        for input in waiting {
            self.take(input).await;
        }
    }
}
