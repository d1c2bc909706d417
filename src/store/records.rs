//! Decisions and executions: the audit, and at once the ledger that lets a request be decided once
//! and run once, whatever copy of a conversation asks.

use agent::audit::{AuditEvent, ExecutionEvent};
use agent::id::RequestId;
use indexed_db_futures::cursor::CursorDirection;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use view::scene::Record;
use wasm_bindgen::JsValue;

use super::row;
use super::{RECORDS, RECORDS_BY_KEY, Store, StoreError};

const WHAT: &str = "a record";

#[derive(Serialize, Deserialize)]
struct Row {
    key: String,
    kind: Kind,
    body: String,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Decision,
    Execution,
}

impl Kind {
    fn key(self, request: &RequestId) -> String {
        match self {
            Self::Decision => format!("decision/{request}"),
            Self::Execution => format!("execution/{request}"),
        }
    }
}

impl Store {
    /// Records a decision, unless its request has one: then that one is returned and counts.
    ///
    /// # Errors
    /// As the store; the decision does not count then.
    pub async fn record_decision(
        &self,
        decision: &AuditEvent,
    ) -> Result<Option<AuditEvent>, StoreError> {
        let tx = self.write(&[RECORDS])?;
        let records = tx.object_store(RECORDS)?;
        if let Some(earlier) = find_decision(&records, &decision.request).await? {
            return Ok(Some(earlier));
        }
        append(&records, Kind::Decision, &decision.request, decision).await?;
        tx.commit().await?;
        Ok(None)
    }

    /// The newest records, oldest first, at most `limit`.
    ///
    /// # Errors
    /// As the store.
    pub async fn recent_records(&self, limit: usize) -> Result<Vec<Record>, StoreError> {
        let tx = self.read(&[RECORDS])?;
        let records = tx.object_store(RECORDS)?;
        let mut found = Vec::new();
        let newest_first = CursorDirection::Prev;
        if let Some(mut cursor) = records.open_cursor().with_direction(newest_first).await? {
            while found.len() < limit {
                let Some(next) = cursor.next_record::<JsValue>().await? else { break };
                let row: Row = row::read(WHAT, next)?;
                found.push(match row.kind {
                    Kind::Decision => Record::Decision(row::read_body(WHAT, &row.body)?),
                    Kind::Execution => Record::Execution(row::read_body(WHAT, &row.body)?),
                });
            }
        }
        found.reverse();
        Ok(found)
    }
}

/// The decision on a request, if it has one.
pub(super) async fn find_decision(
    records: &ObjectStore<'_>,
    request: &RequestId,
) -> Result<Option<AuditEvent>, StoreError> {
    find(records, Kind::Decision, request).await
}

/// The execution under a request, if there was one.
pub(super) async fn find_execution(
    records: &ObjectStore<'_>,
    request: &RequestId,
) -> Result<Option<ExecutionEvent>, StoreError> {
    find(records, Kind::Execution, request).await
}

/// Records an execution, inside the transaction of its effect.
pub(super) async fn append_execution(
    records: &ObjectStore<'_>,
    execution: &ExecutionEvent,
) -> Result<(), StoreError> {
    append(records, Kind::Execution, &execution.request, execution).await
}

async fn find<T: DeserializeOwned>(
    records: &ObjectStore<'_>,
    kind: Kind,
    request: &RequestId,
) -> Result<Option<T>, StoreError> {
    let by_key = records.index(RECORDS_BY_KEY)?;
    let found: Option<JsValue> = by_key.get(kind.key(request)).primitive()?.await?;
    found
        .map(|found| {
            let row: Row = row::read(WHAT, found)?;
            row::read_body(WHAT, &row.body)
        })
        .transpose()
}

async fn append<T: Serialize>(
    records: &ObjectStore<'_>,
    kind: Kind,
    request: &RequestId,
    body: &T,
) -> Result<(), StoreError> {
    let row = Row { key: kind.key(request), kind, body: row::write_body(WHAT, body)? };
    row::add(records, WHAT, &row).await
}
