//! Two hundred replies at once, in all four protocols, through the program as it is built: what
//! memory they take, how long an event is on its way, how soon an abort reaches the upstream.
//!
//! `cargo bench -p proxy` prints the figures, and fails where one is out of its bounds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark that cannot go on has failed"
)]

use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body_util::{BodyExt, Full};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use wire::provider::Provider;

const STREAMS: usize = 200;
const ROUNDS: usize = 20;
const PROVIDERS: [Provider; 4] =
    [Provider::Anthropic, Provider::OpenAiChat, Provider::OpenAiResponses, Provider::Ollama];
const EVENT: &str = "{\"type\":\"ping\",\"done\":false}\n\n";

/// What the proxy may take over what it takes idle, in kB.
const GROWTH_MAX_KB: u64 = 40_000;
const ABORT_MAX: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::main]
async fn main() {
    let (upstream, mut asked) = Upstream::start().await;
    let proxy = Proxy::start(upstream.port).await;
    // The first of all requests brings what every later one shares.
    let warm = Stream::open(&proxy, Provider::Anthropic, &mut asked).await;
    drop(warm);
    let idle = proxy.memory();

    let mut streams = Vec::new();
    for at in 0..STREAMS {
        streams.push(Stream::open(&proxy, PROVIDERS[at % PROVIDERS.len()], &mut asked).await);
    }
    let mut alone = Vec::new();
    for _ in 0..ROUNDS {
        for stream in &mut streams {
            let sent = Instant::now();
            stream.send();
            stream.receive().await;
            alone.push(sent.elapsed());
        }
    }
    let mut together = Vec::new();
    for _ in 0..ROUNDS {
        let sent: Vec<Instant> = streams
            .iter()
            .map(|stream| {
                stream.send();
                Instant::now()
            })
            .collect();
        for (stream, sent) in streams.iter_mut().zip(sent) {
            stream.receive().await;
            together.push(sent.elapsed());
        }
    }
    let open = proxy.memory();
    let mut aborts = Vec::new();
    for stream in streams {
        aborts.push(stream.abort().await);
    }

    upstream.flood.store(1, Ordering::Relaxed);
    let mut unread = Vec::new();
    for at in 0..STREAMS {
        unread.push(Page::ask(&proxy, PROVIDERS[at % PROVIDERS.len()]).await);
    }
    upstream.stalled().await;
    let flooded = proxy.memory();
    drop(unread);

    println!("{STREAMS} streams, {} of each of four protocols", STREAMS / PROVIDERS.len());
    println!(
        "memory: {} kB idle, {} kB with all open, {} kB with all flooded and none read, {} kB \
              at most",
        idle.now, open.now, flooded.now, flooded.most
    );
    println!("an event, one at a time:  {}", Times::of(alone));
    println!("an event, all at once:    {}", Times::of(together));
    let aborts = Times::of(aborts);
    println!("an abort to the upstream: {aborts}");
    assert!(flooded.most - idle.now <= GROWTH_MAX_KB, "more memory than {GROWTH_MAX_KB} kB");
    assert!(aborts.most <= ABORT_MAX, "an abort took longer than {ABORT_MAX:?}");
}

/// Durations, sorted.
struct Times {
    median: Duration,
    late: Duration,
    most: Duration,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        Self { median: at(50), late: at(99), most: at(100) }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { median, late, most } = self;
        write!(f, "median {median:.1?}, 99 of 100 within {late:.1?}, at most {most:.1?}")
    }
}

/// The program, as a household would start it.
struct Proxy {
    child: Child,
    port: u16,
    token: String,
}

/// What a process takes, in kB.
struct Memory {
    now: u64,
    most: u64,
}

