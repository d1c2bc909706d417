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
use store::error::StoreError;
use store::household::Home;
use store::sessions::Conversation;
use store::settings::Preferences;
use store::{Readable, Store};
use view::scene::{Cause, Damage, Storage, StoreTask};

use super::conversation::Role;
use super::tabs::Tabs;
use super::{Driver, Input, RECENT, Shown, entropy, marker, persistence};
use crate::database::{Ended, IndexedDb, Listener, late};

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
                self.storage = Storage::Unavailable(error);
            }
        }
    }

    async fn read(&mut self, name: &str) -> Result<Store<IndexedDb>, StoreError> {
        let store = Store::new(self.connect(name).await?);
        self.damage.clear();
        let key = store.digest_key(self.digest_key).await;
        self.digest_key = self.undamaged(StoreTask::ReadKey, key)?.unwrap_or(self.digest_key);
        let preferences = store.preferences().await;
        self.take_preferences(preferences)?;
        self.take_home(store.household(RECENT).await?);
        self.take_conversations(store.conversations().await?);
        Ok(store)
    }

    /// Opens the store anew after it left something unanswered. Whether that was done is then read,
    /// not guessed: whoever asked asks again, or looks.
    pub(super) async fn reopen(&mut self) -> bool {
        self.store = None;
        let name = self.name.clone();
        match self.read(&name).await {
            Ok(store) => self.store = Some(store),
            Err(error) => self.storage = Storage::Unavailable(error),
        }
        self.follow_records().await;
        self.store.is_some()
    }

    /// What was read. If it is damaged there is nothing, and that is told for as long as it is so.
    fn undamaged<T>(
        &mut self,
        task: StoreTask,
        read: Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match read {
            Ok(read) => {
                self.note_damage(task, None);
                Ok(Some(read))
            }
            Err(error) if error.is_damage() => {
                self.note_damage(task, Some(error));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn note_damage(&mut self, task: StoreTask, damage: Option<StoreError>) {
        self.damage.retain(|it| it.task != task);
        self.damage.extend(damage.map(|why| Damage { task, why }));
    }

    fn take_preferences(
        &mut self,
        preferences: Result<Preferences, StoreError>,
    ) -> Result<(), StoreError> {
        if let Some(preferences) = self.undamaged(StoreTask::ReadSettings, preferences)? {
            self.preferences = preferences;
        }
        Ok(())
    }

    fn take_home(&mut self, Home { household, changes }: Home) {
        let damage = match household {
            Ok(household) => {
                self.household = household;
                None
            }
            Err(why) => Some(why),
        };
        self.note_damage(StoreTask::ReadHousehold, damage);
        self.changes = changes.all;
        self.note_damage(StoreTask::ReadChanges, changes.damaged);
    }

    fn take_conversations(&mut self, conversations: Readable<Conversation>) {
        self.conversations = conversations.all;
        self.note_damage(StoreTask::ListConversations, conversations.damaged);
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
        match select(opening, select(is_blocked, late())).await {
            Either::Left((opened, _)) => opened,
            Either::Right((Either::Right(_), _)) => Err(StoreError::Unanswered),
            // Other tabs are waited for however long they take.
            Either::Right((Either::Left(_), opening)) => {
                self.storage = Storage::Blocked;
                self.publish(Shown::Everything);
                opening.await
            }
        }
    }

    /// The store cannot be used any more.
    pub(super) async fn store_ended(&mut self, ended: Ended) {
        self.store = None;
        // What comes of them is not to be written into what opens next.
        self.awaited.clear();
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
                self.unchecked = None;
                self.engine = None;
                self.session = Session::new(SessionId::fresh(entropy::fresh()));
                let name = self.name.clone();
                self.start(&name).await;
                self.go_on_with_what_was_left();
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
            Err(error) => self.store_failed(StoreTask::ReadOthers, error),
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
            Ok(home) => self.take_home(home),
            Err(error) => self.store_failed(StoreTask::ReadOthers, error),
        }
        self.follow_records().await;
    }

    pub(super) async fn refresh_conversations(&mut self) {
        let Some(store) = &self.store else { return };
        match store.conversations().await {
            Ok(conversations) => self.take_conversations(conversations),
            Err(error) => self.store_failed(StoreTask::ReadOthers, error),
        }
    }

    pub(super) async fn refresh_preferences(&mut self) {
        let Some(store) = &self.store else { return };
        let preferences = store.preferences().await;
        if let Err(error) = self.take_preferences(preferences) {
            self.store_failed(StoreTask::ReadOthers, error);
        }
    }

    pub(super) fn store_failed(&mut self, task: StoreTask, why: StoreError) {
        self.report(Cause::Store { task, why });
    }
}
