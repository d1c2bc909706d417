//! A text as words: cut into sentences, each word beside its lower-case form.

use kitchen::quantity::Quantity;

/// A word, or the comma between two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// As it was typed.
    pub(crate) text: String,
    /// In lower case, with a plain apostrophe.
    pub(crate) lower: String,
}

impl Word {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), lower: text.to_lowercase().replace(['’', '‘'], "'") }
    }

    pub(crate) fn is_comma(&self) -> bool {
        self.text == ","
    }
}

/// A sentence, or a part of one that stands for itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sentence {
    /// Its words and commas.
    pub(crate) words: Vec<Word>,
    /// Whether it ends in a question mark.
    pub(crate) asks: bool,
}

/// The sentences of a text.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = vec![Sentence::default()];
    for line in text.lines() {
        let mut typed = line.split_whitespace().peekable();
        while let Some(word) = typed.next() {
            take(word, typed.peek().is_none(), &mut sentences);
        }
        sentences.push(Sentence::default());
    }
    sentences.retain(|sentence| sentence.words.iter().any(|word| !word.is_comma()));
    sentences
}

fn take(typed: &str, is_last: bool, sentences: &mut Vec<Sentence>) {
    let word = typed.trim_start_matches(['(', '"', '“', '„', '«', '-', '•', '*']);
    let core = word.trim_end_matches([')', '"', '”', '»', ',', ';', ':', '.', '!', '?', '…']);
    let marks = word.get(core.len()..).unwrap_or("");
    if let Some(sentence) = sentences.last_mut() {
        push_core(core, sentence);
        if marks.contains(',') {
            sentence.words.push(Word::new(","));
        }
        sentence.asks |= marks.contains('?');
    }
    // The point after "tbsp." ends no sentence.
    let only_shortens = marks == "." && !is_last && is_unit(core);
    if marks.contains([';', ':', '.', '!', '?', '…']) && !only_shortens {
        sentences.push(Sentence::default());
    }
}

fn push_core(core: &str, sentence: &mut Sentence) {
    for (place, part) in split_at_commas(core).into_iter().enumerate() {
        if place > 0 {
            sentence.words.push(Word::new(","));
        }
        let elided = ["d'", "l'", "d’", "l’", "D'", "L'", "D’", "L’"];
        match elided.iter().find_map(|it| part.strip_prefix(it).map(|rest| (*it, rest))) {
            Some((article, rest)) if !rest.is_empty() => {
                sentence.words.push(Word::new(article));
                sentence.words.push(Word::new(rest));
            }
            Some(_) | None if !part.is_empty() => sentence.words.push(Word::new(part)),
            Some(_) | None => {}
        }
    }
}

/// "milk,eggs" is two, "1,5" is one.
fn split_at_commas(core: &str) -> Vec<&str> {
    let is_number = core.starts_with(|it: char| it.is_ascii_digit());
    if is_number { vec![core] } else { core.split(',').collect() }
}

/// Whether the word is a unit that can follow a number.
pub(crate) fn is_unit(word: &str) -> bool {
    let alone = word.trim();
    let is_word = !alone.is_empty() && !alone.contains(|it: char| it.is_ascii_digit() || it == '+');
    is_word && Quantity::read(&format!("1 {alone}")).unread().is_empty()
}

/// The words as they were typed.
pub(crate) fn text_of(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ").replace("d' ", "d'")
}

/// Whether the words begin with the phrase.
pub(crate) fn begins(words: &[Word], phrase: &str) -> bool {
    let mut rest = words.iter();
    phrase.split(' ').all(|part| rest.next().is_some_and(|word| word.lower == part))
}

/// Whether the words end with the phrase.
pub(crate) fn ends(words: &[Word], phrase: &str) -> bool {
    let length = phrase.split(' ').count();
    let tail = words.len().checked_sub(length).and_then(|from| words.get(from..));
    tail.is_some_and(|tail| begins(tail, phrase))
}

/// The words after the first of the phrases they begin with.
pub(crate) fn after<'a>(words: &'a [Word], phrases: &[&str]) -> Option<&'a [Word]> {
    let phrase = phrases.iter().find(|phrase| begins(words, phrase))?;
    words.get(phrase.split(' ').count()..)
}

/// The words before the first of the phrases they end with.
pub(crate) fn before<'a>(words: &'a [Word], phrases: &[&str]) -> Option<&'a [Word]> {
    let phrase = phrases.iter().find(|phrase| ends(words, phrase))?;
    words.get(..words.len() - phrase.split(' ').count())
}

/// Without every one of the phrases at the start and at the end, and without commas there.
pub(crate) fn trimmed<'a>(words: &'a [Word], at_start: &[&str], at_end: &[&str]) -> &'a [Word] {
    let mut rest = words;
    loop {
        let shorter = match rest {
            [first, more @ ..] if first.is_comma() => Some(more),
            [more @ .., last] if last.is_comma() => Some(more),
            [..] => after(rest, at_start).or_else(|| before(rest, at_end)),
        };
        match shorter {
            Some(shorter) => rest = shorter,
            None => return rest,
        }
    }
}
