//! What can be wrong with the settings: where it stands, and one sentence that says what would be
//! right. No mistake repeats a value that may be a key.

use std::fmt;
use std::path::PathBuf;

use crate::limits::Limits;
use crate::vendor::Vendor;

/// Where a setting was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// An option of the command line.
    Option(&'static str),
    /// A variable of the environment.
    Variable(&'static str),
    /// A line of the file.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The setting; none where the line cannot be read.
        name: Option<String>,
    },
    /// The file as a whole.
    File(PathBuf),
    /// Several settings together.
    Settings,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(name) | Self::Variable(name) => write!(f, "{name} "),
            Self::Line { path, line, name: Some(name) } => {
                write!(f, "{}:{line}: {name} ", path.display())
            }
            Self::Line { path, line, name: None } => write!(f, "{}:{line}: ", path.display()),
            Self::File(path) => write!(f, "{} ", path.display()),
            Self::Settings => Ok(()),
        }
    }
}

/// A mistake and its place.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{at}{mistake}")]
pub struct ConfigError {
    /// Where it stands.
    pub at: Source,
    /// What is wrong.
    pub mistake: Mistake,
}

/// What is wrong with a setting, in words that follow its name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Mistake {
    /// An option that does not exist.
    #[error("{0:?} is not an option; see proxy --help")]
    UnknownOption(String),
    /// An option without its value.
    #[error("needs a value after it; see proxy --help")]
    ValueMissing,
    /// A port that is none.
    #[error("takes a number from {lowest} to 65535, not {value:?}")]
    BadPort {
        /// The lowest it takes.
        lowest: u16,
        /// What it was given.
        value: String,
    },
    /// Page and proxy on one port.
    #[error("proxy and page are both to use port {0}; the page's own server needs another one")]
    SamePort(u16),
    /// The setting is there, its value is not.
    #[error(
        "is set but empty; give it a key, or take it away to go without {}",
        .0.facts().title
    )]
    KeyEmpty(Vendor),
    /// The value cannot be a key.
    #[error("holds a space or a character that no key has; copy the key again")]
    KeyUnreadable,
    /// A key in a file that others can read.
    #[error(
        "is a key, and others on this machine can read this file; take that from them: chmod 600"
    )]
    KeyExposed,
    /// The address cannot be used.
    #[error(
        "must be an https address, or an http address on this machine, without user name, query or \
         fragment"
    )]
    BadBase,
    /// Another machine is to be asked in clear, and nobody said that this may be.
    #[error(
        "is http to another machine, so anyone on the way can read the conversations; use https, or \
         allow it for a network of your own with {0}=true or ollama.plain_http = true"
    )]
    InClear(&'static str),
    /// A vendor that is never asked in clear.
    #[error("is for Ollama alone; take it away here")]
    NeverPlain,
    /// A yes or no that is neither.
    #[error("must be true or false")]
    NotYesOrNo,
    /// The list of models cannot be used.
    #[error("must be names of models, each of up to 128 letters, digits and . _ : / @ -")]
    BadModels,
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    FileUnreadable(String),
    /// The file is not what it should be.
    #[error("{0}")]
    Unparsable(String),
    /// A bound that does not exist.
    #[error("is no limit; the limits are {}", Limits::names())]
    UnknownLimit,
    /// A bound out of reason.
    #[error("must be from {lowest} to {highest}")]
    BadLimit {
        /// The lowest it takes.
        lowest: u64,
        /// The highest it takes.
        highest: u64,
    },
    /// More streams than connections to carry them.
    #[error("must be more than limits.streams, which is {0}: each stream has a connection")]
    TooFewConnections(usize),
}

impl Mistake {
    pub(super) fn at(self, at: Source) -> ConfigError {
        ConfigError { at, mistake: self }
    }
}
