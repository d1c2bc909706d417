//! What can be set, from the command line and the environment, checked before anything is opened.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use axum::http::{HeaderValue, Uri};

use crate::limits::Limits;

/// What `--help` prints.
pub const USAGE: &str = "\
Usage: proxy [--port N] [--page-port N] [--dist DIR]

  --port N        listen on 127.0.0.1 and ::1 at this port (default 8787; 0 takes a free one)
  --page-port N   also let in the page that `trunk serve` serves at this port (default 8080,
                  where no page is served from a folder)
  --dist DIR      serve the built page from this folder

Environment:
  ANTHROPIC_API_KEY    the key for Claude; without it only the built-in model answers
  ANTHROPIC_MODELS     the models the page may use, separated by commas
  ANTHROPIC_BASE_URL   another address that speaks the Anthropic protocol";

const DEFAULT_PORT: u16 = 8787;
/// Where `trunk serve` serves the page, by Trunk.toml.
const TRUNK_PORT: u16 = 8080;
const DEFAULT_BASE: &str = "https://api.anthropic.com";
const DEFAULT_MODELS: [&str; 3] = ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"];

/// A key. It prints as dots.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key from its text.
    ///
    /// # Errors
    ///
    /// It is empty, or holds a character no key has.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ConfigError::KeyEmpty);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigError::KeyUnreadable);
        }
        Ok(Self(text.to_owned()))
    }

    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&self.0).ok()?;
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

/// The Anthropic provider, or one that speaks its protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anthropic {
    /// Its key, where there is one.
    pub key: Option<ApiKey>,
    /// Its address, without the `/v1/messages`.
    pub base: Uri,
    /// The models the page may use, the first being the default. Others cost what nobody chose.
    pub models: Vec<String>,
}

/// The proxy's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The port to listen on; 0 takes a free one.
    pub port: u16,
    /// The port of a development server that passes `/api/` on to the proxy.
    pub page_port: Option<u16>,
    /// The folder of the built page.
    pub dist: Option<PathBuf>,
    /// The Anthropic provider.
    pub anthropic: Anthropic,
    /// The bounds.
    pub limits: Limits,
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Start {
    /// To be told how it is used.
    Help,
    /// To run.
    Run(Box<Config>),
}

/// A mistake in the settings: one sentence that says what is wrong and what would be right.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// An option that does not exist.
    #[error("{0:?} is not an option; see proxy --help")]
    UnknownOption(String),
    /// An option without its value.
    #[error("{0} needs a value after it; see proxy --help")]
    ValueMissing(&'static str),
    /// A port that is none.
    #[error("{option} takes a number from {lowest} to 65535, not {value:?}")]
    BadPort {
        /// The option.
        option: &'static str,
        /// The lowest it takes.
        lowest: u16,
        /// What it was given.
        value: String,
    },
    /// Page and proxy on one port.
    #[error("--port and --page-port are both {0}; the page's own server needs another port")]
    SamePort(u16),
    /// The variable is there, its value is not.
    #[error("ANTHROPIC_API_KEY is set but empty; give it a key, or unset it to go without Claude")]
    KeyEmpty,
    /// The value cannot be a key.
    #[error("ANTHROPIC_API_KEY holds a space or a character that no key has; copy the key again")]
    KeyUnreadable,
    /// The address cannot be used.
    #[error(
        "ANTHROPIC_BASE_URL must be an https address, or an http address on this machine, without \
         user name, query or fragment"
    )]
    BadBase,
    /// The list of models cannot be used.
    #[error("ANTHROPIC_MODELS must be names of models separated by commas")]
    BadModels,
}

impl Config {
    /// Reads the arguments (without the program's name) and the environment.
    ///
    /// # Errors
    ///
    /// The first mistake found.
    pub fn read(
        arguments: impl IntoIterator<Item = OsString>,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Start, ConfigError> {
        let variable = |name| environment(name).map(|value| value.to_string_lossy().into_owned());
        let mut config = Self {
            port: DEFAULT_PORT,
            page_port: None,
            dist: None,
            anthropic: Anthropic {
                key: variable("ANTHROPIC_API_KEY").map(|text| ApiKey::parse(&text)).transpose()?,
                base: parse_base(variable("ANTHROPIC_BASE_URL").as_deref())?,
                models: parse_models(variable("ANTHROPIC_MODELS").as_deref())?,
            },
            limits: Limits::default(),
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = |option| arguments.next().ok_or(ConfigError::ValueMissing(option));
            match argument.to_str() {
                Some("--help" | "-h") => return Ok(Start::Help),
                Some("--port") => config.port = parse_port("--port", &value("--port")?, 0)?,
                Some("--page-port") => {
                    let value = value("--page-port")?;
                    config.page_port = Some(parse_port("--page-port", &value, 1)?);
                }
                Some("--dist") => config.dist = Some(value("--dist")?.into()),
                Some(_) | None => {
                    let option = argument.to_string_lossy().into_owned();
                    return Err(ConfigError::UnknownOption(option));
                }
            }
        }
        if config.dist.is_none() && config.port != TRUNK_PORT {
            config.page_port = config.page_port.or(Some(TRUNK_PORT));
        }
        if config.page_port == Some(config.port) {
            return Err(ConfigError::SamePort(config.port));
        }
        Ok(Start::Run(Box::new(config)))
    }
}

fn parse_port(option: &'static str, value: &OsString, lowest: u16) -> Result<u16, ConfigError> {
    let value = value.to_string_lossy();
    match value.parse() {
        Ok(port) if port >= lowest => Ok(port),
        Ok(_) | Err(_) => Err(ConfigError::BadPort { option, lowest, value: value.into_owned() }),
    }
}

/// A key sent in clear over a network is a key given away, so `http` is for this machine only.
fn parse_base(text: Option<&str>) -> Result<Uri, ConfigError> {
    let text = text.unwrap_or(DEFAULT_BASE);
    if text.contains(['@', '?', '#']) {
        return Err(ConfigError::BadBase);
    }
    let base: Uri = text.parse().map_err(|_| ConfigError::BadBase)?;
    let here = matches!(base.host(), Some("127.0.0.1" | "localhost" | "[::1]"));
    match base.scheme_str() {
        Some("https") => Ok(base),
        Some("http") if here => Ok(base),
        Some(_) | None => Err(ConfigError::BadBase),
    }
}

fn parse_models(text: Option<&str>) -> Result<Vec<String>, ConfigError> {
    let Some(text) = text else {
        return Ok(DEFAULT_MODELS.map(str::to_owned).to_vec());
    };
    let models: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    let legal = |name: &String| {
        (1..=128).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-._:/@".contains(&it))
    };
    if models.iter().all(legal) { Ok(models) } else { Err(ConfigError::BadModels) }
}
