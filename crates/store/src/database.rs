//! What a database must do: keep rows in tables, in transactions that happen whole or not at all.

use std::future::Future;
use std::ops::RangeInclusive;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::body;
use crate::error::StoreError;

/// A database.
pub trait Database {
    /// One of its transactions.
    type Transaction<'a>: Transaction
    where
        Self: 'a;

    /// Begins a transaction on some tables. Transactions that write to a table exclude each other.
    ///
    /// # Errors
    /// If the database is gone.
    fn begin(&self, tables: &[Table], access: Access) -> Result<Self::Transaction<'_>, StoreError>;
}

/// What a transaction is asked for, while it is being done.
///
/// It is boxed: rows of every kind then share one piece of code for each request, which keeps the
/// page small.
pub type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + 'a>>;

/// A transaction on rows as text. Dropped without [`Transaction::commit`] it leaves no trace.
pub trait Transaction {
    /// The text of the row with a key.
    fn text(&self, table: Table, key: &Key) -> Asked<'_, Option<String>>;

    /// The texts of the rows with keys in a range, at most `limit` of them.
    fn texts(
        &self,
        table: Table,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> Asked<'_, Vec<String>>;

    /// Writes a row over the one with its key.
    fn write(&self, table: Table, key: Key, text: String) -> Asked<'_, ()>;

    /// Takes away the rows with keys in a range.
    fn erase(&self, table: Table, keys: RangeInclusive<Key>) -> Asked<'_, ()>;

    /// Makes everything durable: it is on disk, whatever happens next, once this returns.
    ///
    /// # Errors
    /// If nothing of it was kept.
    fn commit(self) -> impl Future<Output = Result<(), StoreError>>;

    /// The row with a key.
    ///
    /// # Errors
    /// As the database; also if what is kept cannot be read.
    fn get<R: Row>(&self, key: &Key) -> impl Future<Output = Result<Option<R>, StoreError>> {
        let text = self.text(R::TABLE, key);
        async { text.await?.map(|text| body::read(R::WHAT, &text)).transpose() }
    }

    /// The rows with keys in a range, at most `limit` of them.
    ///
    /// # Errors
    /// As the database; also if what is kept cannot be read.
    fn range<R: Row>(
        &self,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<R>, StoreError>> {
        let texts = self.texts(R::TABLE, keys, order, limit);
        async { texts.await?.iter().map(|text| body::read(R::WHAT, text)).collect() }
    }

    /// The rows with keys in a range, at most `limit` of them, each read by itself.
    ///
    /// # Errors
    /// As the database.
    fn each<R: Row>(
        &self,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Result<R, StoreError>>, StoreError>> {
        let texts = self.texts(R::TABLE, keys, order, limit);
        async { Ok(texts.await?.iter().map(|text| body::read(R::WHAT, text)).collect()) }
    }

    /// Writes a row over the one with its key.
    ///
    /// # Errors
    /// As the database.
    fn put<R: Row>(&self, row: &R) -> impl Future<Output = Result<(), StoreError>> {
        let written = body::write(R::WHAT, row).map(|text| self.write(R::TABLE, row.key(), text));
        async { written?.await }
    }

    /// Takes away the rows with keys in a range.
    ///
    /// # Errors
    /// As the database.
    fn remove<R: Row>(&self, keys: RangeInclusive<Key>) -> Asked<'_, ()> {
        self.erase(R::TABLE, keys)
    }
}

/// A row: a flat value that knows its table and its key.
pub trait Row: Serialize + DeserializeOwned {
    /// Its table.
    const TABLE: Table;
    /// What it is, for errors.
    const WHAT: &'static str;
    /// Its key.
    fn key(&self) -> Key;
}

/// The tables there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Conversations, by id: everything but their messages.
    Sessions,
    /// Messages, by conversation and index.
    Messages,
    /// Decisions and executions, by number.
    Records,
    /// Where in the records a request's decision and execution stand.
    Ledger,
    /// What was said in records, by conversation and number.
    Words,
    /// The household, one row.
    Household,
    /// Changes that can be taken back, by number.
    Changes,
    /// Small things, by name.
    Settings,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 8] = [
        Self::Sessions,
        Self::Messages,
        Self::Records,
        Self::Ledger,
        Self::Words,
        Self::Household,
        Self::Changes,
        Self::Settings,
    ];

    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Messages => "messages",
            Self::Records => "records",
            Self::Ledger => "ledger",
            Self::Words => "words",
            Self::Household => "household",
            Self::Changes => "changes",
            Self::Settings => "settings",
        }
    }
}

/// A key. Within one table all keys are of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A name.
    Text(String),
    /// A number, at most 2^53.
    Number(u64),
    /// A name and a number under it.
    Pair(String, u64),
}

impl Key {
    /// The greatest number a key can have: browsers count in doubles.
    pub const NUMBER_MAX: u64 = 1 << 53;
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Self::Text(name.to_owned())
    }
}

/// What a transaction may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Look.
    Read,
    /// Look and change.
    Write,
}

/// Which rows of a range come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By rising key.
    Rising,
    /// By falling key.
    Falling,
}
