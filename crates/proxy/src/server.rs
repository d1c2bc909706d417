//! Listens on this machine, takes connections and hands each request to its route.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, timeout};
use wire::anthropic::ErrorKind;
use wire::protocol::Protocol;
use wire::provider::Provider;

use crate::config::Config;
use crate::connections::{Connection, Connections};
use crate::guard::{self, Guard};
use crate::limits::Limits;
use crate::log::Log;
use crate::page::{self, Page, PageError};
use crate::policy;
use crate::refusal::Refusal;
use crate::reply::Exchange;
use crate::token::Token;
use crate::upstream::{self, Upstream};
use crate::vendor::{PerVendor, Vendor};
use crate::{builtin_model, status};

pub(crate) const STATUS: &str = "/api/status";
const PATH_IN_LOG_CHARS: usize = 200;

/// Why the proxy could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program listens there.
    #[error("port {0} is in use by another program; stop that, or choose another with --port")]
    PortInUse(u16),
    /// The system does not let it listen there.
    #[error("cannot listen on port {port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The system has no randomness for the token.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The page cannot be served.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// A running proxy. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    token: Token,
    stop: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

impl Server {
    /// Reads the page, listens and begins to answer.
    ///
    /// # Errors
    ///
    /// The page or the port cannot be used. Nothing listens then.
    pub async fn start(config: Config, log: Log) -> Result<Self, StartError> {
        let token = Token::fresh().map_err(StartError::Random)?;
        let page = config.dist.as_deref().map(Page::load).transpose()?;
        let (first, second) = listen(config.port).await?;
        let listening = |source| StartError::Listen { port: config.port, source };
        let port = first.local_addr().map_err(listening)?.port();
        let (stop, stopping) = watch::channel(false);
        let client = upstream::client(&config.limits);
        let upstreams = config.upstreams.map(|it| Upstream::new(client.clone(), it));
        let ready: Vec<String> =
            Vendor::ALL.map(|it| upstreams.of(it).for_log()).into_iter().collect();
        log.line(&format!(
            "listening on http://127.0.0.1:{port} (built-in model: ready; {})",
            ready.join("; ")
        ));
        let limits = config.limits.clone();
        let app = Arc::new(App {
            upstreams,
            page,
            places: Arc::new(Semaphore::new(config.limits.streams)),
            limits: config.limits,
            stopping: stopping.clone(),
            log: log.clone(),
        });
        let router = routes(app, Guard::new(port, config.page_port, token.clone()));
        let doors = Doors { first, second, limits, stopping, log };
        let accepting = tokio::spawn(doors.accept(router));
        Ok(Self { port, token, stop, accepting })
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What a program that is not the page sends in [`wire::provider::APP_HEADER`]. Each start has
    /// its own.
    #[must_use]
    pub fn token(&self) -> &str {
        self.token.word()
    }

    /// Takes no more requests, tells the pages that wait, and closes.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        // The task can only fail by a panic, which has been printed.
        let _ = self.accepting.await;
    }
}

/// What every route can reach.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) upstreams: PerVendor<Upstream>,
    page: Option<Page>,
    places: Arc<Semaphore>,
    pub(crate) limits: Limits,
    pub(crate) stopping: watch::Receiver<bool>,
    log: Log,
}

impl App {
    async fn answer(&self, provider: Provider, request: Request) -> Result<Response, Refusal> {
        let exchange = self.begin(provider)?;
        match Vendor::of(provider) {
            None => builtin_model::answer(exchange, request).await,
            Some(vendor) => self.upstreams.of(vendor).forward(exchange, request).await,
        }
    }

    /// Takes a place among the replies that stream at once.
    fn begin(&self, provider: Provider) -> Result<Exchange, Refusal> {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorKind::Overloaded,
                format!(
                    "{} replies are on their way already, which is as many as there may be. Wait \
                     for one to end, or stop one, then try again.",
                    self.limits.streams
                ),
            )
            .with(header::RETRY_AFTER, HeaderValue::from_static("5")));
        };
        Ok(Exchange {
            provider,
            began: Instant::now(),
            place,
            stopping: self.stopping.clone(),
            limits: self.limits.clone(),
            log: self.log.clone(),
        })
    }
}

/// Whether a path belongs to the models, and not to the page.
pub(crate) fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// The protocol of whoever asks for a path: what is refused is said in its shape.
pub(crate) fn protocol_at(path: &str) -> Protocol {
    let upstream = path.strip_prefix("/api/").and_then(|rest| rest.split('/').next());
    let mut known = Provider::ALL.into_iter();
    known.find(|it| Some(it.upstream()) == upstream).map_or(Protocol::Anthropic, Provider::protocol)
}

