//! Passes a request on to Anthropic, and nothing but the request.
//!
//! What goes out is built anew: one fixed address, a fixed set of header fields, the body as it
//! came once it has been looked at. No redirect is followed.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;
use wire::anthropic::{self, ErrorKind};

use crate::ask;
use crate::config::{Anthropic, ApiKey};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::reply::{self, Exchange};

const PROTOCOL_VERSION: HeaderValue = HeaderValue::from_static(anthropic::VERSION);
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("kitchen-assistant-proxy/", env!("CARGO_PKG_VERSION")));
const ERROR_BYTES: usize = 64_000;

/// The way to one provider.
#[derive(Debug)]
pub(crate) struct Upstream {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    address: Uri,
    settings: Anthropic,
}

/// What is looked at in a request. A field given twice is refused: which one counts is for every
/// reader to choose, and the provider's choice costs money.
#[derive(Deserialize)]
struct Asked {
    model: String,
    max_tokens: u64,
}

impl Upstream {
    pub(crate) fn new(settings: Anthropic, limits: &Limits) -> Self {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(limits.connect_time));
        let https = HttpsConnectorBuilder::new()
            .with_webpki_roots()
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(limits.streams)
            .build(https);
        let address = address(&settings.base);
        Self { client, address, settings }
    }

    /// What is missing before it can be used.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        match self.settings.key {
            Some(_) => None,
            None => Some("no key; set ANTHROPIC_API_KEY and start again"),
        }
    }

    pub(crate) fn models(&self) -> &[String] {
        &self.settings.models
    }

    /// Answers the page with what the provider answers.
    pub(crate) async fn forward(
        &self,
        exchange: Exchange,
        request: Request,
    ) -> Result<Response, Refusal> {
        let Some(key) = &self.settings.key else {
            return Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                ErrorKind::Authentication,
                "There is no key for Claude, so nothing was sent. Set ANTHROPIC_API_KEY and start \
                 again, or choose the built-in model.",
            ));
        };
        let body = ask::read(request, &exchange.limits).await?;
        self.judge(&body, &exchange.limits)?;
        let response = self.send(&exchange, key, body).await?;
        let kind = response.headers().get(header::CONTENT_TYPE).cloned();
        let retry_after = response.headers().get(header::RETRY_AFTER).cloned();
        let (parts, from) = response.into_parts();
        let mut answer = match kind {
            Some(kind) if parts.status.is_success() && is_reply(&kind) => {
                reply::pass_on(exchange, parts.status, kind, from)
            }
            Some(_) | None => explain(parts.status, from, key, &exchange.limits).await,
        };
        if let Some(wait) = retry_after {
            answer.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        Ok(answer)
    }

    /// Refuses what is not JSON, another model than was chosen, and more tokens than any reply
    /// needs.
    fn judge(&self, body: &Bytes, limits: &Limits) -> Result<(), Refusal> {
        let refuse = |message: String| {
            Refusal::new(StatusCode::BAD_REQUEST, ErrorKind::InvalidRequest, message)
        };
        let asked: Asked = serde_json::from_slice(body).map_err(|error| {
            refuse(format!("The request could not be read and was not passed on: {error}."))
        })?;
        if !self.settings.models.contains(&asked.model) {
            return Err(Refusal::new(
                StatusCode::NOT_FOUND,
                ErrorKind::NotFound,
                format!(
                    "The model {:?} is not among those this proxy uses, so nothing was sent. \
                     Choose one of {}, or add it to ANTHROPIC_MODELS and start again.",
                    asked.model.chars().take(128).collect::<String>(),
                    self.settings.models.join(", ")
                ),
            ));
        }
        if asked.max_tokens > limits.max_tokens {
            return Err(refuse(format!(
                "The request asks for {} tokens, more than the {} this proxy allows. Nothing was \
                 sent.",
                asked.max_tokens, limits.max_tokens
            )));
        }
        Ok(())
    }

    async fn send(
        &self,
        exchange: &Exchange,
        key: &ApiKey,
        body: Bytes,
    ) -> Result<hyper::Response<Incoming>, Refusal> {
        let mut request = hyper::Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.address.clone();
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, JSON);
        headers.insert(
            header::ACCEPT,
            HeaderValue::from_static("text/event-stream, application/json"),
        );
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(header::USER_AGENT, USER_AGENT);
        headers.insert("anthropic-version", PROTOCOL_VERSION);
        if let Some(key) = key.header() {
            headers.insert("x-api-key", key);
        }
        let limits = &exchange.limits;
        let mut stopping = exchange.stopping.clone();
        let response = tokio::select! {
            biased;
            _ = stopping.wait_for(|it| *it) => return Err(Refusal::new(
                StatusCode::BAD_GATEWAY,
                ErrorKind::Api,
                "The proxy was stopped before an answer came. Start it again, then try again.",
            )),
            response = timeout(limits.idle_time, self.client.request(request)) => response,
        };
        match response {
            Err(_) => Err(silent(limits)),
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.is_connect() => Err(Refusal::new(
                StatusCode::BAD_GATEWAY,
                ErrorKind::Api,
                "Claude could not be reached, so nothing was sent. Look whether this machine is \
                 online, then try again.",
            )),
            Ok(Err(_)) => Err(Refusal::new(
                StatusCode::BAD_GATEWAY,
                ErrorKind::Api,
                "The connection to Claude broke before an answer came. Try again.",
            )),
        }
    }
}

