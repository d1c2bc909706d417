//! How a visit begins: the store opens, and the last conversation goes on.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;

use agent::id::SessionId;
use agent::session::Session;
use futures::channel::oneshot;
use futures::future::{Either, select};
use kitchen::Household;
use store::Store;
use store::error::StoreError;
use view::scene::{Cause, Storage, StoreTask};

use super::conversation::Role;
use super::tabs::Tabs;
use super::{Driver, Input, RECENT, Shown, entropy, marker, persistence};
use crate::database::{Ended, IndexedDb, Listener};

impl Driver {
    pub(super) async fn start(&mut self, name: &str) {
        self.name = name.to_owned();
        let inbox = self.inbox.clone();
        self.tabs = Tabs::open(name, move |message| {
            let _ = inbox.unbounded_send(Input::Heard(message));
        });
        match self.read(name).await {
            Ok(store) => {
                self.store = Some(store);
                self.storage = Storage::Open { persistent: persistence::is_promised().await };
                match self.conversations.first() {
                    Some(latest) => {
                        self.enter(&latest.id.clone()).await;
                    }
                    None => self.begin_anew().await,
                }
                self.say_if_emptied().await;
            }
            Err(error) => {
                self.storage = Storage::Unavailable;
                self.store_failed(StoreTask::Open, &error);
            }
        }
    }

    async fn read(&mut self, name: &str) -> Result<Store<IndexedDb>, StoreError> {
        let store = Store::new(self.connect(name).await?);
        self.digest_key = store.digest_key(self.digest_key).await?;
        self.preferences = store.preferences().await?;
        (self.household, self.changes) = store.household(RECENT).await?;
        self.conversations = store.conversations().await?;
        Ok(store)
    }

    /// Opens the database, and says so if it has to wait for other tabs.
    async fn connect(&mut self, name: &str) -> Result<IndexedDb, StoreError> {
        let (blocked, is_blocked) = oneshot::channel();
        let (blocked, inbox) = (RefCell::new(Some(blocked)), self.inbox.clone());
        let listener = Listener {
            blocked: Rc::new(move || {
                // Only the first of several attempts that wait is news.
                if let Some(blocked) = blocked.take() {
                    let _ = blocked.send(());
                }
            }),
            ended: Rc::new(move |ended| {
                let _ = inbox.unbounded_send(Input::StoreEnded(ended));
            }),
        };
        let opening = pin!(IndexedDb::open(name, &listener));
        match select(opening, is_blocked).await {
            Either::Left((opened, _)) => opened,
            Either::Right((_, opening)) => {
                self.storage = Storage::Blocked;
                self.publish(Shown::Everything);
                opening.await
            }
        }
    }

    /// The store cannot be used any more.
    pub(super) async fn store_ended(&mut self, ended: Ended) {
        self.store = None;
        self.stop_listening();
        match ended {
            // The tab with the newer version goes on: it needs the lock of this conversation.
            Ended::Replaced => {
                self.storage = Storage::Replaced;
                self.role = Role::Drives(None);
            }
            // It opens again, with what is left in it.
            Ended::Lost => {
                self.leave();
                // The records are those of what opens; the engine reads them before it acts again.
                self.history = Arc::default();
                self.acting = None;
                self.session = Session::new(SessionId::fresh(entropy::fresh()));
                let name = self.name.clone();
                self.start(&name).await;
                self.go_on_with_what_was_left().await;
            }
        }
    }

    /// Reads again what another tab may have written while this one heard of nothing.
    pub(super) async fn read_again(&mut self) {
        let Some(store) = &self.store else { return };
        match store.revision(self.session.id()).await {
            Ok(Some(revision)) if revision != self.revision => {
                self.reload().await;
            }
            Ok(_) => {}
            Err(error) => self.store_failed(StoreTask::ReadOthers, &error),
        }
        self.refresh_conversations().await;
        self.refresh_household().await;
    }

    /// What was kept at the last visit is not there: the browser cleared it, or somebody did.
    async fn say_if_emptied(&mut self) {
        let Some(store) = &self.store else { return };
        let nothing = self.conversations.is_empty()
            && self.household == Household::default()
            && !store.has_records().await.unwrap_or(true);
        if nothing && marker::take(&self.name) {
            self.report(Cause::Emptied);
        }
    }

    pub(super) async fn refresh_household(&mut self) {
        let Some(store) = &self.store else { return };
        match store.household(RECENT).await {
            Ok(household) => (self.household, self.changes) = household,
            Err(error) => self.store_failed(StoreTask::ReadOthers, &error),
        }
        self.follow_records().await;
    }

    pub(super) async fn refresh_conversations(&mut self) {
        let Some(store) = &self.store else { return };
        match store.conversations().await {
            Ok(conversations) => self.conversations = conversations,
            Err(error) => self.store_failed(StoreTask::ReadOthers, &error),
        }
    }

    pub(super) async fn refresh_preferences(&mut self) {
        let Some(store) = &self.store else { return };
        match store.preferences().await {
            Ok(preferences) => self.preferences = preferences,
            Err(error) => self.store_failed(StoreTask::ReadOthers, &error),
        }
    }

    pub(super) fn store_failed(&mut self, task: StoreTask, error: &StoreError) {
        self.report(Cause::Store { task, why: error.to_string() });
    }
}
