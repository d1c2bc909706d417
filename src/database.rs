//! The browser's database, as the store wants one: IndexedDB, every write in a strict transaction.
//!
//! Browsers commit a transaction by themselves as soon as nothing is asked of it; the library rolls
//! back what is dropped, and [`store::database::Transaction::commit`] only returns once the browser
//! says that everything is on disk. Inside a transaction nothing else may be awaited.

mod ending;

pub use store::opening::Ended;

use std::cell::RefCell;
use std::future::poll_fn;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::task::Poll;

use ending::Ending;
use futures::FutureExt;
use gloo_timers::future::TimeoutFuture;
use indexed_db_futures::KeyRange;
use indexed_db_futures::cursor::CursorDirection;
use indexed_db_futures::database::{Database as Browser, VersionChangeEvent};
use indexed_db_futures::error::{Error, OpenDbError};
use indexed_db_futures::internals::SystemRepr;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction as idb;
use js_sys::Reflect;
use store::database::{Access, Asked, Database, Key, Order, Table, Transaction};
use store::error::StoreError;
use store::opening;
use wasm_bindgen::{JsCast, JsValue};

/// The schema's version. Older stores are brought up to it; a newer one is left alone.
const VERSION: u32 = 2;

/// How long the browser may take over a transaction, or to open, in milliseconds: long enough to
/// wait for those of other tabs on a slow disk. One that answers later is not waited for.
const ANSWERED_MS_MAX: u32 = 30_000;

/// Comes when the browser has had its time.
pub fn late() -> TimeoutFuture {
    TimeoutFuture::new(ANSWERED_MS_MAX)
}

/// An open IndexedDB database.
#[derive(Debug)]
pub struct IndexedDb {
    db: Browser,
    _ending: Ending,
}

/// What becomes of a database, told to whoever opens it.
pub struct Listener {
    /// It waits for a tab that has it open in an older version, and opens when that tab is closed.
    pub blocked: Rc<dyn Fn()>,
    /// It is closed and cannot be used any more.
    pub ended: Rc<dyn Fn(Ended)>,
}

impl IndexedDb {
    /// Opens the database of that name, and makes or upgrades it if need be.
    ///
    /// # Errors
    /// If the browser keeps nothing for this page, or holds a newer store.
    pub async fn open(name: &str, listener: &Listener) -> Result<Self, StoreError> {
        let opened = opening::open(async || try_open(name, listener).await, may_pass).await;
        let db = opened.map_err(cannot_open)?;
        let ended = Rc::clone(&listener.ended);
        let ending = Ending::listen(&db, move |how| ended(how));
        Ok(Self { db, _ending: ending })
    }
}

async fn try_open(name: &str, listener: &Listener) -> Result<Browser, OpenDbError> {
    let blocked = Rc::clone(&listener.blocked);
    Browser::open(name)
        .with_version(VERSION)
        .with_on_blocked(move |_| {
            blocked();
            Ok(())
        })
        .with_on_upgrade_needed(upgrade)
        .await
}

/// Whether it may open if it is tried again.
fn may_pass(error: &OpenDbError) -> bool {
    let OpenDbError::Base(Error::DomException(exception)) = error else { return false };
    let exception: &web_sys::DomException = exception.as_ref().unchecked_ref();
    opening::may_pass(&exception.name())
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
        let late = RefCell::new(Some(late()));
        tx.map(|tx| IndexedDbTransaction { tx, late }).map_err(refused)
    }
}

/// A transaction of IndexedDB.
#[derive(Debug)]
pub struct IndexedDbTransaction<'a> {
    tx: idb::Transaction<'a>,
    /// Until it is late.
    late: RefCell<Option<TimeoutFuture>>,
}

/// What is asked of the browser, as far as it answers in time.
async fn in_time<T>(
    late: &RefCell<Option<TimeoutFuture>>,
    mut asked: Asked<'_, T>,
) -> Result<T, StoreError> {
    poll_fn(|context| {
        if let Poll::Ready(answer) = asked.as_mut().poll(context) {
            return Poll::Ready(answer);
        }
        let mut late = late.borrow_mut();
        if late.as_mut().is_some_and(|late| late.poll_unpin(context).is_pending()) {
            return Poll::Pending;
        }
        *late = None;
        Poll::Ready(Err(StoreError::Unanswered))
    })
    .await
}

impl IndexedDbTransaction<'_> {
    fn ask<'a, T: 'a>(&'a self, asked: Asked<'a, T>) -> Asked<'a, T> {
        Box::pin(in_time(&self.late, asked))
    }
}

impl Transaction for IndexedDbTransaction<'_> {
    fn text(&self, table: Table, key: &Key) -> Asked<'_, Option<String>> {
        let key = js(key);
        self.ask(Box::pin(async move {
            let table = self.tx.object_store(table.name()).map_err(refused)?;
            table.get(key).primitive().map_err(refused)?.await.map_err(refused)
        }))
    }

    fn texts(
        &self,
        table: Table,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> Asked<'_, Vec<String>> {
        let keys = key_range(&keys);
        self.ask(Box::pin(async move {
            let table = self.tx.object_store(table.name()).map_err(refused)?;
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
        }))
    }

    fn write(&self, table: Table, key: Key, text: String) -> Asked<'_, ()> {
        self.ask(Box::pin(async move {
            let table = self.tx.object_store(table.name()).map_err(refused)?;
            let put = table.put(text).with_key(js(&key)).without_key_type();
            put.primitive().map_err(refused)?.await.map_err(refused)
        }))
    }

    fn erase(&self, table: Table, keys: RangeInclusive<Key>) -> Asked<'_, ()> {
        self.ask(Box::pin(async move {
            let table = self.tx.object_store(table.name()).map_err(refused)?;
            let erased = table.delete::<JsValue, _>(key_range(&keys));
            erased.primitive().map_err(refused)?.await.map_err(refused)
        }))
    }

    async fn commit(self) -> Result<(), StoreError> {
        let Self { tx, late } = self;
        let it: JsValue = tx.as_sys().clone().into();
        let committed = Box::pin(async move {
            tx.commit().await.map_err(|error| {
                // Where there is no room the browser says so when it commits, and only there.
                let why = Reflect::get(&it, &"error".into());
                let why = why.ok().and_then(|why| why.dyn_into().ok());
                why.map_or_else(|| refused(error), |why| named(&why))
            })
        });
        in_time(&late, committed).await
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
        // The library takes any refusal to begin for a wrong version; ours is right.
        OpenDbError::VersionZero
        | OpenDbError::UnsupportedEnvironment
        | OpenDbError::NullFactory => StoreError::Absent,
    }
}

fn refused(error: impl Into<Error>) -> StoreError {
    match error.into() {
        Error::DomException(exception) => named(exception.as_ref().unchecked_ref()),
        error @ (Error::Serialisation(_) | Error::MissingData(_) | Error::Unknown(_)) => {
            StoreError::Refused(error.to_string())
        }
    }
}

/// The exceptions a person can do something about; the library names only some.
fn named(exception: &web_sys::DomException) -> StoreError {
    match exception.name().as_str() {
        "QuotaExceededError" => StoreError::Full,
        "VersionError" => StoreError::Newer,
        name => StoreError::Refused(format!("{name}: {}", exception.message())),
    }
}
