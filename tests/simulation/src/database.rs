//! A database in memory that fails and forgets on purpose. A transaction is there whole or not at
//! all; what becomes of the next one is decided beforehand.

mod damage;
mod fate;
mod late;

pub use damage::Harm;
pub use fate::{Fate, Plan};

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::ops::RangeInclusive;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use store::database::{Access, Asked, Database, Key, Order, Table, Transaction};
use store::error::StoreError;

use crate::mutant::Mutant;
use late::Late;

/// Which tab it is. Conversations are kept by tab: in the page a lock keeps two tabs out
/// of one conversation. Records and household are everybody's.
pub type Slot = usize;

type Place = (Slot, Table);

/// The rows of a table. Copies share them until one is written to.
pub type Rows = Rc<BTreeMap<Key, Rc<str>>>;
type Tables = BTreeMap<Place, Rows>;
type Writes = BTreeMap<(Place, Key), Option<Rc<str>>>;

/// Everything that is kept.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    rows: RefCell<Tables>,
    plan: Cell<Plan>,
    struck: Cell<bool>,
    /// How many requests the last transaction made.
    requests: Cell<u32>,
    commits: Cell<u64>,
    shared_commits: Cell<u64>,
    /// Rows that were harmed, as they were left.
    spoilt: RefCell<BTreeMap<(Place, Key), Rc<str>>>,
    late: Late,
    /// The rows before the last commit, where a mutant keeps a decision less than strictly.
    before: RefCell<Option<Tables>>,
}

impl Memory {
    /// Decides what becomes of the next transaction.
    pub fn plan(&self, plan: Plan) {
        self.plan.set(plan);
        self.struck.set(false);
    }

    /// Whether what was planned came to pass.
    #[must_use]
    pub fn struck(&self) -> bool {
        self.struck.get() || matches!(self.plan.get().fate, Fate::Commits | Fate::CrashAfter)
    }

    /// Everything that is kept, as text.
    #[must_use]
    pub fn rows(&self) -> String {
        format!("{:?}", self.rows.borrow())
    }

    /// How many requests the last transaction made.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.requests.get()
    }

    /// How often something was kept.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.commits.get()
    }

    /// How often what is everybody's changed: records and household.
    #[must_use]
    pub fn shared_commits(&self) -> u64 {
        self.shared_commits.get()
    }

    /// All rows that are a tab's own.
    #[must_use]
    pub fn own(&self, slot: Slot) -> Vec<(Table, Rows)> {
        let rows = self.rows.borrow();
        let own =
            OWN.iter().filter_map(|table| Some((*table, Rc::clone(rows.get(&(slot, *table))?))));
        own.collect()
    }

    /// Puts these rows in the place of all that are a tab's own.
    pub fn put_back(&self, slot: Slot, own: Vec<(Table, Rows)>) {
        let mut rows = self.rows.borrow_mut();
        rows.retain(|(of, table), _| *of != slot || !OWN.contains(table));
        rows.extend(own.into_iter().map(|(table, of)| ((slot, table), of)));
    }

    /// The rows that are everybody's.
    #[must_use]
    pub fn ledger(&self) -> Vec<(Table, Rows)> {
        let rows = self.rows.borrow();
        let tables = [Table::Records, Table::Ledger, Table::Words];
        tables.iter().filter_map(|of| Some((*of, Rc::clone(rows.get(&(0, *of))?)))).collect()
    }

    /// Puts older rows in the place of those that are everybody's: only a mutant does.
    pub fn put_ledger_back(&self, ledger: Vec<(Table, Rows)>) {
        let mut rows = self.rows.borrow_mut();
        rows.retain(|(_, table), _| {
            !matches!(table, Table::Records | Table::Ledger | Table::Words)
        });
        rows.extend(ledger.into_iter().map(|(table, of)| ((0, table), of)));
    }

    /// The browser clears everything.
    pub fn evict(&self) {
        self.rows.take();
        self.before.take();
        self.spoilt.take();
        self.late.forget();
        self.shared_commits.set(self.shared_commits.get() + 1);
    }

    fn keep(&self, tables: &[Table], writes: Writes, only: impl Fn(Table) -> bool) {
        let mut rows = self.rows.borrow_mut();
        for ((place, key), row) in writes {
            let table = Rc::make_mut(rows.entry(place).or_default());
            match row {
                Some(_) if !only(place.1) => None,
                Some(row) => table.insert(key, row),
                None => table.remove(&key),
            };
        }
        self.commits.set(self.commits.get() + 1);
        let shared = tables.iter().any(|table| !OWN.contains(table));
        self.shared_commits.set(self.shared_commits.get() + u64::from(shared));
    }

    /// The machine stops: what was not kept strictly is gone. Only a mutant has any.
    pub fn forget(&self) {
        if let Some(before) = self.before.take() {
            self.rows.replace(before);
            self.shared_commits.set(self.shared_commits.get() + 1);
        }
    }
}

