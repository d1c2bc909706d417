//! What the proxy says about itself at `GET /api/status?chosen=NAME`. The page shows it, the proxy
//! makes it. A provider that needs a key is asked for its models only if it is the chosen one.

use serde::{Deserialize, Serialize};

/// What the proxy can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The version of the proxy.
    pub version: String,
    /// The providers it knows, in the order of [`crate::provider::Provider::ALL`].
    pub providers: Vec<ProviderStatus>,
}

/// One provider, as the proxy is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderStatus {
    /// Its name, as [`crate::provider::Provider::name`] says it. A page may be older than the
    /// proxy and not know it.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The models a person can choose, the first being the one to begin with.
    pub models: Vec<String>,
    /// The models that were meant for the page and that the provider, which was asked, does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// What is missing before it can be used, in words for a person; nothing if it is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}
