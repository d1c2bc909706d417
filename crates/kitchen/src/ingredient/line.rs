//! A line of a recipe as words, numbers and signs. Nothing is cut but where one of them ends.

use std::ops::Range;

use super::words::Words;
use crate::language::Language;
use crate::quantity::unit::Unit;
use crate::quantity::{Number, number};

/// What a piece of a line is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Number(Number),
    Word,
    Sign(char),
}

/// A piece of a line.
#[derive(Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
    /// In lower case, with plain apostrophes.
    lower: String,
}

/// A line of a recipe.
#[derive(Debug)]
pub(super) struct Line {
    text: String,
    tokens: Vec<Token>,
    pub(super) language: Language,
}

impl Line {
    pub(super) fn of(text: &str, language: Language, words: &Words) -> Self {
        let text = plain(text);
        let mut reading = Reading { text: &text, language, words, tokens: Vec::new(), at: 0 };
        while reading.at < text.len() {
            reading.step();
        }
        let tokens = reading.tokens;
        Self { text, tokens, language }
    }

    /// The line with single spaces and plain digits.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn number(&self, at: usize) -> Option<Number> {
        match self.kind(at)? {
            Kind::Number(number) => Some(number),
            Kind::Word | Kind::Sign(_) => None,
        }
    }

    pub(super) fn is_sign(&self, at: usize, signs: &str) -> bool {
        matches!(self.kind(at), Some(Kind::Sign(sign)) if signs.contains(sign))
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    /// The piece in lower case; empty past the end.
    pub(super) fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.lower)
    }

    /// Whether there is space before the piece.
    pub(super) fn is_apart(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        match (before, self.tokens.get(at)) {
            (Some(before), Some(token)) => before.range.end < token.range.start,
            (None, _) | (_, None) => true,
        }
    }

    /// The text of some pieces that follow each other.
    pub(super) fn slice(&self, pieces: Range<usize>) -> Option<&str> {
        let first = self.tokens.get(pieces.start)?;
        let last = self.tokens.get(pieces.end.checked_sub(1)?)?;
        self.text.get(first.range.start..last.range.end)
    }

    /// The piece after one of the phrases, if one stands here; the longest counts. Full stops are
    /// passed over.
    pub(super) fn after(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        let first = self.lower(at);
        let may_be = |phrase: &&&str| !first.is_empty() && phrase.starts_with(first);
        phrases.iter().filter(may_be).filter_map(|phrase| self.after_phrase(at, phrase)).max()
    }

    fn after_phrase(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut at = at;
        for word in phrase.split(' ') {
            if self.lower(at) != word {
                return None;
            }
            at += 1;
            if self.is_sign(at, ".") && !self.is_apart(at) {
                at += 1;
            }
        }
        Some(at)
    }

    /// The unit that stands here, the longest if there are several, and the piece after it.
    pub(super) fn unit(&self, at: usize) -> Option<(&'static Unit, usize)> {
        /// The most pieces of a unit, as in `c. à soupe` or `colheres (sopa)`.
        const PIECES_MAX: usize = 6;
        if !self.is_word(at) && !self.is_sign(at, "″") {
            return None;
        }
        (1..=PIECES_MAX).rev().find_map(|length| {
            let end = at + length;
            let word = self.slice(at..end)?;
            let is_stopped = self.is_sign(end - 1, ".,/-");
            let named = |word| Unit::named(word, Some(self.language)).filter(|_| !is_stopped);
            let without_ending = || word.split_once('(').filter(|(_, rest)| is_ending(rest));
            let unit = named(word).or_else(|| named(without_ending()?.0))?;
            let has_stop = self.is_sign(end, ".") && !self.is_apart(end);
            Some((unit, end + usize::from(has_stop)))
        })
    }
}

/// The most letters of a parenthesis that a word goes on after, as in `(kook)room`.
const LETTERS_BEFORE_MAX: usize = 6;
/// The most letters of an ending in parentheses, as in `Gewürzgurke(n)`.
const LETTERS_AFTER_MAX: usize = 3;

