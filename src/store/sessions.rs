//! Conversations: one row of state each, and one row for each message, so that saving a turn costs
//! the same however long the conversation is.

use std::cmp::Reverse;

use agent::id::SessionId;
use agent::message::{Body, Message};
use agent::model::ModelError;
use agent::session::{Session, SessionState};
use agent::time::Timestamp;
use indexed_db_futures::KeyRange;
use indexed_db_futures::prelude::*;
use serde::{Deserialize, Serialize};
use view::scene::Conversation;
use wasm_bindgen::JsValue;

use super::row;
use super::{MESSAGES, SESSIONS, Store, StoreError};

const SESSION: &str = "a conversation";
const MESSAGE: &str = "a message";

/// A title is the beginning of the person's first text: enough to tell conversations apart.
const TITLE_CHARS_MAX: usize = 80;

/// A conversation as it was saved.
#[derive(Debug, PartialEq)]
pub struct Saved {
    /// The conversation.
    pub session: Session,
    /// Why its last model call gave nothing, if that is how it stands.
    pub trouble: Option<Trouble>,
}

/// A model call that gave nothing, and is not made again before the person wants it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// Why.
    pub error: ModelError,
    /// The person's text, if the loop took it back.
    pub unsent: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct SessionRow {
    id: String,
    title: String,
    waiting: u32,
    /// Milliseconds since the epoch, as a double: IndexedDB has no other number.
    touched_at: f64,
    state: String,
    trouble: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct MessageRow {
    session: String,
    index: f64,
    body: String,
}

impl Store {
    /// Every conversation that is kept, the one touched last first.
    ///
    /// # Errors
    /// As the store.
    pub async fn conversations(&self) -> Result<Vec<Conversation>, StoreError> {
        let tx = self.read(&[SESSIONS])?;
        let mut all = Vec::new();
        for found in tx.object_store(SESSIONS)?.get_all::<JsValue>().primitive()?.await? {
            all.push(conversation(row::read(SESSION, found?)?));
        }
        all.sort_by_key(|conversation| Reverse(conversation.touched_at));
        Ok(all)
    }

    /// A conversation, as it was saved.
    ///
    /// # Errors
    /// As the store; also if what is kept cannot be read.
    pub async fn session(&self, id: &SessionId) -> Result<Option<Saved>, StoreError> {
        let tx = self.read(&[SESSIONS, MESSAGES])?;
        let found: Option<JsValue> =
            tx.object_store(SESSIONS)?.get(id.0.as_str()).primitive()?.await?;
        let Some(found) = found else { return Ok(None) };
        let row: SessionRow = row::read(SESSION, found)?;
        let state: SessionState = row::read_body(SESSION, &row.state)?;
        let trouble = row.trouble.map(|trouble| row::read_body(SESSION, &trouble)).transpose()?;
        let mut messages = Vec::new();
        let rows = tx.object_store(MESSAGES)?;
        let range = from(&row.id, 0);
        for found in rows.get_all::<JsValue>().with_query::<JsValue, _>(range).primitive()?.await? {
            let row: MessageRow = row::read(MESSAGE, found?)?;
            messages.push(row::read_body::<Message>(MESSAGE, &row.body)?);
        }
        let session = Session::restore(state, messages)
            .map_err(|error| StoreError::Damaged { what: SESSION, why: error.to_string() })?;
        Ok(Some(Saved { session, trouble }))
    }

    /// Saves what is new in a conversation: its state, and its messages from the first unsaved one.
    ///
    /// # Errors
    /// As the store; nothing of it was kept then.
    pub async fn save_session(
        &self,
        session: &Session,
        trouble: Option<&Trouble>,
        now: Timestamp,
    ) -> Result<Conversation, StoreError> {
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
        let row = SessionRow {
            id,
            title: title(session, trouble),
            waiting: u32::try_from(session.open_requests().count()).unwrap_or(u32::MAX),
            #[expect(
                clippy::cast_precision_loss,
                reason = "milliseconds stay under 2^53 for ages"
            )]
            touched_at: now.0 as f64,
            state: row::write_body(SESSION, &session.state())?,
            trouble: trouble.map(|trouble| row::write_body(SESSION, trouble)).transpose()?,
        };
        row::put(&tx.object_store(SESSIONS)?, SESSION, &row).await?;
        tx.commit().await?;
        Ok(conversation(row))
    }
}

fn conversation(row: SessionRow) -> Conversation {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was a whole number of milliseconds when it was kept"
    )]
    let touched_at = Timestamp(row.touched_at as u64);
    let waiting = row.waiting as usize;
    Conversation { id: SessionId(row.id), title: row.title, waiting, touched_at }
}

fn title(session: &Session, trouble: Option<&Trouble>) -> String {
    let first = session.messages().iter().find_map(|message| match &message.body {
        Body::Person(text) => Some(text),
        Body::Assistant(_) | Body::Result(_) => None,
    });
    let unsent = trouble.and_then(|trouble| trouble.unsent.as_ref());
    let text = first.or(unsent).map_or("", String::as_str);
    text.chars().take(TITLE_CHARS_MAX).collect()
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
