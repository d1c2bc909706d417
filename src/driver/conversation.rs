//! Which conversation is open, and whether this tab drives it or follows another that does.

use std::mem;
use std::sync::Arc;

use agent::approval::ApprovalRequest;
use agent::event::Event;
use agent::id::{RequestId, SessionId};
use agent::message::Body;
use agent::session::{Activity, Session};
use store::sessions::Trouble;
use view::scene::{Cause, StoreTask};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::lock::{self, Held};
use super::tabs::{Errand, PassedOn, TabMessage};
use super::{Driver, Input, Shown, entropy};

/// What this tab may do with the open conversation.
pub(super) enum Role {
    /// It goes on with it. Without locks in the browser every tab does, and the store sorts it out.
    Drives(Option<Held>),
    /// Another tab goes on with it; this one shows what was saved.
    Follows,
}

impl Driver {
    /// Goes on with a conversation where it was left: what was under way continues, what waits for
    /// a person goes on waiting, and what failed waits for the person to try again.
    pub(super) async fn open(&mut self, id: &SessionId) {
        if id == self.session.id() {
            return;
        }
        if self.enter(id).await {
            self.go_on().await;
        }
    }

    /// Puts a conversation in the place of the open one, and takes it for this tab if no other has
    /// it. False if it cannot be read.
    pub(super) async fn enter(&mut self, id: &SessionId) -> bool {
        if !self.load(id).await {
            return false;
        }
        self.take_turn().await;
        // The tab that had it may have saved once more before it let go.
        self.load(id).await
    }

    /// Nothing of a new conversation is kept before something is said in it.
    pub(super) async fn begin_anew(&mut self) {
        self.leave();
        self.session = Session::new(SessionId::fresh(entropy::fresh()));
        self.revision = 0;
        self.is_kept = true;
        self.take_turn().await;
    }

    /// Forgets a conversation, here and in every other tab. Where it is open, a new one begins.
    pub(super) async fn forget(&mut self, id: &SessionId) {
        let Some(store) = &self.store else { return };
        match store.forget_session(id).await {
            Ok(()) => {
                self.tell(&TabMessage::Forgotten(id.clone()));
                self.put_away(id).await;
            }
            Err(error) => self.store_failed(StoreTask::ForgetConversation, error),
        }
    }

    pub(super) async fn put_away(&mut self, id: &SessionId) {
        if id == self.session.id() {
            self.begin_anew().await;
        }
        Arc::make_mut(&mut self.history).forget(id);
        self.refresh_conversations().await;
    }

    /// Reads the open conversation again, as another tab has left it. That tab is alive and goes on
    /// with it; doing so here as well would only make the two overtake each other for ever.
    pub(super) async fn reload(&mut self) -> bool {
        let id = self.session.id().clone();
        self.load(&id).await
    }

    /// The browser gave a lock this tab had been waiting for.
    pub(super) async fn granted(&mut self, id: &SessionId, held: Held) {
        // Otherwise another conversation is open by now, and dropping the lock gives it back.
        if id == self.session.id() && matches!(self.role, Role::Follows) {
            self.role = Role::Drives(Some(held));
            self.reload().await;
            self.go_on().await;
            for PassedOn { before, errand, .. } in mem::take(&mut self.passed_on) {
                if self.is_left_to_do(&errand, before) {
                    self.act(errand).await;
                }
            }
        }
    }

    /// Does what a person asked for, or passes it on to the tab that can.
    pub(super) async fn see_to(&mut self, errand: Errand) {
        self.answered_here.extend(errand.answers().iter().cloned());
        match &self.role {
            Role::Drives(_) => self.act(errand).await,
            Role::Follows => {
                let name = entropy::fresh().mint(0);
                let passed_on = PassedOn { name, before: self.session.messages().len(), errand };
                self.tell(&TabMessage::Errand(self.session.id().clone(), passed_on.clone()));
                self.passed_on.push(passed_on);
            }
        }
    }

    pub(super) async fn hear(&mut self, message: JsValue) -> Shown {
        // A message of an older or newer page may not be understood; it reads the store anyway.
        let Ok(message) = serde_wasm_bindgen::from_value(message) else { return Shown::Words };
        let here = self.session.id().clone();
        match message {
            TabMessage::Saved(id, revision) => {
                self.refresh_conversations().await;
                // What this tab saved since, or has read already, is no news.
                if id == here && revision > self.revision {
                    self.reload().await;
                }
            }
            TabMessage::Forgotten(id) => self.put_away(&id).await,
            TabMessage::Kept => self.refresh_household().await,
            TabMessage::Preferred => {
                self.refresh_preferences().await;
                self.look_at_the_clock().await;
            }
            TabMessage::Streaming(id, streaming) => {
                if id == here && matches!(self.role, Role::Follows) {
                    self.streaming = streaming;
                }
                return Shown::Words;
            }
            TabMessage::Errand(id, PassedOn { name, errand, .. }) => {
                if id == here && matches!(self.role, Role::Drives(_)) {
                    let answered = errand.answers().to_vec();
                    self.act(errand).await;
                    self.note_answered_elsewhere(answered);
                    self.tell(&TabMessage::Done(name));
                }
            }
            TabMessage::Done(name) => self.passed_on.retain(|it| it.name != name),
        }
        Shown::Everything
    }