/// The rest of a word that is for one and for several, as in `pincée(s)`, after its parenthesis.
fn is_ending(rest: &str) -> bool {
    rest.strip_suffix(')').is_some_and(|ending| {
        ending.chars().count() <= LETTERS_AFTER_MAX && ending.chars().all(char::is_alphabetic)
    })
}

/// The text with single spaces, plain digits and plain parentheses.
fn plain(text: &str) -> String {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = spaced.chars().map(|letter| match letter {
        '（' => '(',
        '）' => ')',
        '：' => ':',
        '＊' => '*',
        '×' => 'x',
        _ => number::plain(letter),
    });
    plain.filter(|letter| !letter.is_control()).collect()
}

struct Reading<'a> {
    text: &'a str,
    language: Language,
    words: &'a Words,
    tokens: Vec<Token>,
    at: usize,
}

impl Reading<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let end = self.at + length;
        let written = self.text.get(self.at..end).unwrap_or("");
        let lower = written.to_lowercase().replace('’', "'");
        self.tokens.push(Token { kind, range: self.at..end, lower });
        self.at = end;
    }

    fn step(&mut self) {
        let Some(first) = self.rest().chars().next() else { return };
        if first == ' ' {
            self.at += 1;
        } else if let Some((number, length)) = self.numeral() {
            self.push(Kind::Number(number), length);
        } else if first.is_alphabetic() {
            let length = self.word();
            self.push(Kind::Word, length);
        } else if let Some(length) = glued(self.rest(), true) {
            self.push(Kind::Word, length + self.word_at(self.at + length));
        } else {
            self.push(Kind::Sign(first), first.len_utf8());
        }
    }

    /// The number at this place, and its length.
    fn numeral(&self) -> Option<(Number, usize)> {
        let rest = self.rest();
        let length = |after: &str| rest.len().saturating_sub(after.len());
        if let Some(numeral) = self.counted_numeral() {
            return Some(numeral);
        }
        let sign = self.language.decimal_sign();
        if rest.starts_with('.') {
            let decimal = format!("0{rest}");
            let (number, after) = number::read(&decimal, sign)?;
            return Some((number, length(after))).filter(|_| length(after) > 1);
        }
        if !rest.starts_with(number::begins) {
            return None;
        }
        let (number, after) =
            number::read_without_size(rest).or_else(|| number::read(rest, sign)).or_else(|| {
                // Some languages are written with the signs of others: `1.5` in a Danish line.
                number::read(rest, crate::language::DecimalSign::Point)
            })?;
        if let Some(range) = slashed_range(rest) {
            return Some(range);
        }
        let is_of_several = number.to_integer() > WITH_A_FRACTION_MAX && !number.is_integer();
        if is_of_several
            && after.starts_with('-')
            && let Some((whole, part)) = rest.split_once(' ')
            && whole.bytes().all(|digit| digit.is_ascii_digit())
        {
            let number = whole.parse::<u64>().ok()?.into();
            return Some((number, length(part).saturating_sub(1)));
        }
        Some((number, length(after)))
    }

    /// A number in Chinese signs before a word that counts things, as in 半个 and 一勺.
    fn counted_numeral(&self) -> Option<(Number, usize)> {
        let rest = self.rest();
        let numeral = |text: &str| {
            let found = self.words.numerals.iter().find(|(sign, ..)| text.starts_with(*sign));
            found.map(|(sign, above, below)| (Number::new(*above, *below), sign.len()))
        };
        let (number, length) = numeral(rest)?;
        let is_first = self.tokens.last().is_none_or(|last| last.range.end < self.at);
        let after_unit = self.tokens.len().checked_sub(2).and_then(|at| self.tokens.get(at));
        let adds =
            matches!(after_unit.map(|it| it.kind), Some(Kind::Number(_))) && !number.is_integer();
        let counts = rest.get(length..).and_then(counter).is_some();
        (is_first && counts || adds && !is_first).then_some((number, length))
    }

    /// The length of the word at this place.
    fn word(&self) -> usize {
        self.word_at(self.at)
    }

    fn word_at(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or("");
        let of_cjk = rest.starts_with(is_cjk);
        let follows_number = matches!(self.tokens.last().map(|it| it.kind), Some(Kind::Number(_)));
        if of_cjk
            && follows_number
            && let Some(length) = counter(rest)
        {
            return length;
        }
        if let Some(elision) = self.elision(rest) {
            return elision;
        }
        let mut end = 0;
        for (at, letter) in rest.char_indices() {
            let next = rest.get(at + letter.len_utf8()..).and_then(|after| after.chars().next());
            let is_within = "'’-&".contains(letter)
                && next.is_some_and(char::is_alphanumeric)
                && !(of_cjk || number_of_unit(rest.get(..at).unwrap_or(""), self.language));
            let is_letter = letter.is_alphanumeric() || is_mark(letter);
            let same_script = is_cjk(letter) == of_cjk || !letter.is_alphabetic();
            // 1x200ml is once so much.
            let is_number = number::begins(letter) && (of_cjk || rest.get(..at) == Some("x"));
            let goes_on = is_letter && same_script && !is_number;
            if !goes_on && !is_within {
                break;
            }
            end = at + letter.len_utf8();
        }
        let word = rest.get(..end).unwrap_or("");
        if of_cjk && let Some(vague) = self.words.vague.iter().find(|it| word.ends_with(**it)) {
            return if word == *vague { end } else { end - vague.len() };
        }
        end + glued(rest.get(end..).unwrap_or(""), false).unwrap_or(0)
    }

    /// The length of a `d'` or `l'` at this place that is no part of the name.
    fn elision(&self, rest: &str) -> Option<usize> {
        self.words.elisions.iter().find_map(|elision| {
            let start = rest.get(..elision.len()).or_else(|| rest.get(..elision.len() + 2))?;
            let plain = start.replace('’', "'").to_lowercase();
            (plain == *elision && rest.len() > start.len()).then_some(start.len())
        })
    }
}

