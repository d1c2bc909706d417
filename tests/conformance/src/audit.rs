//! Exported audits: whether a file is what the page wrote, and if not, which record is the first
//! that is not.
//!
//! Of a folder, `EXPECTED.json` says of each file how many records it has, or what is wrong with it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use agent::time::Timestamp;
use serde::Deserialize;
use store::export::{Checked, Checker, Fault, LINE_BYTES_MAX, Place};

use crate::report::Report;

/// Checks an exported audit, or a folder of them.
#[must_use]
pub fn run(path: &Path) -> Report {
    if path.is_dir() { run_folder(path) } else { run_file(path) }
}

fn run_file(path: &Path) -> Report {
    let mut report = Report::default();
    match check_file(path) {
        Ok(checked) => {
            report.pass();
            report.note(format!(
                "{} records hold: {} decisions, {} executions and {} steps towards knowing what \
                 came of them",
                checked.head.number, checked.decisions, checked.executions, checked.resolutions
            ));
            report.note(format!("the last digest is {}", checked.head.digest));
            report.note("compare it with one you noted earlier: whoever writes all records anew can only be caught so");
        }
        Err(fault) => report.fail(path.display().to_string(), words(&fault)),
    }
    report
}

/// What the check of a file comes to, as it is expected.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Expected {
    /// It holds, with so many decisions, executions, and steps towards knowing what came of them.
    Holds {
        decisions: usize,
        executions: usize,
        #[serde(default)]
        resolutions: usize,
    },
    /// It does not, in these words.
    Fault(String),
}

fn run_folder(folder: &Path) -> Report {
    let mut report = Report::default();
    let cases = match load(folder) {
        Ok(cases) => cases,
        Err(why) => {
            report.fail("EXPECTED.json", why);
            return report;
        }
    };
    for (name, expected) in cases {
        let found = match check_file(&folder.join(&name)) {
            Ok(Checked { decisions, executions, resolutions, .. }) => {
                Expected::Holds { decisions, executions, resolutions }
            }
            Err(fault) => Expected::Fault(words(&fault)),
        };
        if found == expected {
            report.pass();
        } else {
            report.fail(name, format!("found {found:?}, expected {expected:?}"));
        }
    }
    report
}

/// Every file of the folder must be among the cases: one that is not would never be checked.
fn load(folder: &Path) -> Result<BTreeMap<String, Expected>, String> {
    let bytes = fs::read(folder.join("EXPECTED.json")).map_err(|error| error.to_string())?;
    let cases: BTreeMap<String, Expected> =
        serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name().display().to_string();
        if name != "EXPECTED.json" && !cases.contains_key(&name) {
            return Err(format!("{name} is in the folder and is not expected"));
        }
    }
    Ok(cases)
}

fn check_file(path: &Path) -> Result<Checked, Fault> {
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    check(BufReader::new(file))
}

/// Checks a file as it comes, so that its size does not matter.
fn check(file: impl BufRead) -> Result<Checked, Fault> {
    let mut lines = Lines { file, number: 0 };
    let first = lines.next()?.ok_or_else(|| unreadable("it is empty".to_owned()))?;
    let mut checker = Checker::begin(&first)?;
    while let Some(line) = lines.next()? {
        checker.take(&line)?;
    }
    checker.finish()
}

/// Lines of a bounded length.
struct Lines<R> {
    file: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<String>, Fault> {
        self.number += 1;
        let mut line = Vec::new();
        let bound = LINE_BYTES_MAX as u64 + 1;
        let read = (&mut self.file).take(bound).read_until(b'\n', &mut line);
        match read {
            Ok(0) => return Ok(None),
            Ok(_) if line.pop() == Some(b'\n') => {}
            Ok(_) if line.len() >= LINE_BYTES_MAX => return Err(self.fault("is too long")),
            Ok(_) => return Err(self.fault("is cut off: no line of an export ends like this")),
            Err(error) => return Err(unreadable(error.to_string())),
        }
        String::from_utf8(line).map(Some).map_err(|_| self.fault("is not text in UTF-8"))
    }

    fn fault(&self, what: &str) -> Fault {
        unreadable(format!("line {} {what}", self.number))
    }
}

fn unreadable(what: String) -> Fault {
    Fault { place: None, what }
}

fn words(Fault { place, what }: &Fault) -> String {
    match place {
        None => what.clone(),
        Some(Place { number, about: None }) => format!("record {number}: {what}"),
        Some(Place { number, about: Some((tool, at)) }) => {
            format!("record {number} ({tool:?}, {}): {what}", utc(*at))
        }
    }
}

/// As in "2026-11-28T17:58:03Z"; no record is from before 1970.
fn utc(at: Timestamp) -> String {
    let at = i64::try_from(at.0).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.map_or_else(|| "at no time there is".to_owned(), |at| at.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_does_not_exist_is_said_to_be_none() {
        assert_eq!(utc(Timestamp(1_795_888_683_000)), "2026-11-28T17:58:03Z");
        assert_eq!(utc(Timestamp(u64::MAX)), "at no time there is");
    }

    #[test]
    fn a_line_without_an_end_is_refused_before_it_is_read() {
        let endless = BufReader::new(std::io::repeat(b'x'));
        let fault = check(endless).unwrap_err();
        assert_eq!(words(&fault), "line 1 is too long");
    }
}
