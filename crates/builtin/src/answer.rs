//! What is said about results: what they say, never more.

use serde::Deserialize;

use crate::correction::{self, Correction};
use crate::plan::READ;
use crate::transcript::{Fate, Proposal};
use crate::wish::{self, Wish};

/// The whole list, as its tool returns it.
#[derive(Deserialize)]
struct List {
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    item: String,
    quantity: String,
    note: String,
    checked: bool,
}

/// What the results of a reply's calls come to, in words.
pub(crate) fn to_results(text: &str, proposals: &[Proposal<'_>]) -> String {
    let mut parts = Vec::new();
    parts.extend(done(proposals));
    parts.extend(proposals.iter().filter_map(|it| read(text, it)));
    parts.extend(proposals.iter().filter_map(failure));
    parts.extend(refusals(proposals));
    parts.join("\n\n")
}

fn done(proposals: &[Proposal<'_>]) -> Option<String> {
    let results: Vec<&str> = proposals
        .iter()
        .filter(|it| it.call.name != READ)
        .filter_map(|it| match it.fate {
            Fate::Done(text) => Some(text),
            Fate::Denied(_)
            | Fate::MovedOn
            | Fate::Sticky
            | Fate::TimedOut
            | Fate::Cancelled
            | Fate::NotRecorded
            | Fate::Unknown
            | Fate::Failed(_) => None,
        })
        .collect();
    // Every result ends in the length of the list; the last one holds.
    let parted = |text: &&str| {
        text.rsplit_once("; the list ").map(|(what, how)| (what.to_owned(), how.to_owned()))
    };
    let Some(parted) = results.iter().map(parted).collect::<Option<Vec<_>>>() else {
        return Some(format!("Done.\n\n{}", bullets(results.iter().map(|it| plain(it)))));
    };
    let (_, length) = parted.last()?;
    let lines = bullets(parted.iter().map(|(what, _)| plain(what)));
    Some(format!("Done.\n\n{lines}\n\nThe list {length}."))
}

fn read(text: &str, proposal: &Proposal<'_>) -> Option<String> {
    let Fate::Done(result) = proposal.fate else { return None };
    if proposal.call.name != READ {
        return None;
    }
    let Ok(list) = serde_json::from_str::<List>(result) else {
        return Some(format!("The list could not be read from what came back: {}", plain(result)));
    };
    let about = wish::read(text).wishes.into_iter().find_map(|wish| match wish {
        Wish::Read { about } => about,
        Wish::Add { .. } | Wish::Remove { .. } | Wish::Check { .. } | Wish::Change { .. } => None,
    });
    Some(match about {
        Some(item) => about_item(&item, &list),
        None => whole(&list),
    })
}

fn about_item(item: &str, list: &List) -> String {
    let same = |line: &&Line| {
        kitchen::item::key(&line.item) == kitchen::item::key(item)
            || kitchen::item::same_but_for_number(&line.item, item)
    };
    match list.lines.iter().find(same) {
        Some(line) => format!("On the list: {}.", in_words(line)),
        None => format!("No {} on the list.\n\n{}", plain(item), whole(list)),
    }
}

fn whole(list: &List) -> String {
    let (bought, open): (Vec<&Line>, Vec<&Line>) = list.lines.iter().partition(|it| it.checked);
    let lines = |lines: &[&Line]| bullets(lines.iter().map(|line| in_words(line)));
    match (open.is_empty(), bought.is_empty()) {
        (true, true) => "The list is empty.".to_owned(),
        (false, true) => format!("On the list:\n\n{}", lines(&open)),
        (true, false) => format!("Everything is in the basket:\n\n{}", lines(&bought)),
        (false, false) => {
            format!("Still to buy:\n\n{}\n\nIn the basket:\n\n{}", lines(&open), lines(&bought))
        }
    }
}

fn in_words(line: &Line) -> String {
    let mut words = plain(&line.item);
    for part in [&line.quantity, &line.note].into_iter().filter(|it| !it.is_empty()) {
        words.push_str(", ");
        words.push_str(&plain(part));
    }
    words
}

fn failure(proposal: &Proposal<'_>) -> Option<String> {
    match proposal.fate {
        Fate::Failed(text) => {
            let why = text.rsplit_once("Exception: ").map_or(text, |(_, why)| why);
            Some(format!("That did not work, and nothing was changed by it: {}", plain(why)))
        }
        Fate::Unknown => Some(
            "One change was started and I cannot see how it ended. Look at the list before asking \
             for it again."
                .to_owned(),
        ),
        Fate::NotRecorded => Some(
            "Your yes could not be written down, so it counts as a no and nothing was changed."
                .to_owned(),
        ),
        Fate::Done(_)
        | Fate::Denied(_)
        | Fate::MovedOn
        | Fate::Sticky
        | Fate::TimedOut
        | Fate::Cancelled => None,
    }
}

fn refusals(proposals: &[Proposal<'_>]) -> Option<String> {
    let refused: Vec<&Proposal<'_>> = proposals
        .iter()
        .filter(|it| match it.fate {
            Fate::Denied(_) | Fate::Sticky | Fate::TimedOut | Fate::Cancelled | Fate::MovedOn => {
                true
            }
            Fate::Done(_) | Fate::Unknown | Fate::Failed(_) | Fate::NotRecorded => false,
        })
        .collect();
    let what = match (refused.is_empty(), refused.len() == proposals.len()) {
        (true, _) => return None,
        (false, true) => "Nothing was changed".to_owned(),
        (false, false) => {
            let items: Vec<_> = refused.iter().filter_map(|it| item_name(it)).collect();
            format!("Not done: {}", items.join(", "))
        }
    };
    let hint = refused.iter().find_map(|it| hint(it));
    if let Some(hint) = hint {
        return Some(format!("{what}. {hint}"));
    }
    if refused.iter().all(|it| it.fate == Fate::TimedOut) {
        return Some(format!(
            "{what}, because nobody answered in time. Say it again when you want it."
        ));
    }
    Some(format!("{what}. What would you like instead?"))
}

/// What a reason for a no asks for, where it states an amount or an item.
fn hint(proposal: &Proposal<'_>) -> Option<String> {
    let Fate::Denied(Some(reason)) = proposal.fate else { return None };
    let item = item_name(proposal)?;
    let wanted = match correction::read(reason)? {
        Correction::Amount(quantity) => format!("{item}, {quantity}"),
        Correction::AmountOf(other, quantity) => format!("{}, {quantity}", plain(&other)),
        Correction::Item(other) | Correction::Instead(other) => plain(&other),
        Correction::Kind(kind) => format!("{item}, {}", plain(&kind)),
    };
    let reason = plain(reason);
    Some(format!("You said “{reason}”: write that to me as a message and I will propose {wanted}."))
}

fn item_name(proposal: &Proposal<'_>) -> Option<String> {
    proposal.call.arguments.get("item").and_then(serde_json::Value::as_str).map(plain)
}

fn bullets(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// The text so that nothing in it is taken as markup.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if "\\`*_[]<>#|~&!".contains(letter) {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}
