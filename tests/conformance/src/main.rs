//! `conformance KIND [DIR]`: runs a folder of recorded cases; the project's own by default.
//! `conformance audit FILE` checks one exported audit.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use conformance::report::Report;
use conformance::{audit, items, lines, recipes, scenarios, streams, tools, utterances};

const USAGE: &str = "usage: conformance items|lines|loop|recipes|streams|tools|utterances [DIR], or audit [FILE|DIR]";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let kind = words.next().unwrap_or_default();
    let (run, folder): (fn(&Path) -> Report, &str) = match kind.as_str() {
        "audit" => (audit::run, "audits"),
        "items" => (items::run, "items"),
        "lines" => (lines::run, "lines"),
        "loop" => (scenarios::run, "vectors"),
        "recipes" => (recipes::run, "recipes"),
        "streams" => (streams::run, "streams"),
        "tools" => (tools::run, "vectors/tools"),
        "utterances" => (utterances::run, "utterances"),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let report = run(&words.next().map_or(own, PathBuf::from));
    print!("{report}");
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
