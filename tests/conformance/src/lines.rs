//! Lines of ingredients: how many amounts and names of a set are read as its labels say.

mod case;
mod judge;
mod random;

use std::path::Path;

use kitchen::Language;
use kitchen::ingredient::Ingredient;

use crate::report::Report;
use case::Case;
use judge::Shares;

/// A set of lines and what must be right of it, in hundredths.
struct Set {
    title: &'static str,
    file: &'static str,
    amounts_min: usize,
    names_min: usize,
}

const SETS: [Set; 2] = [
    Set { title: "English", file: "ingredient_lines.jsonl", amounts_min: 97, names_min: 92 },
    Set {
        title: "multilingual",
        file: "ingredient_lines_multilingual.jsonl",
        amounts_min: 93,
        names_min: 85,
    },
];

/// Runs both sets of lines in a folder. A set holds if enough of its amounts and names are right,
/// no name ends inside a word, and nothing that is made of its lines at random ends the program.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    let mut lines = Vec::new();
    for set in &SETS {
        match case::read(&folder.join(set.file)) {
            Ok(cases) => {
                judge_set(set, &cases, &mut report);
                lines.extend(cases.into_iter().map(|case| case.line));
            }
            Err(why) => report.fail(set.title, why),
        }
    }
    random::read(&lines, &mut report);
    report
}

fn judge_set(set: &Set, cases: &[Case], report: &mut Report) {
    let mut shares = Shares::default();
    for case in cases {
        let Some(language) = Language::of_tag(&case.lang) else {
            report.fail(&case.id, format!("there is no language {}", case.lang));
            continue;
        };
        let read = Ingredient::read(&case.line, language);
        for fault in shares.count(case, &read) {
            report.note(format!("{}: {fault} in “{}”", case.id, case.line));
        }
    }
    let all = cases.len();
    let mut check = |what: &str, right: usize, min: usize| {
        let share =
            format!("{} {what}: {right} of {all} right, {}", set.title, percent(right, all));
        if all > 0 && right * 100 >= all * min {
            report.pass();
        } else {
            report.fail(&share, format!("{min} of 100 must be"));
        }
        report.note(share);
    };
    check("amounts", shares.amounts, set.amounts_min);
    check("names", shares.names, set.names_min);
    check("names not cut inside a word", all - shares.cut_inside_a_word, 100);
    for (what, count) in [
        ("names cut short", shares.cut_short),
        ("names cut inside a word", shares.cut_inside_a_word),
        ("lines with every amount as labelled", shares.every_amount),
    ] {
        report.note(format!("{} {what}: {count} of {all}, {}", set.title, percent(count, all)));
    }
}

/// A share in hundredths, to one place and rounded down, so that 100.0 % means all.
fn percent(part: usize, all: usize) -> String {
    let thousandths = part.saturating_mul(1000).checked_div(all).unwrap_or_default();
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}
