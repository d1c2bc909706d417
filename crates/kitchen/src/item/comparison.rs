//! Two names beside each other: whether they are one item, and what a person must know of them.

use super::foods::FOODS;
use super::{ACCENTS_MAX, key, keys_same_but_for_accents, keys_same_but_for_number, looks_like};
use crate::language::Language;

/// What is not as it seems about a name, or about two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// A character that cannot be seen.
    InvisibleCharacter,
    /// A character that moves others.
    BidiControl,
    /// A line break or another control character.
    ControlCharacter,
    /// The names look alike and are not the same.
    Confusable,
    /// More marks on a letter than any language writes.
    CombiningFlood,
    /// They are the same in one language and not in another.
    LocaleDependent,
    /// They may be the same thing in two languages.
    Suggest,
}

/// What two names are to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Whether they are one line of a list.
    pub same_item: bool,
    /// What a person must know.
    pub warnings: Vec<Warning>,
}

/// Compares two names, in the language of the list where one is known.
///
/// Nothing is the same that only looks alike, or means the same in another language.
#[must_use]
pub fn compare(a: &str, b: &str, language: Option<Language>) -> Comparison {
    let mut warnings: Vec<_> = [a, b].iter().flat_map(|name| warnings(name)).collect();
    let same = is_same(&key(a), &key(b));
    let same_in_turkish = is_same(&key(&dotted(a)), &key(&dotted(b)));
    let is_turkish = language == Some(Language::Turkish);
    let same_item = if is_turkish { same_in_turkish } else { same };
    if same != same_in_turkish && (is_turkish || !same) {
        warnings.push(Warning::LocaleDependent);
    } else if !same_item && looks_like(a, b) {
        warnings.push(Warning::Confusable);
    }
    if same_food(a, [b].into_iter()).is_some() {
        warnings.push(Warning::Suggest);
    }
    warnings.sort_unstable();
    warnings.dedup();
    Comparison { same_item, warnings }
}

/// What is not as it seems about a name by itself.
#[must_use]
pub fn warnings(name: &str) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut marks = 0;
    let mut letters = name.chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        marks = if is_mark(letter) { marks + 1 } else { 0 };
        let hides = is_invisible(letter) && !joins(before, letter, letters.peek().copied());
        found.extend((marks > ACCENTS_MAX).then_some(Warning::CombiningFlood));
        found.extend(is_bidi_control(letter).then_some(Warning::BidiControl));
        found.extend(letter.is_control().then_some(Warning::ControlCharacter));
        found.extend(hides.then_some(Warning::InvisibleCharacter));
        before = Some(letter);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The first of some names that may mean the same food as a name, each in a language of its own:
/// 豆腐 for tofu. It is another item; whether it is the same thing is for a person to say.
#[must_use]
pub fn same_food<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = key(name);
    let is_one = |a: &str, b: &str| a == b || keys_same_but_for_number(a, b);
    let rows = FOODS.iter().map(|row| row.split('|').map(key).collect::<Vec<_>>());
    let rows: Vec<_> = rows.filter(|row| row.iter().any(|it| is_one(it, &name))).collect();
    let mut others = others;
    others.find(|other| {
        let other = key(other);
        let is_named = rows.iter().flatten().any(|it| is_one(it, &other));
        is_named && !is_same(&name, &other)
    })
}

fn is_same(a: &str, b: &str) -> bool {
    a == b || keys_same_but_for_accents(a, b) || keys_same_but_for_number(a, b)
}

/// The name with its capital I as Turkish folds them: I is ı, İ is i.
fn dotted(name: &str) -> String {
    name.replace('I', "ı").replace('İ', "i")
}

fn is_mark(letter: char) -> bool {
    matches!(u32::from(letter),
        0x300..=0x36F | 0x483..=0x489 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F
        | 0x591..=0x5BD | 0x610..=0x61A | 0x64B..=0x65F | 0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E)
}

fn is_bidi_control(letter: char) -> bool {
    matches!(u32::from(letter), 0x61C | 0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069)
}

fn is_invisible(letter: char) -> bool {
    matches!(u32::from(letter),
        0xAD | 0x34F | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200D
        | 0x2060..=0x2065 | 0x206A..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0
        | 0xFFF9..=0xFFFB | 0xE0000..=0xE01EF)
}

/// Whether a character that cannot be seen is part of ordinary writing where it stands: joiners
/// within emoji and within scripts that are written with them, selectors and tags behind emoji.
fn joins(before: Option<char>, letter: char, after: Option<char>) -> bool {
    let is_emoji = |it: char| matches!(u32::from(it), 0x2190..=0x2BFF | 0x3030 | 0x303D | 0x1F000..=0x1FAFF | 0xFE0F);
    let is_joining =
        |it: char| matches!(u32::from(it), 0x600..=0x8FF | 0x900..=0xDFF | 0x1000..=0x109F);
    let between = |fits: &dyn Fn(char) -> bool| before.is_some_and(fits) && after.is_some_and(fits);
    match u32::from(letter) {
        0x200C => between(&is_joining),
        0x200D => between(&is_joining) || between(&is_emoji),
        0xFE0E | 0xFE0F => before.is_some_and(|it| is_emoji(it) || "0123456789#*".contains(it)),
        0xE0020..=0xE007F => before.is_some_and(|it| is_emoji(it) || u32::from(it) >= 0xE0020),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_marks_is_another_item_and_ordinary_writing_is_none() {
        let flooded = format!("m{}ilk", "\u{301}".repeat(5));
        let compared = compare(&flooded, "milk", None);
        assert_eq!(
            compared,
            Comparison { same_item: false, warnings: vec![Warning::CombiningFlood] }
        );
        for name in ["crème fraîche", "phở", "ấ", "می‌خواهم", "❤️ jam", "👩‍🍳 apron", "น้ำผึ้ง", "क्षीर"]
        {
            assert_eq!(warnings(name), [], "{name}");
        }
    }

    #[test]
    fn a_name_in_another_language_is_suggested_and_never_taken_for_it() {
        for (a, b) in [("milk", "牛乳"), ("Eier", "eggs"), ("חלב", "melk"), ("tofu", "豆腐")]
        {
            let compared = compare(a, b, None);
            assert!(!compared.same_item && compared.warnings == [Warning::Suggest], "{a} {b}");
        }
        assert_eq!(compare("milk", "eggs", None).warnings, []);
    }

    #[test]
    fn turkish_letters_are_folded_in_a_turkish_list_alone() {
        let compared = |language| compare("ISPANAK", "ıspanak", language);
        assert!(compared(Some(Language::Turkish)).same_item);
        assert!(!compared(Some(Language::English)).same_item);
        assert_eq!(compared(None).warnings, [Warning::LocaleDependent]);
        let english = compare("milk", "MILK", Some(Language::English));
        assert_eq!(english, Comparison { same_item: true, warnings: Vec::new() });
    }
}
