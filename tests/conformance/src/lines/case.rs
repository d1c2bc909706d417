//! A labelled line, as a file of them holds it.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// A line and what it says.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) lang: String,
    pub(super) line: String,
    pub(super) name: String,
    /// The name as it stands in the line, where that is another form.
    #[serde(default)]
    pub(super) name_in_line: Option<String>,
    pub(super) amounts: Vec<Amount>,
    #[serde(default)]
    pub(super) relation: Option<String>,
    #[serde(default)]
    pub(super) package: Option<Vec<Amount>>,
}

/// An amount as it is labelled: whole numbers, `n/d` or `w n/d`.
#[derive(Debug, Deserialize, PartialEq, Eq, Clone)]
pub(super) struct Amount {
    pub(super) qty: Option<String>,
    pub(super) qty_max: Option<String>,
    pub(super) unit: Option<String>,
}

/// The cases of a file with one in each line.
pub(super) fn read(file: &Path) -> Result<Vec<Case>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(|error| told(&error))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).map_err(|error| told(&error))).collect()
}
