//! How the database opens for a tab that begins: at once, after failures, when another one has made
//! way, or not.

use std::rc::Rc;

use super::{Checked, Schedule};
use crate::database::Slot;
use crate::kind::Kind;
use crate::tab::Closed;
use crate::violation::Violation;
use crate::world::Opened;

impl Schedule {
    /// Opens the database for a tab, and gives the version of its program. If it does not open, the tab
    /// begins without one; if it waits, the tab does not begin yet.
    pub(super) fn opens(&mut self, slot: Slot) -> Result<Option<u32>, Violation> {
        let other = 1 - slot;
        let beside = self.world.is_there(other) && !self.world.is_closed(other);
        if beside && self.dice.rolls(Kind::Blocked, 10) {
            self.deployed += 1;
            let turns = 2 + self.dice.below(20);
            if let Some(frozen) = self.frozen.get_mut(other) {
                *frozen = turns;
            }
        } else if beside && self.dice.rolls(Kind::NewerOpens, 10) {
            self.deployed += 1;
        }
        let older = self.deployed > 0 && self.dice.rolls(Kind::OlderOpens, 20);
        let failures = self.failures(Kind::OpenFails, 10);
        let deaf = !self.dice.is_calm() && self.frozen.get(other).is_some_and(|left| *left > 0);
        let version = self.deployed - u32::from(older);
        match self.world.opens(slot, version, failures, deaf)? {
            Opened::Open => Ok(Some(version)),
            Opened::Blocked => {
                self.waits_to_open(slot, true);
                Ok(None)
            }
            Opened::Not => {
                self.world.start_without(slot, Rc::clone(&self.settings), Closed::Unopened)?;
                Ok(None)
            }
        }
    }

    /// Whether a tab waits for another one to make way.
    pub(super) fn waits_to_open(&mut self, slot: Slot, waits: bool) {
        if let Some(of) = self.waits.get_mut(slot) {
            *of = waits;
        }
    }

    /// How often the database fails to open.
    pub(super) fn failures(&mut self, kind: Kind, one_in: u32) -> u32 {
        if self.dice.rolls(kind, one_in) {
            1 + u32::try_from(self.dice.below(4)).unwrap_or(0)
        } else {
            0
        }
    }

    /// A newer version of the page opens in a tab that is none of ours.
    pub(super) fn upgrade(&mut self) -> Checked {
        self.deployed += 1;
        self.world.upgrade(self.deployed)
    }
}
