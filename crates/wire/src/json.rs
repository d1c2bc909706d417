//! Reads JSON of providers, and writes it for them.

use serde::Deserialize;
use serde_json::Value;

use crate::error::WireError;

/// Parses JSON of a provider.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, WireError> {
    serde_json::from_str(text).map_err(|error| WireError::Malformed(error.to_string()))
}

pub(crate) fn malformed(what: &str) -> WireError {
    WireError::Malformed(what.to_owned())
}

/// Writes a body.
pub(crate) fn to_bytes(body: &Value) -> Result<Vec<u8>, WireError> {
    serde_json::to_vec(body).map_err(|error| WireError::Malformed(error.to_string()))
}
