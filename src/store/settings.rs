//! Small things kept by name: preferences, the current session, the key of the audit's digests.

use indexed_db_futures::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use view::scene::Preferences;
use wasm_bindgen::JsValue;

use super::row;
use super::{SETTINGS, Store, StoreError};

const WHAT: &str = "a setting";
const PREFERENCES: &str = "preferences";
const DIGEST_KEY: &str = "digest_key";

#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    body: String,
}

impl Store {
    /// What the person prefers; the defaults if nothing was kept.
    ///
    /// # Errors
    /// As the store.
    pub async fn preferences(&self) -> Result<Preferences, StoreError> {
        Ok(self.setting(PREFERENCES).await?.unwrap_or_default())
    }

    /// Keeps what the person prefers.
    ///
    /// # Errors
    /// As the store.
    pub async fn prefer(&self, preferences: &Preferences) -> Result<(), StoreError> {
        self.set(PREFERENCES, preferences).await
    }

    /// The key of this installation's argument digests: `fresh` the first time, then ever the same.
    /// A plain digest of "12 eggs" could be guessed from a dictionary; a keyed one cannot.
    ///
    /// # Errors
    /// As the store.
    pub async fn digest_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        if let Some(kept) = self.setting(DIGEST_KEY).await? {
            return Ok(kept);
        }
        self.set(DIGEST_KEY, &fresh).await?;
        Ok(fresh)
    }

    async fn setting<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let tx = self.read(&[SETTINGS])?;
        let found: Option<JsValue> = tx.object_store(SETTINGS)?.get(name).primitive()?.await?;
        found
            .map(|found| {
                let row: Row = row::read(WHAT, found)?;
                row::read_body(WHAT, &row.body)
            })
            .transpose()
    }

    async fn set<T: Serialize>(&self, name: &str, value: &T) -> Result<(), StoreError> {
        let tx = self.write(&[SETTINGS])?;
        let row = Row { name: name.to_owned(), body: row::write_body(WHAT, value)? };
        row::put(&tx.object_store(SETTINGS)?, WHAT, &row).await?;
        Ok(tx.commit().await?)
    }
}