const OWN: [Table; 2] = [Table::Sessions, Table::Messages];

/// The database as one tab has it.
#[derive(Debug, Clone, Copy)]
pub struct View<'m> {
    /// What is kept.
    pub memory: &'m Memory,
    /// The tab.
    pub slot: Slot,
    /// The mistake that is planted.
    pub mutant: Option<Mutant>,
    /// Whether the tab has the database no more.
    pub closed: bool,
    /// Whether it only looks on, and nothing that is late is kept for its sake.
    pub looks_on: bool,
}

impl<'m> View<'m> {
    /// As a tab has it that nothing happened to.
    #[must_use]
    pub fn of(memory: &'m Memory) -> Self {
        Self { memory, slot: 0, mutant: None, closed: false, looks_on: false }
    }

    /// As whoever sees everything has it.
    #[must_use]
    pub fn onto(memory: &'m Memory) -> Self {
        Self { looks_on: true, ..Self::of(memory) }
    }
}

impl<'m> Database for View<'m> {
    type Transaction<'a>
        = Open<'m>
    where
        Self: 'a;

    fn begin(&self, tables: &[Table], access: Access) -> Result<Open<'m>, StoreError> {
        if self.closed {
            return Err(strike(self.memory, StoreError::Absent));
        }
        if self.memory.plan.get().fate == Fate::CrashBefore {
            return Err(strike(self.memory, aborted()));
        }
        if !self.looks_on && self.memory.late.is_before(tables) {
            if self.memory.plan.get().fate == Fate::UnansweredLate {
                return Err(strike(self.memory, StoreError::Unanswered));
            }
            self.memory.land();
        }
        self.memory.requests.set(0);
        Ok(Open {
            view: *self,
            tables: tables.to_vec(),
            access,
            left: Cell::new(self.memory.plan.get().requests),
            writes: RefCell::default(),
        })
    }
}

fn strike(memory: &Memory, error: StoreError) -> StoreError {
    memory.struck.set(true);
    error
}

fn aborted() -> StoreError {
    StoreError::Refused("AbortError: it was aborted".to_owned())
}

/// A transaction.
#[derive(Debug)]
pub struct Open<'m> {
    view: View<'m>,
    tables: Vec<Table>,
    access: Access,
    left: Cell<u32>,
    writes: RefCell<Writes>,
}

