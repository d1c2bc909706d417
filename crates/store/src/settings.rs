//! Small things kept by name: preferences, and the key of the audit's digests.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::database::{Access, Database, Key, Row, Table, Transaction};
use crate::error::StoreError;
use crate::{Store, body};

const PREFERENCES: &str = "preferences";
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
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            provider: "builtin".to_owned(),
            model: "kitchen-rules".to_owned(),
            one_at_a_time: false,
            shortcuts: true,
        }
    }
}

fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
struct SettingRow {
    name: String,
    body: String,
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
        Ok(self.setting(PREFERENCES).await?.unwrap_or_default())
    }

    /// Keeps what the person prefers.
    ///
    /// # Errors
    /// As the database.
    pub async fn prefer(&self, preferences: &Preferences) -> Result<(), StoreError> {
        self.set(PREFERENCES, preferences).await
    }

    /// The key of this installation's argument digests: `fresh` the first time, then ever the same.
    /// A plain digest of "12 eggs" could be guessed from a dictionary; a keyed one cannot.
    ///
    /// # Errors
    /// As the database.
    pub async fn digest_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        if let Some(kept) = self.setting(DIGEST_KEY).await? {
            return Ok(kept);
        }
        self.set(DIGEST_KEY, &fresh).await?;
        Ok(fresh)
    }

    async fn setting<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let tx = self.database.begin(&[Table::Settings], Access::Read)?;
        let row: Option<SettingRow> = tx.get(&name.into()).await?;
        row.map(|row| body::read(SettingRow::WHAT, &row.body)).transpose()
    }

    async fn set<T: Serialize>(&self, name: &str, value: &T) -> Result<(), StoreError> {
        let tx = self.database.begin(&[Table::Settings], Access::Write)?;
        let body = body::write(SettingRow::WHAT, value)?;
        tx.put(&SettingRow { name: name.to_owned(), body }).await?;
        tx.commit().await
    }
}
