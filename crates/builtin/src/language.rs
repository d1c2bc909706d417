//! The words of a language, as tables. The rules that use them are the same for all.

mod dutch;
mod english;
mod french;
mod german;

use crate::wish::Act;

/// What a clause must have beside its verb before it counts as a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing: the verb says it.
    Nothing,
    /// The list must be named: one puts other things elsewhere.
    List,
    /// The list must be named, or the item must be known as something to buy.
    KnownItem,
}

/// A verb, in the form in which people ask for things.
#[derive(Debug)]
pub(crate) struct Verb {
    /// What it asks for.
    pub(crate) act: Act,
    /// How the clause begins; may be empty.
    pub(crate) start: &'static str,
    /// How it ends, as in "take … off"; may be empty.
    pub(crate) end: &'static str,
    /// What else it must have.
    pub(crate) needs: Needs,
}

const fn verb(act: Act, start: &'static str, end: &'static str, needs: Needs) -> Verb {
    Verb { act, start, end, needs }
}

/// The words of a language.
#[derive(Debug)]
pub(crate) struct Language {
    /// Longer starts before the shorter ones they begin with.
    pub(crate) verbs: &'static [Verb],
    /// Sentences that ask for the list; `LIST` stands for the list in any of its names.
    pub(crate) reads: &'static [&'static str],
    /// What stands before and after an item in the question whether it is on the list.
    pub(crate) whether: &'static [(&'static str, &'static str)],
    /// Between two items. Not inside the names in `compounds`.
    pub(crate) and: &'static [&'static str],
    /// Names that hold one of those words.
    pub(crate) compounds: &'static [&'static str],
    /// What the list is called.
    pub(crate) list: &'static [&'static str],
    /// What may stand between a preposition and the list.
    pub(crate) determiners: &'static [&'static str],
    /// Before the list, as in "on"; they go with it.
    pub(crate) prepositions: &'static [&'static str],
    /// Before an item; they say nothing about it.
    pub(crate) articles: &'static [&'static str],
    /// Between an amount and its item.
    pub(crate) of: &'static [&'static str],
    /// Numbers in words, articles that count among them.
    pub(crate) numbers: &'static [(&'static str, &'static str)],
    /// Twelve.
    pub(crate) dozen: &'static [&'static str],
    /// One half.
    pub(crate) half: &'static [&'static str],
    /// Politeness and hesitation at the start of a sentence.
    pub(crate) openers: &'static [&'static str],
    /// The same at its end.
    pub(crate) closers: &'static [&'static str],
    /// What begins a correction.
    pub(crate) corrects: &'static [&'static str],
    /// What comes before the corrected amount or item.
    pub(crate) makes: &'static [&'static str],
    /// What may come after it.
    pub(crate) instead: &'static [&'static str],
    /// No, in every form in which it is the whole message.
    pub(crate) no: &'static [&'static str],
    /// Yes, likewise.
    pub(crate) yes: &'static [&'static str],
}

/// Every language that is understood, English first.
pub(crate) const LANGUAGES: [&Language; 4] =
    [&english::ENGLISH, &dutch::DUTCH, &german::GERMAN, &french::FRENCH];
