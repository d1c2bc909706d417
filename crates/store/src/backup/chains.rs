//! Records that came with a copy. They are kept apart from those of this place, a stretch to a row,
//! each chain under the digest of its last record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::body;
use crate::chain::{Head, verify};
use crate::database::{Key, Order, Row, Table, Transaction};
use crate::error::StoreError;
use crate::records::{self, RecordRow};
use crate::settings::{self, SettingRow};
use crate::succession::Succession;

/// Records in one row: some hundred kilobytes.
const STRETCH: usize = 500;

/// Every name of such a row begins so. The other end of the range is the next greater character.
const FIRST: &str = "copied records/";
const LAST: &str = "copied records0";

/// Records of one place, from the first to the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Where they end.
    pub head: Head,
    /// The records, as they are kept.
    pub rows: Vec<RecordRow>,
}

impl Chain {
    /// Whether they are what was written, and each can be after those before it.
    ///
    /// # Errors
    /// Where first they are not, and why.
    pub fn check(&self) -> Result<(), String> {
        verify(&Head::default(), &self.rows, &self.head).map_err(|broken| broken.to_string())?;
        let mut succession = Succession::default();
        for row in &self.rows {
            let admitted = records::read(row)
                .map_err(|error| error.to_string())
                .and_then(|record| succession.admit(row.number, record));
            admitted.map_err(|why| format!("record {}: {why}", row.number))?;
        }
        Ok(())
    }

    /// Whether another one ends in the middle of this one, or where it does.
    pub(super) fn goes_on_from(&self, head: &Head) -> bool {
        let index = usize::try_from(head.number).ok().and_then(|number| number.checked_sub(1));
        let row = index.and_then(|index| self.rows.get(index));
        row.is_some_and(|row| row.digest == head.digest)
    }
}

#[derive(Serialize, Deserialize)]
struct Stretch {
    head: Head,
    rows: Vec<RecordRow>,
}

fn name(head: &Head, stretch: usize) -> String {
    format!("{FIRST}{}/{stretch:06}", head.digest)
}

/// The chains that are kept apart. In the place of one that cannot be read is why.
pub(super) async fn kept(
    tx: &impl Transaction,
) -> Result<(Vec<Chain>, Option<StoreError>), StoreError> {
    let keys = Key::from(FIRST)..=Key::from(LAST);
    let (mut chains, mut damaged): (BTreeMap<String, Chain>, _) = (BTreeMap::new(), None);
    for row in tx.each::<SettingRow>(keys, Order::Rising, u32::MAX).await? {
        match row.and_then(|row| body::read::<Stretch>(RecordRow::WHAT, &row.body)) {
            Ok(Stretch { head, rows }) => {
                let chain = chains
                    .entry(head.digest.clone())
                    .or_insert_with(|| Chain { head, rows: Vec::new() });
                chain.rows.extend(rows);
            }
            Err(error) => damaged = damaged.or(Some(error)),
        }
    }
    Ok((chains.into_values().collect(), damaged))
}

/// Keeps a chain apart.
pub(super) async fn keep(tx: &impl Transaction, chain: &Chain) -> Result<(), StoreError> {
    for (number, rows) in chain.rows.chunks(STRETCH).enumerate() {
        let stretch = Stretch { head: chain.head.clone(), rows: rows.to_vec() };
        settings::put(tx, &name(&chain.head, number), &stretch).await?;
    }
    Ok(())
}

/// Takes a chain away: one that goes on from it takes its place.
pub(super) async fn drop(tx: &impl Transaction, chain: &Chain) -> Result<(), StoreError> {
    let keys = Key::Text(name(&chain.head, 0))..=Key::Text(name(&chain.head, 999_999));
    tx.erase(Table::Settings, keys).await
}
