//! Who is behind an upstream: one table of all in which the vendors differ.

use wire::anthropic;
use wire::models;
use wire::protocol::Protocol;
use wire::provider::Provider;

/// Whose models an upstream has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vendor {
    /// Anthropic, or a server that speaks its protocol.
    Anthropic,
    /// OpenAI, or a server that speaks its protocols.
    OpenAi,
    /// A server of Ollama.
    Ollama,
}

/// In what a vendor differs from the others.
#[derive(Debug)]
pub(crate) struct Facts {
    /// Its section in the configuration file.
    pub(crate) section: &'static str,
    /// Its name in sentences.
    pub(crate) title: &'static str,
    pub(crate) key_variable: &'static str,
    pub(crate) base_variable: &'static str,
    /// None where the vendor's own programs have that name for something else.
    pub(crate) models_variable: Option<&'static str>,
    /// The variable that lets it be asked in clear on another machine, where that may be at all.
    pub(crate) plain_http_variable: Option<&'static str>,
    /// Whether nothing can be asked without a key.
    pub(crate) needs_key: bool,
    pub(crate) default_base: &'static str,
    /// What its own clients take for a part of the base, and not of the path.
    pub(crate) path_in_base: &'static str,
    /// The models to begin with; none where all that the server has may be used, since they cost
    /// nothing.
    pub(crate) default_models: Option<&'static [&'static str]>,
    /// What every request carries.
    pub(crate) fields: &'static [(&'static str, &'static str)],
    /// The field that carries the key, and what stands before it there.
    pub(crate) key_field: (&'static str, &'static str),
    /// The query that gets the whole list of its models.
    pub(crate) list_query: &'static str,
    /// The protocol the list is in.
    pub(crate) list_protocol: Protocol,
    /// What to look after when nothing answers.
    pub(crate) unreachable: &'static str,
}

const ANTHROPIC: Facts = Facts {
    section: "anthropic",
    title: "Claude",
    key_variable: "ANTHROPIC_API_KEY",
    base_variable: "ANTHROPIC_BASE_URL",
    models_variable: Some("ANTHROPIC_MODELS"),
    plain_http_variable: None,
    needs_key: true,
    default_base: "https://api.anthropic.com",
    path_in_base: "",
    default_models: Some(&["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"]),
    fields: &[("anthropic-version", anthropic::VERSION)],
    key_field: ("x-api-key", ""),
    list_query: "?limit=1000",
    list_protocol: Protocol::Anthropic,
    unreachable: "Look whether this machine is online, then try again.",
};

const OPENAI: Facts = Facts {
    section: "openai",
    title: "OpenAI",
    key_variable: "OPENAI_API_KEY",
    base_variable: "OPENAI_BASE_URL",
    models_variable: Some("OPENAI_MODELS"),
    plain_http_variable: None,
    needs_key: true,
    default_base: "https://api.openai.com/v1",
    path_in_base: "v1/",
    default_models: Some(&["gpt-6.2-sol", "gpt-6.1-terra", "gpt-6-luna"]),
    fields: &[],
    key_field: ("authorization", "Bearer "),
    list_query: "",
    list_protocol: Protocol::OpenAiChat,
    unreachable: "Look whether this machine is online, then try again.",
};

const OLLAMA: Facts = Facts {
    section: "ollama",
    title: "Ollama",
    key_variable: "OLLAMA_API_KEY",
    base_variable: "OLLAMA_HOST",
    // OLLAMA_MODELS is the folder in which Ollama keeps them.
    models_variable: None,
    plain_http_variable: Some("OLLAMA_PLAIN_HTTP"),
    needs_key: false,
    default_base: "http://127.0.0.1:11434",
    path_in_base: "",
    default_models: None,
    fields: &[],
    key_field: ("authorization", "Bearer "),
    list_query: "",
    list_protocol: Protocol::Ollama,
    unreachable: "Look whether Ollama runs, then try again.",
};

impl Vendor {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Anthropic, Self::OpenAi, Self::Ollama];

    pub(crate) fn facts(self) -> &'static Facts {
        match self {
            Self::Anthropic => &ANTHROPIC,
            Self::OpenAi => &OPENAI,
            Self::Ollama => &OLLAMA,
        }
    }

    /// Where the page asks which models there are.
    pub(crate) fn list_endpoint(self) -> String {
        let facts = self.facts();
        format!("/api/{}/{}", facts.section, models::path(facts.list_protocol))
    }

    /// Whose models a provider offers; nobody's where the proxy answers itself.
    pub(crate) fn of(provider: Provider) -> Option<Self> {
        match provider {
            Provider::Builtin => None,
            Provider::Anthropic => Some(Self::Anthropic),
            Provider::OpenAiChat | Provider::OpenAiResponses => Some(Self::OpenAi),
            Provider::Ollama => Some(Self::Ollama),
        }
    }
}

/// One thing for each vendor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerVendor<T> {
    /// Anthropic's.
    pub anthropic: T,
    /// OpenAI's.
    pub openai: T,
    /// Ollama's.
    pub ollama: T,
}

impl<T> PerVendor<T> {
    /// Makes each.
    ///
    /// # Errors
    ///
    /// The first that could not be made.
    pub fn try_new<E>(mut make: impl FnMut(Vendor) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            anthropic: make(Vendor::Anthropic)?,
            openai: make(Vendor::OpenAi)?,
            ollama: make(Vendor::Ollama)?,
        })
    }

    /// Makes another thing out of each.
    pub fn map<U>(self, mut make: impl FnMut(T) -> U) -> PerVendor<U> {
        PerVendor {
            anthropic: make(self.anthropic),
            openai: make(self.openai),
            ollama: make(self.ollama),
        }
    }

    /// A vendor's.
    pub fn of(&self, vendor: Vendor) -> &T {
        match vendor {
            Vendor::Anthropic => &self.anthropic,
            Vendor::OpenAi => &self.openai,
            Vendor::Ollama => &self.ollama,
        }
    }

    /// A vendor's, to be changed.
    pub fn of_mut(&mut self, vendor: Vendor) -> &mut T {
        match vendor {
            Vendor::Anthropic => &mut self.anthropic,
            Vendor::OpenAi => &mut self.openai,
            Vendor::Ollama => &mut self.ollama,
        }
    }
}
