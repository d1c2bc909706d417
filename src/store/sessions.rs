//! Conversations: one row of state each, and one row for each message, so that saving a turn costs
//! the same however long the conversation is.

use agent::message::Message;
use agent::session::{Session, SessionState};
use agent::time::Timestamp;
use indexed_db_futures::KeyRange;
use indexed_db_futures::prelude::*;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use super::row;
use super::{MESSAGES, SESSIONS, Store, StoreError};

const SESSION: &str = "a conversation";
const MESSAGE: &str = "a message";

#[derive(Serialize, Deserialize)]
struct SessionRow {
    id: String,
    /// Milliseconds since the epoch, as a double: IndexedDB has no other number.
    touched_at: f64,
    state: String,
}

#[derive(Serialize, Deserialize)]
struct MessageRow {
    session: String,
    index: f64,
    body: String,
}

impl Store {
    /// The conversation that was touched last, as it was saved.
    ///
    /// # Errors
    /// As the store; also if what is kept cannot be read.
    pub async fn latest_session(&self) -> Result<Option<Session>, StoreError> {
        let tx = self.read(&[SESSIONS, MESSAGES])?;
        let mut latest: Option<SessionRow> = None;
        for found in tx.object_store(SESSIONS)?.get_all::<JsValue>().primitive()?.await? {
            let row: SessionRow = row::read(SESSION, found?)?;
            if latest.as_ref().is_none_or(|latest| latest.touched_at <= row.touched_at) {
                latest = Some(row);
            }
        }
        let Some(latest) = latest else { return Ok(None) };
        let state: SessionState = row::read_body(SESSION, &latest.state)?;
        let mut messages = Vec::new();
        let all = tx.object_store(MESSAGES)?;
        for found in all
            .get_all::<JsValue>()
            .with_query::<JsValue, _>(from(&latest.id, 0))
            .primitive()?
            .await?
        {
            let row: MessageRow = row::read(MESSAGE, found?)?;
            messages.push(row::read_body::<Message>(MESSAGE, &row.body)?);
        }
        Session::restore(state, messages)
            .map(Some)
            .map_err(|error| StoreError::Damaged { what: SESSION, why: error.to_string() })
    }

    /// Saves what is new in a conversation: its state, and its messages from the first unsaved one.
    ///
    /// # Errors
    /// As the store; nothing of it was kept then.
    pub async fn save_session(&self, session: &Session, now: Timestamp) -> Result<(), StoreError> {
        let id = session.id().to_string();
        let tx = self.write(&[SESSIONS, MESSAGES])?;
        let messages = tx.object_store(MESSAGES)?;
        let first = session.unsaved_from();
        messages.delete::<JsValue, _>(from(&id, first)).primitive()?.await?;
        for (index, message) in session.messages().iter().enumerate().skip(first) {
            let body = row::write_body(MESSAGE, message)?;
            let row = MessageRow { session: id.clone(), index: number(index), body };
            row::put(&messages, MESSAGE, &row).await?;
        }
        let state = row::write_body(SESSION, &session.state())?;
        #[expect(clippy::cast_precision_loss, reason = "milliseconds stay under 2^53 for ages")]
        let row = SessionRow { id, touched_at: now.0 as f64, state };
        row::put(&tx.object_store(SESSIONS)?, SESSION, &row).await?;
        Ok(tx.commit().await?)
    }
}

/// The messages of a conversation from an index on.
fn from(session: &str, first: usize) -> KeyRange<JsValue> {
    let key = |index: f64| {
        js_sys::Array::of2(&JsValue::from_str(session), &JsValue::from_f64(index)).into()
    };
    KeyRange::Bound(key(number(first)), false, key(f64::INFINITY), false)
}

#[expect(clippy::cast_precision_loss, reason = "no conversation has 2^53 messages")]
fn number(index: usize) -> f64 {
    index as f64
}
