//! What a visit finds that is less than the last one left.

use store::database::Table;

use super::{Checked, Schedule};
use crate::database::{Harm, Slot};
use crate::kind::Kind;

/// Of so many visits one finds a row of this or that kind harmed.
const HARMED: u32 = 50;

impl Schedule {
    /// Between two visits the browser may clear everything, or spoil some of it.
    pub(super) fn finds_less(&mut self, slot: Slot, other: bool) -> Checked {
        if !other && self.dice.rolls(Kind::Evicted, 30) {
            self.left_behind = true;
            self.copies.clear();
            self.world.evict();
        } else if self.sharing.is_none() && self.dice.rolls(Kind::Damaged, 30) {
            self.left_behind = true;
            let at = self.dice.below(8);
            self.world.damage(slot, at);
        }
        let spoils = if self.dice.chance(3) { Harm::Lost } else { Harm::Cut };
        for (kind, table, harm) in [
            (Kind::RecordDamaged, Table::Records, spoils),
            (Kind::RecordChanged, Table::Records, Harm::Changed),
            (Kind::LedgerDamaged, Table::Ledger, spoils),
            (Kind::WordsDamaged, Table::Words, spoils),
            (Kind::HouseholdDamaged, Table::Household, spoils),
        ] {
            let rows = self.world.memory.count(table);
            if rows > 0 && self.dice.rolls(kind, HARMED) {
                let at = self.dice.below(rows);
                self.world.spoil(table, at, harm)?;
            }
        }
        Ok(())
    }
}