fn routes(app: Arc<App>, guard: Guard) -> Router {
    let mut router = Router::new().route(
        STATUS,
        get(async |State(app): State<Arc<App>>, asked: Uri| status::report(&app, &asked).await),
    );
    for provider in Provider::ALL {
        let answer = async move |State(app): State<Arc<App>>, request: Request| {
            let answer = app.answer(provider, request).await;
            answer.map_err(|refusal| refusal.for_client_of(provider.protocol()))
        };
        router = router.route(&provider.endpoint(), post(answer));
    }
    for vendor in Vendor::ALL {
        let list = async move |State(app): State<Arc<App>>| {
            let list = app.upstreams.of(vendor).answer_list(&app.limits, &app.stopping).await;
            list.map_err(|refusal| refusal.for_client_of(vendor.facts().list_protocol))
        };
        router = router.route(&vendor.list_endpoint(), get(list));
    }
    router
        .fallback(other)
        .method_not_allowed_fallback(wrong_method)
        .with_state(Arc::clone(&app))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
        .layer(middleware::from_fn_with_state(app, accompany))
}

async fn other(State(app): State<Arc<App>>, request: Request) -> Response {
    let path = request.uri().path();
    if is_api(path) {
        return Refusal::new(
            StatusCode::NOT_FOUND,
            ErrorKind::NotFound,
            "There is no such address here. Nothing was passed on.",
        )
        .for_client_of(protocol_at(path))
        .into_response();
    }
    if !page::is_reading(request.method()) {
        return wrong_method(request).await.into_response();
    }
    match &app.page {
        Some(page) => page.serve(path, request.headers()),
        None => page::absent(path),
    }
}

async fn wrong_method(request: Request) -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        ErrorKind::InvalidRequest,
        "This address does not take requests of this kind. Nothing was passed on.",
    )
    .for_client_of(protocol_at(request.uri().path()))
}

/// Logs a request and puts the page's header fields on its answer.
async fn accompany(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method: Method = request.method().clone();
    let path: String = request.uri().path().chars().take(PATH_IN_LOG_CHARS).collect();
    let mut response = next.run(request).await;
    policy::apply(response.headers_mut());
    app.log.line(&format!(
        "{method} {} {} after {} ms",
        path.escape_debug(),
        response.status().as_u16(),
        began.elapsed().as_millis()
    ));
    response
}

/// The listening sockets. The second is there where the system knows `::1`.
struct Doors {
    first: TcpListener,
    second: Option<TcpListener>,
    limits: Limits,
    stopping: watch::Receiver<bool>,
    log: Log,
}

impl Doors {
    async fn accept(mut self, router: Router) {
        let open = Connections::new(self.limits.connections);
        let mut serving = JoinSet::new();
        loop {
            while serving.try_join_next().is_some() {}
            let accepted = tokio::select! {
                _ = self.stopping.wait_for(|it| *it) => break,
                accepted = next(&self.first, self.second.as_ref(), &open) => accepted,
            };
            match accepted {
                Ok((stream, connection)) => {
                    let (limits, stopping) = (self.limits.clone(), self.stopping.clone());
                    serving.spawn(connection.serve(stream, router.clone(), limits, stopping));
                }
                Err(error) => {
                    self.log.line(&format!("a connection could not be taken: {error}"));
                    tokio::time::sleep(self.limits.refused_time).await;
                }
            }
        }
        drop((self.first, self.second));
        let ended = async { while serving.join_next().await.is_some() {} };
        if timeout(self.limits.stop_time, ended).await.is_err() {
            self.log.line("some connections did not end in time and were cut");
        }
        serving.shutdown().await;
    }
}

/// The next connection, once there is room for it: one that is idle leaves only when another came.
async fn next(
    first: &TcpListener,
    second: Option<&TcpListener>,
    open: &Arc<Connections>,
) -> io::Result<(TcpStream, Connection)> {
    let (stream, _) = match second {
        None => first.accept().await?,
        Some(second) => tokio::select! {
            accepted = first.accept() => accepted?,
            accepted = second.accept() => accepted?,
        },
    };
    stream.set_nodelay(true)?;
    Ok((stream, open.enter().await))
}

/// Only addresses that other machines cannot reach.
async fn listen(port: u16) -> Result<(TcpListener, Option<TcpListener>), StartError> {
    let failed = |source: io::Error| {
        if source.kind() == io::ErrorKind::AddrInUse {
            StartError::PortInUse(port)
        } else {
            StartError::Listen { port, source }
        }
    };
    let first = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await;
    let first = first.map_err(failed)?;
    let port = first.local_addr().map_err(failed)?.port();
    match TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port))).await {
        Ok(second) => Ok((first, Some(second))),
        // Another program at [::1] would get what a browser sends to localhost.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(failed(error)),
        // This machine has no IPv6.
        Err(_) => Ok((first, None)),
    }
}
