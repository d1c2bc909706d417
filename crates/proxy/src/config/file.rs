//! The configuration file: TOML, all of it optional, nothing in it unknown.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::mistake::{ConfigError, Mistake, Source};
use super::value::Given;
use crate::limits::{Limits, SETTABLE};
use crate::vendor::{PerVendor, Vendor};

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct File {
    path: PathBuf,
    text: String,
    said: Said,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    port: Option<Spanned<u64>>,
    page_port: Option<Spanned<u64>>,
    dist: Option<PathBuf>,
    #[serde(default)]
    anthropic: SaidOfVendor,
    #[serde(default)]
    openai: SaidOfVendor,
    #[serde(default)]
    ollama: SaidOfVendor,
    #[serde(default)]
    limits: BTreeMap<String, Spanned<u64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidOfVendor {
    api_key: Option<Spanned<String>>,
    base_url: Option<Spanned<String>>,
    models: Option<Spanned<Vec<String>>>,
    plain_http: Option<Spanned<bool>>,
}

/// What is said of one vendor, here or in the environment.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) key: Option<Given<String>>,
    pub(super) base: Option<Given<String>>,
    pub(super) models: Option<Given<Vec<String>>>,
    pub(super) plain_http: Option<Given<bool>>,
}

impl Section {
    /// This, and where it says nothing, the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            key: self.key.or(other.key),
            base: self.base.or(other.base),
            models: self.models.or(other.models),
            plain_http: self.plain_http.or(other.plain_http),
        }
    }
}

impl File {
    pub(super) fn read(path: PathBuf) -> Result<Self, ConfigError> {
        let unreadable = |error: std::io::Error| {
            Mistake::FileUnreadable(error.to_string()).at(Source::File(path.clone()))
        };
        let text = std::fs::read_to_string(&path).map_err(unreadable)?;
        let exposed = is_exposed(&path).map_err(unreadable)?;
        let said = toml::from_str::<Said>(&text).map_err(|error| {
            let line = line_of(&text, error.span().unwrap_or_default());
            Mistake::Unparsable(without_values(error.message())).at(Source::Line {
                path: path.clone(),
                line,
                name: None,
            })
        })?;
        let file = Self { path, text, said };
        for vendor in Vendor::ALL {
            if exposed && let Some(key) = file.section(vendor).key {
                return Err(key.mistake(Mistake::KeyExposed));
            }
        }
        Ok(file)
    }

    pub(super) fn port(&self) -> Option<Given<u64>> {
        self.said.port.as_ref().map(|it| self.given("port", it))
    }

    pub(super) fn page_port(&self) -> Option<Given<u64>> {
        self.said.page_port.as_ref().map(|it| self.given("page_port", it))
    }

    /// A folder is where the file says it is, seen from the file.
    pub(super) fn dist(&self) -> Option<PathBuf> {
        let beside = self.path.parent().unwrap_or(Path::new(""));
        self.said.dist.as_ref().map(|dist| beside.join(dist))
    }

    pub(super) fn section(&self, vendor: Vendor) -> Section {
        let said = PerVendor {
            anthropic: &self.said.anthropic,
            openai: &self.said.openai,
            ollama: &self.said.ollama,
        };
        let said = said.of(vendor);
        let name = |setting: &str| format!("{}.{setting}", vendor.facts().section);
        Section {
            key: said.api_key.as_ref().map(|it| self.given(&name("api_key"), it)),
            base: said.base_url.as_ref().map(|it| self.given(&name("base_url"), it)),
            models: said.models.as_ref().map(|it| self.given(&name("models"), it)),
            plain_http: said.plain_http.as_ref().map(|it| self.given(&name("plain_http"), it)),
        }
    }

    /// The bounds: those of the file, and the usual ones.
    pub(super) fn limits(&self) -> Result<Limits, ConfigError> {
        let mut limits = Limits::default();
        let given = |name: &str| {
            self.said.limits.get(name).map(|it| self.given(&format!("limits.{name}"), it))
        };
        for name in self.said.limits.keys() {
            if !SETTABLE.iter().any(|it| it.name == name)
                && let Some(given) = given(name)
            {
                return Err(given.mistake(Mistake::UnknownLimit));
            }
        }
        for settable in SETTABLE {
            let Some(given) = given(settable.name) else { continue };
            if !(settable.lowest..=settable.highest).contains(&given.value) {
                let (lowest, highest) = (settable.lowest, settable.highest);
                return Err(given.mistake(Mistake::BadLimit { lowest, highest }));
            }
            (settable.set)(&mut limits, given.value);
        }
        match given("connections") {
            None => limits.make_room(),
            Some(given) if limits.connections <= limits.streams => {
                return Err(given.mistake(Mistake::TooFewConnections(limits.streams)));
            }
            Some(_) => {}
        }
        Ok(limits)
    }

    fn given<T: Clone>(&self, name: &str, value: &Spanned<T>) -> Given<T> {
        let line = line_of(&self.text, value.span());
        let at = Source::Line { path: self.path.clone(), line, name: Some(name.to_owned()) };
        Given { value: value.get_ref().clone(), at }
    }
}

fn line_of(text: &str, span: Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count()
}

/// The parser's words without what stands in the file: it may be a key in the wrong place.
fn without_values(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    match (message.find("string \""), message.rfind("\", expected")) {
        (Some(start), Some(end)) => format!(
            "{}a text{}",
            message.get(..start).unwrap_or_default(),
            message.get(end + 1..).unwrap_or_default()
        ),
        (Some(_) | None, Some(_) | None) => message.to_owned(),
    }
}

#[cfg(unix)]
fn is_exposed(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_exposed(_path: &Path) -> std::io::Result<bool> {
    Ok(false)
}
