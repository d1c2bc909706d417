//! Who is let in. Every request passes here before its body is read.
//!
//! The proxy holds a key that costs money, and any page in any tab can send requests to this
//! machine. What keeps them out: the exact `Host` (a foreign name made to point here is refused),
//! a header field of our own (a page elsewhere cannot set it without a preflight, and none is ever
//! answered), and the browser's own word on where the request comes from.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use wire::anthropic::ErrorKind;
use wire::provider::APP_HEADER_VALUE;

use crate::refusal::Refusal;

const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const APP_HEADER: HeaderName = HeaderName::from_static(wire::provider::APP_HEADER);
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const HERE: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The names under which the proxy, and in development the page's own server, may be called.
#[derive(Debug)]
pub(crate) struct Guard {
    own_hosts: Vec<String>,
    page_hosts: Vec<String>,
    origins: Vec<String>,
}

impl Guard {
    pub(crate) fn new(port: u16, page_port: Option<u16>) -> Self {
        let own_hosts = hosts(port);
        let page_hosts = page_port.map(hosts).unwrap_or_default();
        let origins =
            own_hosts.iter().chain(&page_hosts).map(|host| format!("http://{host}")).collect();
        Self { own_hosts, page_hosts, origins }
    }

    fn judge(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        if headers.contains_key(header::UPGRADE) || request.method() == Method::CONNECT {
            return Err(Refusal::new(
                StatusCode::BAD_REQUEST,
                ErrorKind::InvalidRequest,
                "This server speaks plain HTTP and does not change to another protocol.",
            ));
        }
        if request.uri().authority().is_some() {
            return Err(Refusal::new(
                StatusCode::BAD_REQUEST,
                ErrorKind::InvalidRequest,
                "This server answers for itself only. Ask for a path, not for another address.",
            ));
        }
        if !self.knows_host(headers) {
            return Err(Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                ErrorKind::InvalidRequest,
                "This server does not go by that name. Open the address it printed at the start.",
            ));
        }
        if crate::server::is_api(request.uri().path()) {
            self.judge_origin(headers)?;
            judge_content(request)?;
        }
        Ok(())
    }

    /// `trunk serve` puts the bare name of its backend in `Host` and what the browser asked for in
    /// `X-Forwarded-Host`. No browser sends a bare name to this port, so one is taken only with a
    /// forwarded host of the page's, and a forwarded host counts wherever it stands: a foreign name
    /// pointed at the page's server arrives that way.
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let Some(host) = only(headers, &header::HOST) else { return false };
        if !headers.contains_key(&FORWARDED_HOST) {
            return self.own_hosts.iter().any(|it| it == host);
        }
        let forwarded = only(headers, &FORWARDED_HOST);
        self.page_hosts.iter().any(|it| Some(it.as_str()) == forwarded)
            && (HERE.contains(&host) || self.own_hosts.iter().any(|it| it == host))
    }

    fn judge_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let foreign =
            |message| Refusal::new(StatusCode::FORBIDDEN, ErrorKind::InvalidRequest, message);
        if only(headers, &APP_HEADER) != Some(APP_HEADER_VALUE) {
            return Err(foreign(
                "Only the Kitchen Assistant page may ask here. The request was not passed on.",
            ));
        }
        let origin = only(headers, &header::ORIGIN);
        let known = origin.is_some_and(|it| self.origins.iter().any(|origin| origin == it));
        if headers.contains_key(header::ORIGIN) && !known {
            return Err(foreign(
                "The request came from another page. It was not passed on. In development, start \
                 the proxy with --page-port and the port of the page.",
            ));
        }
        let site = only(headers, &FETCH_SITE);
        if headers.contains_key(&FETCH_SITE) && !matches!(site, Some("same-origin" | "none")) {
            return Err(foreign("The request came from another page. It was not passed on."));
        }
        Ok(())
    }
}

/// Lets a request through to its route, or answers it here.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    match guard.judge(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// A form of another page can post without asking, but never as JSON.
fn judge_content(request: &Request) -> Result<(), Refusal> {
    if request.method() != Method::POST {
        return Ok(());
    }
    let kind = only(request.headers(), &header::CONTENT_TYPE).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorKind::InvalidRequest,
        "The request must be JSON, with the content type application/json. It was not passed on.",
    ))
}

/// The field's value if it is there exactly once, and text.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(HeaderValue::to_str), values.next()) {
        (Some(Ok(value)), None) => Some(value),
        (Some(_) | None, _) => None,
    }
}

/// A browser leaves port 80 out of what it sends.
fn hosts(port: u16) -> Vec<String> {
    let bare = HERE.into_iter().filter(|_| port == 80).map(str::to_owned);
    HERE.into_iter().map(|name| format!("{name}:{port}")).chain(bare).collect()
}