impl Open<'_> {
    fn place(&self, table: Table) -> Result<Place, StoreError> {
        if !self.tables.contains(&table) {
            return Err(StoreError::Refused(format!("NotFoundError: {table:?}")));
        }
        Ok((if OWN.contains(&table) { self.view.slot } else { 0 }, table))
    }

    /// A request is made. It may be the one at which the transaction is undone.
    fn request(&self) -> Result<(), StoreError> {
        let fate = self.fate();
        let undone = matches!(fate, Fate::Aborts | Fate::CrashInside);
        if undone && self.left.get() == 0 && !self.splits() {
            return Err(strike(self.view.memory, aborted()));
        }
        if fate == Fate::UnansweredUndone && self.left.get() == 0 {
            return Err(strike(self.view.memory, StoreError::Unanswered));
        }
        self.view.memory.requests.set(self.view.memory.requests.get() + 1);
        self.left.set(self.left.get().saturating_sub(1));
        Ok(())
    }

    fn fate(&self) -> Fate {
        self.view.memory.plan.get().fate
    }

    fn change(&self, table: Table, key: Key, row: Option<Rc<str>>) -> Result<(), StoreError> {
        if self.fate() == Fate::Full && self.left.get() == 0 {
            return Err(strike(self.view.memory, StoreError::Full));
        }
        self.request()?;
        if self.access == Access::Read {
            return Err(StoreError::Refused("ReadOnlyError".to_owned()));
        }
        self.writes.borrow_mut().insert((self.place(table)?, key), row);
        Ok(())
    }

    fn read(&self, table: Table, key: &Key) -> Result<Option<String>, StoreError> {
        self.request()?;
        if self.overlooks(table, key) {
            return Ok(None);
        }
        let place = self.place(table)?;
        let own = self.writes.borrow().get(&(place, key.clone())).cloned();
        let kept =
            || self.view.memory.rows.borrow().get(&place).and_then(|of| of.get(key).cloned());
        Ok(own.unwrap_or_else(kept).map(|text| text.to_string()))
    }

    fn read_range(
        &self,
        table: Table,
        keys: &RangeInclusive<Key>,
        order: Order,
        limit: usize,
    ) -> Result<Vec<String>, StoreError> {
        self.request()?;
        let rows = self.seen(self.place(table)?, keys).into_values().map(|text| text.to_string());
        Ok(match order {
            Order::Rising => rows.take(limit).collect(),
            Order::Falling => rows.rev().take(limit).collect(),
        })
    }

    fn erase_range(&self, table: Table, keys: &RangeInclusive<Key>) -> Result<(), StoreError> {
        self.request()?;
        for key in self.seen(self.place(table)?, keys).into_keys() {
            self.change(table, key, None)?;
        }
        Ok(())
    }

    /// The rows of a table with keys in a range, as this transaction sees them.
    fn seen(&self, place: Place, keys: &RangeInclusive<Key>) -> BTreeMap<Key, Rc<str>> {
        let kept = self.view.memory.rows.borrow();
        let within = kept.get(&place).into_iter().flat_map(|of| of.range(keys.clone()));
        let mut rows: BTreeMap<_, _> =
            within.map(|(key, row)| (key.clone(), Rc::clone(row))).collect();
        for ((of, key), row) in &*self.writes.borrow() {
            if *of == place && keys.contains(key) {
                match row {
                    Some(row) => rows.insert(key.clone(), Rc::clone(row)),
                    None => rows.remove(key),
                };
            }
        }
        rows
    }

    fn apply(&self, only: impl Fn(Table) -> bool) {
        let memory = self.view.memory;
        let relaxed = self.view.mutant == Some(Mutant::KeepsDecisionsLoosely)
            && !self.runs()
            && self.tables.contains(&Table::Records);
        memory.before.replace(relaxed.then(|| memory.rows.borrow().clone()));
        memory.keep(&self.tables, self.writes.take(), only);
    }

    /// Whether a tool runs in it, with a record.
    fn runs(&self) -> bool {
        self.tables.contains(&Table::Household) && self.tables.contains(&Table::Records)
    }

    /// Whether a mutant does the effect and its record one after the other here.
    fn splits(&self) -> bool {
        self.view.mutant == Some(Mutant::RecordsAfterRunning)
            && self.runs()
            && self.fate() == Fate::CrashInside
    }

    /// Whether a mutant overlooks this row.
    fn overlooks(&self, table: Table, key: &Key) -> bool {
        let Key::Text(name) = key else { return false };
        let runs = self.runs();
        table == Table::Ledger
            && match self.view.mutant {
                Some(Mutant::LastDecisionCounts) => !runs && name.starts_with("decision/"),
                Some(Mutant::RunsAgain) => runs && name.starts_with("execution/"),
                Some(_) | None => false,
            }
    }
}

impl Transaction for Open<'_> {
    fn text(&self, table: Table, key: &Key) -> Asked<'_, Option<String>> {
        done(self.read(table, key))
    }

    fn texts(
        &self,
        table: Table,
        keys: RangeInclusive<Key>,
        order: Order,
        limit: u32,
    ) -> Asked<'_, Vec<String>> {
        done(self.read_range(table, &keys, order, limit as usize))
    }

    fn write(&self, table: Table, key: Key, text: String) -> Asked<'_, ()> {
        done(self.change(table, key, Some(text.into())))
    }

    fn erase(&self, table: Table, keys: RangeInclusive<Key>) -> Asked<'_, ()> {
        done(self.erase_range(table, &keys))
    }

    async fn commit(self) -> Result<(), StoreError> {
        let memory = self.view.memory;
        match self.fate() {
            Fate::Commits | Fate::CrashBefore | Fate::Closed => self.apply(|_| true),
            Fate::Aborts | Fate::CrashInside => {
                if self.splits() {
                    self.apply(|table| matches!(table, Table::Household | Table::Changes));
                }
                return Err(strike(memory, aborted()));
            }
            Fate::CrashAfter => {
                self.apply(|_| true);
                return Err(strike(memory, aborted()));
            }
            Fate::Full | Fate::FullAtCommit => return Err(strike(memory, StoreError::Full)),
            Fate::UnansweredKept => {
                self.apply(|_| true);
                return Err(strike(memory, StoreError::Unanswered));
            }
            Fate::UnansweredUndone => return Err(strike(memory, StoreError::Unanswered)),
            Fate::UnansweredLate => {
                memory.late.wait(&self.tables, self.writes.take());
                return Err(strike(memory, StoreError::Unanswered));
            }
        }
        Ok(())
    }
}

/// Nothing waits over a database in memory.
fn done<'a, T: 'a>(result: Result<T, StoreError>) -> Asked<'a, T> {
    Box::pin(ready(result))
}

/// What a future comes to that never waits, as none does over a database in memory.
///
/// # Errors
/// If it waits.
pub fn at_once<T>(future: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(done) => done,
        Poll::Pending => Err(StoreError::Refused("it waits".to_owned())),
    }
}
