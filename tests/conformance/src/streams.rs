//! Recorded replies of providers, read whole, in chunks of every small size, and cut at every byte.
//!
//! A folder holds one folder per provider and `EXPECTED.json`, which says what a right reader makes
//! of each recording. The id a provider gives a whole message is in it too; nothing here keeps it.

mod expected;
mod replay;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use wire::protocol::Protocol;

use self::expected::Expected;
use self::replay::Recording;
use crate::report::Report;

/// Reads every recording that `EXPECTED.json` names and compares.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    let cases = match load(folder) {
        Ok(cases) => cases,
        Err(why) => {
            report.fail("EXPECTED.json", why);
            return report;
        }
    };
    for (name, expected) in cases {
        let place = name.split('/').next().unwrap_or_default();
        let named = |protocol: &Protocol| protocol.name() == place.replace('-', "_");
        match Protocol::ALL.into_iter().find(named) {
            Some(protocol) => judge(folder, &name, protocol, expected, &mut report),
            None => report.skip(name.clone(), format!("{place} is not spoken here")),
        }
    }
    report
}

fn load(folder: &Path) -> Result<BTreeMap<String, Value>, String> {
    let bytes = fs::read(folder.join("EXPECTED.json")).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

fn judge(folder: &Path, name: &str, protocol: Protocol, expected: Value, report: &mut Report) {
    let expected: Expected = match serde_json::from_value(expected) {
        Ok(expected) => expected,
        Err(error) => return report.fail(name, error.to_string()),
    };
    let body = match fs::read(folder.join(name)) {
        Ok(body) => body,
        Err(error) => return report.fail(name, error.to_string()),
    };
    for key in expected.not_judged() {
        report.skip(format!("{name} ({key})"), "nothing here judges this");
    }
    let recording = Recording::new(name, protocol, body);
    if expected.asks_for_approval() {
        let complaints = recording.judge_refused();
        return match complaints.first() {
            None => report.skip(name, "what a provider runs itself has no card; it is refused"),
            Some(first) => report.fail(name, first),
        };
    }
    let complaints = match expected.http_status {
        Some(status) => recording.judge_answer(status, &expected),
        None if name.ends_with(".json") => recording.judge_whole(&expected),
        None => recording.judge_stream(&expected),
    };
    match complaints.first() {
        None => report.pass(),
        Some(first) if complaints.len() == 1 => report.fail(name, first),
        Some(first) => report.fail(name, format!("{first} (and {} more)", complaints.len() - 1)),
    }
}
