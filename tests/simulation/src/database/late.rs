//! A transaction that is kept after nobody waits for its answer any more. Browsers carry out
//! transactions on the same tables in the order in which they began, whoever began them: the second
//! attempt waits behind the first and gets no answer either, and whatever comes later finds the first
//! kept. What needs none of its tables goes on before that.

use std::cell::RefCell;

use store::database::Table;

use super::{Memory, Writes};

/// What is still to be kept: on which tables, and what it writes.
#[derive(Debug, Clone, Default)]
pub(super) struct Late(RefCell<Option<(Vec<Table>, Writes)>>);

impl Late {
    pub(super) fn wait(&self, tables: &[Table], writes: Writes) {
        self.0.replace(Some((tables.to_vec(), writes)));
    }

    pub(super) fn forget(&self) {
        self.0.take();
    }

    /// Whether a transaction on these tables has to wait.
    pub(super) fn is_before(&self, tables: &[Table]) -> bool {
        let late = self.0.borrow();
        late.as_ref().is_some_and(|(of, _)| of.iter().any(|table| tables.contains(table)))
    }
}

impl Memory {
    /// What is late is kept now. Says whether anything was late.
    pub fn land(&self) -> bool {
        let late = self.late.0.take();
        let is_late = late.is_some();
        if let Some((tables, writes)) = late {
            self.keep(&tables, writes, |_| true);
        }
        is_late
    }
}
