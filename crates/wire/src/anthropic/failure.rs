//! How the protocol says that something failed, in an answer or in the middle of a stream.

use serde_json::Value;

use crate::error::{Failure, WireError};
use crate::limits::WORDS_MAX_CHARS;

/// The protocol's own names for what can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request is wrong.
    InvalidRequest,
    /// The key is missing or refused.
    Authentication,
    /// The account has no credit.
    Billing,
    /// The key may not do this.
    Permission,
    /// There is no such model or place.
    NotFound,
    /// The request is too long.
    RequestTooLarge,
    /// Too many requests.
    RateLimit,
    /// A fault of the provider.
    Api,
    /// It took too long.
    Timeout,
    /// The provider is overloaded.
    Overloaded,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::InvalidRequest,
        Self::Authentication,
        Self::Billing,
        Self::Permission,
        Self::NotFound,
        Self::RequestTooLarge,
        Self::RateLimit,
        Self::Api,
        Self::Timeout,
        Self::Overloaded,
    ];

    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request_error",
            Self::Authentication => "authentication_error",
            Self::Billing => "billing_error",
            Self::Permission => "permission_error",
            Self::NotFound => "not_found_error",
            Self::RequestTooLarge => "request_too_large",
            Self::RateLimit => "rate_limit_error",
            Self::Api => "api_error",
            Self::Timeout => "timeout_error",
            Self::Overloaded => "overloaded_error",
        }
    }

    /// The HTTP status it comes with.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::Authentication => 401,
            Self::Billing => 402,
            Self::Permission => 403,
            Self::NotFound => 404,
            Self::RequestTooLarge => 413,
            Self::RateLimit => 429,
            Self::Api => 500,
            Self::Timeout => 504,
            Self::Overloaded => 529,
        }
    }
}

/// What an answer without success says, or one that is no stream. `retry_after` is the header of
/// that name, in seconds; a date in it is not understood.
#[must_use]
pub fn error_from_response(status: u16, retry_after: Option<&str>, body: &[u8]) -> WireError {
    let retry_after_s = retry_after.and_then(|text| text.trim().parse().ok());
    let words = Words::of_body(body);
    let message = match words.message {
        Some(message) => message,
        None => format!("the provider answered with status {status} and no explanation"),
    };
    let failure = failure(&words.code, Some(status), retry_after_s, &message);
    WireError::Provider { failure, code: words.code, message }
}

/// What an error event in a stream says.
pub(super) fn error_from_event(data: &[u8]) -> WireError {
    let words = Words::of_body(data);
    let message = match words.message {
        Some(message) => message,
        None => "the provider stopped the reply without an explanation".to_owned(),
    };
    let failure = failure(&words.code, None, None, &message);
    WireError::Provider { failure, code: words.code, message }
}

/// What a success that is not a stream says, if it is an error all the same.
pub(super) fn error_from_body(body: &[u8]) -> Option<WireError> {
    let value: Value = serde_json::from_slice(body).ok()?;
    value.get("error")?;
    Some(error_from_event(body))
}

/// What a provider said about a failure.
struct Words {
    code: String,
    message: Option<String>,
}

impl Words {
    /// Reads `{"error":{"type","message"}}`, its looser relatives at gateways, and short plain
    /// text. A page of HTML says nothing.
    fn of_body(body: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            let text = String::from_utf8_lossy(body);
            return Self { code: String::new(), message: words(&text) };
        };
        let text = |value: &Value, key: &str| value.get(key)?.as_str().and_then(words);
        let (code, message) = match value.get("error") {
            Some(Value::String(message)) => (None, words(message)),
            Some(error) => (text(error, "type").or(text(error, "code")), text(error, "message")),
            None => (None, text(&value, "message").or(text(&value, "detail"))),
        };
        Self { code: code.unwrap_or_default(), message }
    }
}

fn words(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && !text.starts_with('<'))
        .then(|| text.chars().take(WORDS_MAX_CHARS).collect())
}

fn failure(code: &str, status: Option<u16>, retry_after_s: Option<u64>, words: &str) -> Failure {
    let named = ErrorKind::ALL.into_iter().find(|kind| kind.name() == code);
    match named {
        Some(ErrorKind::InvalidRequest | ErrorKind::RequestTooLarge) => Failure::BadRequest,
        Some(ErrorKind::Authentication | ErrorKind::Billing | ErrorKind::Permission) => {
            Failure::Unauthorized
        }
        Some(ErrorKind::NotFound) => not_found(words),
        Some(ErrorKind::RateLimit) => Failure::RateLimit { retry_after_s },
        Some(ErrorKind::Timeout) => Failure::Timeout,
        Some(ErrorKind::Overloaded) => Failure::Overloaded,
        Some(ErrorKind::Api) | None => failure_of_status(status, retry_after_s, words),
    }
}

fn failure_of_status(status: Option<u16>, retry_after_s: Option<u64>, words: &str) -> Failure {
    match status {
        Some(401..=403) => Failure::Unauthorized,
        Some(404) => not_found(words),
        Some(408 | 504) => Failure::Timeout,
        Some(429) => Failure::RateLimit { retry_after_s },
        Some(502) => Failure::Unreachable,
        Some(503 | 529) => Failure::Overloaded,
        Some(400..=499) => Failure::BadRequest,
        Some(_) | None => Failure::Internal,
    }
}

fn not_found(words: &str) -> Failure {
    if words.to_lowercase().contains("model") { Failure::UnknownModel } else { Failure::BadRequest }
}
