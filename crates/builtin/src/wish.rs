//! What a text asks for, read by the tables of its language. What is not certain is no wish.

use kitchen::aisle::{self, Aisle};

use crate::amount;
use crate::items::{item_of, pieces};
use crate::language::{LANGUAGES, Language, Needs, Verb};
use crate::list_name::{name_list, without_list};
use crate::words::{Sentence, Word, after, before, begins, sentences, text_of, trimmed};

/// What a verb asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// To buy something.
    Add,
    /// To take something off the list.
    Remove,
    /// To put something into the basket.
    Tick,
    /// To take it out again.
    Untick,
    /// To give a line another amount.
    Change,
}

/// Something a person wants done or told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Something is to be bought.
    Add {
        /// What.
        item: String,
        /// How much; empty if it was not said.
        quantity: String,
    },
    /// A line is to go.
    Remove {
        /// Which.
        item: String,
    },
    /// A line is to be ticked, or not any more.
    Check {
        /// Which.
        item: String,
        /// Ticked or not.
        checked: bool,
    },
    /// A line is to have another amount.
    Change {
        /// Which.
        item: String,
        /// The whole new amount.
        quantity: String,
    },
    /// The list is to be told, or whether something is on it.
    Read {
        /// What is asked about; absent for all of it.
        about: Option<String>,
    },
}

/// What was read from a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Reading {
    /// What is wanted, in the order of the text.
    pub(crate) wishes: Vec<Wish>,
    /// The sentences that were not understood.
    pub(crate) unclear: Vec<String>,
}

/// Reads a text in the language that explains most of it.
pub(crate) fn read(text: &str) -> Reading {
    let sentences = sentences(text);
    let readings = LANGUAGES.iter().map(|lang| read_in(lang, &sentences));
    // Of two that explain as much, the first.
    let best = readings.rev().max_by_key(|it| (it.unclear.is_empty(), it.wishes.len()));
    best.unwrap_or_default()
}

fn read_in(lang: &Language, sentences: &[Sentence]) -> Reading {
    let mut reading = Reading::default();
    let mut bare = false;
    let mut heading = None;
    for sentence in sentences {
        let words = opened(lang, sentence);
        let verb =
            lang.verbs.iter().find(|verb| verb.needs == Needs::Nothing && is(words, verb.start));
        if let Some(verb) = verb {
            // "Add:" with its items on the lines below.
            heading = Some(verb.act);
        } else if !read_sentence(lang, sentence, words, heading, &mut reading, &mut bare) {
            reading.unclear.push(in_words(&sentence.words));
        }
    }
    // Items without a verb are a wish only where nothing around them says otherwise.
    if bare && !reading.unclear.is_empty() {
        reading.wishes.clear();
    }
    reading
}

fn in_words(words: &[Word]) -> String {
    text_of(words).replace(" ,", ",")
}

/// The sentence without politeness, hesitation, and a "no," before what is wanted.
fn opened<'a>(lang: &Language, sentence: &'a Sentence) -> &'a [Word] {
    let words = trimmed(&sentence.words, lang.openers, lang.closers);
    match after(words, lang.corrects) {
        Some(rest) if rest.first().is_some_and(Word::is_comma) || starts_with_verb(lang, rest) => {
            trimmed(rest, lang.openers, lang.closers)
        }
        Some(_) | None => words,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Said,
    Bare,
}

/// Whether the sentence was understood, at least from its start.
fn read_sentence(
    lang: &Language,
    sentence: &Sentence,
    words: &[Word],
    heading: Option<Act>,
    reading: &mut Reading,
    bare: &mut bool,
) -> bool {
    if let Some(read) = read_question(lang, words) {
        reading.wishes.push(read);
        return true;
    }
    let polite = |it: &&&str| it.contains([' ', '-']) && begins(&sentence.words, it);
    if sentence.asks && !lang.openers.iter().any(|it| polite(&it)) {
        return false;
    }
    for (place, clause) in clauses(lang, words).into_iter().enumerate() {
        let mut wishes = reading.wishes.clone();
        match read_clause(lang, clause, heading, &mut wishes) {
            Some(kind) => {
                *bare |= kind == Kind::Bare;
                reading.wishes = wishes;
            }
            // What the sentence begins with may be a condition of all that follows.
            None if place == 0 => return false,
            None => reading.unclear.push(in_words(clause)),
        }
    }
    true
}

fn starts_with_verb(lang: &Language, words: &[Word]) -> bool {
    lang.verbs.iter().any(|verb| !verb.start.is_empty() && begins(words, verb.start))
}

fn read_question(lang: &Language, words: &[Word]) -> Option<Wish> {
    let named = name_list(lang, words);
    if lang.reads.iter().any(|it| is(&named, &it.to_lowercase())) {
        return Some(Wish::Read { about: None });
    }
    lang.whether.iter().find_map(|(start, end)| {
        let item = before(after(&named, &[start])?, &[&end.to_lowercase()])?;
        let (item, _) = item_of(lang, item)?;
        Some(Wish::Read { about: Some(item) })
    })
}

fn is(words: &[Word], phrase: &str) -> bool {
    begins(words, phrase) && words.len() == phrase.split(' ').count()
}