impl Proxy {
    async fn start(upstream: u16) -> Self {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench.toml");
        let section = |name: &str, path: &str| {
            format!(
                "[{name}]\nbase_url = \"http://127.0.0.1:{upstream}{path}\"\nmodels = [\"m\"]\n"
            )
        };
        let key = "api_key = \"k\"\n";
        let text = format!(
            "{}{key}{}{key}{}[limits]\nstreams = {STREAMS}\n",
            section("anthropic", ""),
            section("openai", "/v1"),
            section("ollama", "")
        );
        std::fs::write(&path, text).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_proxy"))
            .args(["--port", "0", "--config"])
            .arg(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = log.next_line().await.unwrap().unwrap();
        let port = line.split("127.0.0.1:").nth(1).and_then(|it| it.split(' ').next());
        let port = port.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
        tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
        let told = BufReader::new(child.stdout.as_mut().unwrap()).lines().next_line().await;
        let token = told.unwrap().unwrap().rsplit(' ').next().unwrap_or_default().to_owned();
        Self { child, port, token }
    }

    fn memory(&self) -> Memory {
        let status = format!("/proc/{}/status", self.child.id().unwrap());
        let status = std::fs::read_to_string(status).expect("memory is read from /proc");
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        Memory { now: field("VmRSS:"), most: field("VmHWM:") }
    }
}

/// A page that waits for a reply.
struct Page {
    response: hyper::Response<Incoming>,
    connection: JoinHandle<()>,
}

impl Page {
    async fn ask(proxy: &Proxy, provider: Provider) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(async move {
            let _ = connection.await;
        });
        let request = hyper::Request::post(provider.endpoint())
            .header("host", format!("127.0.0.1:{}", proxy.port))
            .header("x-kitchen-assistant", &proxy.token)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(json!({ "model": "m", "stream": true }).to_string())))
            .unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        Self { response, connection }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// One reply, held at both its ends.
struct Stream {
    page: Page,
    upstream: Asked,
}

impl Stream {
    async fn open(
        proxy: &Proxy,
        provider: Provider,
        asked: &mut mpsc::UnboundedReceiver<Asked>,
    ) -> Self {
        let page = Page::ask(proxy, provider).await;
        Self { page, upstream: asked.recv().await.unwrap() }
    }

    fn send(&self) {
        self.upstream.pieces.send(EVENT.into()).unwrap();
    }

    async fn receive(&mut self) {
        let frame = timeout(PATIENCE, self.page.response.body_mut().frame()).await;
        let frame = frame.expect("the event did not come").unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), EVENT);
    }

    /// Goes away as a page does that is closed; how long the upstream did not know.
    async fn abort(self) -> Duration {
        let Self { page, upstream } = self;
        let left = Instant::now();
        drop(page);
        let _ = timeout(PATIENCE, upstream.gone).await.expect("the abort did not arrive");
        left.elapsed()
    }
}

/// A request that arrived at the upstream.
struct Asked {
    pieces: mpsc::UnboundedSender<Bytes>,
    gone: oneshot::Receiver<()>,
}

/// Stands where the providers would.
struct Upstream {
    port: u16,
    /// Whether replies come of themselves and without end.
    flood: Arc<AtomicUsize>,
    /// How many pieces the flood had.
    poured: Arc<AtomicUsize>,
}

impl Upstream {
    async fn start() -> (Self, mpsc::UnboundedReceiver<Asked>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, asked) = mpsc::unbounded_channel();
        let (flood, poured) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let this = Self { port, flood: Arc::clone(&flood), poured: Arc::clone(&poured) };
        let router = axum::Router::new().fallback(async move |request: axum::extract::Request| {
            request.into_body().collect().await.unwrap();
            let body = if flood.load(Ordering::Relaxed) == 0 {
                let (pieces, from) = mpsc::unbounded_channel();
                let (held, gone) = oneshot::channel();
                tell.send(Asked { pieces, gone }).unwrap();
                Body::new(Script { from, _held: held })
            } else {
                Body::new(Flood(Arc::clone(&poured)))
            };
            let mut response = Response::new(body);
            let kind = "text/event-stream".parse().unwrap();
            response.headers_mut().insert("content-type", kind);
            response
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        (this, asked)
    }

    /// Waits until nobody takes any more of the flood.
    async fn stalled(&self) {
        let mut before = 0;
        loop {
            sleep(Duration::from_millis(500)).await;
            let now = self.poured.load(Ordering::Relaxed);
            if now == before {
                return;
            }
            before = now;
        }
    }
}

/// A reply written by the benchmark.
struct Script {
    from: mpsc::UnboundedReceiver<Bytes>,
    _held: oneshot::Sender<()>,
}

impl hyper::body::Body for Script {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.from.poll_recv(context).map(|it| it.map(|piece| Ok(Frame::data(piece))))
    }
}

/// A reply without end.
struct Flood(Arc<AtomicUsize>);

impl hyper::body::Body for Flood {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 16_384])))))
    }
}
