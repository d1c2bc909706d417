//! Everything as one file. It is read in one transaction and nothing is written, so that it also
//! works where nothing can be kept any more; what cannot be read is left out and named.

use agent::id::SessionId;
use agent::message::Message;
use agent::session::{Session, SessionState};
use agent::time::Timestamp;

use super::{Chain, DIGEST, END, FORMAT, VERSION, chains, digest};
use crate::chain::{Head, verify};
use crate::database::{Access, Database, Key, Row, Table, Transaction};
use crate::error::StoreError;
use crate::household::Current;
use crate::sessions::{self, MessageRow, SessionRow, Trouble};
use crate::settings::{self, PREFERENCES, Preferences};
use crate::{Store, body, stretch};

/// A copy of everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub text: String,
    /// What it does not hold because it could not be read, each in a sentence without its full stop.
    pub left_out: Vec<String>,
}

impl<D: Database> Store<D> {
    /// Writes everything that is kept as one file.
    ///
    /// # Errors
    /// As the database. What is damaged is no error: the rest is in the file, which says what is not.
    pub async fn back_up(&self, now: Timestamp) -> Result<Backup, StoreError> {
        let tables = [
            Table::Sessions,
            Table::Messages,
            Table::Household,
            Table::Records,
            Table::Ledger,
            Table::Settings,
        ];
        let tx = self.database.begin(&tables, Access::Read)?;
        let mut file = Writing::default();
        let household = Current::load(&tx).await.map(|now| now.household);
        let household = file.readable(household)?.map(|it| body::write("the household", &it));
        let preferences = settings::get::<Preferences>(&tx, PREFERENCES).await;
        let preferences = file.readable(preferences)?.flatten();
        let preferences = preferences.map(|it| body::write("the settings", &it));
        let records = all_chains(&tx, &mut file).await?;
        let mut conversations = Vec::new();
        for row in sessions::rows(&tx).await? {
            let Some(row) = file.readable(row)? else { continue };
            let text = conversation(&tx, &row).await.map_err(|error| titled(error, &row.title));
            conversations.extend(file.readable(text)?);
        }

        file.text = format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION},");
        file.text.push_str(&format!("\"exported_at\":{},\n", now.0));
        file.entry("household", &household.transpose()?.unwrap_or_else(null));
        file.entry("settings", &preferences.transpose()?.unwrap_or_else(null));
        file.entry("records", &list(&records));
        file.entry("conversations", &list(&conversations));
        let left_out = body::write("the copy", &file.left_out)?;
        file.entry("left_out", &left_out);
        let digest = digest(&file.text);
        Ok(Backup {
            text: format!("{}{DIGEST}{digest}{END}\n", file.text),
            left_out: file.left_out,
        })
    }
}

/// A file that is being written.
#[derive(Default)]
struct Writing {
    text: String,
    left_out: Vec<String>,
}

impl Writing {
    /// What was read; if it is damaged it is left out.
    fn readable<T>(&mut self, read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) if error.is_damage() => {
                self.left_out.push(error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn entry(&mut self, name: &str, value: &str) {
        for piece in ["\"", name, "\":", value, ",\n"] {
            self.text.push_str(piece);
        }
    }
}

/// The records of this place, as they are, and those that came with copies.
async fn all_chains(tx: &impl Transaction, file: &mut Writing) -> Result<Vec<String>, StoreError> {
    let end = stretch::end(tx).await?;
    let rows = stretch::load(tx, 0, Key::NUMBER_MAX).await?;
    let broken = end.broken.or_else(|| verify(&Head::default(), &rows, &end.at).err());
    if let Some(broken) = broken {
        file.left_out.push(format!(
            "the records are in the file as they are, which is not as they were written: {broken}"
        ));
    }
    let own = Chain { head: end.at, rows };
    let (kept, damaged) = chains::kept(tx).await?;
    file.left_out.extend(damaged.map(|error| error.to_string()));
    let all = std::iter::once(own).filter(|it| !it.rows.is_empty() || it.head.number > 0);
    all.chain(kept).map(|chain| body::write("the records", &chain)).collect()
}

/// A conversation, whose rows are JSON already. It is read all the same: what cannot be brought back
/// is not called a copy.
async fn conversation(tx: &impl Transaction, row: &SessionRow) -> Result<String, StoreError> {
    let state: SessionState = body::read(SessionRow::WHAT, &row.state)?;
    let trouble: Option<Trouble> =
        row.trouble.as_deref().map(|it| body::read(SessionRow::WHAT, it)).transpose()?;
    let rows = sessions::messages(tx, &SessionId(row.id.clone())).await?;
    let messages: Result<Vec<Message>, _> =
        rows.iter().map(|row| body::read(MessageRow::WHAT, &row.body)).collect();
    let session = Session::restore(state, messages?)
        .map_err(|error| StoreError::Damaged { what: SessionRow::WHAT, why: error.to_string() })?;
    // Rows beyond those that belong to it are of a save that did not come to its end.
    let messages: Vec<_> =
        rows.into_iter().take(session.messages().len()).map(|row| row.body).collect();
    Ok(format!(
        "{{\"touched_at\":{},\"trouble\":{},\"state\":{},\"messages\":{}}}",
        row.touched_at,
        trouble.and(row.trouble.as_deref()).unwrap_or("null"),
        row.state,
        list(&messages)
    ))
}

fn titled(error: StoreError, title: &str) -> StoreError {
    match error {
        StoreError::Damaged { what, why } => {
            StoreError::Damaged { what, why: format!("\u{201C}{title}\u{201D}: {why}") }
        }
        other @ (StoreError::Full
        | StoreError::Newer
        | StoreError::Stale
        | StoreError::NotApproved
        | StoreError::Absent
        | StoreError::Unanswered
        | StoreError::Refused(_)) => other,
    }
}

/// One value on a line.
fn list(values: &[String]) -> String {
    if values.is_empty() { "[]".to_owned() } else { format!("[\n{}]", values.join(",\n")) }
}

fn null() -> String {
    "null".to_owned()
}
