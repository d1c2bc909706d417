//! How a tab's database opens, is opened anew and is taken away. What the page makes of it is the
//! page's own code as far as that is pure ([`store::opening`]); here is what browsers do: which
//! version may open, who is told to make way, and who waits. That a connection is closed on being told,
//! and that a page without one asks its store nothing, is the page's driver's alone, which knows a
//! browser and is not built for the simulation: here it is done as it is done there.

use std::cell::Cell;
use std::rc::Rc;

use store::opening::{self, Ended};

use super::{Checked, World, stuck};
use crate::database::{Plan, Slot, at_once};
use crate::mutant::Mutant;
use crate::tab::Closed;
use crate::violation::{Rule, Violation, hold};

/// How often a database may fail to open and still be opened.
const FAILURES_MAX: u32 = 3;

/// What came of opening the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opened {
    /// It is open.
    Open,
    /// It waits for a tab that has it in an older version.
    Blocked,
    /// It does not open: it fails, or holds what a newer version wrote.
    Not,
}

impl World {
    /// Whether a tab has no database.
    #[must_use]
    pub fn is_closed(&self, slot: Slot) -> bool {
        self.tabs.get(slot).and_then(Option::as_ref).is_some_and(|it| it.closed.is_some())
    }

    /// The database opens for a tab whose program is of this version, after it failed so often. A tab
    /// that is frozen is `deaf`: it does not hear that it is to make way.
    ///
    /// # Errors
    /// If it is not tried as often as it should be.
    pub fn opens(
        &mut self,
        slot: Slot,
        version: u32,
        failures: u32,
        deaf: bool,
    ) -> Result<Opened, Violation> {
        if !self.tries_to_open(failures)? {
            self.coverage.meet(("open", "not"));
            return Ok(Opened::Not);
        }
        if failures > 0 {
            self.coverage.meet(("open", "after failures"));
        }
        if version < self.version {
            self.coverage.meet(("open", "holds a newer version"));
            return Ok(Opened::Not);
        }
        let other = 1 - slot;
        let is_older = |world: &Self| {
            let tab = world.tabs.get(other).and_then(Option::as_ref);
            tab.is_some_and(|it| it.closed.is_none() && it.version < version)
        };
        if is_older(self) {
            if !deaf {
                self.makes_way(other, version)?;
            }
            if is_older(self) {
                self.coverage.meet(("open", "blocked"));
                self.tells(|| format!("{slot} waits for {other} to make way"));
                return Ok(Opened::Blocked);
            }
            self.coverage.meet(("open", "another makes way"));
        }
        self.version = version;
        Ok(Opened::Open)
    }

    /// A newer version of the page opens the database elsewhere: all tabs are told to make way.
    ///
    /// # Errors
    /// If one takes it for something else.
    pub fn upgrade(&mut self, version: u32) -> Checked {
        for slot in [0, 1] {
            self.makes_way(slot, version)?;
        }
        // Else that one waits for them.
        let open = [0, 1].into_iter().any(|slot| self.is_there(slot) && !self.is_closed(slot));
        if !open {
            self.version = version;
        }
        Ok(())
    }

    /// What was late is kept, and judged by the program whose it was.
    pub(super) fn lands(&mut self) -> Checked {
        let late = self.late.take_if(|_| self.memory.land());
        match late {
            Some((specs, settings)) => {
                self.tells(|| "what was late is kept".to_owned());
                self.checker.observe(&self.memory, &specs, &settings.policy)
            }
            None => Ok(()),
        }
    }

    /// A tab hears that the database is to be brought up to a version, closes it once its running
    /// transactions are through, and lives on without.
    fn makes_way(&mut self, slot: Slot, version: u32) -> Checked {
        self.lands()?;
        if self.mutant == Some(Mutant::StaysOpen) {
            return Ok(());
        }
        let ended = Ended::of(Some(f64::from(version)));
        hold(ended == Ended::Replaced, Rule::Kept, || format!("{version} is taken for {ended:?}"))?;
        if self.is_there(slot) {
            self.tells(|| format!("{slot} makes way for version {version}"));
            self.tab(slot)?.closed = Some(Closed::Replaced);
        }
        Ok(())
    }

    /// The browser deletes everything while tabs have it open: each closes it and starts anew, with
    /// what is left.
    ///
    /// # Errors
    /// If one takes it for something else.
    pub fn clear(&mut self) -> Checked {
        self.lands()?;
        self.evict();
        let ended = Ended::of(None);
        hold(ended == Ended::Lost, Rule::Kept, || format!("a loss is taken for {ended:?}"))?;
        for slot in [0, 1] {
            if !self.is_there(slot) || self.is_closed(slot) {
                continue;
            }
            let tab = self.tab(slot)?;
            let (settings, program) = (Rc::clone(&tab.settings), tab.program.clone());
            let version = tab.version;
            self.start(slot, settings, None)?;
            let tab = self.tab(slot)?;
            (tab.program, tab.version) = (program, version);
        }
        Ok(())
    }

    /// A tab opens the database anew after it left something unanswered. If it does not open, the tab
    /// lives on without one.
    pub(super) fn reopens(&mut self, slot: Slot, plan: Plan) -> Result<bool, Violation> {
        let opened = self.tries_to_open(plan.unopened)?;
        self.coverage.meet(match (opened, plan.unopened) {
            (true, 0) => ("reopen", "at once"),
            (true, _) => ("reopen", "after failures"),
            (false, _) => ("reopen", "not"),
        });
        if !opened {
            self.tells(|| format!("{slot}   the database does not open again"));
            self.tab(slot)?.closed = Some(Closed::Unopened);
        }
        Ok(opened)
    }

    fn tries_to_open(&self, failures: u32) -> Result<bool, Violation> {
        let left = Cell::new(failures);
        let attempt = async || match left.get() {
            0 => Ok(()),
            some => {
                left.set(some - 1);
                Err("UnknownError")
            }
        };
        let opening = async { Ok(opening::open(attempt, |name| opening::may_pass(name)).await) };
        let opened = at_once(opening).map_err(|error| stuck(error.to_string()))?.is_ok();
        hold(opened == (failures <= FAILURES_MAX), Rule::Live, || {
            format!("after {failures} failures it was opened: {opened}")
        })?;
        Ok(opened)
    }
}
