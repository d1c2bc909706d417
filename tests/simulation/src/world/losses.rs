//! What a browser takes away: everything that was kept, a piece of it, or the database itself from a
//! tab whose program is too old for it.

use agent::id::SessionId;
use store::database::Table;

use super::World;
use crate::checker::Checker;
use crate::database::{Harm, Plan, Slot, at_once};
use crate::violation::Checked;

impl World {
    /// Whether there is a program in a tab.
    #[must_use]
    pub fn is_there(&self, slot: Slot) -> bool {
        self.tabs.get(slot).is_some_and(Option::is_some)
    }

    /// The browser clears everything. What was done outside stays done.
    pub fn evict(&mut self) {
        self.tells(|| "the browser clears everything".to_owned());
        self.memory.evict();
        self.witnesses.clear();
        self.latest = 0;
        let far_side = std::mem::take(&mut self.checker.far_side);
        self.checker = Checker::knowing_only(far_side);
    }

    /// Whether a conversation was spoilt and is known by the store to be: it stays shut.
    pub(super) fn is_damaged(&self, slot: Slot, id: &SessionId) -> bool {
        self.memory.plan(Plan::default());
        let kept = if self.damaged { at_once(self.store(slot).session(id)).err() } else { None };
        kept.is_some_and(|error| error.is_damage())
    }

    /// A piece of a conversation that a tab keeps is spoilt.
    pub fn damage(&mut self, slot: Slot, at: usize) {
        self.tells(|| format!("a piece of what {slot} keeps is spoilt"));
        self.damaged = true;
        let (table, at) = if at == 0 { (Table::Sessions, 0) } else { (Table::Messages, at) };
        self.memory.damage(slot, table, at);
    }

    /// A row that is everybody's is harmed. If that is a record, whoever checks the chain finds it.
    ///
    /// # Errors
    /// If nobody does.
    pub fn spoil(&mut self, table: Table, at: usize, harm: Harm) -> Checked {
        self.lands()?;
        let key = self.memory.spoil(table, at, harm);
        self.tells(|| format!("{key:?} in {table:?} is {harm:?}"));
        self.checker.finds_harm(&self.memory)
    }
}
