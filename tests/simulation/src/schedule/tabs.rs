//! Two tabs on one conversation. Where there are locks one drives and the other passes on what
//! its person does; where there are none both drive, and the store sorts it out.

use std::rc::Rc;

use agent::event::Event;

use super::{Checked, Schedule};
use crate::database::Slot;
use crate::kind::{Dice, Kind};
use crate::person;
use crate::tab::Closed;
use crate::tools::Update;
use crate::violation::Violation;

/// How the tabs of a seed share one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Without locks.
    Unlocked,
    /// With a lock, and the tab that has it.
    Locked(Slot),
}

/// Whether the tabs of a seed share one conversation.
pub(super) fn draw(dice: &mut Dice) -> Option<Sharing> {
    if dice.rolls(Kind::SharedWithoutLocks, 6) {
        Some(Sharing::Unlocked)
    } else {
        dice.rolls(Kind::SharedWithLocks, 6).then_some(Sharing::Locked(0))
    }
}

impl Schedule {
    /// Whether another tab drives the conversation of this one.
    pub(super) fn follows(&self, slot: Slot) -> bool {
        match self.sharing {
            Some(Sharing::Locked(holder)) => holder != slot && self.holds(holder),
            Some(Sharing::Unlocked) | None => false,
        }
    }

    /// Whether a tab holds the lock of the conversation, which it needs no more once a newer version of
    /// the page has the database.
    fn holds(&self, slot: Slot) -> bool {
        let tab = self.world.tabs.get(slot).and_then(Option::as_ref);
        tab.is_some_and(|it| it.closed != Some(Closed::Replaced))
    }

    /// Whether in the end the person sits at another tab of the same conversation. What this one
    /// shows then may be old: the other one's last save may have failed.
    pub(super) fn is_left_alone(&self, slot: Slot) -> bool {
        let unlocked = self.sharing == Some(Sharing::Unlocked);
        self.follows(slot) || unlocked && slot == 1 && self.world.is_there(0)
    }

    /// A tab opens on the conversation of the other one.
    pub(super) fn join(&mut self, slot: Slot, change: Update) -> Checked {
        if slot == 1 && (self.world.latest == 0 || !self.dice.chance(6)) {
            return Ok(());
        }
        let Some(version) = self.opens(slot)? else { return Ok(()) };
        if self.follows(slot) {
            self.world.follow(slot, Rc::clone(&self.settings), change)?;
        } else {
            self.sharing = self.sharing.map(|it| it.held_by(slot));
            self.world.start(slot, Rc::clone(&self.settings), change)?;
        }
        self.world.tab(slot)?.version = version;
        Ok(())
    }

    /// What a quiet tab does because another one shows the same conversation, if it does. A tab
    /// that follows does nothing else.
    ///
    /// # Errors
    /// What does not hold.
    pub(super) fn beside(&mut self, slot: Slot) -> Result<bool, Violation> {
        let Some(sharing) = self.sharing else { return Ok(false) };
        if self.world.is_closed(slot) {
            return Ok(false);
        }
        if let Sharing::Locked(holder) = sharing
            && holder != slot
            && !self.holds(holder)
        {
            self.dice.meet(Kind::TakesOver);
            self.sharing = Some(sharing.held_by(slot));
            let id = self.world.tab(slot)?.session.id().clone();
            self.world.open(slot, &id)?;
            return Ok(true);
        }
        let old = self.world.tab(slot)?.revision < self.world.latest;
        if old && (self.dice.is_calm() || self.dice.rolls(Kind::HearsOfSave, 2)) {
            self.world.reload(slot)?;
            return Ok(true);
        }
        if self.follows(slot) {
            self.passes_on(slot)?;
            return Ok(true);
        }
        // Two that drive overtake each other for as long as both are told to go on: in the end the
        // person sits at the first.
        let busy = self.world.tab(slot)?.calling.is_some();
        Ok(self.dice.is_calm() && self.is_left_alone(slot) && !busy)
    }

    /// What the person does in a tab that follows is done by the one that drives, if that can.
    fn passes_on(&mut self, slot: Slot) -> Checked {
        if self.dice.rolls(Kind::CrashAtRest, 40) {
            self.world.crash(slot);
            return Ok(());
        }
        let driver = 1 - slot;
        let listens = self.frozen.get(driver) == Some(&0) && self.world.tab(driver)?.is_quiet();
        if self.dice.is_calm() || !listens {
            return Ok(());
        }
        let sight = self.sight(slot)?;
        let answers = self.world.tab(driver)?.calling.is_some();
        match person::act(&mut self.dice, &sight) {
            // To stop the model is no event of the loop.
            Some(Event::Cancelled) if answers => Ok(()),
            None => Ok(()),
            Some(Event::Said(text)) => {
                self.dice.meet(Kind::PassesOn);
                self.world.say(driver, &text)
            }
            Some(event) => {
                self.dice.meet(Kind::PassesOn);
                self.world.tell(driver, event)
            }
        }
    }
}

impl Sharing {
    fn held_by(self, slot: Slot) -> Self {
        match self {
            Self::Unlocked => Self::Unlocked,
            Self::Locked(_) => Self::Locked(slot),
        }
    }
}
