//! How a visit begins: one tab takes the conversation, the store opens, the last visit goes on.

use agent::event::Event;
use agent::id::SessionId;
use agent::session::Activity;
use store::Store;
use store::error::StoreError;
use store::sessions::Trouble;
use view::scene::{Cause, Scene, Storage};

use super::{Driver, ModelClient, RECENT, entropy, lock, persistence};
use crate::database::IndexedDb;

/// A name no other conversation has.
pub(super) fn new_session_id() -> SessionId {
    SessionId(entropy::fresh().mint(0))
}

impl<M: ModelClient, P: FnMut(&Scene<'_>)> Driver<M, P> {
    pub(super) async fn start(&mut self, name: &str) {
        self.take_lock(name).await;
        match self.read(name).await {
            Ok(store) => {
                self.store = Some(store);
                self.storage = Storage::Open { persistent: persistence::is_promised().await };
                if let Some(latest) = self.conversations.first() {
                    self.open(&latest.id.clone()).await;
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

    async fn take_lock(&mut self, name: &str) {
        let mut answer = lock::try_take(name).await;
        if matches!(answer, lock::Answer::Taken) {
            self.storage = Storage::InOtherTab;
            self.publish();
            answer = lock::take(name).await;
            self.storage = Storage::Opening;
        }
        if let lock::Answer::Held(held) = answer {
            self.lock = Some(held);
        }
    }

    async fn read(&mut self, name: &str) -> Result<Store<IndexedDb>, StoreError> {
        let store = Store::new(IndexedDb::open(name).await?);
        self.digest_key = store.digest_key(self.digest_key).await?;
        self.preferences = store.preferences().await?;
        (self.household, self.changes) = store.household(RECENT).await?;
        self.records = store.recent_records(RECENT).await?;
        self.conversations = store.conversations().await?;
        Ok(store)
    }

    /// Goes on with a conversation where it was left: what was under way continues, what waits for
    /// a person goes on waiting, and what failed waits for the person to try again.
    pub(super) async fn open(&mut self, id: &SessionId) {
        let Some(store) = &self.store else { return };
        let saved = match store.session(id).await {
            Ok(Some(saved)) => saved,
            Ok(None) => return,
            // The damaged rows stay as they are; another conversation is there beside them.
            Err(error) => {
                return self.report(Cause::Store {
                    doing: "opening a conversation".to_owned(),
                    why: error.to_string(),
                });
            }
        };
        self.leave();
        self.session = saved.session;
        if let Some(Trouble { error, unsent }) = saved.trouble {
            return self.report(Cause::Model { error, unsent });
        }
        match self.session.activity() {
            Activity::AwaitingModel
            | Activity::RecordingDecisions
            | Activity::RunningTools
            | Activity::Interrupted => self.happen(Event::Resumed).await,
            Activity::Idle | Activity::AwaitingPerson => {}
        }
    }
}
