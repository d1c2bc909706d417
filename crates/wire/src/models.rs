//! Which models a provider has: its list, read to names.

use serde::Deserialize;

use crate::error::WireError;
use crate::json::{malformed, parse};
use crate::protocol::Protocol;

/// Where a provider lists its models, without a leading slash.
#[must_use]
pub fn path(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Anthropic | Protocol::OpenAiChat | Protocol::OpenAiResponses => "v1/models",
        Protocol::Ollama => "api/tags",
    }
}

/// The models a provider has, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelList {
    names: Vec<String>,
    whole: bool,
}

/// The list of Anthropic and of OpenAI.
#[derive(Deserialize)]
struct Data {
    data: Vec<Model>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

/// The list of Ollama.
#[derive(Deserialize)]
struct Tags {
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: Option<String>,
    model: Option<String>,
}

impl ModelList {
    /// Reads a list as the provider sends it, in its order.
    ///
    /// # Errors
    /// [`WireError::Malformed`] for whatever is no list of this protocol.
    pub fn decode(protocol: Protocol, body: &[u8]) -> Result<Self, WireError> {
        let text = std::str::from_utf8(body).map_err(|_| malformed("the list is not UTF-8"))?;
        match protocol {
            Protocol::Anthropic | Protocol::OpenAiChat | Protocol::OpenAiResponses => {
                let Data { data, has_more } = parse(text)?;
                let names = data.into_iter().map(|model| model.id).collect();
                Ok(Self { names, whole: !has_more })
            }
            Protocol::Ollama => {
                let Tags { models } = parse(text)?;
                let names = models.into_iter().filter_map(|tag| tag.model.or(tag.name)).collect();
                Ok(Self { names, whole: true })
            }
        }
    }

    /// The names, as the provider lists them.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the provider surely has no model of this name. Providers also take short names that
    /// they do not list: without the date, without `:latest`, or with `-latest` in place of a date.
    #[must_use]
    pub fn lacks(&self, model: &str) -> bool {
        let short = model.strip_suffix("-latest").unwrap_or(model);
        let means = |name: &String| {
            name == model
                || name.strip_suffix(":latest") == Some(model)
                || name.strip_prefix(short).is_some_and(|rest| is_date(rest) || rest == "-latest")
        };
        self.whole && !self.names.iter().any(means)
    }
}

/// Whether this is `-20260131` or `-2026-01-31`.
fn is_date(text: &str) -> bool {
    let Some(date) = text.strip_prefix('-') else { return false };
    let digits = date.bytes().filter(u8::is_ascii_digit).count();
    let dashes = date.bytes().filter(|&byte| byte == b'-').count();
    digits == 8 && digits + dashes == date.len() && (dashes == 0 || dashes == 2)
}
