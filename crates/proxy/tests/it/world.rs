//! What the tests stand on: a proxy in this process, a client that can say anything, and a
//! provider that does what it is told.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use http_body_util::{BodyExt, Full};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::TokioIo;
use proxy::{ApiKey, Config, Limits, Log, PerVendor, Server, UpstreamSettings, Vendor};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc, oneshot};
use wire::protocol::Protocol;
use wire::provider::{APP_HEADER, Provider};

pub(crate) const KEY: &str = "sk-ant-canary-7f3a";
pub(crate) const MODEL: &str = "claude-test";
pub(crate) const ANTHROPIC: &str = "/api/anthropic/v1/messages";

/// Every provider that is reached through the proxy.
pub(crate) const REACHED: [Provider; 4] =
    [Provider::Anthropic, Provider::OpenAiChat, Provider::OpenAiResponses, Provider::Ollama];

/// A proxy under test.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    pub(crate) server: Server,
    log: Mutex<mpsc::UnboundedReceiver<String>>,
}

impl Proxy {
    /// A proxy before `upstream`, whoever is asked, with a key for each.
    pub(crate) async fn before(upstream: &Upstream) -> Self {
        Self::start(|config| upstream.stands_for_all(config)).await
    }

    /// A proxy with other settings. Its upstreams, if not set, are an address nobody listens at.
    pub(crate) async fn start(change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config {
            port: 0,
            page_port: None,
            dist: None,
            upstreams: PerVendor::try_new(|vendor| Ok::<_, Infallible>(settings(vendor))).unwrap(),
            limits: Limits::default(),
        };
        change(&mut config);
        let (lines, log) = mpsc::unbounded_channel();
        let sink = Log::to(move |line| {
            let _ = lines.send(line.to_owned());
        });
        let server = Server::start(config, sink).await.unwrap();
        Self { port: server.port(), server, log: Mutex::new(log) }
    }

    /// A request as the page makes it for a provider.
    pub(crate) fn put_to(&self, provider: Provider) -> Ask {
        self.post(&provider.endpoint()).body(request_to(provider).to_string())
    }

    /// A request to Claude as the page makes it.
    pub(crate) fn post(&self, path: &str) -> Ask {
        self.ask(Method::POST, path)
            .with("content-type", "application/json")
            .body(messages().to_string())
    }

    pub(crate) fn get(&self, path: &str) -> Ask {
        self.ask(Method::GET, path)
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> Ask {
        let request = hyper::Request::builder()
            .method(method)
            .uri(path)
            .header("host", format!("127.0.0.1:{}", self.port))
            .header(APP_HEADER, self.server.token())
            .body(Full::default())
            .unwrap();
        Ask { port: self.port, request }
    }

    /// The head of such a request to Claude as it stands on the wire, with these fields as well.
    pub(crate) fn head(&self, also: &str) -> String {
        head(ANTHROPIC, self.port, self.server.token(), also)
    }

    /// Waits for a line of the log that contains `part`.
    pub(crate) async fn logged(&self, part: &str) -> String {
        let mut log = self.log.lock().await;
        loop {
            let line = log.recv().await.expect("the proxy is gone and never said so");
            if line.contains(part) {
                return line;
            }
        }
    }
}

/// The head of a request as the page makes it, as it stands on the wire.
pub(crate) fn head(path: &str, port: u16, token: &str, also: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{APP_HEADER}: {token}\r\n\
         content-type: application/json\r\n{also}\r\n\r\n"
    )
}

/// What a browser says beside what the page says.
pub(crate) fn as_the_page(proxy: &Proxy, ask: Ask) -> Ask {
    ask.with("origin", &format!("http://127.0.0.1:{}", proxy.port))
        .with("sec-fetch-site", "same-origin")
}

fn settings(vendor: Vendor) -> UpstreamSettings {
    UpstreamSettings {
        vendor,
        key: ApiKey::parse(KEY),
        base: Uri::from_static("http://127.0.0.1:9"),
        models: Some(vec![MODEL.to_owned()]),
    }
}

