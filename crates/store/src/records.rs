//! Decisions, executions and what becomes known of them: the audit, and at once the ledger by which a request is decided once
//! and runs once, whatever copy of a conversation asks.

use std::mem;

use agent::approval::Outcome;
use agent::audit::{AuditEvent, ExecutionEvent};
use agent::canonical::keyed_digest;
use agent::id::{CallId, RequestId, SessionId};
use agent::message::ToolCall;
use agent::mistake::{Mistake, made};
use agent::resolution::{Resolution, ResolutionEvent};
use agent::tool::ToolIdentity;
use serde::{Deserialize, Serialize};

use crate::chain::{self, Head};
use crate::database::{Access, Database, Key, Row, Table, Transaction};
use crate::error::StoreError;
use crate::words::{self, WordsRow};
use crate::{Store, body};

const HEAD: &str = "head";

/// A record: who permitted, or what happened. One is never the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// Who permitted.
    Decision(AuditEvent),
    /// What happened.
    Execution(ExecutionEvent),
    /// A step towards knowing what happened, where that was unknown.
    Resolution(ResolutionEvent),
}

impl Record {
    /// Its conversation.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        match self {
            Self::Decision(decision) => &decision.session,
            Self::Execution(execution) => &execution.session,
            Self::Resolution(resolution) => &resolution.session,
        }
    }

    /// The call it is about.
    #[must_use]
    pub fn call(&self) -> &CallId {
        match self {
            Self::Decision(decision) => &decision.call,
            Self::Execution(execution) => &execution.call,
            Self::Resolution(resolution) => &resolution.call,
        }
    }

    /// Its name in the ledger: a request has one decision and one execution. Of several steps towards
    /// knowing the ledger names the latest.
    fn name(&self) -> String {
        match self {
            Self::Decision(decision) => decision_of(&decision.request),
            Self::Execution(execution) => execution_of(&execution.request),
            Self::Resolution(resolution) => resolution_of(&resolution.request),
        }
    }

    /// Takes out what was said: it belongs to the conversation and goes with it.
    fn take_words(&mut self) -> Option<String> {
        match self {
            Self::Decision(decision) => decision.reason.take(),
            Self::Execution(execution) => Some(mem::take(&mut execution.result)),
            Self::Resolution(resolution) => {
                Some(mem::take(&mut resolution.result)).filter(|result| !result.is_empty())
            }
        }
    }

    /// Puts back what was said.
    pub(crate) fn put_words(&mut self, words: String) {
        match self {
            Self::Decision(decision) => decision.reason = Some(words),
            Self::Execution(execution) => execution.result = words,
            Self::Resolution(resolution) => resolution.result = words,
        }
    }
}

fn decision_of(request: &RequestId) -> String {
    format!("decision/{request}")
}

fn execution_of(request: &RequestId) -> String {
    format!("execution/{request}")
}

fn resolution_of(request: &RequestId) -> String {
    format!("resolution/{request}")
}

fn attempt_of(request: &RequestId) -> String {
    format!("attempt/{request}")
}

/// A record as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordRow {
    /// Counts up from one, without gaps.
    pub number: u64,
    /// The record, as JSON; empty if the browser lost it.
    #[serde(default)]
    pub body: String,
    /// What binds it to those before it, see [`chain::digest`]; empty if the browser lost it.
    #[serde(default)]
    pub digest: String,
}

impl Row for RecordRow {
    const TABLE: Table = Table::Records;
    const WHAT: &'static str = "a record";

    fn key(&self) -> Key {
        Key::Number(self.number)
    }
}

/// Where a record stands, or where the records end.
#[derive(Serialize, Deserialize)]
struct LedgerRow {
    name: String,
    number: u64,
    digest: String,
    /// The tool, where an attempt was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<ToolIdentity>,
}

impl Row for LedgerRow {
    const TABLE: Table = Table::Ledger;
    const WHAT: &'static str = "the ledger";

    fn key(&self) -> Key {
        Key::Text(self.name.clone())
    }
}

impl<D: Database> Store<D> {
    /// Whether anything was ever decided or done.
    ///
    /// # Errors
    /// As the database.
    pub async fn has_records(&self) -> Result<bool, StoreError> {
        let tx = self.database.begin(&[Table::Ledger], Access::Read)?;
        Ok(tx.text(Table::Ledger, &HEAD.into()).await?.is_some())
    }

    /// Records a decision, unless its request has one: then that one is returned and counts.
    ///
    /// # Errors
    /// As the database; the decision does not count then.
    pub async fn record_decision(
        &self,
        decision: &AuditEvent,
    ) -> Result<Option<AuditEvent>, StoreError> {
        let tables = [Table::Records, Table::Ledger, Table::Words];
        let tx = self.database.begin(&tables, Access::Write)?;
        if let Some(earlier) = find_decision(&tx, &decision.request).await?
            && !made(Mistake::LastDecisionCounts)
        {
            return Ok(Some(earlier));
        }
        append(&tx, Record::Decision(decision.clone())).await?;
        if !made(Mistake::DecisionNotKept) {
            tx.commit().await?;
        }
        Ok(None)
    }
}

