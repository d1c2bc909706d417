//! Conversations: one row of state each, and one row for each message, so that saving a turn costs
//! the same however long the conversation is.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use agent::id::{CallId, SessionId};
use agent::message::{Body, Content, Message, ToolCall};
use agent::mistake::{Mistake, made};
use agent::model::ModelError;
use agent::session::{Session, SessionState};
use agent::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::database::{Access, Database, Key, Order, Row, Table, Transaction};
use crate::error::StoreError;
use crate::{Readable, Store, body, words};

/// A title is the beginning of the person's first text: enough to tell conversations apart.
const TITLE_CHARS_MAX: usize = 80;

/// A conversation that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: SessionId,
    /// The beginning of the person's first text.
    pub title: String,
    /// How many questions wait in it.
    pub waiting: usize,
    /// When something last happened in it.
    pub touched_at: Timestamp,
}

/// A conversation as it was saved.
#[derive(Debug, PartialEq)]
pub struct Saved {
    /// The conversation.
    pub session: Session,
    /// Why its last model call gave nothing, if that is how it stands.
    pub trouble: Option<Trouble>,
    /// How often it was saved. Saving it again wants this number, so that of two tabs that go on
    /// from the same place only one can.
    pub revision: u64,
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
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) title: String,
    waiting: u32,
    /// Milliseconds since the epoch.
    pub(crate) touched_at: u64,
    pub(crate) state: String,
    pub(crate) trouble: Option<String>,
    pub(crate) revision: u64,
}

impl Row for SessionRow {
    const TABLE: Table = Table::Sessions;
    const WHAT: &'static str = "a conversation";

