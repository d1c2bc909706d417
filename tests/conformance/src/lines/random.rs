//! Random lines, read to see that none of them ends the program and none loses what it says.

use std::panic::catch_unwind;

use kitchen::Language;
use kitchen::ingredient::Ingredient;

use super::judge::is_cut_inside_a_word;
use crate::report::Report;

/// How many random lines are read.
const LINES: usize = 100_000;
/// The most pieces of a random line.
const PIECES_MAX: usize = 14;

const TAGS: [&str; 17] = [
    "en", "nl", "de", "fr", "it", "es", "pt", "sv", "da", "no", "hu", "tr", "pl", "cs", "sk", "ja",
    "zh",
];

/// What stands between the pieces of lines, and what breaks readers of text.
const ODD: [&str; 32] = [
    "",
    " ",
    "  ",
    "/",
    "-",
    "–",
    "(",
    ")",
    ",",
    ".",
    "+",
    "x",
    "'",
    "’",
    "½",
    "1/0",
    "0",
    "1.",
    ".5",
    "1,000",
    "99999999999999",
    "18446744073709551615",
    "1/18446744073709551615",
    "９",
    "\u{200B}",
    "\u{301}",
    "\u{202E}",
    "個",
    "半",
    "🥚",
    "ß",
    "İ",
];

/// Reads random lines of the pieces of these lines.
pub(super) fn read(lines: &[String], report: &mut Report) {
    let mut chance = fastrand::Rng::with_seed(5);
    let pieces: Vec<&str> = lines.iter().flat_map(|line| line.split(' ')).collect();
    for _ in 0..LINES {
        let line = random_line(&pieces, &mut chance);
        let language = chance.choice(TAGS).and_then(Language::of_tag);
        let Some(language) = language else { continue };
        let read = catch_unwind(|| {
            let read = Ingredient::read(&line, language);
            (read.quantity().to_string(), read.name)
        });
        let fault = match read {
            Ok((_, name)) if is_cut_inside_a_word(&line, &name) => format!("read {name:?}"),
            Ok((_, name)) if name.is_empty() && line.contains(char::is_alphanumeric) => {
                "read no name".to_owned()
            }
            Ok(_) => continue,
            Err(_) => "stopped".to_owned(),
        };
        report.fail("random lines", format!("the reader {fault} at {line:?}"));
        return;
    }
    report.pass();
    report.note(format!("{LINES} random lines were read"));
}

fn random_line(pieces: &[&str], chance: &mut fastrand::Rng) -> String {
    let mut line = String::new();
    for _ in 0..chance.usize(1..=PIECES_MAX) {
        match chance.u8(0..8) {
            0 => line.push(chance.char(..)),
            1 | 2 => line.push_str(chance.choice(ODD).unwrap_or_default()),
            _ => line.push_str(chance.choice(pieces.iter()).copied().unwrap_or_default()),
        }
        if chance.bool() {
            line.push(' ');
        }
    }
    line
}
