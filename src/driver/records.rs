//! The records as the page holds them, and the file they are exported to.

use std::sync::Arc;

use agent::id::CallId;
use agent::message::ToolCall;
use agent::session::Session;
use store::chain::Head;
use store::error::StoreError;
use store::stretch::Stretch;
use view::backup::Handed;
use view::scene::StoreTask;

use super::{Driver, Input, Shown};

/// How many records are read at once. So many are checked before the page begins to act; those
/// before them are checked after that, when nothing else is to be done.
const STRETCH: u64 = 500;

impl Driver {
    /// Reads the newest records, before the first is written.
    pub(super) async fn read_records(&mut self) {
        let newest = match &self.store {
            Some(store) => store.newest_records(STRETCH).await,
            None => Ok(Stretch::default()),
        };
        match newest {
            Ok(newest) => {
                self.note_damage(StoreTask::ReadRecords, newest.damaged.clone());
                Arc::make_mut(&mut self.history).follow(newest, |_| None);
            }
            Err(error) => self.store_failed(StoreTask::ReadRecords, error),
        }
        self.check_later(self.history.start().clone());
    }

    fn check_later(&mut self, end: Head) {
        self.unchecked = (end.number > 0).then_some(end);
        if self.unchecked.is_some() {
            self.soon(Input::CheckRecords);
        }
    }

    /// Checks the next stretch of the records before those that were checked.
    pub(super) async fn check_older_records(&mut self) -> Shown {
        let (Some(store), Some(end)) = (&self.store, self.unchecked.take()) else {
            return Shown::Words;
        };
        match store.check_up_to(&end, STRETCH).await {
            Ok((start, None)) => {
                self.check_later(start);
                return Shown::Words;
            }
            Ok((_, broken)) => Arc::make_mut(&mut self.history).mark(broken),
            Err(error) => self.store_failed(StoreTask::ReadRecords, error),
        }
        Shown::Everything
    }

    /// Reads the records that were written since, by this tab or another.
    pub(super) async fn follow_records(&mut self) {
        let Some(store) = &self.store else { return };
        match store.records_after(self.history.end()).await {
            Ok(newer) => {
                let call = |id: &CallId| call_of(&self.session, id);
                Arc::make_mut(&mut self.history).follow(newer, call);
            }
            Err(error) => self.store_failed(StoreTask::ReadRecords, error),
        }
    }

    /// Reads the records before those that are held, one stretch, and what all of them are about.
    pub(super) async fn read_older_records(&mut self) {
        if let Err(error) = self.try_read_older_records().await {
            self.store_failed(StoreTask::ReadRecords, error);
        }
    }

    async fn try_read_older_records(&mut self) -> Result<(), StoreError> {
        let Some(store) = &self.store else { return Ok(()) };
        if !self.history.is_whole() {
            let older = store.records_up_to(self.history.start(), STRETCH).await?;
            Arc::make_mut(&mut self.history).precede(older);
        }
        for session in self.history.unknown_calls() {
            let calls = store.calls(&session).await?;
            Arc::make_mut(&mut self.history).learn(&session, &calls);
        }
        Ok(())
    }

    /// Writes all records as one file, for the page to save.
    pub(super) async fn export_records(&mut self) {
        let now = self.clock.now();
        let exported = match &self.store {
            Some(store) => store.export_records(now).await,
            None => Err(StoreError::Absent),
        };
        match exported {
            Ok(export) => {
                Arc::make_mut(&mut self.history).mark(export.broken);
                self.handed = Some(Arc::new(Handed::Records(export.text)));
            }
            Err(error) => self.store_failed(StoreTask::ExportRecords, error),
        }
    }
}

/// The call of a record that was just written: its reply is being carried out.
fn call_of(session: &Session, id: &CallId) -> Option<ToolCall> {
    session.batch().iter().map(|it| it.call()).find(|call| call.id == *id).cloned()
}
