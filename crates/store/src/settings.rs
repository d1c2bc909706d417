//! Small things kept by name: preferences, the key of the audit's digests, and the records that came
//! with copies (see [`crate::backup`]).

use agent::settings::Wait;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::database::{Access, Database, Key, Row, Table, Transaction};
use crate::error::StoreError;
use crate::{Store, body};

pub(crate) const PREFERENCES: &str = "preferences";
const DIGEST_KEY: &str = "digest_key";

/// What the person prefers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    /// The provider's name.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// Show one card at a time.
    pub one_at_a_time: bool,
    /// Let single keys move about the page.
    #[serde(default = "yes")]
    pub shortcuts: bool,
    /// What models cost, as one text: a line for each, as the settings page writes it.
    #[serde(default)]
    pub prices: String,
    /// How long a card waits; the product's own wait, if nothing was chosen.
    #[serde(default)]
    pub wait: Option<Wait>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            provider: "builtin".to_owned(),
            model: "kitchen-rules".to_owned(),
            one_at_a_time: false,
            shortcuts: true,
            prices: String::new(),
            wait: None,
        }
    }
}

fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SettingRow {
    pub(crate) name: String,
    pub(crate) body: String,
}

impl Row for SettingRow {
    const TABLE: Table = Table::Settings;
    const WHAT: &'static str = "a setting";

    fn key(&self) -> Key {
        Key::Text(self.name.clone())
    }
}

impl<D: Database> Store<D> {
    /// What the person prefers; the defaults if nothing was kept.
    ///
    /// # Errors
    /// As the database.
    pub async fn preferences(&self) -> Result<Preferences, StoreError> {
        let tx = self.database.begin(&[Table::Settings], Access::Read)?;
        Ok(get(&tx, PREFERENCES).await?.unwrap_or_default())
    }

    /// Keeps what the person prefers.
    ///
    /// # Errors
    /// As the database.
    pub async fn prefer(&self, preferences: &Preferences) -> Result<(), StoreError> {
        let tx = self.database.begin(&[Table::Settings], Access::Write)?;
        put(&tx, PREFERENCES, preferences).await?;
        tx.commit().await
    }

    /// The key of this installation's argument digests: `fresh` the first time, then ever the same.
    /// A plain digest of "12 eggs" could be guessed from a dictionary; a keyed one cannot.
    ///
    /// # Errors
    /// As the database.
    pub async fn digest_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        // In one transaction: two tabs that open at once must not each have a key of their own.
        let tx = self.database.begin(&[Table::Settings], Access::Write)?;
        if let Some(kept) = get(&tx, DIGEST_KEY).await? {
            return Ok(kept);
        }
        put(&tx, DIGEST_KEY, &fresh).await?;
        tx.commit().await?;
        Ok(fresh)
    }
}

pub(crate) async fn get<T: DeserializeOwned>(
    tx: &impl Transaction,
    name: &str,
) -> Result<Option<T>, StoreError> {
    let row: Option<SettingRow> = tx.get(&name.into()).await?;
    row.map(|row| body::read(SettingRow::WHAT, &row.body)).transpose()
}

pub(crate) async fn put<T: Serialize>(
    tx: &impl Transaction,
    name: &str,
    value: &T,
) -> Result<(), StoreError> {
    let body = body::write(SettingRow::WHAT, value)?;
    tx.put(&SettingRow { name: name.to_owned(), body }).await
}
