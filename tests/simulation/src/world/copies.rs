//! Old copies of a conversation: put back, or opened in a second tab. The ledger is not part of
//! a copy, and what was done stays done.

use agent::id::SessionId;
use store::database::Table;

use super::{Mutant, World};
use crate::database::{Rows, Slot};
use crate::witness::Witness;

type Kinds = Vec<(Table, Rows)>;

/// A copy of the conversations that a tab keeps.
#[derive(Debug, Clone)]
pub struct Kept {
    own: Kinds,
    witnesses: Vec<(SessionId, Witness)>,
    ledger: Kinds,
}

impl World {
    /// A copy of the conversations as a tab keeps them now.
    #[must_use]
    pub fn copy(&self, slot: Slot) -> Kept {
        let own = self.witnesses.iter().filter(|((of, _), _)| *of == slot);
        Kept {
            own: self.memory.own(slot),
            witnesses: own.map(|((_, id), witness)| (id.clone(), witness.clone())).collect(),
            ledger: self.memory.ledger(),
        }
    }

    /// Puts a copy in the place of all that a tab keeps.
    pub fn put_back(&mut self, slot: Slot, kept: Kept) {
        self.memory.put_back(slot, kept.own);
        self.witnesses.retain(|(of, _), _| *of != slot);
        self.witnesses.extend(kept.witnesses.into_iter().map(|(id, it)| ((slot, id), it)));
        if self.mutant == Some(Mutant::LedgerInCopy) {
            self.memory.put_ledger_back(kept.ledger);
        }
    }
}