    /// Takes the open conversation for this tab, or waits for it while another tab has it.
    pub(super) async fn take_turn(&mut self) {
        let id = self.session.id().clone();
        let name = format!("{}/{id}", self.name);
        self.role = match lock::try_take(&name).await {
            lock::Grant::Held(held) => Role::Drives(Some(held)),
            lock::Grant::NoLocks => Role::Drives(None),
            lock::Grant::Taken => {
                let inbox = self.inbox.clone();
                spawn_local(async move {
                    if let lock::Grant::Held(held) = lock::take(&name).await {
                        let _ = inbox.unbounded_send(Input::Granted(id, held));
                    }
                });
                Role::Follows
            }
        };
    }

    /// Puts a conversation as it was saved in the place of the open one. False if it cannot be read.
    async fn load(&mut self, id: &SessionId) -> bool {
        let Some(store) = &self.store else { return false };
        let saved = match store.session(id).await {
            Ok(Some(saved)) => saved,
            Ok(None) => return false,
            // The damaged rows stay as they are; other conversations are there beside them.
            Err(error) => {
                self.store_failed(StoreTask::OpenConversation, error);
                return false;
            }
        };
        if id == self.session.id() {
            self.stop_listening();
            self.note_decided_elsewhere(&saved.session);
            self.note_changed(&saved.session);
        } else {
            self.leave();
        }
        self.session = saved.session;
        self.revision = saved.revision;
        self.is_kept = true;
        self.problems.retain(|problem| !matches!(problem.cause, Cause::Model { .. }));
        if let Some(Trouble { error, unsent }) = saved.trouble {
            self.report(Cause::Model { error, unsent });
        }
        true
    }

    pub(super) async fn go_on(&mut self) {
        if matches!(self.role, Role::Follows) {
            return;
        }
        self.learn_what_is_known().await;
        if self.stands_at_a_failure() {
            return;
        }
        match self.session.activity() {
            Activity::AwaitingModel
            | Activity::RecordingDecisions
            | Activity::RunningTools
            | Activity::Interrupted => self.happen(Event::Resumed).await,
            Activity::AwaitingPerson if !self.can_ask() => {
                self.happen(Event::InputUnavailable).await;
            }
            // The wait went on while nobody looked.
            Activity::AwaitingPerson => self.look_at_the_clock().await,
            Activity::Idle => {}
        }
    }

    /// Whether the tab that is gone had not dealt with something passed on to it.
    fn is_left_to_do(&self, errand: &Errand, before: usize) -> bool {
        match errand {
            Errand::Say(said) => !self.was_said(&said.text, before),
            Errand::Answer(response) => {
                self.session.open_requests().any(|request| request.id == response.request)
            }
            Errand::Retry => self.session.activity() == Activity::Interrupted,
            // One that was dealt with does not count a second time.
            Errand::Revoke(_) | Errand::Resolve(_) => true,
            Errand::Stop => false,
        }
    }

    /// Whether a text stands in the transcript, after the first `before` messages.
    pub(super) fn was_said(&self, text: &str, before: usize) -> bool {
        let mut later = self.session.messages().iter().skip(before);
        later.any(|it| matches!(&it.body, Body::Person(said) if said == text))
    }

    /// Leaves the open conversation as it was last saved. A call of the model that is under way is
    /// made again when someone comes back to it.
    pub(super) fn leave(&mut self) {
        self.stop_listening();
        self.role = Role::Follows;
        self.sent = None;
        self.passed_on.clear();
        self.later.clear();
        // What was not sent because the model failed is kept with its conversation; any other text
        // is nowhere else.
        self.problems
            .retain(|it| it.cause.unsent().is_some() && !matches!(it.cause, Cause::Model { .. }));
        self.problems.iter_mut().for_each(|it| it.after = 0);
    }

    pub(super) fn stop_listening(&mut self) {
        if let Some((_, call)) = self.call.take() {
            call.abort();
        }
        self.streaming = None;
    }

    /// Questions that were open here and are not any more, without an answer from this tab.
    fn note_decided_elsewhere(&mut self, now: &Session) {
        let open = |session: &Session| -> Vec<RequestId> {
            session.open_requests().map(|request| request.id.clone()).collect()
        };
        let still = open(now);
        let gone = open(&self.session).into_iter().filter(|request| !still.contains(request));
        let elsewhere = gone.filter(|request| !self.answered_here.contains(request));
        self.decided_elsewhere.extend(elsewhere);
    }

    /// What another tab's person was passed on for, and is not open any more.
    fn note_answered_elsewhere(&mut self, answered: Vec<RequestId>) {
        let open = |it: &RequestId| self.session.open_requests().any(|request| request.id == *it);
        let closed: Vec<_> = answered.into_iter().filter(|it| !open(it)).collect();
        self.decided_elsewhere.extend(closed);
    }

    /// A card that is open here and is another one in what was saved.
    fn note_changed(&mut self, now: &Session) {
        let changed = |card: &ApprovalRequest| {
            now.open_requests().any(|other| other.id == card.id && other.shown != card.shown)
        };
        if self.session.open_requests().any(changed) {
            self.report(Cause::CardChanged);
        }
    }
}
