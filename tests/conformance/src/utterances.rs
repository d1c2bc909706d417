//! What a household types, through the real loop, the real codec and the built-in model.

mod case;
mod conversation;
mod judge;

use std::collections::BTreeMap;
use std::path::Path;

use crate::report::Report;
use case::Case;

/// Runs every case in a folder: `utterances.json`, and beside it, where it is there,
/// `short_commands.json` and `words.json` with words that a reply or a card must hold.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    let cases = match case::read(folder) {
        Ok(cases) => cases,
        Err(why) => {
            report.fail(folder.display().to_string(), why);
            return report;
        }
    };
    let tools = kitchen::tools().specs();
    let has = |tool: &str| tools.iter().any(|spec| spec.name == tool);
    let mut shares = Shares::default();
    for case in &cases {
        let missing = case.missing_tool(&has);
        let held = conversation::hold(case);
        let judged = held.and_then(|held| match missing {
            // What it cannot do yet must not be replaced by something else.
            Some(_) => judge::changes_nothing(&held, &tools),
            None => judge::judge(case, &held, &tools),
        });
        let ending = match (judged, missing) {
            (Err(why), _) => {
                report.fail(&case.id, why);
                Ending::Failed
            }
            (Ok(()), Some(tool)) => {
                report.skip(&case.id, format!("there is no tool {tool} yet"));
                Ending::Skipped
            }
            (Ok(()), None) => {
                report.pass();
                Ending::Passed
            }
        };
        shares.count(case, ending);
    }
    shares.tell(&mut report);
    report
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Passed,
    Failed,
    Skipped,
}

/// How many cases of each language and kind passed.
#[derive(Default)]
struct Shares(BTreeMap<String, [usize; 3]>);

impl Shares {
    fn count(&mut self, case: &Case, ending: Ending) {
        let language = format!("language {}", case.lang);
        let kinds = case.kind.iter().map(|kind| format!("kind {kind}"));
        for name in kinds.chain([language]) {
            let [passed, failed, skipped] = self.0.entry(name).or_default();
            match ending {
                Ending::Passed => *passed += 1,
                Ending::Failed => *failed += 1,
                Ending::Skipped => *skipped += 1,
            }
        }
    }

    fn tell(&self, report: &mut Report) {
        for (name, [passed, failed, skipped]) in &self.0 {
            let run = passed + failed;
            report.note(format!("{name}: {passed} of {run} passed, {skipped} skipped"));
        }
    }
}
