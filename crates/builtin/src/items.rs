//! The items of an enumeration, each with its amount.

use kitchen::item::NAME_MAX;

use crate::amount;
use crate::language::Language;
use crate::words::{Word, begins, text_of, trimmed};

/// The items of an enumeration: cut at commas and at "and", but not inside a name that has one.
pub(crate) fn pieces<'a>(lang: &Language, words: &'a [Word]) -> Vec<&'a [Word]> {
    let mut pieces = Vec::new();
    let (mut from, mut place) = (0, 0);
    while let Some(word) = words.get(place) {
        let rest = words.get(place..).unwrap_or_default();
        let compound = lang.compounds.iter().find(|name| begins(rest, name));
        let half = ["and a half", "en een half", "et demi", "et demie"];
        if let Some(whole) = compound.or_else(|| half.iter().find(|it| begins(rest, it))) {
            place += whole.split(' ').count();
            continue;
        }
        if word.is_comma() || lang.and.contains(&word.lower.as_str()) {
            pieces.extend(words.get(from..place));
            from = place + 1;
        }
        place += 1;
    }
    pieces.extend(words.get(from..));
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Words that name no item, and things that are not bought.
const NO_ITEMS: &[&str] = &[
    "it",
    "that",
    "this",
    "them",
    "those",
    "these",
    "one",
    "ones",
    "everything",
    "all",
    "something",
    "anything",
    "stuff",
    "things",
    "nothing",
    "me",
    "you",
    "timer",
    "timers",
    "alarm",
    "reminder",
    "calendar",
    "recipe",
    "recipes",
    "minuteur",
    "minuterie",
    "kookwekker",
    "wekker",
    "i",
    "he",
    "she",
    "we",
    "they",
    "is",
    "because",
    "if",
    "please",
    "ignore",
    "instructions",
    "to",
    "not",
    "don't",
    "without",
    "unless",
    "when",
    "until",
    "but",
];
/// The most words an item's name has.
const ITEM_WORDS_MAX: usize = 6;

/// The item and the amount of one piece of an enumeration.
pub(crate) fn item_of(lang: &Language, piece: &[Word]) -> Option<(String, String)> {
    let piece = trimmed(piece, lang.articles, lang.closers);
    let (quantity, words) = amount::leading(piece, lang)
        .filter(|(_, words)| !words.is_empty())
        .or_else(|| amount::of_units(piece, lang))
        .or_else(|| amount::trailing(piece, lang))
        .unwrap_or((String::new(), piece));
    let words = trimmed(words, lang.articles, lang.closers);
    let names_no_item = words.iter().any(|word| NO_ITEMS.contains(&word.lower.as_str()));
    // "a pack of 6 beers" has two amounts.
    let is_amount =
        words.first().is_some_and(|it| it.text.starts_with(|c: char| c.is_ascii_digit()));
    let names_no_item = names_no_item || is_amount && !quantity.is_empty();
    let fits = (1..=ITEM_WORDS_MAX).contains(&words.len()) && !names_no_item;
    let item = text_of(words);
    let is_name = item.chars().any(char::is_alphabetic)
        && !item.chars().any(char::is_control)
        && item.chars().count() <= NAME_MAX;
    (fits && is_name).then_some((item, quantity))
}
