//! "Actually, make that six": what a text changes about the calls that were proposed before it.

use kitchen::aisle::{self, Aisle};
use kitchen::item;
use serde_json::Value;

use crate::amount;
use crate::items::item_of;
use crate::language::{LANGUAGES, Language};
use crate::plan::{ADD, Step, UPDATE};
use crate::transcript::{Fate, Proposal};
use crate::words::{Word, after, before, sentences, text_of, trimmed};

/// What is to be different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Correction {
    /// Another amount.
    Amount(String),
    /// Another amount of that item.
    AmountOf(String, String),
    /// The item by another name, the amount as it was.
    Item(String),
    /// Another item; how much of it was not said.
    Instead(String),
    /// The same, of a certain kind.
    Kind(String),
}

/// What came of applying a correction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Corrected {
    /// These calls instead.
    Steps(Vec<Step>),
    /// It fits several items; these.
    Which(Vec<String>),
    /// It fits nothing that was proposed.
    Nothing,
}

/// Reads a text as a correction, if it is one.
pub(crate) fn read(text: &str) -> Option<Correction> {
    let mut words: Vec<Word> = Vec::new();
    for sentence in sentences(text) {
        if sentence.asks {
            return None;
        }
        if !words.is_empty() {
            words.push(Word::new(","));
        }
        words.extend(sentence.words);
    }
    LANGUAGES.iter().find_map(|lang| read_in(lang, &words))
}

fn read_in(lang: &Language, words: &[Word]) -> Option<Correction> {
    let rest = trimmed(words, lang.openers, lang.closers);
    let (rest, led) = without_lead(lang, rest);
    let made = after(rest, lang.makes);
    let rest = trimmed(made.unwrap_or(rest), &[], lang.instead);
    // "six, not twelve", "six instead of twelve"
    let against = ["not", "instead", "niet", "nicht", "statt", "pas"];
    let end = rest.iter().position(|word| against.contains(&word.lower.as_str()));
    let rest = trimmed(rest.get(..end.unwrap_or(rest.len()))?, &[], &[]);
    if rest.iter().any(Word::is_comma) {
        return None;
    }
    if let Some(amount) = amount::whole(rest, lang) {
        return Some(Correction::Amount(amount));
    }
    if !led && made.is_none() {
        return None;
    }
    if let Some(kind) = before(rest, &["ones", "one"]) {
        let kind = after(kind, &["the", "some"]).filter(|kind| !kind.is_empty())?;
        // It must be a name by itself, so that no sentence becomes a note.
        return item_of(lang, kind).map(|_| Correction::Kind(text_of(rest)));
    }
    match item_of(lang, rest)? {
        (item, quantity) if quantity.is_empty() => {
            if made.is_some() {
                return Some(Correction::Item(item));
            }
            (aisle::of(&item) != Aisle::Other).then_some(Correction::Instead(item))
        }
        (item, quantity) => Some(Correction::AmountOf(item, quantity)),
    }
}

/// Without "Actually," and the like. "No milk" is no correction, "no, milk" is one.
fn without_lead<'a>(lang: &Language, words: &'a [Word]) -> (&'a [Word], bool) {
    let (mut rest, mut led) = (words, false);
    while let Some(shorter) = after(rest, lang.corrects) {
        let goes_on = shorter.first().is_some_and(Word::is_comma)
            || after(shorter, lang.makes).is_some()
            || amount::leading(shorter, lang).is_some();
        if !goes_on {
            break;
        }
        (rest, led) = (trimmed(shorter, lang.openers, &[]), true);
    }
    (rest, led)
}

/// The calls that a correction makes of those before it.
pub(crate) fn apply(correction: &Correction, before: &[Proposal<'_>]) -> Corrected {
    let targets: Vec<usize> = (0..before.len())
        .filter(|place| before.get(*place).is_some_and(|it| fits(correction, it)))
        .collect();
    match targets.as_slice() {
        [] => Corrected::Nothing,
        [target] => Corrected::Steps(steps(correction, before, *target)),
        [..] => {
            let items = targets.iter().filter_map(|place| before.get(*place));
            Corrected::Which(items.filter_map(item_name).map(str::to_owned).collect())
        }
    }
}

fn item_name<'a>(proposal: &Proposal<'a>) -> Option<&'a str> {
    proposal.call.arguments.get("item").and_then(Value::as_str)
}

fn fits(correction: &Correction, proposal: &Proposal<'_>) -> bool {
    let has_amount = [ADD, UPDATE].contains(&proposal.call.name.as_str());
    match (correction, item_name(proposal)) {
        (Correction::Item(_) | Correction::Instead(_), Some(_)) => {
            !matches!(proposal.fate, Fate::Done(_))
        }
        (Correction::Amount(_) | Correction::Kind(_), Some(_)) => has_amount,
        (Correction::AmountOf(item, _), Some(name)) => {
            has_amount
                && (item::key(item) == item::key(name) || item::same_but_for_number(item, name))
        }
        (_, None) => false,
    }
}

/// The corrected call among those the person had not said no to.
fn steps(correction: &Correction, before: &[Proposal<'_>], target: usize) -> Vec<Step> {
    before
        .iter()
        .enumerate()
        .filter_map(|(place, proposal)| {
            if place == target {
                return Some(corrected(correction, proposal));
            }
            let step = Step {
                tool: proposal.call.name.clone(),
                arguments: proposal.call.arguments.clone(),
            };
            proposal.fate.may_be_proposed_again().then_some(step)
        })
        .collect()
}

fn corrected(correction: &Correction, proposal: &Proposal<'_>) -> Step {
    let mut step =
        Step { tool: proposal.call.name.clone(), arguments: proposal.call.arguments.clone() };
    // What is on the list already is changed there; adding once more would add up.
    if matches!(proposal.fate, Fate::Done(_)) && step.tool == ADD {
        step.tool = UPDATE.to_owned();
        step.arguments.retain(|name, _| name == "item");
    }
    if matches!(correction, Correction::Instead(_)) && step.arguments.contains_key("quantity") {
        step.arguments.insert("quantity".to_owned(), Value::String(String::new()));
    }
    let (name, value) = match correction {
        Correction::Amount(quantity) | Correction::AmountOf(_, quantity) => ("quantity", quantity),
        Correction::Item(item) | Correction::Instead(item) => ("item", item),
        Correction::Kind(kind) => ("note", kind),
    };
    step.arguments.insert(name.to_owned(), Value::String(value.clone()));
    step
}
