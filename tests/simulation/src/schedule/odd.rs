//! What rarely happens to a tab that waits for somebody.

use std::rc::Rc;

use agent::event::Event;
use kitchen::Edit;

use super::{COPIES_MAX, Checked, Schedule};
use crate::database::Slot;
use crate::kind::Kind;
use crate::model;

impl Schedule {
    /// What rarely happens to a quiet tab, if it does now.
    pub(super) fn odd(&mut self, slot: Slot) -> Option<Checked> {
        if self.dice.is_calm() {
            return None;
        }
        let shared = self.sharing.is_some();
        if !shared && self.dice.chance(10) {
            self.copies.push(self.world.copy(slot));
            if self.copies.len() > COPIES_MAX {
                let index = self.dice.below(COPIES_MAX);
                self.copies.remove(index);
            }
        }
        if self.dice.rolls(Kind::CrashAtRest, 40) {
            self.world.crash(slot);
            return Some(Ok(()));
        }
        if self.dice.rolls(Kind::PowerLoss, 150) {
            // Whatever was kept was kept strictly: the machine takes nothing of it along.
            for slot in [0, 1] {
                self.world.crash(slot);
            }
            return Some(Ok(()));
        }
        if self.dice.rolls(Kind::NewerVersion, 100) {
            return Some(self.upgrade());
        }
        // Two tabs of one conversation have one each after that.
        let open = !shared && [0, 1].into_iter().all(|slot| !self.world.is_closed(slot));
        if open && self.dice.rolls(Kind::ClearedUnderTabs, 200) {
            self.left_behind = true;
            self.copies.clear();
            return Some(self.world.clear());
        }
        if self.dice.rolls(Kind::TimerFires, 12) {
            return Some(self.world.tell(slot, Event::TimePassed));
        }
        if self.dice.rolls(Kind::EditsByHand, 30) {
            let edit = Edit::Add { item: "butter".to_owned(), quantity: "1".to_owned() };
            return Some(self.world.edit(slot, edit));
        }
        let stopped = self.dice.pick(&self.stopped).copied();
        if let Some((slot, number)) = stopped.filter(|_| self.dice.rolls(Kind::LateReply, 20)) {
            let gone = self.world.tabs.get(slot).is_none_or(Option::is_none);
            let late = model::Answer::words("A late word.");
            return Some(if gone { Ok(()) } else { self.world.model_ended(slot, number, late) });
        }
        let tab = self.world.tab(slot).ok()?;
        if let Some(event) = self.dice.pick(&tab.told).cloned()
            && self.dice.rolls(Kind::StrayEvent, 20)
        {
            return Some(self.world.tell(slot, event));
        }
        if self.dice.rolls(Kind::PreferenceChanged, 40) {
            let settings = Rc::make_mut(&mut self.settings);
            settings.one_at_a_time = !settings.one_at_a_time;
            tab.settings = Rc::clone(&self.settings);
        }
        if !shared && self.dice.rolls(Kind::NewConversation, 90) {
            self.left_behind = true;
            return Some(self.world.begin_anew(slot));
        }
        if !shared && self.dice.chance(60) {
            let kept = self.world.conversations(slot).ok()?;
            let other = self.dice.pick(&kept).cloned()?;
            if self.dice.rolls(Kind::OpensConversation, 1) {
                self.left_behind |= self.world.tab(slot).ok()?.session.id() != &other;
                return Some(self.world.open(slot, &other));
            }
        }
        None
    }
}
