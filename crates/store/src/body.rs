//! Bodies as the text they are kept as.

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

fn damaged(what: &'static str, why: &dyn Display) -> StoreError {
    StoreError::Damaged { what, why: why.to_string() }
}
