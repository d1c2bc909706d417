//! What the kills hit, and what was done and checked between them.

use std::collections::BTreeMap;
use std::fmt;

use crate::kills::memory::Deed;

/// What many kills came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// How often the browser was killed.
    pub kills: usize,
    /// How often something was under way then: what a person had done, or what came of it.
    pub under_way: usize,
    /// How often the page was being opened.
    pub(super) opening: usize,
    /// How often all that was done had been taken, and the assistant was at it.
    pub(super) answering: usize,
    /// What a person had done that was under way.
    pub(super) deeds: BTreeMap<Deed, usize>,
    /// How often a conversation was left half-way through something.
    pub(super) half_way: usize,
    /// How many allowed calls were left that had not run.
    pub(super) to_run: usize,
    /// How many questions were left waiting.
    pub(super) waiting: usize,
    /// What never reached the page, and the page had not said that it did.
    pub(super) untaken: BTreeMap<Deed, usize>,
    /// How often a run had to be told to go on.
    pub(super) told_to_go_on: usize,
    /// Everything a person did.
    pub(super) acts: usize,
    /// How often everything was checked at rest.
    pub(super) checks: usize,
    /// Records at the end.
    pub(super) records: usize,
    /// Changes of the list at the end.
    pub(super) changes: usize,
}

impl Tally {
    /// Counts a kill and what was under way.
    pub(super) fn kill(&mut self, opening: bool, busy: bool, under_way: &[Deed]) {
        self.kills += 1;
        if opening {
            self.opening += 1;
        } else if busy || !under_way.is_empty() {
            self.under_way += 1;
            self.answering += usize::from(under_way.is_empty());
        }
        count(&mut self.deeds, under_way);
    }

    /// Counts a check of everything, at rest, of so many records and changes.
    pub(super) fn check(&mut self, records: usize, changes: usize) {
        self.checks += 1;
        (self.records, self.changes) = (records, changes);
    }

    /// Counts what never reached the page.
    pub(super) fn lose(&mut self, untaken: &[Deed]) {
        count(&mut self.untaken, untaken);
    }
}

fn count(counts: &mut BTreeMap<Deed, usize>, deeds: &[Deed]) {
    for deed in deeds {
        *counts.entry(*deed).or_default() += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.kills - self.under_way - self.opening;
        writeln!(
            f,
            "{} kills: {} with something under way ({}, an answer to it {}), {} while the page \
             opened, {rest} at rest",
            self.kills,
            self.under_way,
            Counts(&self.deeds),
            self.answering,
            self.opening,
        )?;
        writeln!(
            f,
            "they left {} conversations half-way, {} allowed calls to run, {} questions waiting; \
             never taken, and never said to be: {}; told to go on: {}",
            self.half_way,
            self.to_run,
            self.waiting,
            Counts(&self.untaken),
            self.told_to_go_on,
        )?;
        write!(
            f,
            "{} acts; checked whole {} times at rest; in the end {} records and {} changes",
            self.acts, self.checks, self.records, self.changes,
        )
    }
}

struct Counts<'a>(&'a BTreeMap<Deed, usize>);

impl fmt::Display for Counts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deeds = self.0.iter().map(|(deed, times)| {
            let name = match deed {
                Deed::Text => "text",
                Deed::Yes => "yes",
                Deed::No => "no",
                Deed::ByHand => "by hand",
            };
            format!("{name} {times}")
        });
        let deeds: Vec<_> = deeds.collect();
        f.write_str(if deeds.is_empty() { "nothing" } else { "" })?;
        f.write_str(&deeds.join(", "))
    }
}
