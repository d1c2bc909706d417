//! Reads JSON of providers.

use serde::Deserialize;

use crate::error::WireError;

/// Parses JSON of a provider.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, WireError> {
    serde_json::from_str(text).map_err(|error| WireError::Malformed(error.to_string()))
}

pub(crate) fn malformed(what: &str) -> WireError {
    WireError::Malformed(what.to_owned())
}
