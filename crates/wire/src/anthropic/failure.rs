//! How the protocol says that something failed, in an answer or in the middle of a stream.

use crate::error::{Failure, WireError};
use crate::failure::{self, Told, Words};

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
    error(Words::of_body(body), Told::in_answer(status, retry_after))
}

/// What an error event in a stream says.
pub(crate) fn error_from_event(data: &[u8]) -> WireError {
    error(Words::of_body(data), Told::IN_A_REPLY)
}

fn error(said: Words, told: Told) -> WireError {
    let code = said.kind.clone().or(said.code.clone());
    let named = ErrorKind::ALL.into_iter().find(|kind| code.as_deref() == Some(kind.name()));
    said.into_error(told, code, |words| match named {
        Some(ErrorKind::InvalidRequest | ErrorKind::RequestTooLarge) => Failure::BadRequest,
        Some(ErrorKind::Authentication | ErrorKind::Billing | ErrorKind::Permission) => {
            Failure::Unauthorized
        }
        Some(ErrorKind::NotFound) => failure::not_found(words),
        Some(ErrorKind::RateLimit) => failure::rate_limit(told, words),
        Some(ErrorKind::Timeout) => Failure::Timeout,
        Some(ErrorKind::Overloaded) => Failure::Overloaded,
        Some(ErrorKind::Api) | None => failure::of_status(told, words),
    })
}
