//! Brings a copy back, in one transaction: whenever it stops, everything is as it was or as it is to
//! be. Nothing of a copy can be answered, runs or is allowed in advance; the doc of [`super`] says
//! why.

use std::collections::BTreeMap;

use agent::approval::{Expired, Known, Outcome};
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::id::{RequestId, SessionId};
use agent::session::Session;
use agent::time::Timestamp;
use agent::wording;
use kitchen::shopping::BroughtIn;

use super::chains;
use super::{Chain, Contents, Copied};
use crate::Store;
use crate::database::{Access, Database, Key, Table, Transaction};
use crate::error::StoreError;
use crate::household::{Current, Kept, recall};
use crate::records::{self, Record, RecordRow};
use crate::resolution;
use crate::sessions::{self, Conversation, SessionRow};
use crate::settings::{self, PREFERENCES, Preferences};

/// What becomes of what is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It stays. The list is merged; a conversation that is here is left as it is; settings that were
    /// chosen here stay.
    Add,
    /// It goes: the list, the conversations and the settings. The records of this place stay.
    Replace,
}

/// What was done with a copy.
#[derive(Debug)]
pub struct Restored {
    /// The household as it is now, with the change that takes it back.
    pub kept: Kept,
    /// What came of the lines of the list.
    pub list: BroughtIn,
    /// The conversations that came in, each with the revision that it has now.
    pub conversations: Vec<(Conversation, u64)>,
    /// How many were here already and were left as they are.
    pub here_already: usize,
    /// The conversations that are gone.
    pub gone: Vec<SessionId>,
    /// What expired in those that came in.
    pub expired: Expired,
    /// Records that are kept apart now and were not before.
    pub records: usize,
    /// Whether the settings are those of the copy.
    pub settings: bool,
}

impl<D: Database> Store<D> {
    /// Brings a copy back.
    ///
    /// # Errors
    /// As the database; nothing was changed then, but for [`StoreError::Unanswered`].
    pub async fn restore(
        &self,
        contents: &Contents,
        how: How,
        now: Timestamp,
    ) -> Result<Restored, StoreError> {
        let tx = self.database.begin(&Table::ALL, Access::Write)?;
        let (kept, list) = household(&tx, contents, how, now).await?;
        let mut restored = Restored {
            kept,
            list,
            conversations: Vec::new(),
            here_already: 0,
            gone: Vec::new(),
            expired: Expired::default(),
            records: 0,
            settings: settings(&tx, contents.settings.as_ref(), how).await?,
        };
        for chain in &contents.chains {
            restored.records += keep_apart(&tx, chain).await?;
        }
        conversations(&tx, contents, how, now, &mut restored).await?;
        tx.commit().await?;
        Ok(restored)
    }
}

async fn household(
    tx: &impl Transaction,
    contents: &Contents,
    how: How,
    now: Timestamp,
) -> Result<(Kept, BroughtIn), StoreError> {
    let current = Current::load(tx).await?;
    let mut after = current.household.clone();
    let mut list = BroughtIn::default();
    if let Some(household) = &contents.household {
        match how {
            How::Add => {}
            How::Replace => after.clear(),
        }
        list = after.bring_in(&household.shopping);
    }
    Ok((current.replace(tx, after, None, now).await?, list))
}

async fn settings(
    tx: &impl Transaction,
    copied: Option<&Preferences>,
    how: How,
) -> Result<bool, StoreError> {
    let Some(copied) = copied else { return Ok(false) };
    let is_chosen = tx.text(Table::Settings, &PREFERENCES.into()).await?.is_some();
    let takes = how == How::Replace || !is_chosen;
    if takes {
        settings::put(tx, PREFERENCES, copied).await?;
    }
    Ok(takes)
}

