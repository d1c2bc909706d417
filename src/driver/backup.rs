//! A copy of everything: written for the page to save, and brought in from a file.

use std::sync::Arc;

use store::backup::{self, Backup, How, Restored};
use store::error::StoreError;
use view::backup::{BringIn, Handed, Told};

use super::tabs::TabMessage;
use super::{Driver, marker};

impl Driver {
    /// Writes everything as one file, for the page to save.
    pub(super) async fn keep_copy(&mut self) {
        let now = self.clock.now();
        let copied = match &self.store {
            Some(store) => store.back_up(now).await,
            None => Err(StoreError::Absent),
        };
        self.hand(match copied {
            Ok(copy) => {
                let told = Told::copied(&copy);
                let Backup { text, left_out: _ } = copy;
                Handed::Copy(text, told)
            }
            Err(why) => Handed::Told(Told::not_copied(&why)),
        });
    }

    /// Brings a copy in. It is read here once more: nothing that was read elsewhere is taken for it.
    pub(super) async fn bring_in(&mut self, wanted: &BringIn) {
        let told = match backup::read(&wanted.text) {
            Ok(contents) => {
                let now = self.clock.now();
                let restored = match &self.store {
                    Some(store) => store.restore(&contents, wanted.how, now).await,
                    None => Err(StoreError::Absent),
                };
                match restored {
                    Ok(restored) => {
                        let told = Told::brought_in(&restored);
                        self.go_on_with(restored, wanted.how).await;
                        told
                    }
                    Err(why) => {
                        if why == StoreError::Unanswered && self.reopen().await {
                            self.read_again().await;
                        }
                        Told::not_brought_in(&why)
                    }
                }
            }
            Err(fault) => Told::fault(&fault),
        };
        self.hand(Handed::Told(told));
    }

    fn hand(&mut self, handed: Handed) {
        self.handed = Some(Arc::new(handed));
    }

    /// What was brought in is what there is now, here and in every other tab. A conversation that is
    /// open and was replaced is gone on with as it came; one that is gone is put away.
    async fn go_on_with(&mut self, restored: Restored, how: How) {
        let Restored { kept, conversations, gone, settings, .. } = restored;
        self.keep(kept);
        marker::leave(&self.name);
        for id in gone {
            self.tell(&TabMessage::Forgotten(id.clone()));
            self.put_away(&id).await;
        }
        for (conversation, revision) in conversations {
            let is_open = conversation.id == *self.session.id();
            self.tell(&TabMessage::Saved(conversation.id, revision));
            if is_open && how == How::Replace {
                self.reload().await;
            }
        }
        self.refresh_conversations().await;
        self.refresh_household().await;
        self.tell(&TabMessage::Kept);
        if settings {
            self.refresh_preferences().await;
            self.tell(&TabMessage::Preferred);
            self.look_at_the_clock().await;
        }
    }
}