/// A request that names a bound of its own, as the page's codecs write it.
pub(crate) fn request_to(provider: Provider) -> Value {
    let words = json!([{ "role": "user", "content": "put eggs on the list" }]);
    match provider.protocol() {
        Protocol::Anthropic => messages(),
        Protocol::OpenAiChat => json!({
            "model": MODEL, "max_completion_tokens": 1024, "stream": true, "messages": words,
        }),
        Protocol::OpenAiResponses => json!({
            "model": MODEL, "max_output_tokens": 1024, "stream": true, "store": false,
            "input": words,
        }),
        Protocol::Ollama => json!({
            "model": MODEL, "options": { "num_predict": 1024 }, "stream": true, "messages": words,
        }),
    }
}

/// A request the proxy lets through.
pub(crate) fn messages() -> Value {
    json!({
        "model": MODEL,
        "max_tokens": 1024,
        "stream": true,
        "messages": [{ "role": "user", "content": "put eggs on the list" }],
    })
}

/// A request to be sent.
#[derive(Clone)]
pub(crate) struct Ask {
    port: u16,
    request: hyper::Request<Full<Bytes>>,
}

impl Ask {
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        let name = HeaderName::try_from(name).unwrap();
        self.request.headers_mut().insert(name, HeaderValue::try_from(value).unwrap());
        self
    }

    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        let name = HeaderName::try_from(name).unwrap();
        self.request.headers_mut().append(name, HeaderValue::try_from(value).unwrap());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.request.headers_mut().remove(name);
        self
    }

    /// Sends it to another proxy.
    pub(crate) fn at(mut self, port: u16, token: &str) -> Self {
        self.port = port;
        self.with("host", &format!("127.0.0.1:{port}")).with(APP_HEADER, token)
    }

    pub(crate) fn body(mut self, body: impl Into<Bytes>) -> Self {
        *self.request.body_mut() = Full::new(body.into());
        self
    }

    /// Sends it, and gives back the answer with its body still to come.
    pub(crate) async fn open(self) -> Answer {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(async move {
            let _ = connection.await;
        });
        let response = sender.send_request(self.request).await.unwrap();
        Answer { response, connection }
    }

    /// Sends it, and reads the whole answer.
    pub(crate) async fn send(self) -> Whole {
        self.open().await.whole().await
    }
}

/// An answer that is still coming. Dropped, it closes its connection.
pub(crate) struct Answer {
    response: hyper::Response<Incoming>,
    connection: tokio::task::JoinHandle<()>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.response.headers().get(name).map_or("", |it| it.to_str().unwrap())
    }

    /// The next piece; nothing at the proper end; an error where it broke off.
    pub(crate) async fn piece(&mut self) -> Option<Result<String, hyper::Error>> {
        let frame = self.response.body_mut().frame().await?;
        Some(frame.map(|it| String::from_utf8(it.into_data().unwrap().into()).unwrap()))
    }

    pub(crate) async fn whole(mut self) -> Whole {
        let mut body = Vec::new();
        let mut broke_off = false;
        while let Some(frame) = self.response.body_mut().frame().await {
            match frame {
                Ok(frame) => body.extend_from_slice(&frame.into_data().unwrap()),
                Err(_) => broke_off = true,
            }
        }
        Whole {
            status: self.status(),
            headers: self.response.headers().clone(),
            body: body.into(),
            broke_off,
        }
    }
}

/// An answer that has ended.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) broke_off: bool,
}

impl Whole {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |it| it.to_str().unwrap())
    }

    /// The type and the words of an error in the protocol's shape.
    pub(crate) fn error(&self) -> (String, String) {
        assert_eq!(self.header("content-type"), "application/json", "{}", self.text());
        error_in(self.text())
    }
}

pub(crate) fn error_in(text: &str) -> (String, String) {
    let json: Value = serde_json::from_str(text).unwrap();
    assert_eq!(json["type"], "error", "{text}");
    let part = |name: &str| json["error"][name].as_str().unwrap().to_owned();
    (part("type"), part("message"))
}

