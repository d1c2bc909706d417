//! What the browser keeps, in IndexedDB. Every write is one strict transaction; every failure is an
//! error, since whether a decision is durable decides whether its tool may run.
//!
//! Bodies are JSON text inside rows with plain keys: what was shown, kept and run is then the same
//! text, whatever a browser does to numbers.

mod household;
mod records;
mod row;
mod sessions;
mod settings;

pub use household::{Kept, Ran};
pub use sessions::{Saved, Trouble};

use indexed_db_futures::database::{Database, VersionChangeEvent};
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{
    Transaction, TransactionDurability, TransactionMode, TransactionOptions,
};
use wasm_bindgen::JsCast;

/// The schema's version. Older stores are brought up to it; a newer one is left alone.
const VERSION: u32 = 1;

const SESSIONS: &str = "sessions";
const MESSAGES: &str = "messages";
const RECORDS: &str = "records";
const HOUSEHOLD: &str = "household";
const CHANGES: &str = "changes";
const SETTINGS: &str = "settings";

/// Unique on a record's key: the ledger. A request is decided once and runs once, ever.
const RECORDS_BY_KEY: &str = "by_key";

/// An open store.
#[derive(Debug)]
pub struct Store {
    db: Database,
}

/// Why the store could not do something. Nothing of it was kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The browser has no room left for this page.
    #[error("the browser has no room left for this page")]
    Full,
    /// The store was written by a newer version of the page.
    #[error("it was written by a newer version of this page; reload to get that version")]
    Newer,
    /// Something kept cannot be read.
    #[error("{what} cannot be read: {why}")]
    Damaged {
        /// What.
        what: &'static str,
        /// The reader's words.
        why: String,
    },
    /// A tool was to run without a decision that allows it.
    #[error("no decision on record allows this")]
    NotApproved,
    /// The browser refused, in its own words.
    #[error("the browser says: {0}")]
    Browser(String),
}

impl Store {
    /// Opens the store of that name, and makes or upgrades it if need be.
    ///
    /// # Errors
    /// If the browser keeps nothing for this page, or holds a newer store.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        let db = Database::open(name)
            .with_version(VERSION)
            .with_on_upgrade_needed(upgrade)
            .await
            .map_err(open_error)?;
        Ok(Self { db })
    }

    fn read(&self, stores: &[&str]) -> Result<Transaction<'_>, StoreError> {
        Ok(self.db.transaction(stores).with_mode(TransactionMode::Readonly).build()?)
    }

    /// A transaction that is on disk before it says it is committed. Browsers default to less.
    fn write(&self, stores: &[&str]) -> Result<Transaction<'_>, StoreError> {
        let strict = TransactionOptions::new().with_durability(TransactionDurability::Strict);
        let mode = TransactionMode::Readwrite;
        Ok(self.db.transaction(stores).with_mode(mode).with_options(strict).build()?)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is the library's")]
fn upgrade(event: VersionChangeEvent, db: Database) -> Result<(), Error> {
    // One step for each version, so that any older store walks up to this one.
    if event.old_version() < 1.0 {
        db.create_object_store(SESSIONS).with_key_path("id".into()).build()?;
        db.create_object_store(MESSAGES).with_key_path(vec!["session", "index"].into()).build()?;
        db.create_object_store(RECORDS)
            .with_key_path("number".into())
            .with_auto_increment(true)
            .build()?
            .create_index(RECORDS_BY_KEY, "key".into())
            .with_unique(true)
            .build()?;
        db.create_object_store(HOUSEHOLD).with_key_path("name".into()).build()?;
        db.create_object_store(CHANGES).with_key_path("id".into()).build()?;
        db.create_object_store(SETTINGS).with_key_path("name".into()).build()?;
    }
    Ok(())
}

fn open_error(error: OpenDbError) -> StoreError {
    match error {
        OpenDbError::Base(error) => match &error {
            Error::DomException(DomException::Other(exception))
                if exception.name() == "VersionError" =>
            {
                StoreError::Newer
            }
            Error::DomException(_)
            | Error::Serialisation(_)
            | Error::MissingData(_)
            | Error::Unknown(_) => error.into(),
        },
        OpenDbError::VersionZero
        | OpenDbError::UnsupportedEnvironment
        | OpenDbError::NullFactory => StoreError::Browser(error.to_string()),
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match &error {
            Error::DomException(exception) => {
                let raw: &web_sys::DomException = exception.as_ref().unchecked_ref();
                if raw.name() == "QuotaExceededError" {
                    Self::Full
                } else {
                    Self::Browser(format!("{}: {}", raw.name(), raw.message()))
                }
            }
            Error::Serialisation(_) | Error::MissingData(_) | Error::Unknown(_) => {
                Self::Browser(error.to_string())
            }
        }
    }
}