fn silent(limits: &Limits) -> Refusal {
    Refusal::new(
        StatusCode::GATEWAY_TIMEOUT,
        ErrorKind::Timeout,
        format!("Claude did not answer within {}. Try again.", reply::words(limits.idle_time)),
    )
}

/// A page of HTML, say, must never come from our own origin.
fn is_reply(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("text/event-stream")
        || essence.eq_ignore_ascii_case("application/json")
}

/// The provider's own words about a failure, without the key, if it has any; else ours.
async fn explain(status: StatusCode, from: Incoming, key: &ApiKey, limits: &Limits) -> Response {
    let body = timeout(limits.idle_time, Limited::new(from, ERROR_BYTES).collect()).await;
    let words = match body {
        Ok(Ok(body)) => String::from_utf8(body.to_bytes().into()).ok(),
        Ok(Err(_)) | Err(_) => None,
    };
    let words = words.filter(|it| matches!(serde_json::from_str(it), Ok(Value::Object(_))));
    if let Some(words) = words
        && (status.is_client_error() || status.is_server_error())
    {
        let mut answer = Response::new(Body::from(key.blot(&words)));
        *answer.status_mut() = status;
        answer.headers_mut().insert(header::CONTENT_TYPE, JSON);
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return answer;
    }
    let (shown, what) = if status.is_redirection() {
        (StatusCode::BAD_GATEWAY, "pointed to another address, which is not followed")
    } else if status.is_success() {
        (StatusCode::BAD_GATEWAY, "sent something that is no reply")
    } else {
        (status, "failed without saying why")
    };
    let message = format!("Claude {what} (status {}). Try again.", status.as_u16());
    let kind = match status {
        StatusCode::UNAUTHORIZED => ErrorKind::Authentication,
        StatusCode::FORBIDDEN => ErrorKind::Permission,
        StatusCode::NOT_FOUND => ErrorKind::NotFound,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorKind::RequestTooLarge,
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::RateLimit,
        other if other.as_u16() == 529 => ErrorKind::Overloaded,
        other if other.is_client_error() => ErrorKind::InvalidRequest,
        _ => ErrorKind::Api,
    };
    Refusal::new(shown, kind, message).into_response()
}

/// The base is judged when the settings are read, so joining it to the path cannot fail.
fn address(base: &Uri) -> Uri {
    let path = format!("{}/{}", base.path().trim_end_matches('/'), anthropic::PATH);
    let mut parts = base.clone().into_parts();
    parts.path_and_query = path.parse().ok();
    Uri::from_parts(parts).unwrap_or_else(|_| base.clone())
}
