//! The way to one vendor: passes a request on, and nothing but the request.
//!
//! What goes out is built anew: one fixed address, a fixed set of header fields, the body once it
//! has been looked at. No redirect is followed.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use serde_json::Value;
use tokio::sync::{Mutex, watch};
use tokio::time::timeout;
use wire::anthropic::ErrorKind;
use wire::models;

use crate::config::UpstreamSettings;
use crate::limits::Limits;
use crate::list::Listed;
use crate::refusal::Refusal;
use crate::reply::{self, Exchange};
use crate::vendor::Facts;
use crate::{ask, asked};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const REPLIES: HeaderValue =
    HeaderValue::from_static("text/event-stream, application/x-ndjson, application/json");
const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("kitchen-assistant-proxy/", env!("CARGO_PKG_VERSION")));
const ERROR_BYTES: usize = 64_000;

/// What speaks HTTP for all of them.
pub(crate) type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// The way to one vendor.
#[derive(Debug)]
pub(crate) struct Upstream {
    client: HttpClient,
    pub(crate) settings: UpstreamSettings,
    /// The newest list of its models.
    pub(crate) listed: Mutex<Option<Listed>>,
}

pub(crate) fn client(limits: &Limits) -> HttpClient {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_connect_timeout(Some(limits.connect_time));
    let https = HttpsConnectorBuilder::new()
        .with_webpki_roots()
        .https_or_http()
        .enable_http1()
        .wrap_connector(http);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_max_idle_per_host(limits.streams)
        .http1_max_buf_size(limits.buffer_bytes)
        .build(https)
}

impl Upstream {
    pub(crate) fn new(client: HttpClient, settings: UpstreamSettings) -> Self {
        Self { client, settings, listed: Mutex::new(None) }
    }

