//! utterances

use std::path::Path;

use crate::report::Report;

/// Runs every case in a folder.
#[must_use]
pub fn run(_folder: &Path) -> Report {
    Report::default()
}
