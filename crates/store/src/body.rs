//! Bodies as the text they are kept as, and what can be read of them.

use std::fmt::Display;

use agent::stored;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StoreError;

pub(crate) fn write<T: Serialize>(what: &'static str, body: &T) -> Result<String, StoreError> {
    serde_json::to_string(body).map_err(|error| damaged(what, &error))
}

pub(crate) fn read<T: DeserializeOwned>(what: &'static str, body: &str) -> Result<T, StoreError> {
    stored::parse(body).map_err(|error| damaged(what, &error))
}

/// What could be read, and why the first of the rest could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable<T> {
    /// What could be read.
    pub all: Vec<T>,
    /// Why something could not be read, if that is so. It stays in the database as it is.
    pub damaged: Option<StoreError>,
}

impl<T> Readable<T> {
    /// All of it.
    ///
    /// # Errors
    /// If something could not be read.
    pub fn whole(self) -> Result<Vec<T>, StoreError> {
        self.damaged.map_or(Ok(self.all), Err)
    }

    pub(crate) fn of(read: impl IntoIterator<Item = Result<T, StoreError>>) -> Self {
        let mut readable = Self { all: Vec::new(), damaged: None };
        for one in read {
            match one {
                Ok(one) => readable.all.push(one),
                Err(error) => readable.damaged = readable.damaged.or(Some(error)),
            }
        }
        readable
    }
}

fn damaged(what: &'static str, why: &dyn Display) -> StoreError {
    StoreError::Damaged { what, why: why.to_string() }
}
