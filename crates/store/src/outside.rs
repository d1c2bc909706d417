//! Effects outside the household, which no transaction can take back. The decision is durable first;
//! then it is noted that an attempt begins; then comes the one attempt, under the request's id, so
//! that the far side can tell a repetition; then what came of it is recorded. If the program stops in
//! between, nobody can tell, and that is what is recorded: nothing is tried again by itself, and what
//! may be done about it is [`crate::resolution`].
//!
//! A call that was approved and whose attempt was not begun runs when its conversation is resumed:
//! as the note of the attempt is durable first, nothing was done yet where there is none.

use agent::approval::ApprovedCall;
use agent::audit::{ExecutionEvent, ExecutionOutcome};
use agent::event::ToolOutcome;
use agent::id::{CallId, RequestId, SessionId};
use agent::message::ToolCall;
use agent::mistake::{Mistake, made};
use agent::time::Timestamp;
use agent::tool::{Reach, ToolError, ToolSet};

use crate::Store;
use crate::database::{Access, Database, Table, Transaction};
use crate::error::StoreError;
use crate::household::recall;
use crate::records::{self, Record};

/// What is to be done about an approved call.
#[derive(Debug)]
pub enum Attempt {
    /// The attempt is to be made now, once; then [`Store::attempted`] is to be told.
    Begun(Begun),
    /// It is over: this is what came of it.
    Ended(ToolOutcome),
}

/// Leave to make one attempt. It can be neither copied nor made anywhere but in the store.
#[derive(Debug)]
pub struct Begun {
    /// What will be recorded; its outcome is unknown so far.
    event: ExecutionEvent,
}

impl Begun {
    /// What the far side is to be told, to know a repetition by: the request's id.
    #[must_use]
    pub fn idempotency_key(&self) -> &RequestId {
        &self.event.request
    }

    /// Its conversation.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.event.session
    }

    /// The call.
    #[must_use]
    pub fn call(&self) -> &CallId {
        &self.event.call
    }

    /// Leave to make an attempt of which nothing is known once more, as its person wants.
    pub(crate) fn again(unknown: ExecutionEvent) -> Self {
        Self { event: unknown }
    }
}

const TABLES: [Table; 3] = [Table::Records, Table::Ledger, Table::Words];

impl<D: Database> Store<D> {
    /// Notes durably that the attempt to carry out an approved call begins. If one had begun before,
    /// there is no other: what came of it is given, and where that is not on record it is unknown
    /// from now on. `key` is the one of this installation's argument digests.
    ///
    /// # Errors
    /// As the store; also if no decision on record allows the call with just these arguments.
    /// Nothing may be done then.
    pub async fn attempt<W: Clone>(
        &self,
        tools: &ToolSet<W>,
        approved: &ApprovedCall,
        session: &SessionId,
        key: &[u8; 32],
        now: Timestamp,
    ) -> Result<Attempt, StoreError> {
        let (call, request) = (approved.call(), approved.request());
        let request = request.ok_or(StoreError::NotApproved)?;
        let tx = self.database.begin(&TABLES, Access::Write)?;
        if let Some(earlier) = records::find_execution(&tx, request).await? {
            return Ok(Attempt::Ended(recall(earlier)));
        }
        if !records::allows(&tx, request, call, key).await? {
            return Err(StoreError::NotApproved);
        }
        let mut event = unknown(request, session, call, now);
        let begun = records::attempted_by(&tx, request).await?.is_some();
        let reach = tools.reach(approved);
        if (!begun || made(Mistake::UnknownTriesAgain)) && reach == Ok(Reach::Outside) {
            if !made(Mistake::AttemptNotNoted) {
                records::note_attempt(&tx, request, approved.tool().cloned()).await?;
            }
            tx.commit().await?;
            return Ok(Attempt::Begun(Begun { event }));
        }
        if made(Mistake::UnknownSaysDone) {
            event.outcome = ExecutionOutcome::Ran;
        }
        if !begun {
            let Err(ToolError { text }) = reach else { return Err(StoreError::NotApproved) };
            (event.outcome, event.result) = (ExecutionOutcome::Failed, text);
        }
        records::append(&tx, Record::Execution(event.clone())).await?;
        tx.commit().await?;
        Ok(Attempt::Ended(recall(event)))
    }

    /// Records that an approved call which could not be carried out, or is not to run any more, was
    /// not, in the household or outside, so that no other tab or older copy of its conversation
    /// carries it out afterwards: it is told as not done, and must stay so. Where that had happened
    /// before, its outcome is what is on record, or unknown. `why` is for the model and the person.
    ///
    /// # Errors
    /// As the store; it may be carried out elsewhere then, and the outcome is unknown.
    pub async fn not_carried_out(
        &self,
        call: &ToolCall,
        request: &RequestId,
        session: &SessionId,
        key: &[u8; 32],
        why: String,
        now: Timestamp,
    ) -> Result<ToolOutcome, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Write)?;
        if let Some(earlier) = records::find_execution(&tx, request).await? {
            return Ok(recall(earlier));
        }
        if records::attempted_by(&tx, request).await?.is_some() {
            return Ok(ToolOutcome::Unknown);
        }
        // Without a decision that allows it nobody can carry it out.
        if records::allows(&tx, request, call, key).await? && !made(Mistake::UndoneNotRecorded) {
            let event = ExecutionEvent {
                outcome: ExecutionOutcome::Failed,
                result: why.clone(),
                ..unknown(request, session, call, now)
            };
            records::append(&tx, Record::Execution(event)).await?;
            tx.commit().await?;
        }
        Ok(ToolOutcome::Failed { text: why })
    }

    /// Records what came of an attempt. If its outcome was called unknown meanwhile, that stays as it
    /// was told, and what is known now is added behind it.
    ///
    /// # Errors
    /// As the store; the outcome is unknown then.
    pub async fn attempted(
        &self,
        begun: Begun,
        outcome: ToolOutcome,
        now: Timestamp,
    ) -> Result<ToolOutcome, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Write)?;
        if let Some(earlier) = records::find_execution(&tx, begun.idempotency_key()).await? {
            drop(tx);
            self.answered(begun.idempotency_key(), outcome, now).await?;
            return Ok(recall(earlier));
        }
        let (outcome, result) = match outcome {
            ToolOutcome::Returned { text, terminate: _ } => {
                (ExecutionOutcome::Ran, text.unwrap_or_default())
            }
            ToolOutcome::Failed { text } => (ExecutionOutcome::Failed, text),
            ToolOutcome::Unknown => (ExecutionOutcome::Unknown, String::new()),
        };
        let event = ExecutionEvent { outcome, result, at: now, ..begun.event };
        records::append(&tx, Record::Execution(event.clone())).await?;
        tx.commit().await?;
        Ok(recall(event))
    }
}

/// What is to be recorded of a call; its outcome is unknown so far.
fn unknown(
    request: &RequestId,
    session: &SessionId,
    call: &ToolCall,
    at: Timestamp,
) -> ExecutionEvent {
    ExecutionEvent {
        request: request.clone(),
        session: session.clone(),
        call: call.id.clone(),
        tool: call.name.clone(),
        outcome: ExecutionOutcome::Unknown,
        result: String::new(),
        at,
    }
}
