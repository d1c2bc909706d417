//! What was read of a line beside what its labels say.

use kitchen::ingredient::{Ingredient, Measure};
use kitchen::quantity::Number;

use super::case::{Amount, Case};

/// How much of a set was right.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// Main amounts, with all that is to be added to them and the size of a container.
    pub(super) amounts: usize,
    /// Lines whose amounts are all as labelled, those that say the same again among them.
    pub(super) every_amount: usize,
    pub(super) names: usize,
    /// Names that are a part of the labelled one.
    pub(super) cut_short: usize,
    pub(super) cut_inside_a_word: usize,
}

impl Shares {
    /// Counts a line, and tells what was wrong.
    pub(super) fn count(&mut self, case: &Case, read: &Ingredient) -> Vec<String> {
        let mut faults = Vec::new();
        let amounts: Vec<_> = read.amounts.iter().map(amount).collect();
        let package: Vec<_> = read.package.iter().map(amount).collect();
        let labelled = case.package.as_deref().unwrap_or_default();
        let of_package = same(&package, labelled);
        self.every_amount += usize::from(same(&amounts, &case.amounts) && of_package);
        let parts = match case.relation.as_deref() {
            Some("sum") => case.amounts.len(),
            _ => 1,
        };
        let main = case.amounts.get(..parts).unwrap_or(&case.amounts);
        let read_main: Vec<_> = read.main().iter().map(amount).collect();
        // In a mixed line the labels do not say which amounts belong to the first.
        let read_main = match case.relation.as_deref() {
            Some("mixed") => read_main.get(..1).unwrap_or(&read_main),
            _ => &read_main,
        };
        let main_is_right = same(read_main, main);
        if main_is_right && of_package {
            self.amounts += 1;
        } else {
            faults.push(format!("amounts {} of {}", written(&amounts), written(&package)));
        }
        let forms = [Some(&case.name), case.name_in_line.as_ref()];
        let forms: Vec<_> = forms.into_iter().flatten().map(|it| plain(it)).collect();
        let name = plain(&read.name);
        if forms.contains(&name) {
            self.names += 1;
        } else {
            faults.push(format!("the name “{}”", read.name));
            let is_part = forms.iter().any(|form| form.contains(&name));
            self.cut_short += usize::from(is_part);
        }
        if is_cut_inside_a_word(&case.line, &read.name) || !plain(&case.line).contains(&name) {
            faults.push("a word cut".to_owned());
            self.cut_inside_a_word += 1;
        }
        faults
    }
}

fn same(read: &[Amount], labelled: &[Amount]) -> bool {
    read.len() == labelled.len()
        && read.iter().zip(labelled).all(|(read, labelled)| {
            let unit = |it: &Amount| it.unit.as_deref().map(plain);
            read.qty == labelled.qty
                && read.qty_max == labelled.qty_max
                && unit(read) == unit(labelled)
        })
}

fn amount(measure: &Measure) -> Amount {
    Amount {
        qty: measure.number().map(number),
        qty_max: measure.upper().map(number),
        unit: measure.unit().map(str::to_owned),
    }
}

/// As the labels write it: whole, `n/d` or `w n/d`.
fn number(number: Number) -> String {
    let (whole, part) = (number.trunc(), number.fract());
    match (whole == 0.into(), part == 0.into()) {
        (_, true) => whole.to_string(),
        (true, false) => part.to_string(),
        (false, false) => format!("{whole} {part}"),
    }
}

fn written(amounts: &[Amount]) -> String {
    let write = |it: &Amount| {
        let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        format!("{}..{} {}", word(&it.qty), word(&it.qty_max), word(&it.unit))
    };
    format!("[{}]", amounts.iter().map(write).collect::<Vec<_>>().join("; "))
}

/// Without regard to case, spaces and the kind of apostrophes.
fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘'], "'");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the name ends or begins between two letters of the line, wherever in it it stands.
pub(super) fn is_cut_inside_a_word(line: &str, name: &str) -> bool {
    let (line, name) = (plain(line), plain(name));
    let spaced = |it: char| !matches!(it, '\u{3000}'..='\u{9FFF}') && it.is_alphabetic();
    let within = |a: Option<char>, b: Option<char>| a.is_some_and(spaced) && b.is_some_and(spaced);
    let is_cut = |at: usize| {
        let before = line.get(..at).and_then(|it| it.chars().next_back());
        let after = line.get(at + name.len()..).and_then(|it| it.chars().next());
        within(before, name.chars().next()) || within(name.chars().next_back(), after)
    };
    let mut places = line.match_indices(&name).map(|(at, _)| at).peekable();
    places.peek().is_some() && places.all(is_cut)
}
