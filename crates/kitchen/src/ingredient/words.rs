//! The words a line of a recipe is made of, a table for each language.

mod asian;
mod english;
mod germanic;
mod nordic;
mod romance;
mod slavic;

use crate::language::Language;

/// What a language calls things in a line of a recipe. Phrases are in lower case, with single spaces
/// and without full stops.
#[derive(Debug)]
pub(super) struct Words {
    /// Numbers in words, as a fraction.
    pub(super) numbers: &'static [(&'static str, u64, u64)],
    /// Numbers in signs that stand before a word for counting without a space.
    pub(super) numerals: &'static [(&'static str, u64, u64)],
    /// Words before a number or a unit that are no amount: "a", "the".
    pub(super) articles: &'static [&'static str],
    /// Between the ends of a range.
    pub(super) ranges: &'static [&'static str],
    /// Between amounts that are to be added, and between a number and its fraction.
    pub(super) plus: &'static [&'static str],
    /// Between names or amounts of which one is meant.
    pub(super) or: &'static [&'static str],
    /// Between words of one kind.
    pub(super) and: &'static [&'static str],
    /// That an amount is not exact, and how full a spoon is.
    pub(super) about: &'static [&'static str],
    /// Between an amount and a name.
    pub(super) of: &'static [&'static str],
    /// The same, joined to the name by an apostrophe.
    pub(super) elisions: &'static [&'static str],
    /// How large a thing is; of no name a part.
    pub(super) sizes: &'static [&'static str],
    /// Whether it is no part of the name of what is weighed either: small potatoes are potatoes, but
    /// petits pois are not pois.
    pub(super) sizes_of_weighed: bool,
    /// Measures that are said without a number.
    pub(super) vague: &'static [&'static str],
    /// What was done to it, before the name, as in "chopped".
    pub(super) before: &'static [&'static str],
    /// How it was done, as in "finely".
    pub(super) adverbs: &'static [&'static str],
    /// Words that are no name by themselves, as in "red (or white) wine".
    pub(super) alone: &'static [&'static str],
    /// What was done to it, after the name, as in French.
    pub(super) after: &'static [&'static str],
    /// Names that say what was done because it is bought as such: "pan rallado".
    pub(super) products: &'static [&'static str],
    /// How full a spoon is, said behind it.
    pub(super) full: &'static [&'static str],
    /// Where a name is over: "for", "such as".
    pub(super) ends: &'static [&'static str],
    /// What the amount of the whole stands after: "juice of 2 lemons".
    pub(super) parts: &'static [&'static str],
    /// Units that stand behind the name: "garlic cloves".
    pub(super) behind: &'static [&'static str],
}

/// A language without words of its own.
const NONE: Words = Words {
    numbers: &[],
    numerals: &[],
    articles: &[],
    ranges: &[],
    plus: &[],
    or: &[],
    and: &[],
    about: &[],
    of: &[],
    elisions: &[],
    sizes: &[],
    sizes_of_weighed: true,
    vague: &[],
    before: &[],
    adverbs: &[],
    alone: &[],
    after: &[],
    products: &[],
    full: &[],
    ends: &[],
    parts: &[],
    behind: &[],
};

impl Words {
    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &english::ENGLISH,
            Language::Dutch => &germanic::DUTCH,
            Language::German => &germanic::GERMAN,
            Language::French => &romance::FRENCH,
            Language::Italian => &romance::ITALIAN,
            Language::Spanish => &romance::SPANISH,
            Language::Portuguese => &romance::PORTUGUESE,
            Language::Swedish => &nordic::SWEDISH,
            Language::Danish => &nordic::DANISH,
            Language::Norwegian => &nordic::NORWEGIAN,
            Language::Hungarian => &slavic::HUNGARIAN,
            Language::Turkish => &slavic::TURKISH,
            Language::Polish => &slavic::POLISH,
            Language::Czech => &slavic::CZECH,
            Language::Slovak => &slavic::SLOVAK,
            Language::Japanese => &asian::JAPANESE,
            Language::Chinese => &asian::CHINESE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A phrase is met only as the line is cut: in lower case, by single spaces, without stops.
    #[test]
    fn every_phrase_can_be_met() {
        for tag in [
            "en", "nl", "de", "fr", "it", "es", "pt", "sv", "da", "no", "hu", "tr", "pl", "cs",
            "sk", "ja", "zh",
        ] {
            let language = Language::of_tag(tag).expect("a language of the kitchen");
            let Words { articles, ranges, plus, or, and, about, of, sizes, .. } =
                Words::of(language);
            let Words { before, adverbs, alone, after, products, full, ends, .. } =
                Words::of(language);
            let lists = [
                articles, ranges, plus, or, and, about, of, sizes, before, adverbs, alone, after,
                products, full, ends,
            ];
            for phrase in lists.iter().flat_map(|list| list.iter()) {
                let met = phrase.split(' ').all(|word| {
                    !word.is_empty()
                        && !word.contains(['.', '(', ')'])
                        && word.to_lowercase() == word
                });
                assert!(met, "{tag}: {phrase:?}");
            }
        }
    }
}
