//! The part of the driver that acts. It loads when something is first to be done: what was kept is
//! on the screen before that.

use agent::approval::Policy;
use agent::model::{ModelError, ModelReply, ModelRequest};
use agent::session::Activity;
use futures::future::LocalBoxFuture;
use store::settings::Preferences;
use view::acting::Acting;
use view::command::Command;
use view::scene::Cause;

use super::model::{self, OnEvent};
use super::{Driver, Input, Shown};
use crate::part::{NotLoaded, part};

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

/// The tools of the kitchen and the policy over them.
pub(super) fn acting() -> Acting {
    // Without a policy that holds nothing may be called; a test in the kitchen holds it.
    Acting::of(kitchen::tools(), kitchen::policy().unwrap_or_else(|_| Policy::closed()))
}

impl Driver {
    /// Loads the engine, unless it is there.
    pub(super) async fn load_engine(&mut self) -> Result<(), NotLoaded> {
        if self.acting.is_none() {
            load(self).await?.await;
        }
        Ok(())
    }

    /// What needs no engine is on the screen. What was left unfinished, and a question that waits,
    /// need it at once.
    pub(super) async fn go_on_with_what_was_left(&mut self) {
        if self.session.activity() == Activity::Idle {
            return;
        }
        if self.load_engine().await.is_err() {
            self.cannot_act(Input::TimePassed);
        }
    }

    /// Tells what was not done because the engine could not be loaded; a text is given back.
    pub(super) fn cannot_act(&mut self, input: Input) {
        match input {
            Input::Command(Command::Say(text)) => {
                self.report(Cause::NotLoaded { unsent: Some(text) });
            }
            Input::Heard(_) | Input::Granted(..) => self.held_back.push(input),
            // Whatever is then asked for tries again, and tells.
            Input::Command(Command::Prepare) | Input::Woken => {}
            Input::Command(_)
            | Input::ModelEvent(..)
            | Input::ModelEnded(..)
            | Input::Persistence(_)
            | Input::Offers(_)
            | Input::StoreEnded(_)
            | Input::TimePassed => {
                self.forget_that_it_was_not_loaded();
                self.report(Cause::NotLoaded { unsent: None });
            }
        }
    }

    /// What was not sent stays, to be tried again.
    fn forget_that_it_was_not_loaded(&mut self) {
        self.problems.retain(|problem| !matches!(problem.cause, Cause::NotLoaded { unsent: None }));
    }

    async fn equip(&mut self) {
        self.acting = Some(acting());
        self.forget_that_it_was_not_loaded();
        self.read_records().await;
        self.go_on().await;
        for input in std::mem::take(&mut self.held_back) {
            self.take(input).await;
        }
    }
}
