//! An answer that is not a reply, in a shape that the client of each protocol reads.
//!
//! The proxy's own words have the shape the Anthropic protocol gives errors; what reads the
//! protocols of OpenAI finds all it looks for in it. Ollama's has a shape of its own.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use wire::anthropic::ErrorKind;
use wire::anthropic::server::encode_error;
use wire::protocol::Protocol;

/// An error as one event inside a stream that has begun.
pub(crate) fn event(protocol: Protocol, kind: ErrorKind, message: &str) -> String {
    let error = encode(protocol, kind, message);
    match protocol {
        Protocol::Anthropic | Protocol::OpenAiChat | Protocol::OpenAiResponses => {
            format!("event: error\ndata: {error}\n\n")
        }
        Protocol::Ollama => format!("{error}\n"),
    }
}

fn encode(protocol: Protocol, kind: ErrorKind, message: &str) -> String {
    match protocol {
        Protocol::Anthropic | Protocol::OpenAiChat | Protocol::OpenAiResponses => {
            encode_error(kind, message)
        }
        Protocol::Ollama => json!({ "error": message, "code": kind.name() }).to_string(),
    }
}

/// A request that gets an error for an answer.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    words: Words,
    protocol: Protocol,
    also: Vec<(header::HeaderName, HeaderValue)>,
}

#[derive(Debug)]
enum Words {
    Own(ErrorKind, String),
    /// JSON of the provider, as it came.
    Provider(String),
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::saying(status, Words::Own(kind, message.into()))
    }

    /// What a provider said about a failure: JSON.
    pub(crate) fn of_provider(status: StatusCode, words: String) -> Self {
        Self::saying(status, Words::Provider(words))
    }

    fn saying(status: StatusCode, words: Words) -> Self {
        Self { status, words, protocol: Protocol::Anthropic, also: Vec::new() }
    }

    /// Whether the key is not taken. A key that is taken and may not do this is another matter.
    pub(crate) fn is_of_the_key(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// Adds a header field to the answer.
    pub(crate) fn with(mut self, name: header::HeaderName, value: HeaderValue) -> Self {
        self.also.push((name, value));
        self
    }

    /// Says it to a client of this protocol.
    pub(crate) fn for_client_of(mut self, protocol: Protocol) -> Self {
        self.protocol = protocol;
        self
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = match self.words {
            Words::Own(kind, message) => encode(self.protocol, kind, &message),
            Words::Provider(words) => words,
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(self.also);
        response
    }
}
