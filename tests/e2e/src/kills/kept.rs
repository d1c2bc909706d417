//! What the browser keeps for the page, read past the page and by the store's own code: a copy of its
//! database, which nothing can be written to.

use std::collections::BTreeMap;
use std::future::ready;
use std::ops::RangeInclusive;

use agent::time::Timestamp;
use fantoccini::Client;
use kitchen::{Change, Household};
use serde_json::Value;
use store::Store;
use store::database::{Access, Asked, Database, Key, Order, Table, Transaction};
use store::error::StoreError;
use store::records::{Record, RecordRow};
use store::sessions::Saved;

use crate::until::until;

/// Everything in the page's database; nothing if there is none, since opening it would make one.
const COPY: &str = "const [name, done] = arguments; const fail = error => done(String(error)); \
    indexedDB.databases().then(all => { \
        if (!all.some(it => it.name === name)) return done({}); \
        const opening = indexedDB.open(name); \
        opening.onerror = () => fail(opening.error); \
        opening.onsuccess = () => { \
            const db = opening.result, copy = {}, tables = [...db.objectStoreNames]; \
            const tx = db.transaction(tables, 'readonly'); \
            tx.onabort = () => fail(tx.error); \
            tx.oncomplete = () => { db.close(); done(copy) }; \
            for (const table of tables) { \
                const keys = tx.objectStore(table).getAllKeys(); \
                const rows = tx.objectStore(table).getAll(); \
                rows.onsuccess = () => copy[table] = keys.result.map((key, at) => [key, rows.result[at]]); \
            } \
        }; \
    }).catch(fail)";

/// The name the page gives its database.
const NAME: &str = "kitchen-assistant";

/// What is kept.
#[derive(Debug)]
pub(super) struct Kept {
    /// The records, as an export holds them.
    pub(super) export: String,
    /// The records, oldest first.
    pub(super) rows: Vec<RecordRow>,
    /// What they say.
    pub(super) records: Vec<Record>,
    /// The ledger's entries by name, each with the number of its record.
    pub(super) ledger: BTreeMap<String, u64>,
    /// The list.
    pub(super) household: Household,
    /// Every change of it, oldest first.
    pub(super) changes: Vec<Change>,
    /// Every conversation, the one touched last first.
    pub(super) conversations: Vec<Saved>,
}

impl Kept {
    /// Reads it in a document of the page's origin.
    ///
    /// # Panics
    ///
    /// Something that is kept cannot be read.
    pub(super) async fn read(client: &Client) -> Self {
        let copy = until(client, "a database that opens", async || {
            let copy = client.execute_async(COPY, vec![NAME.into()]).await.ok()?;
            if let Some(why) = copy.as_str() {
                // A killed browser may hold its files for a moment after the next one has started.
                println!("note the database is to be opened again: {why}");
            }
            copy.is_object().then_some(copy)
        })
        .await;
        Self::of(&copy).await
    }

    /// What a copy of the database says.
    pub(super) async fn of(copy: &Value) -> Self {
        let read = Self::from_copy(Copy::of(copy)).await;
        read.unwrap_or_else(|why| panic!("what is kept is damaged: {why}"))
    }

    async fn from_copy(copy: Copy) -> Result<Self, StoreError> {
        let ledger = copy.ledger();
        let store = Store::new(copy);
        let (rows, _) = store.all_records().await?;
        let export = store.export_records(Timestamp::default()).await?;
        let home = store.household(u32::MAX).await?;
        let (household, changes) = (home.household?, home.changes.whole()?);
        let mut conversations = Vec::new();
        for conversation in store.conversations().await?.whole()? {
            conversations.extend(store.session(&conversation.id).await?);
        }
        let records = rows.iter().map(|row| serde_json::from_str(&row.body));
        let records = records.collect::<Result<_, _>>();
        let records = records.map_err(|error| StoreError::Refused(error.to_string()))?;
        Ok(Self { export: export.text, rows, records, ledger, household, changes, conversations })
    }
}

/// A copy of a database.
#[derive(Debug)]
struct Copy(BTreeMap<&'static str, BTreeMap<Key, String>>);

impl Copy {
    fn of(copy: &Value) -> Self {
        let rows = |table: Table| {
            let rows = copy.get(table.name()).and_then(Value::as_array).into_iter().flatten();
            rows.map(|row| row_of(row).unwrap_or_else(|| panic!("no row: {row}"))).collect()
        };
        Self(Table::ALL.into_iter().map(|table| (table.name(), rows(table))).collect())
    }

    fn ledger(&self) -> BTreeMap<String, u64> {
        let entries = self.0.get(Table::Ledger.name()).into_iter().flatten();
        let entries = entries.filter_map(|(key, row)| {
            let row: Value = serde_json::from_str(row).ok()?;
            match key {
                Key::Text(name) => Some((name.clone(), row.get("number")?.as_u64()?)),
                Key::Number(_) | Key::Pair(..) => None,
            }
        });
        entries.collect()
    }
}

fn row_of(row: &Value) -> Option<(Key, String)> {
    let key = row.get(0)?;
    let key = if let Some(name) = key.as_str() {
        Key::Text(name.to_owned())
    } else if let Some([name, number]) = key.as_array().map(Vec::as_slice) {
        Key::Pair(name.as_str()?.to_owned(), whole(number)?)
    } else {
        Key::Number(whole(key)?)
    };
    Some((key, row.get(1)?.as_str()?.to_owned()))
}

/// Browsers count in doubles, and their driver may write them as such.
fn whole(number: &Value) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "keys are whole")]
    let rounded = || number.as_f64().map(|it| it as u64);
    number.as_u64().or_else(rounded)
}

impl Database for Copy {
    type Transaction<'a> = &'a Self;

    fn begin(&self, _: &[Table], access: Access) -> Result<&Self, StoreError> {
        match access {
            Access::Read => Ok(self),
            Access::Write => Err(StoreError::Absent),
        }
    }
}

impl Transaction for &Copy {
    fn text(&self, table: Table, key: &Key) -> Asked<'_, Option<String>> {
        let row = self.0.get(table.name()).and_then(|rows| rows.get(key)).cloned();
        Box::pin(ready(Ok(row)))
    }

    fn texts(
        &self,
        table: Table,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> Asked<'_, Vec<String>> {
        let rows = self.0.get(table.name()).into_iter().flat_map(|rows| rows.range(keys.clone()));
        let mut texts: Vec<_> = rows.map(|(_, text)| text.clone()).collect();
        if order == Order::Falling {
            texts.reverse();
        }
        texts.truncate(limit as usize);
        Box::pin(ready(Ok(texts)))
    }

    fn write(&self, _: Table, _: Key, _: String) -> Asked<'_, ()> {
        Box::pin(ready(Err(StoreError::Absent)))
    }

    fn erase(&self, _: Table, _: RangeInclusive<Key>) -> Asked<'_, ()> {
        Box::pin(ready(Err(StoreError::Absent)))
    }

    async fn commit(self) -> Result<(), StoreError> {
        Err(StoreError::Absent)
    }
}