/// The largest whole number that a fraction before a hyphen belongs to: `1 1/2-inch piece` is one
/// piece, `10 3/4-inch slices` are ten.
const WITH_A_FRACTION_MAX: u64 = 3;

/// Whether a word that a hyphen follows is a unit, as in `10-ounce-can`.
fn number_of_unit(word: &str, language: Language) -> bool {
    word.len() <= 5 && Unit::named(word, Some(language)).is_some_and(Unit::is_size)
}

/// The first of `200/250 g`, which are no fraction.
fn slashed_range(text: &str) -> Option<(Number, usize)> {
    let (first, rest) = text.split_once('/')?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let (first, second): (u64, u64) = (first.parse().ok()?, rest.get(..end)?.parse().ok()?);
    let digits = text.split_once('/').map_or(0, |(first, _)| first.len());
    (first >= SLASHED_MIN && second > first).then_some((first.into(), digits))
}

/// From which number on two with a stroke between them are a range.
const SLASHED_MIN: u64 = 20;

/// The length of a parenthesis that is a part of a word: before its rest, as in `(kook)room`, or
/// after it, as in `Ei(er)`.
fn glued(text: &str, is_before: bool) -> Option<usize> {
    let inside = text.strip_prefix('(')?;
    let (letters, after) = inside.split_once(')')?;
    let max = if is_before { LETTERS_BEFORE_MAX } else { LETTERS_AFTER_MAX };
    let is_short = (1..=max).contains(&letters.chars().count());
    let is_part = is_short && letters.chars().all(char::is_alphabetic);
    let goes_on = !is_before || after.starts_with(char::is_alphabetic);
    (is_part && goes_on).then(|| letters.len() + 2)
}

/// The length of the word that counts things at the start of a text without spaces.
fn counter(text: &str) -> Option<usize> {
    /// The most signs of one.
    const SIGNS_MAX: usize = 4;
    let ends = text.char_indices().take(SIGNS_MAX).map(|(at, letter)| at + letter.len_utf8());
    let words = ends.filter(|end| {
        text.get(..*end)
            .is_some_and(|word| Unit::named(word, None).is_some() && word.starts_with(is_cjk))
    });
    words.last()
}

fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{3005}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{FF66}'..='\u{FF9F}')
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{200C}' | '\u{200D}')
}
