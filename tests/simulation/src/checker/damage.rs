//! What must hold where a row was harmed: it stays as it is, the chain tells of a record, nothing is
//! built on it, and the rest is as it was.

use kitchen::Household;
use store::Store;
use store::chain::{Broken, Head};
use store::database::Table;
use store::error::StoreError;
use store::stretch::Stretch;

use super::Checker;
use crate::database::{Memory, Plan, View, at_once};
use crate::violation::{Checked, Rule, Violation, hold};

/// The row of the ledger that says where the records end.
const HEAD: &str = "head";

impl Checker {
    /// What was newly recorded follows on what was there, unless it cannot be read where that ends:
    /// then nothing is recorded any more.
    pub(super) fn breaks_where_harmed(&self, memory: &Memory, added: &Stretch) -> Checked {
        let broken = &added.broken;
        if memory.is_spoilt(Table::Ledger, &HEAD.into()) {
            let stands = *broken == Some(Broken::NoEnd) && added.entries.is_empty();
            return hold(stands, Rule::Kept, || format!("behind a lost end: {added:?}"));
        }
        hold(broken.is_none(), Rule::Once, || format!("the records are broken: {broken:?}"))
    }

    /// The household is what is known of it, or cannot be read because it was harmed; and what was
    /// harmed is as it was left.
    pub(super) fn is_the_household(
        &self,
        memory: &Memory,
        kept: &Result<Household, StoreError>,
    ) -> Checked {
        let mended = memory.mended();
        hold(mended.is_none(), Rule::Kept, || format!("{mended:?} was written over"))?;
        if memory.is_spoilt(Table::Household, &"household".into()) {
            let told = kept.as_ref().is_err_and(StoreError::is_damage);
            return hold(told, Rule::Kept, || format!("a harmed household is {kept:?}"));
        }
        hold(kept.as_ref() == Ok(&self.household), Rule::AsRecorded, || {
            "the household is not what its records and its people made of it".to_owned()
        })
    }

    /// Whoever checks all records finds the first that was harmed, however many came behind it.
    ///
    /// # Errors
    /// If it is not found, or another one is.
    pub fn finds_harm(&self, memory: &Memory) -> Checked {
        let end = memory.is_spoilt(Table::Ledger, &HEAD.into());
        let expected = match memory.first_spoilt_record() {
            _ if end => Some(Broken::NoEnd),
            Some(number) => Some(Broken::Changed { number }),
            None => None,
        };
        memory.plan(Plan::default());
        let store = Store::new(View::onto(memory));
        let all = at_once(store.records_after(&Head::default()));
        let all = all.map_err(|error| Violation { rule: Rule::Kept, why: error.to_string() })?;
        hold(all.broken == expected, Rule::Kept, || {
            format!("of all records {expected:?} was to be found, and {:?} was", all.broken)
        })
    }
}
