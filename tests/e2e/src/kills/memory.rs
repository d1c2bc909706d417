//! What the person did, and what the page has told them of it since.

use std::collections::{BTreeMap, BTreeSet};

use agent::approval::Outcome;
use store::records::RecordRow;

use crate::kills::kept::Kept;
use crate::kills::seen::Seen;

/// How far something got that a person did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Got {
    /// It was done. Whether the page took it is not known: a kill may have come first.
    Tried,
    /// The page showed that it was taken, or it was found kept. It may never be lost from then on.
    Taken,
}

/// What a person did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Deed {
    /// Sent a text.
    Text,
    /// Allowed something.
    Yes,
    /// Refused something.
    No,
    /// Changed the list by hand.
    ByHand,
}

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answered {
    /// As what it is to stand on record.
    pub(super) outcome: Outcome,
    /// How far it got.
    pub(super) got: Got,
}

/// Changes by hand of one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ByHand {
    /// How many of them are kept for sure.
    pub(super) taken: usize,
    /// One that was tried, with the line as it stood before.
    pub(super) tried: Option<Option<String>>,
}

/// What the person did, by what it was done to.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Texts.
    pub(super) texts: BTreeMap<String, Got>,
    /// Answers, by request.
    pub(super) answers: BTreeMap<String, Answered>,
    /// Changes by hand, by the name of the line.
    pub(super) by_hand: BTreeMap<String, ByHand>,
    /// Whether something was going on in the tab that was looked at last.
    pub(super) is_busy: bool,
    /// Requests that each tab has asked since it was opened: one that shows nothing of a request may
    /// not have come to it yet.
    shown: BTreeSet<(usize, String)>,
    /// Requests that waited at some time.
    pub(super) asked: BTreeSet<String>,
    /// The records that were there when they were last read.
    pub(super) rows: Vec<RecordRow>,
}

impl Memory {
    /// A text is about to be sent. What waits then is answered with it.
    pub(super) fn say(&mut self, text: &str, waiting: &[String]) {
        self.texts.insert(text.to_owned(), Got::Tried);
        for request in waiting {
            self.answer(request, Outcome::MovedOn);
        }
    }

    /// An answer is about to be given.
    pub(super) fn answer(&mut self, request: &str, outcome: Outcome) {
        let answered = Answered { outcome, got: Got::Tried };
        self.answers.entry(request.to_owned()).or_insert(answered);
    }

    /// A line is about to be changed by hand.
    pub(super) fn change(&mut self, name: &str, before: &Seen) {
        let line = before.line(name).map(str::to_owned);
        self.by_hand.entry(name.to_owned()).or_default().tried = Some(line);
    }

    /// A tab is opened anew.
    pub(super) fn open(&mut self, tab: usize) {
        self.shown.retain(|(other, _)| *other != tab);
    }

    /// Learns what a tab shows.
    pub(super) fn learn(&mut self, tab: usize, seen: &Seen) {
        self.is_busy = seen.busy;
        if !seen.ready {
            return;
        }
        self.asked.extend(seen.waiting.iter().cloned());
        self.shown.extend(seen.waiting.iter().map(|request| (tab, request.clone())));
        for text in seen.said.iter().filter(|_| !seen.loading) {
            self.texts.entry(text.clone()).and_modify(|got| *got = Got::Taken);
        }
        for (request, answered) in &mut self.answers {
            let was_shown = self.shown.contains(&(tab, request.clone()));
            if was_shown && !seen.waiting.contains(request) {
                answered.got = Got::Taken;
            }
        }
        for (name, by_hand) in &mut self.by_hand {
            let now = seen.line(name).map(str::to_owned);
            if by_hand.tried.as_ref().is_some_and(|before| *before != now) {
                by_hand.tried = None;
                by_hand.taken += 1;
            }
        }
    }

    /// Learns what is kept, whether or not a tab has shown it.
    pub(super) fn learn_kept(&mut self, kept: &Kept) {
        self.asked.extend(kept.waiting().into_iter().map(str::to_owned));
        self.rows.clone_from(&kept.rows);
    }

    /// Learns from what is kept, once everything rests, what became of what was tried: it was taken,
    /// or it never reached the page. Gives what never did.
    pub(super) fn settle(&mut self, kept: &Kept) -> Vec<Deed> {
        let (texts, changes) = (kept.texts(), kept.by_hand());
        for (text, got) in &mut self.texts {
            take_if(got, texts.contains_key(text.as_str()));
        }
        for decision in kept.decisions() {
            self.answers
                .entry(decision.request.0.clone())
                .and_modify(|it| take_if(&mut it.got, true));
        }
        for (name, by_hand) in &mut self.by_hand {
            if changes.get(name.as_str()).is_some_and(|times| *times > by_hand.taken) {
                by_hand.taken += 1;
                by_hand.tried = None;
            }
        }
        let untaken = self.under_way();
        self.texts.retain(|_, got| *got == Got::Taken);
        self.answers.retain(|_, it| it.got == Got::Taken);
        self.by_hand.values_mut().for_each(|it| it.tried = None);
        untaken
    }

    /// What was tried and has not been seen to be taken.
    pub(super) fn under_way(&self) -> Vec<Deed> {
        let texts = self.texts.values().filter(|got| **got == Got::Tried).map(|_| Deed::Text);
        let answers = self.answers.values().filter(|it| it.got == Got::Tried);
        let answers = answers.filter_map(|it| match it.outcome {
            Outcome::Approved => Some(Deed::Yes),
            Outcome::Denied => Some(Deed::No),
            // The text that did it is under way itself.
            Outcome::MovedOn
            | Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted => None,
        });
        let by_hand = self.by_hand.values().filter(|it| it.tried.is_some()).map(|_| Deed::ByHand);
        texts.chain(answers).chain(by_hand).collect()
    }
}

fn take_if(got: &mut Got, is_kept: bool) {
    if is_kept {
        *got = Got::Taken;
    }
}