/// The sentence cut before every verb that begins a part of it.
fn clauses<'a>(lang: &Language, words: &'a [Word]) -> Vec<&'a [Word]> {
    let starts = |from: usize| starts_with_verb(lang, words.get(from..).unwrap_or_default());
    let is_joint = |word: &Word| word.is_comma() || lang.and.contains(&word.lower.as_str());
    let mut cuts = vec![0];
    for (place, word) in words.iter().enumerate() {
        // After "and" may come "then" and the like.
        let next = trimmed(words.get(place + 1..).unwrap_or_default(), lang.openers, &[]);
        let next = words.len() - next.len();
        if is_joint(word) && starts(next) && !cuts.contains(&next) {
            cuts.push(next);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([words.len()]);
    let joints: Vec<&str> = lang.and.iter().chain(lang.openers).chain(&[","]).copied().collect();
    cuts.iter()
        .zip(ends)
        .filter_map(|(from, to)| words.get(*from..to))
        .map(|clause| trimmed(clause, &[], &joints))
        .filter(|clause| !clause.is_empty())
        .collect()
}

fn read_clause(
    lang: &Language,
    clause: &[Word],
    heading: Option<Act>,
    wishes: &mut Vec<Wish>,
) -> Option<Kind> {
    let (object, list_named) = without_list(lang, clause);
    let object = trimmed(&object, &[], lang.closers);
    for verb in lang.verbs {
        let Some(object) = object_of(verb, object) else { continue };
        if !list_named && (verb.start.is_empty() || verb.needs == Needs::List) {
            continue;
        }
        let known_only = verb.start.is_empty() || verb.needs == Needs::KnownItem && !list_named;
        return act(lang, verb.act, object, known_only, wishes).map(|()| Kind::Said);
    }
    if let Some(heading) = heading {
        return act(lang, heading, object, false, wishes).map(|()| Kind::Said);
    }
    let before = wishes.len();
    act(lang, Act::Add, object, true, wishes)?;
    let said = wishes.get(before..).unwrap_or_default();
    let states_amount =
        |wish: &Wish| matches!(wish, Wish::Add { quantity, .. } if !quantity.is_empty());
    (list_named || said.is_empty() || said.iter().any(states_amount)).then_some(Kind::Bare)
}

fn object_of<'a>(verb: &Verb, clause: &'a [Word]) -> Option<&'a [Word]> {
    let object = if verb.start.is_empty() { clause } else { after(clause, &[verb.start])? };
    if verb.end.is_empty() { Some(object) } else { before(object, &[verb.end]) }
}

fn act(
    lang: &Language,
    act: Act,
    object: &[Word],
    known_only: bool,
    wishes: &mut Vec<Wish>,
) -> Option<()> {
    if act == Act::Change {
        wishes.push(change(lang, object, known_only)?);
        return Some(());
    }
    let pieces = pieces(lang, object);
    if pieces.is_empty() {
        return None;
    }
    for piece in pieces {
        let is_open =
            |wish: &Wish| matches!(wish, Wish::Add { quantity, .. } if quantity.is_empty());
        let names_things =
            !wishes.last().is_some_and(is_open) && amount::of_units(piece, lang).is_some();
        if let Some(quantity) = amount::whole(piece, lang).filter(|_| !names_things) {
            // "eggs, a dozen": the amount of what was said before.
            give_amount(wishes.last_mut()?, quantity)?;
            continue;
        }
        let (item, quantity) = item_of(lang, piece)?;
        if known_only && aisle::of(&item) == Aisle::Other {
            return None;
        }
        wishes.push(match act {
            Act::Add | Act::Change => Wish::Add { item, quantity },
            // A part of a line cannot be taken off it.
            Act::Remove if quantity.is_empty() || quantity == "1" => Wish::Remove { item },
            Act::Remove => return None,
            Act::Tick => Wish::Check { item, checked: true },
            Act::Untick => Wish::Check { item, checked: false },
        });
    }
    Some(())
}

fn give_amount(wish: &mut Wish, amount: String) -> Option<()> {
    match wish {
        Wish::Add { quantity, .. } if quantity.is_empty() => {
            *quantity = amount;
            Some(())
        }
        Wish::Add { .. }
        | Wish::Remove { .. }
        | Wish::Check { .. }
        | Wish::Change { .. }
        | Wish::Read { .. } => None,
    }
}

/// "milk to 2 l", "the eggs 6".
fn change(lang: &Language, object: &[Word], known_only: bool) -> Option<Wish> {
    let to = object.iter().position(|word| word.lower == "to");
    let (line, quantity) = match to.and_then(|place| object.split_at_checked(place)) {
        Some((line, amount)) => (line, amount::whole(amount.get(1..)?, lang)?),
        None => (1..object.len()).find_map(|from| {
            let (line, amount) = object.split_at_checked(from)?;
            Some((line, amount::whole(amount, lang)?))
        })?,
    };
    let (item, none) = item_of(lang, line)?;
    let known = !known_only || aisle::of(&item) != Aisle::Other;
    (known && none.is_empty()).then_some(Wish::Change { item, quantity })
}

#[cfg(test)]
mod tests;
