//! The protocols that providers speak: one door to every codec.

use agent::model::{ModelReply, ModelRequest};
use serde::de::IgnoredAny;

use crate::decoder::Decoder;
use crate::error::WireError;
use crate::failure;
use crate::json::malformed;
use crate::limits::LINE_MAX_BYTES;
use crate::{anthropic, ollama, openai_chat, openai_responses};

/// A protocol between a page and a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The Messages protocol of Anthropic.
    Anthropic,
    /// Chat Completions of OpenAI.
    OpenAiChat,
    /// Responses of OpenAI.
    OpenAiResponses,
    /// The chat protocol of Ollama.
    Ollama,
}

/// A request of the loop, and how it is to be answered.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// What is asked.
    pub request: &'a ModelRequest,
    /// The model, as the provider names it.
    pub model: &'a str,
    /// The longest reply, in tokens.
    pub max_tokens: u32,
    /// Whether the reply is to come in pieces, for a [`Decoder`], or whole, for
    /// [`Protocol::decode`].
    pub stream: bool,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Anthropic, Self::OpenAiChat, Self::OpenAiResponses, Self::Ollama];

    /// How it names itself in a provider's own blocks ([`agent::message::Opaque`]).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => anthropic::PROTOCOL,
            Self::OpenAiChat => openai_chat::PROTOCOL,
            Self::OpenAiResponses => openai_responses::PROTOCOL,
            Self::Ollama => ollama::PROTOCOL,
        }
    }

    /// Where requests go, as providers name the place: without a leading slash.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Anthropic => anthropic::PATH,
            Self::OpenAiChat => openai_chat::PATH,
            Self::OpenAiResponses => openai_responses::PATH,
            Self::Ollama => ollama::PATH,
        }
    }

    /// The body of a request.
    ///
    /// # Errors
    /// [`WireError::Unsendable`] if the request breaks a rule of the protocol: a call lacks its one
    /// result directly behind its reply, there is no turn of the person or of a tool to answer, or
    /// an id or a name cannot be sent.
    pub fn encode(self, ask: &Ask<'_>) -> Result<Vec<u8>, WireError> {
        match self {
            Self::Anthropic => anthropic::encode::encode(ask),
            Self::OpenAiChat => openai_chat::encode::encode(ask),
            Self::OpenAiResponses => openai_responses::encode::encode(ask),
            Self::Ollama => ollama::encode::encode(ask),
        }
    }

    /// A reader for the stream that answers a request.
    #[must_use]
    pub fn decoder(self) -> Decoder {
        Decoder::new(self)
    }

    /// Reads a reply that came whole.
    ///
    /// # Errors
    /// [`WireError::CutOff`] for a body without its end, [`WireError::LengthLimit`] if the limit
    /// fell into the arguments of a call, the provider's own failure, or what cannot be read.
    pub fn decode(self, body: &[u8]) -> Result<ModelReply, WireError> {
        if body.len() > LINE_MAX_BYTES {
            return Err(WireError::TooLarge { what: "the reply", limit: LINE_MAX_BYTES });
        }
        let body = body.trim_ascii();
        if let Err(error) = serde_json::from_slice::<IgnoredAny>(body) {
            // A cut inside a number is no end of the text to the parser.
            let open = body.starts_with(b"{") && !body.ends_with(b"}");
            let cut = open || error.is_eof();
            return Err(if cut { WireError::CutOff } else { malformed(&error.to_string()) });
        }
        if failure::is_error(body) {
            return Err(failure::error_in_reply(body));
        }
        let text = std::str::from_utf8(body).map_err(|_| malformed("the reply is not UTF-8"))?;
        if !text.starts_with('{') {
            return Err(malformed("the reply is not an object"));
        }
        match self {
            Self::Anthropic => anthropic::decode::decode_whole(text),
            Self::OpenAiChat => openai_chat::decode::decode_whole(text),
            Self::OpenAiResponses => openai_responses::decode::decode_whole(text),
            Self::Ollama => ollama::decode::decode_whole(text),
        }
    }
}
