//! Scenarios of the approval loop, carried out by a driver in miniature against the real loop.

mod agents;
mod expect;
mod expected;
mod host;
mod invariants;
mod names;
mod normal;
mod script;
mod steps;
mod vector;
mod world;

use std::fs;
use std::path::{Path, PathBuf};

use crate::report::Report;
use vector::{File, Mode, Vector};

const FORMAT: &str = "approval-conformance/1";

/// Runs every scenario of a folder in each of its modes. A file holds scenarios of one theme; those
/// of ours that go beyond the common ones are in `THEME-beyond.json`.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    match files(folder) {
        Ok(files) => {
            for file in files {
                match read(&file) {
                    Ok(vectors) => vectors.iter().for_each(|vector| judge(vector, &mut report)),
                    Err(why) => report.fail(file.display().to_string(), why),
                }
            }
        }
        Err(why) => report.fail(folder.display().to_string(), why),
    }
    report
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<Vector>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: File = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if file.format != FORMAT {
        return Err(format!("the format is {}, not {FORMAT}", file.format));
    }
    match file.vectors.iter().find(|vector| vector.theme != file.theme) {
        Some(stray) => Err(format!("{} is of another theme than its file", stray.name)),
        None => Ok(file.vectors),
    }
}

fn judge(vector: &Vector, report: &mut Report) {
    for mode in &vector.modes {
        let shown = match mode {
            Mode::NonStreaming => "non-streaming",
            Mode::Streaming => "streaming",
        };
        let name = format!("{}/{} ({shown})", vector.theme, vector.name);
        match steps::play(vector, *mode) {
            Ok(()) => report.pass(),
            Err(why) => report.fail(name, why),
        }
    }
}
