//! Names of items: which of them are one line of a list, and what a person is warned of.

use std::fs;
use std::path::Path;

use kitchen::item::{Warning, compare};
use kitchen::{Household, Language};
use serde::Deserialize;

use crate::report::Report;

/// Two names beside each other.
#[derive(Deserialize)]
struct Case {
    id: String,
    a: String,
    b: String,
    same_item: bool,
    warn: Option<String>,
    /// The language of the list, where it matters.
    #[serde(default)]
    lang: Option<String>,
}

/// Runs `unicode_items.json` of a folder.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    let file = folder.join("unicode_items.json");
    let text = fs::read_to_string(&file).map_err(|error| error.to_string());
    let cases: Result<Vec<Case>, _> =
        text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    match cases {
        Ok(cases) => {
            for case in &cases {
                match judge(case) {
                    Ok(()) => report.pass(),
                    Err(why) => report.fail(&case.id, why),
                }
            }
        }
        Err(why) => report.fail(file.display().to_string(), why),
    }
    report
}

fn judge(case: &Case) -> Result<(), String> {
    let language = match &case.lang {
        Some(tag) => Some(Language::of_tag(tag).ok_or(format!("there is no language {tag}"))?),
        None => None,
    };
    for (a, b) in [(&case.a, &case.b), (&case.b, &case.a)] {
        let compared = compare(a, b, language);
        if compared.same_item != case.same_item {
            return Err(format!("{a:?} and {b:?} are the same item: {}", compared.same_item));
        }
        let warned: Vec<_> = compared.warnings.iter().map(|it| name(*it)).collect();
        let expected: Vec<_> = case.warn.iter().map(String::as_str).collect();
        if warned != expected {
            return Err(format!("warned of {warned:?}, expected {expected:?}"));
        }
        if !case.same_item {
            removes_nothing(a, b)?;
        }
    }
    Ok(())
}

/// What is another item is never found, and so never removed, by its look-alike.
fn removes_nothing(on_list: &str, named: &str) -> Result<(), String> {
    let mut household = Household::default();
    if household.add(on_list, "", "").is_err() {
        // A name with control characters comes on no list.
        return Ok(());
    }
    match household.find(named) {
        Ok(_) => Err(format!("{named:?} finds {on_list:?}")),
        Err(_) => Ok(()),
    }
}

fn name(warning: Warning) -> &'static str {
    match warning {
        Warning::InvisibleCharacter => "invisible_character",
        Warning::BidiControl => "bidi_control",
        Warning::ControlCharacter => "control_character",
        Warning::Confusable => "confusable",
        Warning::CombiningFlood => "combining_flood",
        Warning::LocaleDependent => "locale_dependent",
        Warning::Suggest => "suggest",
    }
}
