//! The household's data and the changes made to it. A change, what it came from and how to take it
//! back are one transaction: after any crash it is there whole or not at all.

use agent::approval::ApprovedCall;
use agent::audit::{ExecutionEvent, ExecutionOutcome};
use agent::event::ToolOutcome;
use agent::id::{RequestId, SessionId};
use agent::mistake::{Mistake, made};
use agent::time::Timestamp;
use agent::tool::{Output, ToolError, ToolSet};
use kitchen::{Change, ChangeId, Edit, Household, difference};
use serde::{Deserialize, Serialize};

use crate::database::{Access, Database, Key, Order, Row, Table, Transaction};
use crate::error::StoreError;
use crate::records::{self, Record};
use crate::{Readable, Store, body};

const NAME: &str = "household";

/// The household as it is kept now, with what changed.
#[derive(Debug)]
pub struct Kept {
    /// The household.
    pub household: Household,
    /// The changes that were written: new ones, and old ones marked as taken back.
    pub changes: Vec<Change>,
}

/// The household and its changes, each as far as it could be read.
#[derive(Debug, PartialEq)]
pub struct Home {
    /// The household.
    pub household: Result<Household, StoreError>,
    /// Its newest changes, oldest first.
    pub changes: Readable<Change>,
}

/// What came of an approved call.
#[derive(Debug)]
pub struct Ran {
    /// For the loop.
    pub outcome: ToolOutcome,
    /// Absent if nothing was written: a read, or a request that had run before.
    pub kept: Option<Kept>,
    /// The record, if this is when it was written.
    pub execution: Option<ExecutionEvent>,
}

#[derive(Serialize, Deserialize)]
struct HouseholdRow {
    name: String,
    next_change: u64,
    body: String,
}

impl Row for HouseholdRow {
    const TABLE: Table = Table::Household;
    const WHAT: &'static str = "the household";

    fn key(&self) -> Key {
        Key::Text(self.name.clone())
    }
}

#[derive(Serialize, Deserialize)]
struct ChangeRow {
    id: u64,
    body: String,
}

impl Row for ChangeRow {
    const TABLE: Table = Table::Changes;
    const WHAT: &'static str = "a change";

    fn key(&self) -> Key {
        Key::Number(self.id)
    }
}

impl<D: Database> Store<D> {
    /// The household, and its newest changes, at most `limit`.
    ///
    /// # Errors
    /// As the database. What is damaged is no error: the rest is there beside it.
    pub async fn household(&self, limit: u32) -> Result<Home, StoreError> {
        let tx = self.database.begin(&[Table::Household, Table::Changes], Access::Read)?;
        let household = match Current::load(&tx).await {
            Ok(now) => Ok(now.household),
            Err(error) if error.is_damage() => Err(error),
            Err(error) => return Err(error),
        };
        let every = Key::Number(0)..=Key::Number(Key::NUMBER_MAX);
        let rows = tx.each::<ChangeRow>(every, Order::Falling, limit).await?;
        let changes = rows.into_iter().rev().map(|row| body::read(ChangeRow::WHAT, &row?.body));
        Ok(Home { household, changes: Readable::of(changes) })
    }

    /// Runs an approved call on the household, once. A request that ran before gives what came of
    /// it then and changes nothing. `key` is the one of this installation's argument digests.
    ///
    /// # Errors
    /// As the store; also if no decision on record allows the call with just these arguments: what
    /// is kept of a conversation may have been changed since. Nothing was changed then.
    pub async fn run(
        &self,
        tools: &ToolSet<Household>,
        approved: &ApprovedCall,
        session: &SessionId,
        key: &[u8; 32],
        now: Timestamp,
    ) -> Result<Ran, StoreError> {
        let Some(request) = approved.request() else {
            return self.run_free(tools, approved).await;
        };
        let tables =
            [Table::Household, Table::Changes, Table::Records, Table::Ledger, Table::Words];
        let tx = self.database.begin(&tables, Access::Write)?;
        if let Some(earlier) = records::find_execution(&tx, request).await?
            && !made(Mistake::RunsAgain)
        {
            return Ok(Ran { outcome: recall(earlier), kept: None, execution: None });
        }
        let call = approved.call();
        if !records::allows(&tx, request, call, key).await? {
            return Err(StoreError::NotApproved);
        }
        let current = Current::load(&tx).await?;
        let mut after = current.household.clone();
        let result = tools.run(approved, &mut after);
        let execution = ExecutionEvent {
            request: request.clone(),
            session: session.clone(),
            call: call.id.clone(),
            tool: call.name.clone(),
            outcome: if result.is_ok() { ExecutionOutcome::Ran } else { ExecutionOutcome::Failed },
            result: match &result {
                Ok(Output { text }) | Err(ToolError { text }) => text.clone(),
            },
            at: now,
        };
        let kept = match result {
            Ok(_) => Some(current.replace(&tx, after, Some(request.clone()), now).await?),
            Err(_) => None,
        };
        let tx = if made(Mistake::EffectBeforeRecord) {
            tx.commit().await?;
            self.database.begin(&tables, Access::Write)?
        } else {
            tx
        };
        if !made(Mistake::ExecutionNotRecorded) {
            records::append(&tx, Record::Execution(execution.clone())).await?;
        }
        tx.commit().await?;
        Ok(Ran { outcome: recall(execution.clone()), kept, execution: Some(execution) })
    }

