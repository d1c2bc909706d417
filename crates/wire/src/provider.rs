//! The one list of providers: what each is called, where it is reached and how it is spoken to.

use agent::model::ModelRequest;
use serde::{Deserialize, Serialize};

use crate::anthropic;
use crate::error::WireError;

/// The header the page sends with every request to the proxy, which answers none without it: a
/// foreign page cannot send it unasked.
pub const APP_HEADER: &str = "x-kitchen-assistant";

/// The value of [`APP_HEADER`].
pub const APP_HEADER_VALUE: &str = "1";

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// The kitchen model inside the proxy. It needs no key, and speaks the protocol of Anthropic.
    Builtin,
    /// Claude, by the Messages protocol.
    Anthropic,
}

impl Provider {
    /// All of them, in the order a person sees them.
    pub const ALL: [Self; 2] = [Self::Builtin, Self::Anthropic];

    /// The name in settings and addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Anthropic => "anthropic",
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
        }
    }

    /// Where its requests go, as the provider itself names the place: without a leading slash.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Builtin | Self::Anthropic => anthropic::PATH,
        }
    }

    /// Where the page sends its requests: the proxy's own address for [`Provider::path`].
    #[must_use]
    pub fn endpoint(self) -> String {
        format!("/api/{}/{}", self.name(), self.path())
    }

    /// The body of a request for a streamed reply of at most `max_tokens` tokens.
    ///
    /// # Errors
    /// [`WireError::Unsendable`] if the request breaks a rule of the provider.
    pub fn encode(
        self,
        request: &ModelRequest,
        model: &str,
        max_tokens: u32,
    ) -> Result<Vec<u8>, WireError> {
        match self {
            Self::Builtin | Self::Anthropic => anthropic::encode(request, model, max_tokens),
        }
    }

    /// A reader for the stream that answers a request.
    #[must_use]
    pub fn decoder(self) -> anthropic::Decoder {
        match self {
            Self::Builtin | Self::Anthropic => anthropic::Decoder::default(),
        }
    }

    /// What an answer without success says. `retry_after` is the header of that name.
    #[must_use]
    pub fn error_from_response(
        self,
        status: u16,
        retry_after: Option<&str>,
        body: &[u8],
    ) -> WireError {
        match self {
            Self::Builtin | Self::Anthropic => {
                anthropic::error_from_response(status, retry_after, body)
            }
        }
    }
}
