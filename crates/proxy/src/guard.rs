//! Who is let in. Every request passes here before its body is read.
//!
//! The proxy holds a key that costs money, and any page in any tab can send requests to this
//! machine. What keeps them out: the exact `Host` (a foreign name made to point here is refused),
//! the browser's own word on where the request comes from, and a token in a header field of our own
//! (a page elsewhere cannot set it without a preflight, and none is ever answered).
//!
//! The page is told the token with each answer, since its browser vouches for it, and a page
//! elsewhere cannot read any. So a page that is open while the proxy is started anew learns the new
//! one from the refusal of the old one. It does not stand in the page itself, which in development
//! another server serves. A program without a browser has it from whoever started the proxy.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use wire::anthropic::ErrorKind;

use crate::refusal::Refusal;
use crate::server;
use crate::token::Token;

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
    token: Token,
}

impl Guard {
    pub(crate) fn new(port: u16, page_port: Option<u16>, token: Token) -> Self {
        let own_hosts = hosts(port);
        let page_hosts = page_port.map(hosts).unwrap_or_default();
        let origins =
            own_hosts.iter().chain(&page_hosts).map(|host| format!("http://{host}")).collect();
        Self { own_hosts, page_hosts, origins, token }
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
        if server::is_api(request.uri().path()) {
            self.judge_origin(headers)?;
            self.judge_token(request)?;
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

    /// What a browser says must be right, and whole: it says where a request comes from whenever it
    /// names an origin. A program that is no browser says neither.
    fn judge_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let has_origin = headers.contains_key(header::ORIGIN);
        if has_origin && !self.knows_origin(headers) {
            return Err(forbidden(
                "The request came from another page. It was not passed on. In development, start \
                 the proxy with --page-port and the port of the page.",
            ));
        }
        if !headers.contains_key(&FETCH_SITE) && has_origin {
            return Err(forbidden(
                "This browser does not say which page a request comes from, so it was not passed \
                 on. A newer browser does.",
            ));
        }
        if headers.contains_key(&FETCH_SITE) && !is_same_origin(headers) {
            return Err(forbidden("The request came from another page. It was not passed on."));
        }
        Ok(())
    }

    /// Only what the proxy has to offer is told without the token, and to the page alone: it asks
    /// that first.
    fn judge_token(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        if self.token.is(only(headers, &APP_HEADER)) {
            return Ok(());
        }
        let asks_status = request.method() == Method::GET && request.uri().path() == server::STATUS;
        if asks_status && self.is_page(headers) {
            return Ok(());
        }
        Err(forbidden(
            "Only the Kitchen Assistant page may ask here, and a program that sends the header \
             x-kitchen-assistant as the proxy printed it when it started. The request was not \
             passed on.",
        ))
    }

    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let origin = only(headers, &header::ORIGIN);
        origin.is_some_and(|it| self.origins.iter().any(|origin| origin == it))
    }

    /// Whether a browser vouches for it that the page asks.
    fn is_page(&self, headers: &HeaderMap) -> bool {
        let has_origin = headers.contains_key(header::ORIGIN);
        self.knows_host(headers)
            && is_same_origin(headers)
            && (!has_origin || self.knows_origin(headers))
    }
}

fn forbidden(message: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, ErrorKind::InvalidRequest, message)
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    only(headers, &FETCH_SITE) == Some("same-origin")
}

/// Lets a request through to its route, or answers it here; the page is told the token either way.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let told = server::is_api(path) && guard.is_page(request.headers());
    let mut response = match guard.judge(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.for_client_of(server::protocol_at(path)).into_response(),
    };
    if told {
        response.headers_mut().insert(APP_HEADER, guard.token.field());
    }
    response
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
