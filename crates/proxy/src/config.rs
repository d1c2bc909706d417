//! What can be set, from the command line, the environment and one file, checked at the start.
//!
//! The command line goes before the environment, the environment before the file.

mod file;
mod mistake;
mod usage;
mod value;

use std::ffi::OsString;
use std::path::PathBuf;

use axum::http::Uri;

use self::file::{File, Section};
pub use self::mistake::{ConfigError, Mistake, Source};
pub use self::usage::USAGE;
pub use self::value::ApiKey;
use self::value::Given;
use crate::limits::Limits;
use crate::vendor::{PerVendor, Vendor};

const DEFAULT_PORT: u16 = 8787;
/// Where `trunk serve` serves the page, by Trunk.toml.
const TRUNK_PORT: u16 = 8080;

/// How one vendor's models are reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamSettings {
    /// Whose they are.
    pub vendor: Vendor,
    /// The key, where there is one.
    pub key: Option<ApiKey>,
    /// The address, as the vendor's own clients take it.
    pub base: Uri,
    /// The models the page may use, the first being the default: others cost what nobody chose.
    /// None to let it use whatever the server has.
    pub models: Option<Vec<String>>,
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
    /// How each vendor is reached.
    pub upstreams: PerVendor<UpstreamSettings>,
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

/// What the command line says, as it stands there.
#[derive(Default)]
struct Arguments {
    help: bool,
    port: Option<OsString>,
    page_port: Option<OsString>,
    dist: Option<OsString>,
    config: Option<OsString>,
}

impl Config {
    /// Reads the arguments (without the program's name), the environment, and the file the arguments
    /// name.
    ///
    /// # Errors
    ///
    /// The first mistake found, with the option, the variable or the line that holds it.
    pub fn read(
        arguments: impl IntoIterator<Item = OsString>,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Start, ConfigError> {
        let arguments = Arguments::read(arguments)?;
        if arguments.help {
            return Ok(Start::Help);
        }
        let file = match arguments.config {
            Some(path) => File::read(path.into())?,
            None => File::default(),
        };
        let variable = |name: &'static str| {
            let value = environment(name)?.to_string_lossy().into_owned();
            Some(Given { value, at: Source::Variable(name) })
        };
        let upstreams = PerVendor::try_new(|vendor| {
            let facts = vendor.facts();
            let section = Section {
                key: variable(facts.key_variable),
                base: variable(facts.base_variable),
                models: facts.models_variable.and_then(variable).map(Given::split),
                plain_http: facts
                    .plain_http_variable
                    .and_then(variable)
                    .map(|it| value::yes(&it))
                    .transpose()?,
            };
            settings(vendor, section.or(file.section(vendor)))
        })?;
        let port = |option: &'static str, value: Option<OsString>, in_file: Option<Given<u64>>| {
            let value = value.map(|it| it.to_string_lossy().into_owned());
            let given = value.map(|value| Given { value, at: Source::Option(option) });
            given.or_else(|| in_file.map(|it| it.map(|number| number.to_string())))
        };
        let own = port("--port", arguments.port, file.port());
        let pages = port("--page-port", arguments.page_port, file.page_port());
        let mut config = Self {
            port: own.map(|it| value::port(&it, 0)).transpose()?.unwrap_or(DEFAULT_PORT),
            page_port: pages.map(|it| value::port(&it, 1)).transpose()?,
            dist: arguments.dist.map(PathBuf::from).or_else(|| file.dist()),
            upstreams,
            limits: file.limits()?,
        };
        if config.dist.is_none() && config.port != TRUNK_PORT {
            config.page_port = config.page_port.or(Some(TRUNK_PORT));
        }
        if config.page_port == Some(config.port) {
            return Err(Mistake::SamePort(config.port).at(Source::Settings));
        }
        Ok(Start::Run(Box::new(config)))
    }
}

impl Arguments {
    fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ConfigError> {
        let mut said = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = |option| {
                let value = arguments.next();
                value.map(Some).ok_or_else(|| Mistake::ValueMissing.at(Source::Option(option)))
            };
            match argument.to_str() {
                Some("--help" | "-h") => return Ok(Self { help: true, ..Self::default() }),
                Some("--port") => said.port = value("--port")?,
                Some("--page-port") => said.page_port = value("--page-port")?,
                Some("--dist") => said.dist = value("--dist")?,
                Some("--config") => said.config = value("--config")?,
                Some(_) | None => {
                    let option = argument.to_string_lossy().into_owned();
                    return Err(Mistake::UnknownOption(option).at(Source::Settings));
                }
            }
        }
        Ok(said)
    }
}

fn settings(vendor: Vendor, given: Section) -> Result<UpstreamSettings, ConfigError> {
    let facts = vendor.facts();
    let key = given.key.map(|it| value::key(vendor, &it)).transpose()?;
    let plain_http = match given.plain_http {
        Some(allowed) if facts.plain_http_variable.is_none() => {
            return Err(allowed.mistake(Mistake::NeverPlain));
        }
        Some(allowed) => allowed.value && key.is_none(),
        None => false,
    };
    let base = match given.base {
        Some(base) => value::base(vendor, &base, plain_http, key.is_none())?,
        None => Uri::from_static(facts.default_base),
    };
    let models = match given.models {
        Some(models) => Some(value::models(models)?),
        None => facts.default_models.map(|it| it.iter().map(|&name| name.to_owned()).collect()),
    };
    Ok(UpstreamSettings { vendor, key, base, models })
}
