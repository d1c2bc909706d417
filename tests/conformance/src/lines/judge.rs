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
        // What was not labelled as a sum must not be one.
        let sums = read.relation == Some(kitchen::ingredient::Relation::Sum);
        let read_main = if sums {
            amounts.as_slice()
        } else {
            amounts.get(..main.len().min(amounts.len())).unwrap_or_default()
        };
        let main_is_right = main.len() == read_main.len() && same(read_main, main);
        if main_is_right && of_package && amounts.is_empty() == case.amounts.is_empty() {
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
        if is_cut_inside_a_word(&case.line, &read.name) {
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

/// Whether the name ends or begins between two letters of the line it was taken from.
fn is_cut_inside_a_word(line: &str, name: &str) -> bool {
    let (line, name) = (plain(line), plain(name));
    let spaced =
        |letter: char| !matches!(letter, '\u{3000}'..='\u{9FFF}') && letter.is_alphabetic();
    let whole = |at: usize| {
        let before = line.get(..at).and_then(|it| it.chars().next_back());
        let after = line.get(at + name.len()..).and_then(|it| it.chars().next());
        let (first, last) = (name.chars().next(), name.chars().next_back());
        let within =
            |a: Option<char>, b: Option<char>| a.is_some_and(spaced) && b.is_some_and(spaced);
        !within(before, first) && !within(last, after)
    };
    !name.is_empty() && !line.match_indices(&name).any(|(at, _)| whole(at))
}
