//! Serves the built-in model as a provider: in its protocol, streamed, without a key.

use std::hash::{BuildHasher, Hasher, RandomState};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use wire::anthropic::ErrorKind;
use wire::anthropic::server::{Envelope, decode_request, encode_stream, encode_whole};
use wire::error::WireError;

use crate::ask;
use crate::refusal::Refusal;
use crate::reply::{self, Exchange};

/// Answers the page with what the rules say.
pub(crate) async fn answer(exchange: Exchange, request: Request) -> Result<Response, Refusal> {
    let body = ask::read(request, &exchange.limits).await?;
    let asked = decode_request(&body).map_err(|error| {
        let words = format!("The built-in model could not read the request: {error}.");
        Refusal::new(StatusCode::BAD_REQUEST, ErrorKind::InvalidRequest, words)
    })?;
    let said = builtin::reply(&asked.request);
    let id = message_id();
    let envelope = Envelope { id: &id, model: &asked.model };
    if asked.stream {
        let frames = encode_stream(&said, envelope).map_err(unsayable)?;
        let frames = frames.into_iter().map(Bytes::from).collect();
        let kind = HeaderValue::from_static("text/event-stream; charset=utf-8");
        Ok(reply::send_frames(exchange, kind, frames))
    } else {
        let whole = encode_whole(&said, envelope).map_err(unsayable)?;
        let kind = HeaderValue::from_static("application/json");
        Ok(reply::answer(StatusCode::OK, kind, Body::from(whole)))
    }
}

fn unsayable(error: WireError) -> Refusal {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        ErrorKind::Api,
        format!(
            "The built-in model made a reply that cannot be sent ({error}). Say it another way."
        ),
    )
}

/// New each time, as a provider's is.
fn message_id() -> String {
    format!("msg_{:016x}", RandomState::new().build_hasher().finish())
}
