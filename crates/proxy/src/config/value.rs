//! Makes values of what was written.

use std::fmt;

use axum::http::{HeaderValue, Uri};

use super::mistake::{ConfigError, Mistake, Source};
use crate::vendor::Vendor;

/// A value and where it was given.
#[derive(Debug, Clone)]
pub(super) struct Given<T> {
    pub(super) value: T,
    pub(super) at: Source,
}

impl<T> Given<T> {
    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Given<U> {
        Given { value: change(self.value), at: self.at }
    }

    pub(super) fn mistake(&self, mistake: Mistake) -> ConfigError {
        mistake.at(self.at.clone())
    }
}

impl Given<String> {
    /// The parts between the commas.
    pub(super) fn split(self) -> Given<Vec<String>> {
        self.map(|text| text.split(',').map(|part| part.trim().to_owned()).collect())
    }
}

/// A key. It prints as dots.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key from its text, unless it is empty or holds a character no key has.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let legal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        legal.then(|| Self(text.to_owned()))
    }

    /// The value of a header field that carries this key behind `scheme`.
    pub(crate) fn header(&self, scheme: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(format!("{scheme}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// The text with this key, wherever it stands in it, blotted out.
    pub(crate) fn blot(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

pub(super) fn key(vendor: Vendor, given: &Given<String>) -> Result<ApiKey, ConfigError> {
    if given.value.trim().is_empty() {
        return Err(given.mistake(Mistake::KeyEmpty(vendor)));
    }
    ApiKey::parse(&given.value).ok_or_else(|| given.mistake(Mistake::KeyUnreadable))
}

pub(super) fn port(given: &Given<String>, lowest: u16) -> Result<u16, ConfigError> {
    match given.value.parse() {
        Ok(port) if port >= lowest => Ok(port),
        Ok(_) | Err(_) => {
            Err(given.mistake(Mistake::BadPort { lowest, value: given.value.clone() }))
        }
    }
}

pub(super) fn yes(given: &Given<String>) -> Result<Given<bool>, ConfigError> {
    let value = given.value.parse().map_err(|_| given.mistake(Mistake::NotYesOrNo))?;
    Ok(Given { value, at: given.at.clone() })
}

/// What is sent in clear over a network, anyone on it can read, so `http` is for this machine only. A
/// server of Ollama may stand elsewhere in the house if whoever set it up says that this network may
/// read along (`plain_http`); never with a key, which would be given away.
pub(super) fn base(
    vendor: Vendor,
    given: &Given<String>,
    plain_http: bool,
    keyless: bool,
) -> Result<Uri, ConfigError> {
    let mistake = || given.mistake(Mistake::BadBase);
    let text = match vendor {
        Vendor::Anthropic | Vendor::OpenAi => given.value.clone(),
        Vendor::Ollama => ollama_host(&given.value),
    };
    if text.contains(['@', '?', '#']) {
        return Err(mistake());
    }
    let base: Uri = text.parse().map_err(|_| mistake())?;
    let here = matches!(base.host(), Some("127.0.0.1" | "localhost" | "[::1]"));
    match base.scheme_str() {
        Some("https") => Ok(base),
        Some("http") if here || plain_http => Ok(base),
        Some("http") if keyless => match vendor.facts().plain_http_variable {
            Some(variable) => Err(given.mistake(Mistake::InClear(variable))),
            None => Err(mistake()),
        },
        Some(_) | None => Err(mistake()),
    }
}

/// What Ollama's own programs take for an address: without a scheme, a port or even a host, and
/// with the one that means "every address" to a server.
fn ollama_host(text: &str) -> String {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://").map_or(("http", text), |it| it);
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let port_at = authority.rfind(':').filter(|at| !authority[*at..].contains(']'));
    let (host, port) = authority.split_at(port_at.unwrap_or(authority.len()));
    let host = match host {
        "" | "0.0.0.0" => "127.0.0.1",
        "[::]" => "[::1]",
        host => host,
    };
    let port = if port.is_empty() && !text.contains("://") { ":11434" } else { port };
    format!("{scheme}://{host}{port}{path}")
}

pub(super) fn models(given: Given<Vec<String>>) -> Result<Vec<String>, ConfigError> {
    let legal = |name: &String| {
        (1..=128).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-._:/@".contains(&it))
    };
    if !given.value.is_empty() && given.value.iter().all(legal) {
        Ok(given.value)
    } else {
        Err(given.mistake(Mistake::BadModels))
    }
}
