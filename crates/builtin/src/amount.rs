//! Amounts as people say them: "a dozen", "two packs of", "half a kilo", "1 1/2 lb".

use kitchen::quantity::Quantity;

use crate::language::Language;
use crate::words::{Word, after, begins, is_unit, text_of, trimmed};

/// The most words a unit has, as in "c. à soupe".
const UNIT_WORDS_MAX: usize = 3;

/// Units whose words begin names as well, as in rib eye steaks, glass cleaner and ear plugs: they are
/// units where an "of" follows.
const IN_NAMES: &[&str] = &[
    "ball", "balls", "basket", "block", "bowl", "branch", "bulb", "chunk", "cob", "cube", "drop",
    "ear", "glass", "grating", "length", "link", "log", "mug", "nest", "part", "parts", "pod",
    "rib", "ribs", "shake", "shot", "spear", "square", "stem", "strip", "wedge", "wheel",
];

/// The amount at the start, and the words after it and after what links it to an item.
pub(crate) fn leading<'a>(words: &'a [Word], lang: &Language) -> Option<(String, &'a [Word])> {
    let (number, rest) = number(words, lang)?;
    if let Some(rest) = after(rest, lang.dozen) {
        return Some((twelve_times(&number)?, trimmed(rest, lang.of, &[])));
    }
    for length in (1..=UNIT_WORDS_MAX).rev() {
        let unit = rest.get(..length).map(text_of).filter(|unit| is_unit(unit));
        if let (Some(unit), Some(rest)) = (unit, rest.get(length..))
            && (!IN_NAMES.contains(&unit.to_lowercase().as_str()) || after(rest, lang.of).is_some())
        {
            let unit = unit.trim_end_matches('.');
            return Some((format!("{number} {unit}"), trimmed(rest, lang.of, &[])));
        }
    }
    Some((number, trimmed(rest, lang.of, &[])))
}

/// The number of things that are named by the word of a unit, as in "six glasses", and that word.
pub(crate) fn of_units<'a>(words: &'a [Word], lang: &Language) -> Option<(String, &'a [Word])> {
    let (number, rest) = number(words, lang)?;
    kitchen::quantity::counts(&text_of(rest)).then_some((number, rest))
}

/// The amount in digits at the end, as in "milk 2 l" and "eggs x6", and the words before it.
pub(crate) fn trailing<'a>(words: &'a [Word], lang: &Language) -> Option<(String, &'a [Word])> {
    (1..words.len()).find_map(|from| {
        let (item, amount) = words.split_at_checked(from)?;
        let amount = trimmed(amount, &["x", "×"], &[]);
        let first = amount.first()?.lower.trim_start_matches(['x', '×']).to_owned();
        if !starts_like_a_number(&first) {
            return None;
        }
        let mut amount = amount.to_vec();
        amount.first_mut()?.text.clone_from(&first);
        amount.first_mut()?.lower = first;
        let (quantity, rest) = leading(&amount, lang)?;
        rest.is_empty().then_some((quantity, item))
    })
}

/// Whether these words are an amount and nothing else.
pub(crate) fn whole(words: &[Word], lang: &Language) -> Option<String> {
    leading(words, lang).filter(|(_, rest)| rest.is_empty()).map(|(quantity, _)| quantity)
}

fn starts_like_a_number(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit() || "½¼¾⅓⅔⅛".contains(it))
}

fn number<'a>(words: &'a [Word], lang: &Language) -> Option<(String, &'a [Word])> {
    if let Some(rest) = after(words, lang.half) {
        let is_amount =
            rest.first().is_some_and(|it| is_unit(&it.text)) || after(rest, lang.dozen).is_some();
        return is_amount.then(|| ("1/2".to_owned(), rest));
    }
    let (number, rest) = digits(words).or_else(|| in_words(words, lang))?;
    match after(rest, &["and a half", "en een half", "et demi", "et demie"]) {
        Some(rest) => Some((format!("{number} 1/2"), rest)),
        None => Some((number, rest)),
    }
}

fn digits(words: &[Word]) -> Option<(String, &[Word])> {
    let (first, rest) = words.split_first()?;
    let number = first.lower.trim_end_matches(['x', '×']);
    let reads = |text: &str| Quantity::read(text).unread().is_empty();
    if !starts_like_a_number(number) || !reads(number) {
        return None;
    }
    let fraction = rest.first().filter(|it| it.text.contains(['/', '½', '¼', '¾', '⅓', '⅔']));
    match fraction.map(|part| format!("{number} {}", part.text)).filter(|it| reads(it)) {
        Some(both) => Some((both, rest.get(1..)?)),
        None => Some((number.to_owned(), rest)),
    }
}

fn in_words<'a>(words: &'a [Word], lang: &Language) -> Option<(String, &'a [Word])> {
    let known = lang.numbers.iter().filter(|(word, _)| begins(words, word));
    if let Some((word, number)) = known.max_by_key(|(word, _)| word.len()) {
        return Some(((*number).to_owned(), words.get(word.split(' ').count()..)?));
    }
    // "twenty-four"
    let (first, rest) = words.split_first()?;
    let (tens, ones) = first.lower.split_once('-')?;
    let value = |word| lang.numbers.iter().find(|(known, _)| *known == word)?.1.parse::<u32>().ok();
    Some(((value(tens)? + value(ones)?).to_string(), rest))
}

fn twelve_times(number: &str) -> Option<String> {
    match number {
        "1/2" => Some("6".to_owned()),
        _ => number.parse::<u32>().ok()?.checked_mul(12).map(|twelves| twelves.to_string()),
    }
}
