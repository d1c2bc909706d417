//! Rows that a browser spoils, or somebody changes, between two visits: they stay as they are from
//! then on, and nothing may be built on them.

use std::rc::Rc;

use store::database::{Key, Table};

use super::{Memory, OWN, Place, Slot};

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    /// Its second half is lost.
    Cut,
    /// All of its value is lost.
    Lost,
    /// It says another time than it did, and can be read as before.
    Changed,
}

impl Memory {
    /// One of the rows that are a tab's own is cut short. It is given by its place among them.
    pub fn damage(&self, slot: Slot, table: Table, at: usize) {
        let mut rows = self.rows.borrow_mut();
        let table = rows.get_mut(&(slot, table)).map(Rc::make_mut);
        if let Some(row) = table.and_then(|of| of.values_mut().nth(at)) {
            *row = harmed(row, Harm::Cut).into();
        }
    }

    /// How many rows a table has that is everybody's.
    #[must_use]
    pub fn count(&self, table: Table) -> usize {
        self.rows.borrow().get(&(0, table)).map_or(0, |rows| rows.len())
    }

    /// A row that is everybody's is harmed. It is given by its place in its table; gives its key.
    pub fn spoil(&self, table: Table, at: usize, harm: Harm) -> Option<Key> {
        debug_assert!(!OWN.contains(&table), "{table:?} is a tab's own");
        let place = (0, table);
        let mut rows = self.rows.borrow_mut();
        let (key, row) = Rc::make_mut(rows.get_mut(&place)?).iter_mut().nth(at)?;
        *row = harmed(row, harm).into();
        self.spoilt.borrow_mut().insert((place, key.clone()), Rc::clone(row));
        self.shared_commits.set(self.shared_commits.get() + 1);
        Some(key.clone())
    }

    /// Whether a row that is everybody's was harmed.
    #[must_use]
    pub fn is_spoilt(&self, table: Table, key: &Key) -> bool {
        !self.spoilt.borrow().is_empty()
            && self.spoilt.borrow().contains_key(&((0, table), key.clone()))
    }

    /// Whether any was.
    #[must_use]
    pub fn is_any_spoilt(&self) -> bool {
        !self.spoilt.borrow().is_empty()
    }

    /// The first record that was harmed, by its number.
    #[must_use]
    pub fn first_spoilt_record(&self) -> Option<u64> {
        let spoilt = self.spoilt.borrow();
        spoilt.keys().find_map(|(place, key)| match key {
            Key::Number(number) if *place == (0, Table::Records) => Some(*number),
            Key::Number(_) | Key::Text(_) | Key::Pair(..) => None,
        })
    }

    /// A harmed row that is not as it was left, if there is one.
    #[must_use]
    pub fn mended(&self) -> Option<(Place, Key)> {
        let rows = self.rows.borrow();
        let spoilt = self.spoilt.borrow();
        let other = spoilt
            .iter()
            .find(|((place, key), left)| rows.get(place).and_then(|of| of.get(key)) != Some(*left));
        other.map(|(where_it_is, _)| where_it_is.clone())
    }
}

fn harmed(row: &str, harm: Harm) -> String {
    match harm {
        Harm::Cut => row.get(..row.len() / 2).unwrap_or_default().to_owned(),
        Harm::Lost => String::new(),
        Harm::Changed => row.replacen("at\\\":1", "at\\\":2", 1),
    }
}