/// Sends bytes as they are and reads until the proxy closes.
pub(crate) async fn raw(port: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    // A reset after the answer is an end like any other here.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// What a provider saw.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// A provider on this machine.
pub(crate) struct Upstream {
    pub(crate) port: u16,
    seen: mpsc::UnboundedReceiver<Seen>,
}

impl Upstream {
    /// A provider that gives each request the answer `answer` makes.
    pub(crate) async fn start<F, R>(answer: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Response> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, seen) = mpsc::unbounded_channel();
        let answer = Arc::new(answer);
        let router = axum::Router::new().fallback(async move |request: axum::extract::Request| {
            let (parts, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let _ = tell.send(Seen {
                method: parts.method,
                uri: parts.uri,
                headers: parts.headers,
                body,
            });
            answer().await
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, seen }
    }

    /// A provider that answers every request with one short stream.
    pub(crate) async fn short() -> Self {
        Self::start(async || stream(Body::from("event: ping\ndata: {\"type\":\"ping\"}\n\n"))).await
    }

    pub(crate) fn base(&self) -> Uri {
        format!("http://127.0.0.1:{}", self.port).parse().unwrap()
    }

    /// Stands behind every way out of a proxy.
    pub(crate) fn stands_for_all(&self, config: &mut Config) {
        for vendor in Vendor::ALL {
            config.upstreams.of_mut(vendor).base = self.base();
        }
    }

    pub(crate) async fn saw(&mut self) -> Seen {
        self.seen.recv().await.unwrap()
    }

    pub(crate) fn saw_nothing(&mut self) -> bool {
        self.seen.try_recv().is_err()
    }
}

/// A provider whose one answer is a stream of events written by the test, piece by piece.
pub(crate) async fn scripted() -> (Upstream, Script) {
    scripted_with(stream).await
}

/// A provider whose one answer is written by the test, in the head that `answer` gives it.
pub(crate) async fn scripted_with(
    answer: impl Fn(Body) -> Response + Send + Sync + 'static,
) -> (Upstream, Script) {
    let (pieces, body, gone) = script();
    let body = std::sync::Mutex::new(Some(body));
    let upstream = Upstream::start(move || {
        let body = body.lock().unwrap().take().expect("a script answers one request");
        let response = answer(body);
        async { response }
    })
    .await;
    (upstream, Script { pieces: Some(pieces), gone })
}

/// A body written by the test.
pub(crate) struct Script {
    pieces: Option<mpsc::UnboundedSender<io::Result<Bytes>>>,
    gone: oneshot::Receiver<Infallible>,
}

impl Script {
    pub(crate) fn send(&self, text: &str) {
        let _ = self.pieces.as_ref().unwrap().send(Ok(text.to_owned().into()));
    }

    /// Ends the answer as a provider does that has said everything.
    pub(crate) fn end(&mut self) {
        self.pieces = None;
    }

    /// Cuts the connection in the middle of the answer.
    pub(crate) fn cut(&self) {
        let _ = self.pieces.as_ref().unwrap().send(Err(io::Error::other("cut")));
    }

    /// Waits until nobody wants the answer any more.
    pub(crate) async fn gone(self) {
        let _held = self.pieces;
        assert!(self.gone.await.is_err());
    }
}

type Pieces = mpsc::UnboundedSender<io::Result<Bytes>>;

fn script() -> (Pieces, Body, oneshot::Receiver<Infallible>) {
    let (to, pieces) = mpsc::unbounded_channel();
    let (wanted, gone) = oneshot::channel();
    (to, Body::new(ScriptBody { pieces, _wanted: wanted }), gone)
}

struct ScriptBody {
    pieces: mpsc::UnboundedReceiver<io::Result<Bytes>>,
    _wanted: oneshot::Sender<Infallible>,
}

impl hyper::body::Body for ScriptBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.pieces.poll_recv(context).map(|it| it.map(|piece| piece.map(Frame::data)))
    }
}

/// An event stream.
pub(crate) fn stream(body: Body) -> Response {
    answer(200, "text/event-stream; charset=utf-8", body)
}

pub(crate) fn answer(status: u16, kind: &str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::try_from(kind).unwrap());
    response
}
