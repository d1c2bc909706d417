//! Reads the body of a request, within its bounds.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::BodyExt;
use tokio::time::timeout;
use wire::anthropic::ErrorKind;

use crate::limits::Limits;
use crate::refusal::Refusal;

/// How much of a body that is too long is thrown away, and for how long, so that the sender gets
/// to read why: a connection closed while it is still sending loses the answer.
const DISCARD_BYTES: usize = 64_000_000;
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// The whole body, or why not.
pub(crate) async fn read(request: Request, limits: &Limits) -> Result<Bytes, Refusal> {
    if declared_length(request.headers()).is_some_and(|length| length > limits.body_bytes) {
        discard(request.into_body());
        return Err(too_large(limits));
    }
    match timeout(limits.body_time, collect(request.into_body(), limits)).await {
        Ok(result) => result,
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            ErrorKind::Timeout,
            format!(
                "The request did not arrive whole within {} seconds. Nothing was passed on. Try \
                 again.",
                limits.body_time.as_secs()
            ),
        )
        .with(header::CONNECTION, HeaderValue::from_static("close"))),
    }
}

async fn collect(mut body: Body, limits: &Limits) -> Result<Bytes, Refusal> {
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                ErrorKind::InvalidRequest,
                "The request broke off. Nothing was passed on. Try again.",
            )
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if whole.len() + data.len() > limits.body_bytes {
            discard(body);
            return Err(too_large(limits));
        }
        whole.extend_from_slice(&data);
    }
    Ok(whole.into())
}

fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(limits: &Limits) -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::RequestTooLarge,
        format!(
            "The request is larger than {} MB and was not passed on. Begin a new conversation, \
             which sends less.",
            limits.body_bytes / 1_000_000
        ),
    )
    .with(header::CONNECTION, HeaderValue::from_static("close"))
}

fn discard(mut body: Body) {
    tokio::spawn(timeout(DISCARD_TIME, async move {
        let mut length = 0;
        while let Some(Ok(frame)) = body.frame().await {
            length += frame.data_ref().map_or(0, Bytes::len);
            if length > DISCARD_BYTES {
                return;
            }
        }
    }));
}
