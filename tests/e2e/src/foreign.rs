//! Another site: a page of no interest at an origin that is not the kitchen's.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A running site.
pub struct ForeignSite {
    port: u16,
    server: JoinHandle<()>,
}

impl ForeignSite {
    /// Starts one. What is asked of it under `/to/` it sends on to the address behind that.
    ///
    /// # Panics
    ///
    /// No port is free.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let server = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                // A browser that hangs up concerns nobody.
                tokio::spawn(async move { drop(answer(socket).await) });
            }
        });
        Self { port, server }
    }

    /// Its address under one of the names of this machine.
    #[must_use]
    pub fn address(&self, name: &str) -> String {
        format!("http://{name}:{}/", self.port)
    }
}

impl Drop for ForeignSite {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(socket: TcpStream) -> std::io::Result<()> {
    let mut socket = BufReader::new(socket);
    let mut first = String::new();
    socket.read_line(&mut first).await?;
    let mut line = String::from("head");
    while !line.trim().is_empty() {
        line.clear();
        socket.read_line(&mut line).await?;
    }
    let target = first.split(' ').nth(1).and_then(|path| path.strip_prefix("/to/"));
    let head = match target {
        Some(target) => format!("307 Elsewhere\r\nLocation: {target}"),
        None => "200 OK\r\nContent-Type: text/html".to_owned(),
    };
    let page = "<!doctype html><title>Elsewhere</title><body>";
    let length = page.len();
    let answer =
        format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{page}");
    socket.write_all(answer.as_bytes()).await?;
    socket.shutdown().await
}
