//! The four protocols: where each is asked, and whose key opens it.

use super::reply::Reply;
use super::{anthropic, ollama, openai_chat, openai_responses};

/// A protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The Messages of Anthropic.
    Anthropic,
    /// The Chat Completions of OpenAI.
    OpenAiChat,
    /// The Responses of OpenAI.
    OpenAiResponses,
    /// The chat of Ollama.
    Ollama,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Anthropic, Self::OpenAiChat, Self::OpenAiResponses, Self::Ollama];

    /// What a person chooses in the settings to be answered in it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Anthropic => "Claude (Anthropic)",
            Self::OpenAiChat => "OpenAI (Chat Completions)",
            Self::OpenAiResponses => "OpenAI (Responses)",
            Self::Ollama => "Ollama",
        }
    }

    /// The vendor's name in the variables of the proxy.
    #[must_use]
    pub fn vendor(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC",
            Self::OpenAiChat | Self::OpenAiResponses => "OPENAI",
            Self::Ollama => "OLLAMA",
        }
    }

    /// What a model thinks in it, which goes back to nobody else.
    #[must_use]
    pub fn thought(self) -> &'static str {
        match self {
            Self::Anthropic => "a thought in Messages",
            Self::OpenAiChat => "a thought in Chat Completions",
            Self::OpenAiResponses => "a thought in Responses",
            Self::Ollama => "a thought in the chat of Ollama",
        }
    }

    pub(super) fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.path() == path)
    }

    fn path(self) -> &'static str {
        match self {
            Self::Anthropic => "/v1/messages",
            Self::OpenAiChat => "/v1/chat/completions",
            Self::OpenAiResponses => "/v1/responses",
            Self::Ollama => "/api/chat",
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Anthropic | Self::OpenAiChat | Self::OpenAiResponses => "text/event-stream",
            Self::Ollama => "application/x-ndjson",
        }
    }

    /// A reply as it streams. `number` makes its ids its own.
    pub(super) fn write(self, reply: &Reply, number: usize) -> String {
        match self {
            Self::Anthropic => anthropic::write(reply, number),
            Self::OpenAiChat => openai_chat::write(reply, number),
            Self::OpenAiResponses => openai_responses::write(reply, number),
            Self::Ollama => ollama::write(reply),
        }
    }
}
