//! What is kept and how: rows and transactions, over any database. Where to start:
//! 1. [`database`]: what a database must do. The page has the browser's; the simulation has one that
//!    fails and forgets on purpose.
//!    [`opening`]: how one opens and is lost.
//! 2. [`records`]: decisions and executions, chained; the ledger by which a request is decided once
//!    and runs once, whatever copy of a conversation asks.
//! 3. [`chain`] binds the records; [`stretch`] reads them, [`export`] writes them to a file that
//!    anyone can check.
//! 4. [`household`]: a change, what it came from and how to take it back, in one transaction.
//! 5. [`backup`]: everything as one file, and what comes back of one.
//! 6. [`outside`]: an effect that no transaction can take back, in one attempt at most; and
//!    [`resolution`]: what a person may do where nobody knows what came of it.
//!
//! Bodies are JSON text inside rows: what was shown, kept and run is then the same text, whatever a
//! database does to numbers.

pub mod backup;
pub mod chain;
pub mod database;
pub mod error;
pub mod export;
pub mod household;
pub mod opening;
pub mod outside;
pub mod records;
pub mod resolution;
pub mod sessions;
pub mod settings;
pub mod stretch;

mod body;
mod succession;
mod words;

pub use body::Readable;

/// The household's store, over a database.
#[derive(Debug)]
pub struct Store<D> {
    database: D,
}

impl<D: database::Database> Store<D> {
    /// A store over an open database.
    pub fn new(database: D) -> Self {
        Self { database }
    }
}
