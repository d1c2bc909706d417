//! The household's data and the changes made to it. A change, what it came from and how to take it
//! back are one transaction: after any crash it is there whole or not at all.

use agent::approval::{ApprovedCall, Outcome};
use agent::audit::{ExecutionEvent, ExecutionOutcome};
use agent::event::ToolOutcome;
use agent::id::{RequestId, SessionId};
use agent::time::Timestamp;
use agent::tool::{Output, ToolError, ToolSet};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::Transaction;
use kitchen::{Change, ChangeId, Edit, Household, difference};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use super::{CHANGES, HOUSEHOLD, RECORDS, Store, StoreError, records, row};

const WHAT: &str = "the household";
const CHANGE: &str = "a change";
const NAME: &str = "household";

#[derive(Serialize, Deserialize)]
struct HouseholdRow {
    name: String,
    next_change: f64,
    body: String,
}

#[derive(Serialize, Deserialize)]
struct ChangeRow {
    id: f64,
    body: String,
}

/// The household as it is kept now, with what changed.
#[derive(Debug)]
pub struct Kept {
    /// The household.
    pub household: Household,
    /// The changes that were written: new ones, and old ones marked as taken back.
    pub changes: Vec<Change>,
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

impl Store {
    /// The household, and its newest changes, oldest first, at most `limit`.
    ///
    /// # Errors
    /// As the store.
    pub async fn household(&self, limit: u32) -> Result<(Household, Vec<Change>), StoreError> {
        let tx = self.read(&[HOUSEHOLD, CHANGES])?;
        let now = Current::load(&tx).await?;
        let first = (now.next_change - f64::from(limit)).max(0.0);
        let store = tx.object_store(CHANGES)?;
        let mut changes = Vec::new();
        for found in store.get_all::<JsValue>().with_query(first..).primitive()?.await? {
            let row: ChangeRow = row::read(CHANGE, found?)?;
            changes.push(row::read_body(CHANGE, &row.body)?);
        }
        Ok((now.household, changes))
    }

    /// Runs an approved call on the household, once. A request that ran before gives what came of
    /// it then and changes nothing.
    ///
    /// # Errors
    /// As the store; also if no decision on record allows the call. Nothing was changed then.
    pub async fn run(
        &self,
        tools: &ToolSet<Household>,
        approved: &ApprovedCall,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<Ran, StoreError> {
        let Some(request) = approved.request() else {
            return self.run_free(tools, approved).await;
        };
        let tx = self.write(&[HOUSEHOLD, CHANGES, RECORDS])?;
        let ledger = tx.object_store(RECORDS)?;
        if let Some(earlier) = records::find_execution(&ledger, request).await? {
            return Ok(Ran { outcome: recall(earlier), kept: None, execution: None });
        }
        match records::find_decision(&ledger, request).await? {
            Some(decision) if decision.outcome == Outcome::Approved => {}
            Some(_) | None => return Err(StoreError::NotApproved),
        }
        let mut current = Current::load(&tx).await?;
        let mut after = current.household.clone();
        let result = tools.run(approved, &mut after);
        let call = approved.call();
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
        records::append_execution(&ledger, &execution).await?;
        tx.commit().await?;
        Ok(Ran { outcome: recall(execution.clone()), kept, execution: Some(execution) })
    }

    /// A free call reads; what it would write is thrown away with its copy of the household.
    async fn run_free(
        &self,
        tools: &ToolSet<Household>,
        approved: &ApprovedCall,
    ) -> Result<Ran, StoreError> {
        let tx = self.read(&[HOUSEHOLD])?;
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
        let tx = self.write(&[HOUSEHOLD, CHANGES])?;
        let mut current = Current::load(&tx).await?;
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
        let tx = self.write(&[HOUSEHOLD, CHANGES])?;
        let Some(mut change) = load_change(&tx, id).await? else {
            return Ok(Err("That change is not on record any more.".to_owned()));
        };
        let mut current = Current::load(&tx).await?;
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
struct Current {
    household: Household,
    next_change: f64,
}

impl Current {
    async fn load(tx: &Transaction<'_>) -> Result<Self, StoreError> {
        let found: Option<JsValue> = tx.object_store(HOUSEHOLD)?.get(NAME).primitive()?.await?;
        let Some(found) = found else {
            return Ok(Self { household: Household::default(), next_change: 1.0 });
        };
        let row: HouseholdRow = row::read(WHAT, found)?;
        let household = row::read_body(WHAT, &row.body)?;
        Ok(Self { household, next_change: row.next_change })
    }

    /// Puts another household in its place and keeps what changed, so that it can be taken back.
    async fn replace(
        &mut self,
        tx: &Transaction<'_>,
        after: Household,
        request: Option<RequestId>,
        at: Timestamp,
    ) -> Result<Kept, StoreError> {
        let lines = difference(&self.household, &after);
        let mut changes = Vec::new();
        if !lines.is_empty() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "counts up from 1"
            )]
            let id = ChangeId(self.next_change as u64);
            let change = Change { id, at, request, lines, undone: false };
            put_change(tx, &change).await?;
            changes.push(change);
            self.next_change += 1.0;
        }
        self.household = after.clone();
        let body = row::write_body(WHAT, &after)?;
        let row = HouseholdRow { name: NAME.to_owned(), next_change: self.next_change, body };
        row::put(&tx.object_store(HOUSEHOLD)?, WHAT, &row).await?;
        Ok(Kept { household: after, changes })
    }
}

async fn load_change(tx: &Transaction<'_>, id: ChangeId) -> Result<Option<Change>, StoreError> {
    let found: Option<JsValue> = tx.object_store(CHANGES)?.get(number(id)).primitive()?.await?;
    found
        .map(|found| {
            let row: ChangeRow = row::read(CHANGE, found)?;
            row::read_body(CHANGE, &row.body)
        })
        .transpose()
}

async fn put_change(tx: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let row = ChangeRow { id: number(change.id), body: row::write_body(CHANGE, change)? };
    row::put(&tx.object_store(CHANGES)?, CHANGE, &row).await
}

#[expect(clippy::cast_precision_loss, reason = "nobody makes 2^53 changes")]
fn number(id: ChangeId) -> f64 {
    id.0 as f64
}

/// The outcome an execution stands for, whether it was just now or long ago.
fn recall(execution: ExecutionEvent) -> ToolOutcome {
    match execution.outcome {
        ExecutionOutcome::Ran => {
            ToolOutcome::Returned { text: Some(execution.result), terminate: false }
        }
        ExecutionOutcome::Failed => ToolOutcome::Failed { text: execution.result },
        ExecutionOutcome::Unknown => ToolOutcome::Unknown,
    }
}
