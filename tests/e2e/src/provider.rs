//! A server that answers from a script in the protocol it is asked in, to stand behind the real
//! proxy.

mod anthropic;
mod heard;
mod ollama;
mod openai_chat;
mod openai_responses;
mod protocol;
mod reply;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub use self::heard::{Call, Heard, Said};
pub use self::protocol::Protocol;
use self::reply::{End, Reply};

/// The model of the stand-in for Ollama.
pub const OLLAMA_MODEL: &str = "qwen3:4b";
/// The models of the stand-in for any other: of each, the one that the page begins with.
const MODELS: [&str; 2] = ["claude-sonnet-5-5", "gpt-6.2-sol"];

/// One answer of the script.
#[derive(Debug, Clone)]
pub enum Answer {
    /// These words, whole.
    Says(&'static str),
    /// These words, and then nothing more while the connection lasts.
    Begins(&'static str),
    /// These words, and then an error in the stream: too much to do.
    Fails(&'static str),
    /// Calls of a tool, one with each of these arguments, after some thought.
    Calls(&'static str, Vec<Value>),
    /// The same, and the connection ends before the reply does.
    CutsOff(&'static str, Vec<Value>),
    /// Nothing before so many seconds have passed.
    TurnsAway(u32),
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// In which protocol.
    pub protocol: Protocol,
    /// The key that came with it.
    pub key: String,
    /// The request.
    pub body: Value,
}

/// A running provider.
pub struct Provider {
    address: String,
    told: Arc<Mutex<Told>>,
    server: JoinHandle<()>,
}

struct Told {
    models: Vec<&'static str>,
    script: VecDeque<Answer>,
    asked: Vec<Asked>,
}

impl Provider {
    /// Starts one that gives these answers, one to each request. What the provider it stands for
    /// would refuse, it refuses.
    ///
    /// # Panics
    ///
    /// No port is free.
    pub async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        Self::having(&MODELS, script).await
    }

    /// Starts one that has these models and no others, as it says when it is asked for them: apart
    /// from the script. Only Ollama's stand-in has its own.
    ///
    /// # Panics
    ///
    /// No port is free.
    pub async fn having(models: &[&'static str], script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (models, script) = (models.to_vec(), script.into_iter().collect());
        let told = Arc::new(Mutex::new(Told { models, script, asked: Vec::new() }));
        let server = tokio::spawn(serve(listener, Arc::clone(&told)));
        Self { address, told, server }
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The requests so far.
    ///
    /// # Panics
    ///
    /// Never while the server is well.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.told.lock().expect("nobody panics while noting a request").asked.clone()
    }

    /// How many answers of the script nobody has asked for.
    ///
    /// # Panics
    ///
    /// Never while the server is well.
    #[must_use]
    pub fn unasked(&self) -> usize {
        self.told.lock().expect("nobody panics while noting a request").script.len()
    }
}

impl Asked {
    /// What is said in it, oldest first.
    ///
    /// # Errors
    ///
    /// The provider would refuse it. The reason is told.
    pub fn heard(&self) -> Result<Heard, String> {
        heard::read(self.protocol, &self.body)
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, told: Arc<Mutex<Told>>) {
    while let Ok((socket, _)) = listener.accept().await {
        let told = Arc::clone(&told);
        tokio::spawn(async move {
            let mut socket = BufReader::new(socket);
            let Some(request) = Request::read(&mut socket).await else { return };
            // The proxy may be killed in the middle; that is what some journeys are about.
            let _ = answer(socket.into_inner(), request, &told).await;
        });
    }
}

/// A request as it comes over the wire.
#[derive(Default)]
struct Request {
    path: String,
    key: String,
    body: Vec<u8>,
}

impl Request {
    async fn read(socket: &mut BufReader<TcpStream>) -> Option<Self> {
        let mut first = String::new();
        socket.read_line(&mut first).await.ok()?;
        let path = first.split(' ').nth(1)?.to_owned();
        let mut request = Self { path, ..Self::default() };
        let mut length = 0;
        loop {
            let mut line = String::new();
            socket.read_line(&mut line).await.ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().ok()?,
                "x-api-key" => value.trim().clone_into(&mut request.key),
                "authorization" => {
                    value.trim().trim_start_matches("Bearer ").clone_into(&mut request.key);
                }
                _ => {}
            }
        }
        request.body = vec![0; length];
        socket.read_exact(&mut request.body).await.ok()?;
        Some(request)
    }
}

async fn answer(
    mut socket: TcpStream,
    request: Request,
    told: &Mutex<Told>,
) -> std::io::Result<()> {
    if request.path == "/api/tags" {
        let tags = json!({ "models": [{ "name": OLLAMA_MODEL, "model": OLLAMA_MODEL }] });
        return send(&mut socket, "200 OK", "application/json", "", &tags.to_string()).await;
    }
    if request.path.starts_with("/v1/models") {
        let models = told.lock().expect("nobody panics while noting a request").models.clone();
        let models: Vec<_> = models.iter().map(|id| json!({ "id": id })).collect();
        let list = json!({ "data": models }).to_string();
        return send(&mut socket, "200 OK", "application/json", "", &list).await;
    }
    let body = serde_json::from_slice(&request.body).ok();
    let Some((protocol, body)) = Protocol::at(&request.path).zip(body) else {
        return refuse(&mut socket, "404 Not Found", "", "there is nothing here").await;
    };
    let asked = Asked { protocol, key: request.key, body };
    let heard = asked.heard();
    let (answer, number) = {
        let mut told = told.lock().expect("nobody panics while noting a request");
        told.asked.push(asked);
        (told.script.pop_front(), told.asked.len())
    };
    if let Err(reason) = heard {
        return refuse(&mut socket, "400 Bad Request", "", &reason).await;
    }
    let Some(reply) = answer.map(Reply::of) else {
        return refuse(&mut socket, "400 Bad Request", "", "the script has ended").await;
    };
    match reply {
        Err(seconds) => {
            let wait = format!("Retry-After: {seconds}\r\n");
            refuse(&mut socket, "429 Too Many Requests", &wait, "too many requests").await
        }
        Ok(reply) => {
            let text = protocol.write(&reply, number);
            send(&mut socket, "200 OK", protocol.content_type(), "", &text).await?;
            if reply.end == End::Never {
                // Until the proxy hangs up.
                return socket.read_exact(&mut [0; 1]).await.map(drop);
            }
            socket.shutdown().await
        }
    }
}

/// Refuses in words that every protocol has a place for.
async fn refuse(
    socket: &mut TcpStream,
    status: &str,
    more: &str,
    why: &str,
) -> std::io::Result<()> {
    let body = json!({ "type": "error", "error": { "message": why } });
    send(socket, status, "application/json", more, &body.to_string()).await
}

/// Sends an answer that ends with its connection.
async fn send(
    socket: &mut TcpStream,
    status: &str,
    content_type: &str,
    more: &str,
    body: &str,
) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{more}Connection: close\r\n\r\n"
    );
    socket.write_all(format!("{head}{body}").as_bytes()).await
}
