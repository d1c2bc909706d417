//! The part of the driver that acts. It loads when something is first to be done: what was kept is
//! on the screen before that.

use std::mem;
use std::pin::pin;

use agent::approval::Policy;
use agent::model::{ModelError, ModelReply, ModelRequest};
use agent::session::Activity;
use futures::future::{Either, LocalBoxFuture, select};
use gloo_timers::future::TimeoutFuture;
use store::settings::Preferences;
use view::acting::Acting;
use view::command::Command;
use view::scene::Cause;

use super::conversation::Role;
use super::model::{self, OnEvent};
use super::outside::OutsideTool;
use super::{Driver, Input, Shown};
use crate::part::{NotLoaded, part};

/// How long the engine may take to load before it counts as not to be had.
const LOADING_MS_MAX: u32 = 20_000;

part! { engine:
    /// Makes the driver able to act, and goes on with what waited for that.
    fn load(driver: &mut Driver) -> LocalBoxFuture<'_, ()> { Box::pin(driver.equip()) }

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

/// The tools of the kitchen and those outside it, and the policy over them.
pub(super) fn acting(outside: &[OutsideTool]) -> Acting {
    // Without a policy that holds nothing may be called; a test in the kitchen holds it.
    let mut policy = kitchen::policy().unwrap_or_else(|_| Policy::closed());
    let mut tools = kitchen::tools();
    for OutsideTool { spec, .. } in outside {
        tools = tools.with_outside(spec.clone());
        policy = policy.with(spec);
    }
    let asked = outside.iter().filter(|tool| tool.check.is_some());
    Acting::of(tools, policy).checking(asked.map(|tool| tool.spec.name.clone()).collect())
}

impl Driver {
    /// Loads the engine, unless it is there.
    async fn load_engine(&mut self) -> Result<(), NotLoaded> {
        if self.acting.is_none() {
            let late = TimeoutFuture::new(LOADING_MS_MAX);
            match select(pin!(load(self)), late).await {
                Either::Left((loaded, _)) => loaded?.await,
                Either::Right(_) => return Err(NotLoaded),
            }
        }
        Ok(())
    }

    /// Loads the engine, and lets the person see meanwhile that it is being loaded.
    async fn load_in_sight(&mut self, said: Option<String>) -> Result<(), NotLoaded> {
        if self.acting.is_none() {
            self.loading = Some(said);
            self.publish(Shown::Everything);
        }
        let loaded = self.load_engine().await;
        self.loading = None;
        loaded
    }

    /// Acts on what came.
    pub(super) async fn act_on(&mut self, input: Input) -> Shown {
        let acted = self.acting.is_some();
        let loaded = match &input {
            Input::Command(Command::Say(text), _) => self.load_in_sight(Some(text.clone())).await,
            Input::Command(Command::Prepare, _) | Input::Heard(_) | Input::Woken => {
                self.load_engine().await
            }
            Input::Command(..)
            | Input::ModelEvent(..)
            | Input::ModelEnded(..)
            | Input::Attempted(..)
            | Input::Granted(..)
            | Input::Persistence(_)
            | Input::Offers(_)
            | Input::StoreEnded(_)
            | Input::CheckRecords
            | Input::TimePassed => self.load_in_sight(None).await,
        };
        if loaded.is_err() {
            self.cannot_act(&input);
            return Shown::Everything;
        }
        match take(self, input).await {
            // With the engine come the card, and whatever else waited for it.
            Ok(work) if acted => work.await,
            Ok(work) => work.await.max(Shown::Everything),
            Err(NotLoaded) => Shown::Everything,
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

    /// Tells what was not done because the engine could not be loaded; a text is given back. The
    /// conversation is left to a tab that can act. What others told is read again with the engine.
    fn cannot_act(&mut self, input: &Input) {
        if matches!(self.role, Role::Drives(Some(_))) {
            self.role = Role::Follows;
            self.gave_way = true;
        }
        // Whatever is asked for after these two tries again, and tells.
        if matches!(input, Input::Command(Command::Prepare, _) | Input::Woken) {
            return;
        }
        if matches!(input, Input::Heard(_) | Input::Granted(..)) {
            self.gave_way = true;
            return;
        }
        let undone = self.take_undone(input);
        if undone.is_none() {
            self.forget_that_it_was_not_loaded();
        }
        self.report(Cause::NotLoaded { undone });
    }

    /// What was not sent stays, to be tried again.
    fn forget_that_it_was_not_loaded(&mut self) {
        self.problems.retain(|problem| !matches!(problem.cause, Cause::NotLoaded { undone: None }));
    }

    async fn equip(&mut self) {
        self.acting = Some(acting(&self.outside));
        self.forget_that_it_was_not_loaded();
        self.read_records().await;
        if mem::take(&mut self.gave_way) {
            self.take_turn().await;
            self.reload().await;
            self.read_again().await;
            self.refresh_preferences().await;
        }
        self.go_on().await;
    }
}
