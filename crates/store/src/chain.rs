//! The chain that binds the records: each holds a digest over itself and all before it, so that a
//! record which was changed, taken away or moved is found.

use agent::canonical::hexadecimal;
use sha2::{Digest, Sha256};

use crate::records::RecordRow;

/// What the first record follows.
pub const START: &str = "";

/// The digest of a record that follows one with digest `previous`: SHA-256, in hexadecimal, over
/// both digests' and texts' lengths and bytes, so that no two records run together.
#[must_use]
pub fn digest(previous: &str, number: u64, body: &str) -> String {
    let mut hash = Sha256::new();
    for part in [previous.as_bytes(), &number.to_be_bytes(), body.as_bytes()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

/// Where a chain ends: how many records there are, and the digest of the last.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Head {
    /// The number of the last record; zero if there is none.
    pub number: u64,
    /// Its digest; [`START`] if there is none.
    pub digest: String,
}

/// The first place where records are not what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Another record stands where this number belongs.
    #[error("record {expected} is missing; record {found} stands in its place")]
    Missing {
        /// The number that belongs here.
        expected: u64,
        /// The number that was found.
        found: u64,
    },
    /// A record's digest does not fit what it says or what comes before it.
    #[error("record {number} was changed, or one before it was")]
    Changed {
        /// Its number.
        number: u64,
    },
    /// The place where they end cannot be read.
    #[error("where the records end cannot be read")]
    NoEnd,
    /// The records end before or after the place where they should.
    #[error("the records end at {found}, but {expected} were written")]
    Cut {
        /// How many were written.
        expected: u64,
        /// How many there are.
        found: u64,
    },
}

impl Head {
    /// Goes on to a record, if it is the one that was written next.
    ///
    /// # Errors
    /// If another stands in its place, or it was changed.
    pub fn follow(&mut self, record: &RecordRow) -> Result<(), Broken> {
        let number = self.number + 1;
        if record.number != number {
            return Err(Broken::Missing { expected: number, found: record.number });
        }
        if record.digest != digest(&self.digest, number, &record.body) {
            return Err(Broken::Changed { number });
        }
        *self = Self { number, digest: record.digest.clone() };
        Ok(())
    }

    /// Stops here, if this is where the records were to end.
    ///
    /// # Errors
    /// If records are missing or too many, or the last one was changed.
    pub fn stop(&self, end: &Self) -> Result<(), Broken> {
        if self.number != end.number {
            return Err(Broken::Cut { expected: end.number, found: self.number });
        }
        if self.digest != end.digest {
            return Err(Broken::Changed { number: self.number });
        }
        Ok(())
    }
}

/// Whether these are all the records that were written after `start` and up to `end`, as they were
/// written. With the default for `start` they are all there are.
///
/// # Errors
/// The first place where they are not.
pub fn verify<'a>(
    start: &Head,
    records: impl IntoIterator<Item = &'a RecordRow>,
    end: &Head,
) -> Result<(), Broken> {
    let mut last = start.clone();
    for record in records {
        last.follow(record)?;
    }
    last.stop(end)
}