    fn key(&self) -> Key {
        Key::Text(self.id.clone())
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct MessageRow {
    session: String,
    index: u64,
    pub(crate) body: String,
}

impl Row for MessageRow {
    const TABLE: Table = Table::Messages;
    const WHAT: &'static str = "a message";

    fn key(&self) -> Key {
        Key::Pair(self.session.clone(), self.index)
    }
}

impl<D: Database> Store<D> {
    /// Every conversation that is kept and can be read, the one touched last first.
    ///
    /// # Errors
    /// As the database.
    pub async fn conversations(&self) -> Result<Readable<Conversation>, StoreError> {
        let tx = self.database.begin(&[Table::Sessions], Access::Read)?;
        let rows = rows(&tx).await?;
        let mut readable = Readable::of(rows.into_iter().map(|row| row.map(conversation)));
        readable.all.sort_by_key(|conversation| Reverse(conversation.touched_at));
        Ok(readable)
    }

    /// A conversation, as it was saved.
    ///
    /// # Errors
    /// As the database; also if what is kept cannot be read.
    pub async fn session(&self, id: &SessionId) -> Result<Option<Saved>, StoreError> {
        let tx = self.database.begin(&[Table::Sessions, Table::Messages], Access::Read)?;
        let row: Option<SessionRow> = tx.get(&Key::Text(id.0.clone())).await?;
        let Some(row) = row else { return Ok(None) };
        let state: SessionState = body::read(SessionRow::WHAT, &row.state)?;
        let trouble = row.trouble.map(|text| body::read(SessionRow::WHAT, &text)).transpose()?;
        let rows = messages(&tx, id).await?;
        let messages: Result<Vec<Message>, _> =
            rows.iter().map(|row| body::read(MessageRow::WHAT, &row.body)).collect();
        let session = Session::restore(state, messages?).map_err(|error| StoreError::Damaged {
            what: SessionRow::WHAT,
            why: error.to_string(),
        })?;
        Ok(Some(Saved { session, trouble, revision: row.revision }))
    }

    /// How often a conversation was saved; none if it is not kept.
    ///
    /// # Errors
    /// As the database.
    pub async fn revision(&self, id: &SessionId) -> Result<Option<u64>, StoreError> {
        let tx = self.database.begin(&[Table::Sessions], Access::Read)?;
        let row: Option<SessionRow> = tx.get(&Key::Text(id.0.clone())).await?;
        Ok(row.map(|row| row.revision))
    }

    /// Saves what is new in a conversation: its state, and its messages from the first unsaved one.
    /// `revision` is that of the conversation this one went on from, zero for a new one; it is saved
    /// under the next.
    ///
    /// # Errors
    /// As the database, and [`StoreError::Stale`] if it was saved from elsewhere since; nothing of
    /// it was kept then.
    pub async fn save_session(
        &self,
        session: &Session,
        trouble: Option<&Trouble>,
        revision: u64,
        now: Timestamp,
    ) -> Result<Conversation, StoreError> {
        let id = session.id();
        let tx = self.database.begin(&[Table::Sessions, Table::Messages], Access::Write)?;
        let kept: Option<SessionRow> = tx.get(&Key::Text(id.0.clone())).await?;
        let overtaken = kept.map_or(0, |row| row.revision) != revision;
        if overtaken && !made(Mistake::SavesOverNewer) {
            return Err(StoreError::Stale);
        }
        let saved = put(&tx, session, trouble, revision + 1, now).await?;
        tx.commit().await?;
        Ok(saved)
    }

    /// The conversation as it is kept, if that is just what [`Store::save_session`] was to keep with
    /// this `revision`: whether it did, where the database has not said.
    ///
    /// # Errors
    /// As the database.
    pub async fn kept_as(
        &self,
        session: &Session,
        revision: u64,
    ) -> Result<Option<Conversation>, StoreError> {
        let id = session.id();
        let tx = self.database.begin(&[Table::Sessions, Table::Messages], Access::Read)?;
        let state = body::write(SessionRow::WHAT, &session.state())?;
        let row: Option<SessionRow> = tx.get(&Key::Text(id.0.clone())).await?;
        let row = row.filter(|row| row.revision == revision + 1 && row.state == state);
        let rows = messages(&tx, id).await?;
        let written = session.messages().iter().map(|it| body::write(MessageRow::WHAT, it));
        let kept = rows.into_iter().map(|row| Ok(row.body));
        Ok(row.filter(|_| kept.eq(written)).map(conversation))
    }

    /// The calls that were proposed in a conversation, as far as they can be read.
    ///
    /// # Errors
    /// As the database.
    pub async fn calls(&self, id: &SessionId) -> Result<BTreeMap<CallId, ToolCall>, StoreError> {
        let tx = self.database.begin(&[Table::Messages], Access::Read)?;
        let rows = tx.each::<MessageRow>(from(id, 0), Order::Rising, u32::MAX).await?;
        let messages =
            rows.into_iter().map(|row| body::read::<Message>(MessageRow::WHAT, &row?.body));
        let calls = Readable::of(messages).all.into_iter().flat_map(|message| match message.body {
            Body::Assistant(content) => content,
            Body::Person(_) | Body::Result(_) | Body::Note(_) => Vec::new(),
        });
        let calls = calls.filter_map(|piece| match piece {
            Content::Call(call) => Some((call.id.clone(), call)),
            Content::Text(_) | Content::Opaque(_) => None,
        });
        Ok(calls.collect())
    }

    /// Forgets a conversation and everything that was said in it, in its records too. The records
    /// themselves stay: they say that something was decided, not about what.
    ///
    /// # Errors
    /// As the database; nothing was forgotten then.
    pub async fn forget_session(&self, id: &SessionId) -> Result<(), StoreError> {
        let tables = [Table::Sessions, Table::Messages, Table::Words];
        let tx = self.database.begin(&tables, Access::Write)?;
        forget(&tx, id).await?;
        tx.commit().await
    }
}

/// Saves a conversation under a revision: its state, and its messages from the first unsaved one.
pub(crate) async fn put(
    tx: &impl Transaction,
    session: &Session,
    trouble: Option<&Trouble>,
    revision: u64,
    touched_at: Timestamp,
) -> Result<Conversation, StoreError> {
    let id = session.id();
    let first = session.unsaved_from();
    tx.remove::<MessageRow>(from(id, first as u64)).await?;
    let left_out = usize::from(made(Mistake::MessageNotSaved));
    for (index, message) in session.messages().iter().enumerate().skip(first + left_out) {
        let body = body::write(MessageRow::WHAT, message)?;
        tx.put(&MessageRow { session: id.0.clone(), index: index as u64, body }).await?;
    }
    let row = SessionRow {
        id: id.0.clone(),
        title: title(session, trouble),
        waiting: u32::try_from(session.open_requests().count()).unwrap_or(u32::MAX),
        touched_at: touched_at.0,
        state: body::write(SessionRow::WHAT, &session.state())?,
        trouble: trouble.map(|it| body::write(SessionRow::WHAT, it)).transpose()?,
        revision,
    };
    tx.put(&row).await?;
    Ok(conversation(row))
}

/// Takes a conversation away, and everything that was said in it.
pub(crate) async fn forget(tx: &impl Transaction, id: &SessionId) -> Result<(), StoreError> {
    tx.remove::<SessionRow>(Key::Text(id.0.clone())..=Key::Text(id.0.clone())).await?;
    tx.remove::<MessageRow>(from(id, 0)).await?;
    words::forget(tx, id).await
}

/// The rows of all conversations, each read by itself.
pub(crate) async fn rows(
    tx: &impl Transaction,
) -> Result<Vec<Result<SessionRow, StoreError>>, StoreError> {
    // A text is never greater than this one: it begins with the greatest character.
    let every = Key::from("")..=Key::Text(char::MAX.to_string());
    tx.each::<SessionRow>(every, Order::Rising, u32::MAX).await
}

/// The messages of a conversation, as they are kept.
pub(crate) async fn messages(
    tx: &impl Transaction,
    id: &SessionId,
) -> Result<Vec<MessageRow>, StoreError> {
    tx.range(from(id, 0), Order::Rising, u32::MAX).await
}

fn conversation(row: SessionRow) -> Conversation {
    Conversation {
        id: SessionId(row.id),
        title: row.title,
        waiting: row.waiting as usize,
        touched_at: Timestamp(row.touched_at),
    }
}

fn title(session: &Session, trouble: Option<&Trouble>) -> String {
    let first = session.messages().iter().find_map(|message| match &message.body {
        Body::Person(text) => Some(text),
        Body::Assistant(_) | Body::Result(_) | Body::Note(_) => None,
    });
    let unsent = trouble.and_then(|trouble| trouble.unsent.as_ref());
    let text = first.or(unsent).map_or("", String::as_str);
    text.chars().take(TITLE_CHARS_MAX).collect()
}

/// The messages of a conversation from an index on.
fn from(session: &SessionId, first: u64) -> RangeInclusive<Key> {
    Key::Pair(session.0.clone(), first)..=Key::Pair(session.0.clone(), Key::NUMBER_MAX)
}
