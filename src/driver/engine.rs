//! The part of the driver that acts. It loads when something is first to be done: what was kept is
//! on the screen before that.

use std::mem;

use agent::approval::Policy;
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

    /// Makes the driver able to act, and goes on with what waited for that.
    fn load(driver: &mut Driver) -> LocalBoxFuture<'_, ()> { Box::pin(driver.begin_to_act()) }

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
pub(super) fn of<'a>(engine: &'a mut Option<Engine>, outside: &[OutsideTool]) -> &'a mut Engine {
    engine.get_or_insert_with(|| made(outside))
}

/// The tools of the kitchen and those outside it, and the policy over them.
fn made(outside: &[OutsideTool]) -> Engine {
    // Without a policy that holds nothing may be called; a test in the kitchen holds it.
    let mut policy = kitchen::policy().unwrap_or_else(|_| Policy::closed());
    let mut tools = kitchen::tools();
    for OutsideTool { spec, .. } in outside {
        tools = tools.with_outside(spec.clone());
        policy = policy.with(spec);
    }
    let asked = outside.iter().filter(|tool| tool.check.is_some());
    Engine::of(tools, policy).checking(asked.map(|tool| tool.spec.name.clone()).collect())
}

impl Driver {
    /// Loads the engine for something, and lets the person see that meanwhile.
    async fn load_in_sight(&mut self, said: Option<String>) -> Result<(), NotLoaded> {
        self.loading = Some(said);
        self.publish(Shown::Everything);
        let fetched = in_time(fetch()).await;
        self.loading = None;
        fetched?;
        load(self).await?.await;
        Ok(())
    }

    /// Has the engine loaded while the page goes on: nobody waits for it, and what a person asks for
    /// meanwhile is seen at once.
    fn load_ahead(&mut self) -> Shown {
        if !mem::replace(&mut self.loads_ahead, true) {
            let inbox = self.inbox.clone();
            spawn_local(async move {
                let _ = inbox.unbounded_send(Input::Loaded(in_time(fetch()).await.is_ok()));
            });
        }
        Shown::Words
    }

    /// Acts on what came, once the engine is there.
    pub(super) async fn act_on(&mut self, input: Input) -> Shown {
        if self.engine.is_some() {
            return match take(self, input).await {
                Ok(work) => work.await,
                Err(NotLoaded) => Shown::Everything,
            };
        }
        let said = match &input {
            Input::Command(Command::LoadEngine, _) => return self.load_ahead(),
            Input::Heard(_) | Input::Woken => {
                self.unheard.push(input);
                return self.load_ahead();
            }
            Input::Command(Command::Say(text), _) => Some(text.clone()),
            Input::Command(..)
            | Input::Loaded(_)
            | Input::ModelEvent(..)
            | Input::ModelEnded(..)
            | Input::Attempted(..)
            | Input::Granted(..)
            | Input::Persistence(_)
            | Input::Offers(_)
            | Input::StoreEnded(_)
            | Input::CheckRecords
            | Input::TimePassed => None,
        };
        match self.load_in_sight(said).await {
            Ok(()) => {
                if let Ok(work) = take(self, input).await {
                    work.await;
                }
            }
            Err(NotLoaded) => self.cannot_act(&input),
        }
        // With the engine come the card, and whatever else waited for it.
        Shown::Everything
    }

    /// What was loaded ahead is there, or is not to be had: then whoever asks for something tries
    /// again, and is told.
    pub(super) async fn loaded_ahead(&mut self, is_loaded: bool) {
        self.loads_ahead = false;
        if self.engine.is_some() {
            return;
        }
        if !is_loaded {
            self.give_way();
        } else if let Ok(work) = load(self).await {
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
    pub(super) async fn go_on_with_what_was_left(&mut self) {
        // What may be done about an unknown outcome, and what is known of it since, comes with it.
        let unknown = self.session.called_unknown().next().is_some();
        let waits = unknown || self.session.activity() != Activity::Idle;
        if waits && self.load_in_sight(None).await.is_err() {
            self.cannot_act(&Input::TimePassed);
        }
    }

    /// Tells what was not done because the engine could not be loaded; a text is given back.
    fn cannot_act(&mut self, input: &Input) {
        self.give_way();
        if matches!(input, Input::Granted(..)) {
            return;
        }
        let undone = self.take_undone(input);
        if undone.is_none() {
            self.forget_that_it_was_not_loaded();
        }
        self.report(Cause::NotLoaded { undone });
    }

    /// Leaves the conversation to a tab that can act. What others told is read again with the engine.
    fn give_way(&mut self) {
        if matches!(self.role, Role::Drives(Some(_))) {
            self.role = Role::Follows;
        }
        self.unheard.clear();
        self.gave_way = true;
    }

    /// What was not sent stays, to be tried again.
    fn forget_that_it_was_not_loaded(&mut self) {
        self.problems.retain(|problem| !matches!(problem.cause, Cause::NotLoaded { undone: None }));
    }

    async fn begin_to_act(&mut self) {
        self.engine = Some(made(&self.outside));
        self.forget_that_it_was_not_loaded();
        self.read_records().await;
        if mem::take(&mut self.gave_way) {
            self.take_turn().await;
            self.reload().await;
            self.read_again().await;
            self.refresh_preferences().await;
        }
        self.go_on().await;
        for unheard in mem::take(&mut self.unheard) {
            self.take(unheard).await;
        }
    }
}