    /// A free call reads; what it would write is thrown away with its copy of the household.
    async fn run_free(
        &self,
        tools: &ToolSet<Household>,
        approved: &ApprovedCall,
    ) -> Result<Ran, StoreError> {
        let tx = self.database.begin(&[Table::Household], Access::Read)?;
        let mut copy = Current::load(&tx).await?.household;
        let outcome = match tools.run(approved, &mut copy) {
            Ok(Output { text }) => ToolOutcome::Returned { text: Some(text), terminate: false },
            Err(ToolError { text }) => ToolOutcome::Failed { text },
        };
        Ok(Ran { outcome, kept: None, execution: None })
    }

    /// Makes a change by hand. The inner error is the kitchen's: why it cannot be made.
    ///
    /// # Errors
    /// As the store; nothing was changed then.
    pub async fn edit(
        &self,
        edit: Edit,
        now: Timestamp,
    ) -> Result<Result<Kept, String>, StoreError> {
        let tx = self.database.begin(&[Table::Household, Table::Changes], Access::Write)?;
        let current = Current::load(&tx).await?;
        let mut after = current.household.clone();
        if let Err(why) = after.edit(edit) {
            return Ok(Err(why));
        }
        let kept = current.replace(&tx, after, None, now).await?;
        tx.commit().await?;
        Ok(Ok(kept))
    }

    /// Takes a change back. The inner error is the kitchen's: what depends on it.
    ///
    /// # Errors
    /// As the store; nothing was changed then.
    pub async fn undo(
        &self,
        id: ChangeId,
        now: Timestamp,
    ) -> Result<Result<Kept, String>, StoreError> {
        let tx = self.database.begin(&[Table::Household, Table::Changes], Access::Write)?;
        let Some(mut change) = load_change(&tx, id).await? else {
            return Ok(Err("That change is not on record any more.".to_owned()));
        };
        let current = Current::load(&tx).await?;
        let mut after = current.household.clone();
        if let Err(why) = after.undo(&change) {
            return Ok(Err(why));
        }
        change.undone = true;
        put_change(&tx, &change).await?;
        let mut kept = current.replace(&tx, after, None, now).await?;
        kept.changes.insert(0, change);
        tx.commit().await?;
        Ok(Ok(kept))
    }
}

/// The household inside a transaction.
pub(crate) struct Current {
    pub(crate) household: Household,
    next_change: u64,
}

impl Current {
    pub(crate) async fn load(tx: &impl Transaction) -> Result<Self, StoreError> {
        let row = match tx.get::<HouseholdRow>(&NAME.into()).await {
            Err(error) if error.is_damage() && made(Mistake::DamagedHouseholdIsEmpty) => None,
            row => row?,
        };
        match row {
            None => Ok(Self { household: Household::default(), next_change: 1 }),
            Some(row) => Ok(Self {
                household: body::read(HouseholdRow::WHAT, &row.body)?,
                next_change: row.next_change,
            }),
        }
    }

    /// Puts another household in its place and keeps what changed, so that it can be taken back.
    pub(crate) async fn replace(
        mut self,
        tx: &impl Transaction,
        after: Household,
        request: Option<RequestId>,
        at: Timestamp,
    ) -> Result<Kept, StoreError> {
        let lines = difference(&self.household, &after);
        let mut changes = Vec::new();
        if !lines.is_empty() {
            let id = ChangeId(self.next_change);
            let change = Change { id, at, request, lines, undone: false };
            put_change(tx, &change).await?;
            changes.push(change);
            self.next_change += 1;
        }
        let body = body::write(HouseholdRow::WHAT, &after)?;
        let name = NAME.to_owned();
        tx.put(&HouseholdRow { name, next_change: self.next_change, body }).await?;
        Ok(Kept { household: after, changes })
    }
}

async fn load_change(tx: &impl Transaction, id: ChangeId) -> Result<Option<Change>, StoreError> {
    let row: Option<ChangeRow> = tx.get(&Key::Number(id.0)).await?;
    row.map(|row| body::read(ChangeRow::WHAT, &row.body)).transpose()
}

async fn put_change(tx: &impl Transaction, change: &Change) -> Result<(), StoreError> {
    tx.put(&ChangeRow { id: change.id.0, body: body::write(ChangeRow::WHAT, change)? }).await
}

/// The outcome an execution stands for, whether it was just now or long ago.
pub(crate) fn recall(execution: ExecutionEvent) -> ToolOutcome {
    match execution.outcome {
        ExecutionOutcome::Ran => {
            ToolOutcome::Returned { text: Some(execution.result), terminate: false }
        }
        ExecutionOutcome::Failed => ToolOutcome::Failed { text: execution.result },
        ExecutionOutcome::Unknown => ToolOutcome::Unknown,
    }
}