    pub(crate) fn facts(&self) -> &'static Facts {
        self.settings.vendor.facts()
    }

    /// What is missing in the settings before it can be asked.
    pub(crate) fn missing(&self) -> Option<String> {
        let facts = self.facts();
        (facts.needs_key && self.settings.key.is_none())
            .then(|| format!("no key; set {} and start again", facts.key_variable))
    }

    /// What is missing where the vendor does not take the key.
    pub(crate) fn key_refused(&self) -> String {
        let Facts { title, key_variable, .. } = self.facts();
        format!(
            "{title} does not take the key; set {key_variable} to one that it takes and start again"
        )
    }

    /// Whether it can be asked, in the line the proxy starts with.
    pub(crate) fn for_log(&self) -> String {
        let facts = self.facts();
        match self.settings.key {
            Some(_) => format!("{}: ready", facts.title),
            None if facts.needs_key => {
                format!("{}: no key, set {}", facts.title, facts.key_variable)
            }
            None => format!("{}: at {}", facts.title, self.settings.base),
        }
    }

    /// Answers the page with what the vendor answers.
    pub(crate) async fn forward(
        &self,
        exchange: Exchange,
        request: Request,
    ) -> Result<Response, Refusal> {
        self.want_key()?;
        let limits = &exchange.limits;
        let protocol = exchange.provider.protocol();
        let body = ask::read(request, limits).await?;
        let body = asked::settle(&body, protocol, &self.settings, limits)?;
        let mut request = self.request(protocol.path(), "");
        *request.method_mut() = Method::POST;
        *request.body_mut() = Full::new(body);
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, JSON);
        headers.insert(header::ACCEPT, REPLIES);
        let response = self.send(request, limits, &exchange.stopping).await?;
        let kind = response.headers().get(header::CONTENT_TYPE).cloned();
        let retry_after = response.headers().get(header::RETRY_AFTER).cloned();
        let (parts, from) = response.into_parts();
        match kind {
            Some(kind) if parts.status.is_success() && is_reply(&kind) => {
                Ok(reply::pass_on(exchange, parts.status, kind, from))
            }
            Some(_) | None => {
                let refusal = self.explain(parts.status, from, limits).await;
                Err(match retry_after {
                    Some(wait) => refusal.with(header::RETRY_AFTER, wait),
                    None => refusal,
                })
            }
        }
    }

    /// The list of its models, as it gives it.
    pub(crate) async fn fetch_list(
        &self,
        limits: &Limits,
        stopping: &watch::Receiver<bool>,
    ) -> Result<Bytes, Refusal> {
        self.want_key()?;
        let facts = self.facts();
        let mut request = self.request(models::path(facts.list_protocol), facts.list_query);
        request.headers_mut().insert(header::ACCEPT, JSON);
        let asking = async {
            let response = self.send(request, limits, stopping).await?;
            let (parts, from) = response.into_parts();
            if !parts.status.is_success() {
                return Err(self.explain(parts.status, from, limits).await);
            }
            let body = Limited::new(from, limits.list_bytes).collect().await;
            body.map(|it| it.to_bytes()).map_err(|_| self.no_list())
        };
        match timeout(limits.list_time, asking).await {
            Ok(result) => result,
            Err(_) => Err(self.silent(limits.list_time)),
        }
    }

    /// What is said of something that is no list.
    pub(crate) fn no_list(&self) -> Refusal {
        Refusal::new(
            StatusCode::BAD_GATEWAY,
            ErrorKind::Api,
            format!("{} did not send a list of its models. Try again.", self.facts().title),
        )
    }

    fn want_key(&self) -> Result<(), Refusal> {
        let facts = self.facts();
        if !facts.needs_key || self.settings.key.is_some() {
            return Ok(());
        }
        Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            ErrorKind::Authentication,
            format!(
                "There is no key for {}, so nothing was sent. Set {} and start again, or choose the \
                 built-in model.",
                facts.title, facts.key_variable
            ),
        ))
    }

    /// A request with all that every one carries.
    fn request(&self, path: &str, query: &str) -> hyper::Request<Full<Bytes>> {
        let facts = self.facts();
        let mut request = hyper::Request::new(Full::default());
        *request.uri_mut() = address(&self.settings.base, facts.path_in_base, path, query);
        let headers = request.headers_mut();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(header::USER_AGENT, USER_AGENT);
        for &(name, value) in facts.fields {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let (name, scheme) = facts.key_field;
        if let Some(key) = self.settings.key.as_ref().and_then(|key| key.header(scheme)) {
            headers.insert(HeaderName::from_static(name), key);
        }
        request
    }

    async fn send(
        &self,
        request: hyper::Request<Full<Bytes>>,
        limits: &Limits,
        stopping: &watch::Receiver<bool>,
    ) -> Result<hyper::Response<Incoming>, Refusal> {
        let mut stopping = stopping.clone();
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
            Err(_) => Err(self.silent(limits.idle_time)),
            Ok(response) => response.map_err(|error| self.no_answer(&error)),
        }
    }

    fn no_answer(&self, error: &Error) -> Refusal {
        let facts = self.facts();
        let words = if error.is_connect() {
            format!(
                "{} could not be reached, so nothing was sent. {}",
                facts.title, facts.unreachable
            )
        } else {
            format!("The connection to {} broke before an answer came. Try again.", facts.title)
        };
        Refusal::new(StatusCode::BAD_GATEWAY, ErrorKind::Api, words)
    }

    fn silent(&self, waited: std::time::Duration) -> Refusal {
        let (title, waited) = (self.facts().title, reply::words(waited));
        Refusal::new(
            StatusCode::GATEWAY_TIMEOUT,
            ErrorKind::Timeout,
            format!("{title} did not answer within {waited}. Try again."),
        )
    }

    /// The vendor's own words about a failure, without the key, if it has any; else ours.
    async fn explain(&self, status: StatusCode, from: Incoming, limits: &Limits) -> Refusal {
        let body = timeout(limits.idle_time, Limited::new(from, ERROR_BYTES).collect()).await;
        let words = match body {
            Ok(Ok(body)) => String::from_utf8(body.to_bytes().into()).ok(),
            Ok(Err(_)) | Err(_) => None,
        };
        let words = words.filter(|it| matches!(serde_json::from_str(it), Ok(Value::Object(_))));
        if let Some(words) = words
            && (status.is_client_error() || status.is_server_error())
        {
            return Refusal::of_provider(status, self.blot(words));
        }
        let (shown, what) = if status.is_redirection() {
            (StatusCode::BAD_GATEWAY, "pointed to another address, which is not followed")
        } else if status.is_success() {
            (StatusCode::BAD_GATEWAY, "sent something that is no reply")
        } else {
            (status, "failed without saying why")
        };
        let title = self.facts().title;
        let message = format!("{title} {what} (status {}). Try again.", status.as_u16());
        Refusal::new(shown, kind_of(status), message)
    }

    /// The text without the key, should it stand there.
    pub(crate) fn blot(&self, text: String) -> String {
        match &self.settings.key {
            Some(key) => key.blot(&text),
            None => text,
        }
    }
}

fn kind_of(status: StatusCode) -> ErrorKind {
    match status {
        StatusCode::UNAUTHORIZED => ErrorKind::Authentication,
        StatusCode::FORBIDDEN => ErrorKind::Permission,
        StatusCode::NOT_FOUND => ErrorKind::NotFound,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorKind::RequestTooLarge,
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::RateLimit,
        other if other.as_u16() == 529 => ErrorKind::Overloaded,
        other if other.is_client_error() => ErrorKind::InvalidRequest,
        _ => ErrorKind::Api,
    }
}

/// A page of HTML, say, must never come from our own origin.
fn is_reply(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    ["text/event-stream", "application/x-ndjson", "application/json"]
        .iter()
        .any(|reply| essence.eq_ignore_ascii_case(reply))
}

/// The base is judged when the settings are read, so joining it to the path cannot fail.
fn address(base: &Uri, path_in_base: &str, path: &str, query: &str) -> Uri {
    let path = path.strip_prefix(path_in_base).unwrap_or(path);
    let path = format!("{}/{path}{query}", base.path().trim_end_matches('/'));
    let mut parts = base.clone().into_parts();
    parts.path_and_query = path.parse().ok();
    Uri::from_parts(parts).unwrap_or_else(|_| base.clone())
}

/// An answer of JSON that nobody keeps.
pub(crate) fn json_answer(body: Bytes) -> Response {
    reply::answer(StatusCode::OK, JSON, Body::from(body))
}
