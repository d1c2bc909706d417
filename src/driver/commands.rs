//! What the person asked for, turned into events for the loop or work for the store.

use agent::event::Event;
use agent::id::RequestId;
use agent::model::{ModelError, ModelErrorKind};
use kitchen::{ChangeId, Edit};
use store::error::StoreError;
use store::household::Kept;
use store::settings::Preferences;
use view::command::Command;
use view::scene::{Cause, StoreTask};
use wasm_bindgen_futures::spawn_local;

use super::tabs::{Errand, Said, TabMessage};
use super::{Driver, Input, Sent};

impl Driver {
    pub(super) async fn obey(&mut self, command: Command, seen: Vec<RequestId>) {
        match command {
            Command::Say(text) => self.see_to(Errand::Say(Said { text, seen })).await,
            Command::Answer(response) => self.see_to(Errand::Answer(response)).await,
            Command::Revoke(id) => self.see_to(Errand::Revoke(id)).await,
            Command::Resolve(wanted) => self.see_to(Errand::Resolve(wanted)).await,
            Command::Retry(problem) => self.try_again(problem, seen).await,
            Command::Stop => self.see_to(Errand::Stop).await,
            Command::NewConversation => self.begin_anew().await,
            Command::Open(id) => self.open(&id).await,
            Command::Forget(id) => self.forget(&id).await,
            Command::Edit(edit) => self.edit(edit).await,
            Command::Undo(change) => self.undo(change).await,
            Command::Prefer(preferences) => self.prefer(preferences).await,
            Command::ReadRecords => self.read_older_records().await,
            Command::ExportRecords => self.export_records().await,
            Command::KeepCopy => self.keep_copy().await,
            Command::BringIn(wanted) => self.bring_in(&wanted).await,
            Command::Taken => self.handed = None,
            Command::Dismiss(_) => self.save_again().await,
            // These need no engine: they are dealt with before it.
            Command::LoadEngine | Command::CheckProxy => {}
        }
    }

    /// What only the tab that drives the conversation does.
    pub(super) async fn act(&mut self, errand: Errand) {
        match errand {
            Errand::Say(said) => self.say(said).await,
            Errand::Answer(response) => {
                self.happen(Event::Answered { responses: vec![response], text: None }).await;
            }
            Errand::Revoke(id) => self.happen(Event::Revoked(id)).await,
            Errand::Resolve(wanted) => self.resolve(wanted).await,
            Errand::Retry => self.retry().await,
            Errand::Stop => self.stop().await,
        }
    }

    /// A text from a tab that follows may come while the model answers here: it waits for the end.
    /// To a question that was not on the screen it is no answer: it is given back.
    pub(super) async fn say(&mut self, said: Said) {
        if self.call.is_some() {
            return self.later.push_back(said);
        }
        if self.session.open_requests().any(|request| !said.seen.contains(&request.id)) {
            return self.report(Cause::CardCame { unsent: said.text });
        }
        let here = self.session.messages().len();
        self.problems.retain(|problem| {
            let passed = matches!(problem.cause, Cause::Model { unsent: None, .. });
            (!passed || problem.after > here) && problem.cause.unsent() != Some(&*said.text)
        });
        self.sent = Some(Sent { said: said.clone(), before: here });
        self.happen(Event::Said(said.text)).await;
    }

    /// What was not done or not sent is tried once more; anything else goes on. A problem
    /// that is gone was dealt with: what was to be loaded is there, or another press came first.
    async fn try_again(&mut self, problem: Option<usize>, seen: Vec<RequestId>) {
        let Some(number) = problem else { return self.see_to(Errand::Retry).await };
        let Some(at) = self.problems.iter().position(|known| known.number == number) else {
            return;
        };
        match self.problems.remove(at).cause.undone() {
            Some(undone) => Box::pin(self.obey(undone, seen)).await,
            None => self.see_to(Errand::Retry).await,
        }
    }

    /// What failed in the middle goes on.
    async fn retry(&mut self) {
        self.problems.retain(|problem| !matches!(problem.cause, Cause::Model { unsent: None, .. }));
        self.happen(Event::Resumed).await;
    }

    /// A stopped call is a failed one: what it had begun to say is dropped, and it can be tried again.
    async fn stop(&mut self) {
        if self.stop_waiting().await {
            return;
        }
        let Some((_, call)) = self.call.take() else { return };
        call.abort();
        self.streaming = None;
        let error = ModelError { kind: ModelErrorKind::Cancelled, message: String::new() };
        self.happen(Event::ModelFailed(error)).await;
    }

    async fn edit(&mut self, edit: Edit) {
        let Some(store) = &self.store else { return self.cannot_keep() };
        let kept = store.edit(edit, self.clock.now()).await;
        self.settle(kept).await;
    }

    async fn undo(&mut self, change: ChangeId) {
        let Some(store) = &self.store else { return self.cannot_keep() };
        let kept = store.undo(change, self.clock.now()).await;
        self.settle(kept).await;
    }

    async fn settle(&mut self, kept: Result<Result<Kept, String>, StoreError>) {
        match kept {
            Ok(Ok(kept)) => {
                self.keep(kept);
                self.tell(&TabMessage::Kept);
            }
            Ok(Err(why)) => self.report(Cause::Kitchen { why }),
            Err(error) => {
                if error == StoreError::Unanswered {
                    self.reopen().await;
                }
                self.store_failed(StoreTask::ChangeList, error);
            }
        }
    }

    fn cannot_keep(&mut self) {
        self.store_failed(StoreTask::ChangeList, StoreError::Absent);
    }

    async fn prefer(&mut self, preferences: Preferences) {
        let other = self.preferences.provider != preferences.provider;
        self.preferences = preferences;
        if other {
            self.ask_for_offers();
        }
        if let Some(store) = &self.store {
            match store.prefer(&self.preferences).await {
                Ok(()) => {
                    self.note_damage(StoreTask::ReadSettings, None);
                    self.tell(&TabMessage::Preferred);
                }
                Err(error) => self.store_failed(StoreTask::KeepSettings, error),
            }
        }
        // A shorter wait counts at once for what waits already.
        self.look_at_the_clock().await;
    }

    /// Takes a notice away. True if it was kept with the conversation, which is to be kept without it.
    pub(super) fn dismiss(&mut self, number: usize) -> bool {
        let kept = self.trouble();
        self.problems.retain(|problem| problem.number != number);
        self.trouble() != kept
    }

    pub(super) fn ask_for_offers(&mut self) {
        let offers = self.model.offers(&self.preferences.provider);
        let inbox = self.inbox.clone();
        spawn_local(async move {
            let _ = inbox.unbounded_send(Input::Offers(offers.await));
        });
    }
}
