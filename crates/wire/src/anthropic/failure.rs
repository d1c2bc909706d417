//! The protocol's own names for what can go wrong.

/// What can go wrong, as the protocol names it.
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
