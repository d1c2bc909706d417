//! What was said in records: the person's reasons and what the model was told. It is kept apart from
//! the chain, by conversation, so that it can be forgotten with the conversation while the records
//! stay as they were written.

use agent::id::SessionId;
use serde::{Deserialize, Serialize};

use crate::Readable;
use crate::database::{Key, Order, Row, Table, Transaction};
use crate::error::StoreError;

#[derive(Serialize, Deserialize)]
pub(crate) struct WordsRow {
    pub(crate) session: String,
    /// The record's number.
    pub(crate) number: u64,
    pub(crate) text: String,
}

impl Row for WordsRow {
    const TABLE: Table = Table::Words;
    const WHAT: &'static str = "what was said in a record";

    fn key(&self) -> Key {
        Key::Pair(self.session.clone(), self.number)
    }
}

/// What was said in a record.
pub(crate) async fn of(
    tx: &impl Transaction,
    session: &SessionId,
    number: u64,
) -> Result<Option<String>, StoreError> {
    let row: Option<WordsRow> = tx.get(&Key::Pair(session.0.clone(), number)).await?;
    Ok(row.map(|row| row.text))
}

/// What was said in the records of a conversation from `first` to `last`.
pub(crate) async fn between(
    tx: &impl Transaction,
    session: &SessionId,
    first: u64,
    last: u64,
) -> Result<Readable<WordsRow>, StoreError> {
    let keys = Key::Pair(session.0.clone(), first)..=Key::Pair(session.0.clone(), last);
    Ok(Readable::of(tx.each(keys, Order::Rising, u32::MAX).await?))
}

/// Forgets what was said in the records of a conversation.
pub(crate) async fn forget(tx: &impl Transaction, session: &SessionId) -> Result<(), StoreError> {
    let keys = Key::Pair(session.0.clone(), 0)..=Key::Pair(session.0.clone(), Key::NUMBER_MAX);
    tx.remove::<WordsRow>(keys).await
}
