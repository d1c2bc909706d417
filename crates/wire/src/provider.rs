//! The one list of providers: what each is called, where it is reached and how it is spoken to.

use serde::{Deserialize, Serialize};

use crate::models;
use crate::protocol::Protocol;

/// The header that carries the proxy's token, a random word made at each of its starts: the page
/// sends it with every request, and the proxy tells it with every answer to the page. A foreign page
/// can neither send it unasked nor read it.
pub const APP_HEADER: &str = "x-kitchen-assistant";

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// The kitchen model inside the proxy. It needs no key, and speaks the protocol of Anthropic.
    Builtin,
    /// Claude, by the Messages protocol.
    Anthropic,
    /// OpenAI, by Chat Completions.
    #[serde(rename = "openai_chat")]
    OpenAiChat,
    /// OpenAI, by Responses.
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    /// A server of Ollama, by its own protocol. It needs no key.
    Ollama,
}

impl Provider {
    /// All of them, in the order a person sees them.
    pub const ALL: [Self; 5] =
        [Self::Builtin, Self::Anthropic, Self::OpenAiChat, Self::OpenAiResponses, Self::Ollama];

    /// The name in settings and addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Anthropic => "anthropic",
            Self::OpenAiChat => "openai_chat",
            Self::OpenAiResponses => "openai_responses",
            Self::Ollama => "ollama",
        }
    }

    /// Whose place its requests go to: what one key opens, whichever protocol is spoken there.
    #[must_use]
    pub fn upstream(self) -> &'static str {
        match self {
            Self::Builtin | Self::Anthropic | Self::Ollama => self.name(),
            Self::OpenAiChat | Self::OpenAiResponses => "openai",
        }
    }

    /// The provider of a name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// The name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Builtin => "Built-in kitchen model",
            Self::Anthropic => "Claude (Anthropic)",
            Self::OpenAiChat => "OpenAI (Chat Completions)",
            Self::OpenAiResponses => "OpenAI (Responses)",
            Self::Ollama => "Ollama",
        }
    }

    /// The protocol it speaks.
    #[must_use]
    pub fn protocol(self) -> Protocol {
        match self {
            Self::Builtin | Self::Anthropic => Protocol::Anthropic,
            Self::OpenAiChat => Protocol::OpenAiChat,
            Self::OpenAiResponses => Protocol::OpenAiResponses,
            Self::Ollama => Protocol::Ollama,
        }
    }

    /// Where the page sends its requests: the proxy's own address for the provider's place.
    #[must_use]
    pub fn endpoint(self) -> String {
        format!("/api/{}/{}", self.upstream(), self.protocol().path())
    }

    /// Where the page asks which models there are; [`crate::models`] reads the answer. The built-in
    /// model is alone.
    #[must_use]
    pub fn models_endpoint(self) -> Option<String> {
        match self {
            Self::Builtin => None,
            Self::Anthropic | Self::OpenAiChat | Self::OpenAiResponses | Self::Ollama => {
                Some(format!("/api/{}/{}", self.upstream(), models::path(self.protocol())))
            }
        }
    }
}
