//! The browser's database, as the store wants one: IndexedDB, every write in a strict transaction.
//!
//! Browsers commit a transaction by themselves as soon as nothing is asked of it; the library rolls
//! back what is dropped, and [`store::database::Transaction::commit`] only returns once the browser
//! says that everything is on disk. Inside a transaction nothing else may be awaited.

use std::ops::RangeInclusive;

use indexed_db_futures::KeyRange;
use indexed_db_futures::cursor::CursorDirection;
use indexed_db_futures::database::{Database as Browser, VersionChangeEvent};
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction as idb;
use store::database::{Access, Asked, Database, Key, Order, Table, Transaction};
use store::error::StoreError;
use wasm_bindgen::{JsCast, JsValue};

/// The schema's version. Older stores are brought up to it; a newer one is left alone.
const VERSION: u32 = 2;

/// An open IndexedDB database.
#[derive(Debug)]
pub struct IndexedDb {
    db: Browser,
}

impl IndexedDb {
    /// Opens the database of that name, and makes or upgrades it if need be.
    ///
    /// # Errors
    /// If the browser keeps nothing for this page, or holds a newer store.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        let db = Browser::open(name)
            .with_version(VERSION)
            .with_on_upgrade_needed(upgrade)
            .await
            .map_err(cannot_open)?;
        Ok(Self { db })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is the library's")]
fn upgrade(event: VersionChangeEvent, db: Browser) -> Result<(), Error> {
    // One step for each version, so that any older store walks up to this one.
    if event.old_version() < 1.0 {
        for table in Table::ALL.into_iter().filter(|table| *table != Table::Words) {
            db.create_object_store(table.name()).build()?;
        }
    }
    if event.old_version() < 2.0 {
        db.create_object_store(Table::Words.name()).build()?;
    }
    Ok(())
}

impl Database for IndexedDb {
    type Transaction<'a> = IndexedDbTransaction<'a>;

    fn begin(&self, tables: &[Table], access: Access) -> Result<Self::Transaction<'_>, StoreError> {
        let mode = match access {
            Access::Read => idb::TransactionMode::Readonly,
            Access::Write => idb::TransactionMode::Readwrite,
        };
        let strict =
            idb::TransactionOptions::new().with_durability(idb::TransactionDurability::Strict);
        let names: Vec<_> = tables.iter().map(|table| table.name()).collect();
        let tx = self.db.transaction(names).with_mode(mode).with_options(strict).build();
        tx.map(IndexedDbTransaction).map_err(refused)
    }
}

/// A transaction of IndexedDB.
#[derive(Debug)]
pub struct IndexedDbTransaction<'a>(idb::Transaction<'a>);

impl Transaction for IndexedDbTransaction<'_> {
    fn text(&self, table: Table, key: &Key) -> Asked<'_, Option<String>> {
        let key = js(key);
        Box::pin(async move {
            let table = self.0.object_store(table.name()).map_err(refused)?;
            table.get(key).primitive().map_err(refused)?.await.map_err(refused)
        })
    }

    fn texts(
        &self,
        table: Table,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> Asked<'_, Vec<String>> {
        let keys = key_range(&keys);
        Box::pin(async move {
            let table = self.0.object_store(table.name()).map_err(refused)?;
            match order {
                Order::Rising => {
                    let all = table.get_all::<String>().with_query::<JsValue, _>(keys);
                    let texts = all.with_limit(limit).primitive().map_err(refused)?;
                    texts.await.map_err(refused)?.collect::<Result<_, _>>().map_err(refused)
                }
                Order::Falling => {
                    let cursor = table.open_cursor().with_query::<JsValue, _>(keys);
                    let cursor = cursor.with_direction(CursorDirection::Prev).await;
                    let mut texts = Vec::new();
                    if let Some(mut cursor) = cursor.map_err(refused)? {
                        while texts.len() < limit as usize {
                            let next = cursor.next_record::<String>().await.map_err(refused)?;
                            let Some(text) = next else { break };
                            texts.push(text);
                        }
                    }
                    Ok(texts)
                }
            }
        })
    }

    fn write(&self, table: Table, key: Key, text: String) -> Asked<'_, ()> {
        Box::pin(async move {
            let table = self.0.object_store(table.name()).map_err(refused)?;
            let put = table.put(text).with_key(js(&key)).without_key_type();
            put.primitive().map_err(refused)?.await.map_err(refused)
        })
    }

    fn erase(&self, table: Table, keys: RangeInclusive<Key>) -> Asked<'_, ()> {
        Box::pin(async move {
            let table = self.0.object_store(table.name()).map_err(refused)?;
            let erased = table.delete::<JsValue, _>(key_range(&keys));
            erased.primitive().map_err(refused)?.await.map_err(refused)
        })
    }

    async fn commit(self) -> Result<(), StoreError> {
        self.0.commit().await.map_err(refused)
    }
}

fn js(key: &Key) -> JsValue {
    #[expect(clippy::cast_precision_loss, reason = "no key is above Key::NUMBER_MAX")]
    match key {
        Key::Text(name) => JsValue::from_str(name),
        Key::Number(number) => JsValue::from_f64(*number as f64),
        Key::Pair(name, number) => {
            let number = JsValue::from_f64(*number as f64);
            js_sys::Array::of2(&JsValue::from_str(name), &number).into()
        }
    }
}

fn key_range(keys: &RangeInclusive<Key>) -> KeyRange<JsValue> {
    KeyRange::Bound(js(keys.start()), false, js(keys.end()), false)
}

fn cannot_open(error: OpenDbError) -> StoreError {
    match error {
        OpenDbError::Base(error) => refused(error),
        OpenDbError::VersionZero
        | OpenDbError::UnsupportedEnvironment
        | OpenDbError::NullFactory => StoreError::Refused(error.to_string()),
    }
}

fn refused(error: impl Into<Error>) -> StoreError {
    match error.into() {
        Error::DomException(exception) => named(&exception),
        error @ (Error::Serialisation(_) | Error::MissingData(_) | Error::Unknown(_)) => {
            StoreError::Refused(error.to_string())
        }
    }
}

/// The exceptions a person can do something about; the library names only some.
fn named(exception: &DomException) -> StoreError {
    let exception: &web_sys::DomException = exception.as_ref().unchecked_ref();
    match exception.name().as_str() {
        "QuotaExceededError" => StoreError::Full,
        "VersionError" => StoreError::Newer,
        name => StoreError::Refused(format!("{name}: {}", exception.message())),
    }
}
