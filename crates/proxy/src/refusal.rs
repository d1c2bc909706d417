//! An answer of the proxy's own that is not a reply, in the shape the Anthropic protocol gives
//! errors, so that the page's codec reads both with the same eyes.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use wire::anthropic::ErrorKind;
use wire::anthropic::server::encode_error;

/// An error as one event inside a stream that has begun.
pub(crate) fn event(kind: ErrorKind, message: &str) -> String {
    format!("event: error\ndata: {}\n\n", encode_error(kind, message))
}

/// A request that gets an error for an answer.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    kind: ErrorKind,
    message: String,
    also: Vec<(header::HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into(), also: Vec::new() }
    }

    /// Adds a header field to the answer.
    pub(crate) fn with(mut self, name: header::HeaderName, value: HeaderValue) -> Self {
        self.also.push((name, value));
        self
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(encode_error(self.kind, &self.message)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(self.also);
        response
    }
}
