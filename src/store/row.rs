//! Rows: plain objects with their keys beside a JSON body.

use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use super::StoreError;

/// Writes a row over the one with its key.
pub(super) async fn put<R: Serialize>(
    store: &ObjectStore<'_>,
    what: &'static str,
    row: &R,
) -> Result<(), StoreError> {
    let row = serde_wasm_bindgen::to_value(row).map_err(|error| damaged(what, &error))?;
    Ok(store.put(row).primitive()?.await?)
}

/// Writes a new row; an existing one with its key is an error, and the transaction is lost.
pub(super) async fn add<R: Serialize>(
    store: &ObjectStore<'_>,
    what: &'static str,
    row: &R,
) -> Result<(), StoreError> {
    let row = serde_wasm_bindgen::to_value(row).map_err(|error| damaged(what, &error))?;
    Ok(store.add(row).primitive()?.await?)
}

/// A row as it came from the store.
pub(super) fn read<R: DeserializeOwned>(what: &'static str, row: JsValue) -> Result<R, StoreError> {
    serde_wasm_bindgen::from_value(row).map_err(|error| damaged(what, &error))
}

/// A body as the text it is kept as.
pub(super) fn write_body<T: Serialize>(what: &'static str, body: &T) -> Result<String, StoreError> {
    serde_json::to_string(body).map_err(|error| damaged(what, &error))
}

/// A body from its text.
pub(super) fn read_body<T: DeserializeOwned>(
    what: &'static str,
    body: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(body).map_err(|error| damaged(what, &error))
}

fn damaged(what: &'static str, why: &impl ToString) -> StoreError {
    StoreError::Damaged { what, why: why.to_string() }
}
