//! What becomes known of an attempt whose outcome is unknown. A person may have the far side asked,
//! say what they saw there, or have it tried again under the same key; each is on record before it is
//! done, and counts only if nothing else came first. What the far side then says is added behind it.

use agent::audit::{ExecutionEvent, ExecutionOutcome, HOUSEHOLD};
use agent::event::ToolOutcome;
use agent::id::RequestId;
use agent::message::ToolCall;
use agent::mistake::{Mistake, made};
use agent::resolution::{Resolution, ResolutionEvent, ResolutionStep};
use agent::time::Timestamp;
use agent::tool::ToolSet;
use serde::{Deserialize, Serialize};

use crate::Store;
use crate::database::{Access, Database, Table, Transaction};
use crate::error::StoreError;
use crate::outside::Begun;
use crate::records::{self, Record};

/// What a person wants to be done about an unknown outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The request whose outcome is unknown.
    pub request: RequestId,
    /// What they want.
    pub step: ResolutionStep,
    /// The number of the latest step the person saw; zero if there was none.
    pub seen: u64,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// It is on record, and is to be done now.
    Now(Resolution),
    /// It does not count: this came first, or there is nothing that is unknown.
    Not(Option<Resolution>),
}

const TABLES: [Table; 3] = [Table::Records, Table::Ledger, Table::Words];

impl<D: Database> Store<D> {
    /// The latest step about an unknown outcome, if there is one.
    ///
    /// # Errors
    /// As the store.
    pub async fn resolution(&self, request: &RequestId) -> Result<Option<Resolution>, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Read)?;
        records::find_resolution(&tx, request).await
    }

    /// Records that a person wants the far side to be asked, or what they saw there.
    ///
    /// # Errors
    /// As the store; also if it is to be tried again, which needs leave, see [`Store::try_again`].
    /// Nothing may be done then.
    pub async fn resolve(&self, wanted: &Wanted, now: Timestamp) -> Result<Taken, StoreError> {
        match wanted.step {
            ResolutionStep::Check | ResolutionStep::MarkedDone | ResolutionStep::MarkedNotDone => {}
            ResolutionStep::TryAgain
            | ResolutionStep::AnsweredDone
            | ResolutionStep::AnsweredNotDone => return Err(StoreError::NotApproved),
        }
        let tx = self.database.begin(&TABLES, Access::Write)?;
        let (taken, _) = take(&tx, wanted, now).await?;
        tx.commit().await?;
        Ok(taken)
    }

    /// Records that a person wants an attempt to be made again, and gives leave for it: under the
    /// same key, by the same tool, with the arguments that were decided on. `key` is the one of this
    /// installation's argument digests.
    ///
    /// # Errors
    /// As the store; also if the tool is another one by now, or no decision on record allows the
    /// call. Nothing may be done then.
    pub async fn try_again<W: Clone>(
        &self,
        tools: &ToolSet<W>,
        call: &ToolCall,
        wanted: &Wanted,
        key: &[u8; 32],
        now: Timestamp,
    ) -> Result<(Taken, Option<Begun>), StoreError> {
        let tx = self.database.begin(&TABLES, Access::Write)?;
        let tool = records::attempted_by(&tx, &wanted.request).await?.flatten();
        let same = tool.is_some() && tool == tools.outside(&call.name).map(|it| it.identity());
        let again = wanted.step == ResolutionStep::TryAgain && same;
        if !again || !records::allows(&tx, &wanted.request, call, key).await? {
            return Err(StoreError::NotApproved);
        }
        let (taken, unknown) = take(&tx, wanted, now).await?;
        tx.commit().await?;
        let begun = unknown.filter(|_| matches!(taken, Taken::Now(_))).map(Begun::again);
        Ok((taken, begun))
    }

    /// Records what the far side says about an attempt whose outcome is unknown. Where it cannot
    /// tell, and where it says what it said before, nothing is added. Gives the latest step.
    ///
    /// # Errors
    /// As the store.
    pub async fn answered(
        &self,
        request: &RequestId,
        outcome: ToolOutcome,
        now: Timestamp,
    ) -> Result<Option<Resolution>, StoreError> {
        let tx = self.database.begin(&TABLES, Access::Write)?;
        let earlier = records::find_resolution(&tx, request).await?;
        let unknown = records::find_execution(&tx, request).await?;
        let unknown = unknown.filter(|it| it.outcome == ExecutionOutcome::Unknown);
        let said = match outcome {
            ToolOutcome::Returned { text, terminate: _ } => {
                Some((ResolutionStep::AnsweredDone, text.unwrap_or_default()))
            }
            ToolOutcome::Failed { text } => Some((ResolutionStep::AnsweredNotDone, text)),
            ToolOutcome::Unknown => None,
        };
        let (Some(unknown), Some((step, text))) = (unknown, said) else { return Ok(earlier) };
        if !step.may_follow(earlier.as_ref().map(|it| it.event.step)) {
            return Ok(earlier);
        }
        let event = ResolutionEvent { result: text, ..event(&unknown, step, now) };
        let added = add(&tx, event).await?;
        tx.commit().await?;
        Ok(Some(added))
    }
}

/// Records a person's step, unless another one came first than the person saw. With it comes the
/// execution whose outcome is unknown.
async fn take(
    tx: &impl Transaction,
    wanted: &Wanted,
    now: Timestamp,
) -> Result<(Taken, Option<ExecutionEvent>), StoreError> {
    let earlier = records::find_resolution(tx, &wanted.request).await?;
    let Some(unknown) = unknown(tx, &wanted.request, now).await? else {
        return Ok((Taken::Not(earlier), None));
    };
    let latest = earlier.as_ref().map_or(0, |it| it.number);
    let may = wanted.step.may_follow(earlier.as_ref().map(|it| it.event.step));
    if (latest != wanted.seen || !may) && !made(Mistake::LastStepCounts) {
        return Ok((Taken::Not(earlier), None));
    }
    let added = add(tx, event(&unknown, wanted.step, now)).await?;
    Ok((Taken::Now(added), Some(unknown)))
}

/// The execution under a request, if its outcome is unknown. Where an attempt was begun and what came
/// of it could not be recorded, that is recorded now.
pub(crate) async fn unknown(
    tx: &impl Transaction,
    request: &RequestId,
    now: Timestamp,
) -> Result<Option<ExecutionEvent>, StoreError> {
    if let Some(execution) = records::find_execution(tx, request).await? {
        return Ok(Some(execution).filter(|it| it.outcome == ExecutionOutcome::Unknown));
    }
    let decision = records::find_decision(tx, request).await?;
    let (Some(decision), Some(_)) = (decision, records::attempted_by(tx, request).await?) else {
        return Ok(None);
    };
    let execution = ExecutionEvent {
        request: decision.request,
        session: decision.session,
        call: decision.call,
        tool: decision.tool,
        outcome: ExecutionOutcome::Unknown,
        result: String::new(),
        at: now,
    };
    records::append(tx, Record::Execution(execution.clone())).await?;
    Ok(Some(execution))
}

fn event(unknown: &ExecutionEvent, step: ResolutionStep, at: Timestamp) -> ResolutionEvent {
    ResolutionEvent {
        request: unknown.request.clone(),
        session: unknown.session.clone(),
        call: unknown.call.clone(),
        tool: unknown.tool.clone(),
        step,
        result: String::new(),
        at,
        operator: HOUSEHOLD.to_owned(),
    }
}

async fn add(tx: &impl Transaction, event: ResolutionEvent) -> Result<Resolution, StoreError> {
    let number = records::append(tx, Record::Resolution(event.clone())).await?;
    Ok(Resolution { number, event })
}