/// Keeps the records of another place apart, if they are not here already. Gives how many are new.
async fn keep_apart(tx: &impl Transaction, chain: &Chain) -> Result<usize, StoreError> {
    let here: Option<RecordRow> = match tx.get(&Key::Number(chain.head.number)).await {
        Err(error) if error.is_damage() => None,
        read => read?,
    };
    if chain.rows.is_empty() || here.is_some_and(|row| row.digest == chain.head.digest) {
        return Ok(0);
    }
    let (kept, _) = chains::kept(tx).await?;
    if kept.iter().any(|it| it.goes_on_from(&chain.head)) {
        return Ok(0);
    }
    let mut known = 0;
    for shorter in kept.iter().filter(|it| chain.goes_on_from(&it.head)) {
        known = shorter.rows.len().max(known);
        chains::drop(tx, shorter).await?;
    }
    chains::keep(tx, chain).await?;
    Ok(chain.rows.len() - known)
}

async fn conversations(
    tx: &impl Transaction,
    contents: &Contents,
    how: How,
    now: Timestamp,
    restored: &mut Restored,
) -> Result<(), StoreError> {
    // One that cannot be read stays as it is: nobody can say what would be lost with it.
    let here: BTreeMap<String, SessionRow> =
        sessions::rows(tx).await?.into_iter().flatten().map(|row| (row.id.clone(), row)).collect();
    for Copied { session, trouble, touched_at } in &contents.conversations {
        let id = session.id();
        let row = tx.text(Table::Sessions, &Key::Text(id.0.clone())).await?;
        if row.is_some() && (how == How::Add || !here.contains_key(&id.0)) {
            restored.here_already += 1;
            continue;
        }
        let mut session = session.clone();
        let known = known(tx, &session, now).await?;
        let expired = session.expire(&known, now);
        add(&mut restored.expired, expired);
        let revision = here.get(&id.0).map_or(0, |row| row.revision) + 1;
        if how == How::Replace {
            sessions::forget(tx, id).await?;
        }
        let touched_at = (*touched_at).min(now);
        let saved = sessions::put(tx, &session, trouble.as_ref(), revision, touched_at).await?;
        restored.conversations.push((saved, revision));
    }
    if how == How::Replace {
        for id in here.into_keys().map(SessionId) {
            if !contents.conversations.iter().any(|it| *it.session.id() == id) {
                sessions::forget(tx, &id).await?;
                restored.gone.push(id);
            }
        }
    }
    Ok(())
}

fn add(sum: &mut Expired, Expired { waiting, allowed, unknown, standing }: Expired) {
    sum.waiting += waiting;
    sum.allowed += allowed;
    sum.unknown += unknown;
    sum.standing += standing;
}

/// What is on record here of the requests that a conversation still had: a copy that comes back to
/// its own place may be older than what was decided and done since. What was allowed here and not
/// done is closed, so that a tab which still has leave for it does it no more.
async fn known(
    tx: &impl Transaction,
    session: &Session,
    now: Timestamp,
) -> Result<BTreeMap<RequestId, Known>, StoreError> {
    let mut known = BTreeMap::new();
    for request in session.unsettled() {
        let Some(decided) = records::find_decision(tx, request).await? else { continue };
        let execution = match records::find_execution(tx, request).await? {
            Some(execution) => Some(execution),
            None if decided.outcome == Outcome::Approved => close(tx, &decided, now).await?,
            None => None,
        };
        let (decision, outcome) = (decided.into_decision(), execution.map(recall));
        known.insert(request.clone(), Known { decision, outcome });
    }
    Ok(known)
}

/// Closes what was allowed here and not done. If an attempt was begun outside the household, what
/// came of it is unknown from now on, and that is given.
async fn close(
    tx: &impl Transaction,
    decided: &AuditEvent,
    now: Timestamp,
) -> Result<Option<ExecutionEvent>, StoreError> {
    if let Some(unknown) = resolution::unknown(tx, &decided.request, now).await? {
        return Ok(Some(unknown));
    }
    let execution = ExecutionEvent {
        request: decided.request.clone(),
        session: decided.session.clone(),
        call: decided.call.clone(),
        tool: decided.tool.clone(),
        outcome: ExecutionOutcome::Failed,
        result: wording::EXPIRED.to_owned(),
        at: now,
    };
    records::append(tx, Record::Execution(execution)).await?;
    Ok(None)
}
