//! A server that speaks the Anthropic protocol from a script, to stand behind the real proxy.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One answer of the script.
#[derive(Debug, Clone)]
pub enum Answer {
    /// These words, whole.
    Says(&'static str),
    /// These words, and then nothing more while the connection lasts.
    Begins(&'static str),
    /// A call of a tool with these arguments.
    Calls(&'static str, Value),
}

/// A running provider.
pub struct Provider {
    address: String,
    asked: Arc<Mutex<Vec<Value>>>,
    server: JoinHandle<()>,
}

impl Provider {
    /// Starts one that gives these answers, one to each request.
    ///
    /// # Panics
    ///
    /// No port is free.
    pub async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let script: VecDeque<Answer> = script.into_iter().collect();
        let server = tokio::spawn(serve(listener, script, Arc::clone(&asked)));
        Self { address, asked, server }
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
    pub fn asked(&self) -> Vec<Value> {
        self.asked.lock().expect("nobody panics while noting a request").clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, mut script: VecDeque<Answer>, asked: Arc<Mutex<Vec<Value>>>) {
    while let Ok((socket, _)) = listener.accept().await {
        let mut socket = BufReader::new(socket);
        let Some(request) = read_request(&mut socket).await else { continue };
        asked.lock().expect("nobody panics while noting a request").push(request);
        let answer = script.pop_front();
        tokio::spawn(async move {
            // The proxy may be killed in the middle; that is what some journeys are about.
            let _ = reply(socket.into_inner(), answer).await;
        });
    }
}

async fn read_request(socket: &mut BufReader<TcpStream>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        socket.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.split_once(':') else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

async fn reply(mut socket: TcpStream, answer: Option<Answer>) -> std::io::Result<()> {
    let Some(answer) = answer else {
        let refusal = "HTTP/1.1 500 Script ended\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return socket.write_all(refusal.as_bytes()).await;
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    socket.write_all(head.as_bytes()).await?;
    let message = json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": [],
        "model": "scripted", "stop_reason": null, "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 } });
    send(&mut socket, json!({ "type": "message_start", "message": message })).await?;
    let (block, delta, reason) = match &answer {
        Answer::Says(words) | Answer::Begins(words) => (
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": words }),
            "end_turn",
        ),
        Answer::Calls(tool, arguments) => (
            json!({ "type": "tool_use", "id": "toolu_1", "name": tool, "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": arguments.to_string() }),
            "tool_use",
        ),
    };
    let start = json!({ "type": "content_block_start", "index": 0, "content_block": block });
    send(&mut socket, start).await?;
    send(&mut socket, json!({ "type": "content_block_delta", "index": 0, "delta": delta })).await?;
    if matches!(answer, Answer::Begins(_)) {
        // Until the proxy hangs up.
        return socket.read_exact(&mut [0; 1]).await.map(drop);
    }
    send(&mut socket, json!({ "type": "content_block_stop", "index": 0 })).await?;
    let end = json!({ "stop_reason": reason, "stop_sequence": null });
    let usage = json!({ "output_tokens": 9 });
    send(&mut socket, json!({ "type": "message_delta", "delta": end, "usage": usage })).await?;
    send(&mut socket, json!({ "type": "message_stop" })).await?;
    socket.shutdown().await
}

async fn send(socket: &mut TcpStream, event: Value) -> std::io::Result<()> {
    let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
    socket.write_all(format!("event: {name}\ndata: {event}\n\n").as_bytes()).await
}
