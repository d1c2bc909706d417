//! How a visit begins: the store opens, and the last conversation goes on.

use store::Store;
use store::error::StoreError;
use view::scene::{Cause, Scene, Storage};

use super::tabs::Tabs;
use super::{Driver, Input, ModelClient, RECENT, Shown, persistence};
use crate::database::IndexedDb;

impl<M: ModelClient, P: FnMut(&Scene<'_>, Shown)> Driver<M, P> {
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
                    Some(latest) => self.open(&latest.id.clone()).await,
                    None => self.begin_anew().await,
                }
            }
            Err(error) => {
                self.storage = Storage::Unavailable;
                self.report(Cause::Store {
                    doing: "opening what this browser keeps".to_owned(),
                    why: error.to_string(),
                });
            }
        }
    }

    async fn read(&mut self, name: &str) -> Result<Store<IndexedDb>, StoreError> {
        let store = Store::new(IndexedDb::open(name).await?);
        self.digest_key = store.digest_key(self.digest_key).await?;
        self.preferences = store.preferences().await?;
        (self.household, self.changes) = store.household(RECENT).await?;
        self.read_records(&store).await?;
        self.conversations = store.conversations().await?;
        Ok(store)
    }

    pub(super) async fn refresh_household(&mut self) {
        let Some(store) = &self.store else { return };
        match store.household(RECENT).await {
            Ok(household) => (self.household, self.changes) = household,
            Err(error) => self.cannot_read("reading what another tab kept", &error),
        }
        self.follow_records().await;
    }

    pub(super) async fn refresh_conversations(&mut self) {
        let Some(store) = &self.store else { return };
        match store.conversations().await {
            Ok(conversations) => self.conversations = conversations,
            Err(error) => self.cannot_read("reading what another tab kept", &error),
        }
    }

    pub(super) async fn refresh_preferences(&mut self) {
        let Some(store) = &self.store else { return };
        match store.preferences().await {
            Ok(preferences) => self.preferences = preferences,
            Err(error) => self.cannot_read("reading what another tab kept", &error),
        }
    }

    pub(super) fn cannot_read(&mut self, doing: &str, error: &StoreError) {
        self.report(Cause::Store { doing: doing.to_owned(), why: error.to_string() });
    }
}
