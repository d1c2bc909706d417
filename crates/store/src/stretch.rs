//! Records as they are read: a stretch at a time, each held against the chain. A record that cannot
//! be read stands among the others as one that cannot be read.

use std::collections::{BTreeMap, BTreeSet};

use agent::id::SessionId;

use crate::chain::{Broken, Head, verify};
use crate::database::{Access, Database, Key, Order, Row, Table, Transaction};
use crate::error::StoreError;
use crate::records::{self, Record, RecordRow};
use crate::{Store, body, words};

/// A record, where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the chain.
    pub at: Head,
    /// The record, or why it cannot be read.
    pub record: Result<Record, String>,
}

/// Records one after another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stretch {
    /// What they follow.
    pub start: Head,
    /// The records, oldest first.
    pub entries: Vec<Entry>,
    /// Where the records end, whether or not these reach so far.
    pub end: Head,
    /// The first place where they are not what was written.
    pub broken: Option<Broken>,
    /// Why what was said in one of them cannot be read, if that is so.
    pub damaged: Option<StoreError>,
}

impl<D: Database> Store<D> {
    /// The newest records, at most `limit`, held against each other and against the end.
    ///
    /// # Errors
    /// As the database.
    pub async fn newest_records(&self, limit: u64) -> Result<Stretch, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Read)?;
        let end = end(&tx).await?;
        let first = end.at.number.saturating_sub(limit);
        let rows = load(&tx, first, Key::NUMBER_MAX).await?;
        stretch(&tx, None, rows, first, end).await
    }

    /// The records up to and with the one at `end`, at most `limit`, held against each other and
    /// against that end.
    ///
    /// # Errors
    /// As the database.
    pub async fn records_up_to(&self, end: &Head, limit: u64) -> Result<Stretch, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Read)?;
        let first = end.number.saturating_sub(limit);
        let rows = load(&tx, first, end.number).await?;
        stretch(&tx, None, rows, first, End { at: end.clone(), broken: None }).await
    }

    /// What the records up to and with the one at `end` follow, at most `limit` of them, and the
    /// first place where they are not what was written. As [`Store::records_up_to`], without taking
    /// them.
    ///
    /// # Errors
    /// As the database.
    pub async fn check_up_to(
        &self,
        end: &Head,
        limit: u64,
    ) -> Result<(Head, Option<Broken>), StoreError> {
        let tx = self.database.begin(&TABLES, Access::Read)?;
        let first = end.number.saturating_sub(limit);
        let mut rows = load(&tx, first, end.number).await?;
        let start = take_start(&mut rows, first);
        let broken = verify(&start, &rows, end).err();
        Ok((start, broken))
    }

    /// The records after the one at `start`, held against it, each other and the end.
    ///
    /// # Errors
    /// As the database.
    pub async fn records_after(&self, start: &Head) -> Result<Stretch, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Read)?;
        let end = end(&tx).await?;
        let rows = load(&tx, start.number + 1, Key::NUMBER_MAX).await?;
        stretch(&tx, Some(start.clone()), rows, start.number, end).await
    }

    /// Every record as it is kept, and where they end: what an export holds.
    ///
    /// # Errors
    /// As the database.
    pub async fn all_records(&self) -> Result<(Vec<RecordRow>, End), StoreError> {
        let tx = self.database.begin(&TABLES, Access::Read)?;
        let end = end(&tx).await?;
        Ok((load(&tx, 0, Key::NUMBER_MAX).await?, end))
    }
}

/// Where the records end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The place of the last.
    pub at: Head,
    /// What is wrong with it: it cannot be read, and the records end where they happen to.
    pub broken: Option<Broken>,
}

const TABLES: [Table; 3] = [Table::Records, Table::Ledger, Table::Words];

pub(crate) async fn end(tx: &impl Transaction) -> Result<End, StoreError> {
    match records::head(tx).await {
        Ok(at) => Ok(End { at, broken: None }),
        Err(error) if error.is_damage() => {
            let last = load(tx, 0, Key::NUMBER_MAX).await?.pop();
            let at = last.map(|row| Head { number: row.number, digest: row.digest });
            Ok(End { at: at.unwrap_or_default(), broken: Some(Broken::NoEnd) })
        }
        Err(error) => Err(error),
    }
}

/// The rows from one number to another. One that cannot be read is taken as it is for the record
/// that belongs in its place: it is no record, and nothing binds it.
pub(crate) async fn load(
    tx: &impl Transaction,
    first: u64,
    last: u64,
) -> Result<Vec<RecordRow>, StoreError> {
    let keys = Key::Number(first)..=Key::Number(last);
    let mut rows: Vec<RecordRow> = Vec::new();
    for text in tx.texts(Table::Records, keys, Order::Rising, u32::MAX).await? {
        let number = rows.last().map_or(first.max(1), |row| row.number + 1);
        let row = body::read(RecordRow::WHAT, &text);
        rows.push(row.unwrap_or(RecordRow { number, body: text, digest: String::new() }));
    }
    Ok(rows)
}

/// The rows begin with the one numbered `first`, which the others follow, unless `start` is known.
async fn stretch(
    tx: &impl Transaction,
    start: Option<Head>,
    mut rows: Vec<RecordRow>,
    first: u64,
    End { at: end, broken }: End,
) -> Result<Stretch, StoreError> {
    let start = start.unwrap_or_else(|| take_start(&mut rows, first));
    let broken = broken.or_else(|| verify(&start, &rows, &end).err());
    let mut damaged = None;
    let mut entries: Vec<_> = rows.iter().map(entry).collect();
    for session in sessions(&entries) {
        let (from, to) = (start.number + 1, end.number.max(start.number + 1));
        let words = words::between(tx, &session, from, to).await?;
        damaged = damaged.or(words.damaged);
        let mut said: BTreeMap<_, _> =
            words.all.into_iter().map(|row| (row.number, row.text)).collect();
        for entry in &mut entries {
            if let (Ok(record), Some(text)) = (&mut entry.record, said.remove(&entry.at.number)) {
                record.put_words(text);
            }
        }
    }
    Ok(Stretch { start, entries, end, broken, damaged })
}

/// What the others follow: the row numbered `first`, if it is there.
fn take_start(rows: &mut Vec<RecordRow>, first: u64) -> Head {
    let is_there = rows.first().is_some_and(|row| row.number == first);
    let digest = if is_there { rows.remove(0).digest } else { String::new() };
    Head { number: first, digest }
}

fn entry(row: &RecordRow) -> Entry {
    Entry {
        at: Head { number: row.number, digest: row.digest.clone() },
        record: records::read(row).map_err(|error| error.to_string()),
    }
}

fn sessions(entries: &[Entry]) -> BTreeSet<SessionId> {
    let sessions = entries.iter().filter_map(|entry| Some(entry.record.as_ref().ok()?.session()));
    sessions.cloned().collect()
}