/// The decision on a request, if it has one.
pub(crate) async fn find_decision(
    tx: &impl Transaction,
    request: &RequestId,
) -> Result<Option<AuditEvent>, StoreError> {
    match find(tx, decision_of(request)).await? {
        Some((_, Record::Decision(decision))) => Ok(Some(decision)),
        Some((_, Record::Execution(_) | Record::Resolution(_))) => Err(misplaced()),
        None => Ok(None),
    }
}

/// Whether the decision on record allows a call, with just these arguments.
pub(crate) async fn allows(
    tx: &impl Transaction,
    request: &RequestId,
    call: &ToolCall,
    key: &[u8; 32],
) -> Result<bool, StoreError> {
    let decision = find_decision(tx, request).await?;
    Ok(decision.is_some_and(|decision| {
        decision.outcome == Outcome::Approved
            && decision.call == call.id
            && decision.tool == call.name
            && decision.arguments_digest == keyed_digest(key, &call.arguments)
    }))
}

/// The tool by which an attempt was begun under a request, if one was. Attempts of old name none.
pub(crate) async fn attempted_by(
    tx: &impl Transaction,
    request: &RequestId,
) -> Result<Option<Option<ToolIdentity>>, StoreError> {
    Ok(tx.get::<LedgerRow>(&Key::Text(attempt_of(request))).await?.map(|row| row.tool))
}

/// Notes that an attempt begins under a request: after the records there are by now.
pub(crate) async fn note_attempt(
    tx: &impl Transaction,
    request: &RequestId,
    tool: Option<ToolIdentity>,
) -> Result<(), StoreError> {
    let Head { number, digest } = head(tx).await?;
    tx.put(&LedgerRow { name: attempt_of(request), number, digest, tool }).await
}

/// The execution under a request, if there was one.
pub(crate) async fn find_execution(
    tx: &impl Transaction,
    request: &RequestId,
) -> Result<Option<ExecutionEvent>, StoreError> {
    match find(tx, execution_of(request)).await? {
        Some((_, Record::Execution(execution))) => Ok(Some(execution)),
        Some((_, Record::Decision(_) | Record::Resolution(_))) => Err(misplaced()),
        None => Ok(None),
    }
}

/// The latest step towards knowing what came of a request, if there was one.
pub(crate) async fn find_resolution(
    tx: &impl Transaction,
    request: &RequestId,
) -> Result<Option<Resolution>, StoreError> {
    match find(tx, resolution_of(request)).await? {
        Some((number, Record::Resolution(event))) => Ok(Some(Resolution { number, event })),
        Some((_, Record::Decision(_) | Record::Execution(_))) => Err(misplaced()),
        None => Ok(None),
    }
}

/// Adds a record at the end of the chain, inside the transaction of what it records. Gives its
/// number.
pub(crate) async fn append(tx: &impl Transaction, mut record: Record) -> Result<u64, StoreError> {
    let last = head(tx).await?;
    let number = last.number + 1;
    if tx.get::<RecordRow>(&Key::Number(number)).await?.is_some() {
        // Nothing is ever written over a record, not even where the end of the chain was forged.
        let why = format!("record {number} stands beyond the end of the records");
        return Err(StoreError::Damaged { what: RecordRow::WHAT, why });
    }
    if let Some(text) = record.take_words() {
        tx.put(&WordsRow { session: record.session().0.clone(), number, text }).await?;
    }
    let body = body::write(RecordRow::WHAT, &record)?;
    let before = if made(Mistake::ChainNotBound) { chain::START } else { &*last.digest };
    let digest = chain::digest(before, number, &body);
    for name in [record.name(), HEAD.to_owned()] {
        tx.put(&LedgerRow { name, number, digest: digest.clone(), tool: None }).await?;
    }
    tx.put(&RecordRow { number, body, digest }).await?;
    Ok(number)
}

/// Where the records end.
pub(crate) async fn head(tx: &impl Transaction) -> Result<Head, StoreError> {
    let row: Option<LedgerRow> = tx.get(&HEAD.into()).await?;
    Ok(row.map_or_else(Head::default, |row| Head { number: row.number, digest: row.digest }))
}

/// A ledger entry without its record is damage, never a request that was not decided yet.
async fn find(tx: &impl Transaction, name: String) -> Result<Option<(u64, Record)>, StoreError> {
    let Some(entry) = tx.get::<LedgerRow>(&Key::Text(name)).await? else { return Ok(None) };
    let row = tx.get::<RecordRow>(&Key::Number(entry.number)).await;
    if made(Mistake::DamagedRecordIsNone) && row.is_err() {
        return Ok(None);
    }
    let row = row?.filter(|row| row.digest == entry.digest).ok_or_else(misplaced)?;
    let mut record = read(&row)?;
    if let Some(said) = words::of(tx, record.session(), row.number).await? {
        record.put_words(said);
    }
    Ok(Some((row.number, record)))
}

pub(crate) fn read(row: &RecordRow) -> Result<Record, StoreError> {
    body::read(RecordRow::WHAT, &row.body)
}

fn misplaced() -> StoreError {
    let why = "the ledger names a record that is not there".to_owned();
    StoreError::Damaged { what: RecordRow::WHAT, why }
}
