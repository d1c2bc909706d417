//! Where a sentence mentions the list, under any of its names.

use crate::language::Language;
use crate::words::{Word, begins, ends};

/// The words with every mention of the list, its determiner included, as one word.
pub(crate) fn name_list(lang: &Language, words: &[Word]) -> Vec<Word> {
    let mut named = words.to_vec();
    while let Some((from, to)) = find_list(lang, &named) {
        named.splice(from..to, [Word { text: "LIST".to_owned(), lower: "list\u{0}".to_owned() }]);
    }
    named.iter_mut().for_each(|word| word.lower = word.lower.replace("list\u{0}", "list"));
    named
}

/// The words without the mention of the list, and whether there was one.
pub(crate) fn without_list(lang: &Language, words: &[Word]) -> (Vec<Word>, bool) {
    let mut rest = words.to_vec();
    let mut named = false;
    while let Some((from, to)) = find_list(lang, &rest) {
        let comes_before = rest.get(..from).unwrap_or_default();
        let with_preposition = lang.prepositions.iter().any(|it| ends(comes_before, it));
        rest.drain(from - usize::from(with_preposition)..to);
        named = true;
    }
    (rest, named)
}

/// Where the list is mentioned, with its determiner or after a preposition.
fn find_list(lang: &Language, words: &[Word]) -> Option<(usize, usize)> {
    (1..words.len()).find_map(|place| {
        let rest = words.get(place..)?;
        let name = lang.list.iter().find(|name| begins(rest, name))?;
        let comes_before = words.get(..place)?;
        let to = place + name.split(' ').count();
        if lang.determiners.iter().any(|it| ends(comes_before, it)) {
            return Some((place - 1, to));
        }
        lang.prepositions.iter().any(|it| ends(comes_before, it)).then_some((place, to))
    })
}
