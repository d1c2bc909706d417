//! What one client may take.

use std::time::Duration;

use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::world::{ANTHROPIC, Proxy, Upstream, error_in, raw, scripted};

#[track_caller]
fn check_too_large(answer: &str) {
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    assert_eq!(
        error_in(body),
        (
            "request_too_large".to_owned(),
            "The request is larger than 1 MB and was not passed on. Begin a new conversation, \
             which sends less."
                .to_owned()
        )
    );
}

#[tokio::test]
async fn twenty_megabytes_are_refused_before_they_are_sent() {
    let proxy = Proxy::start(|_| ()).await;
    let mut stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
    let head = proxy.head("content-length: 20000000\r\nexpect: 100-continue");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}

#[tokio::test]
async fn who_sends_twenty_megabytes_all_the_same_gets_to_read_why_not() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let body = "x".repeat(20_000_000);
    let declared = format!("{}{body}", proxy.head("content-length: 20000000"));
    check_too_large(&raw(proxy.port, declared.as_bytes()).await);
    let chunked = proxy.head("transfer-encoding: chunked");
    let chunked = format!("{chunked}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let answer = raw(proxy.port, chunked.as_bytes()).await;
    check_too_large(&answer);
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn a_megabyte_passes_and_a_byte_more_does_not() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let text = crate::world::messages().to_string();
    let padded = |length: usize| format!("{text}{}", " ".repeat(length - text.len()));
    assert_eq!(proxy.post(ANTHROPIC).body(padded(1_000_000)).send().await.status, 200);
    assert_eq!(upstream.saw().await.body.len(), 1_000_000);
    assert_eq!(proxy.post(ANTHROPIC).body(padded(1_000_001)).send().await.status, 413);
    assert!(upstream.saw_nothing());
}

#[tokio::test(start_paused = true)]
async fn half_a_head_is_waited_for_half_a_minute() {
    let proxy = Proxy::start(|_| ()).await;
    let began = tokio::time::Instant::now();
    let answer = raw(proxy.port, b"GET / HTTP/1.1\r\nhost: 127.0").await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert_eq!(began.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn half_a_body_is_waited_for_half_a_minute() {
    let proxy = Proxy::start(|_| ()).await;
    let began = tokio::time::Instant::now();
    let half = format!("{}{{", proxy.head("content-length: 2"));
    let answer = raw(proxy.port, half.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert_eq!(error_in(answer.split_once("\r\n\r\n").unwrap().1).0, "timeout_error");
    assert_eq!(began.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn connections_beyond_the_bound_wait_while_all_others_carry_a_request() {
    let (upstream, script) = scripted().await;
    let proxy = Proxy::start(|config| {
        upstream.stands_for_all(config);
        config.limits.connections = 1;
    })
    .await;
    script.send("data: one\n\n");
    let mut reply = proxy.post(ANTHROPIC).open().await;
    assert_eq!(reply.piece().await.unwrap().unwrap(), "data: one\n\n");
    let second = tokio::spawn(proxy.get("/").send());
    // The clock of this test moves only once there is nothing left to do.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!second.is_finished());
    script.send("data: two\n\n");
    assert_eq!(reply.piece().await.unwrap().unwrap(), "data: two\n\n");
    drop(reply);
    assert_eq!(second.await.unwrap().status, 200);
}

/// Opens connections that say nothing, or half of something.
async fn silent(proxy: &Proxy, count: usize, words: &[u8]) -> Vec<TcpStream> {
    let mut open = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
        stream.write_all(words).await.unwrap();
        open.push(stream);
    }
    open
}

#[tokio::test(start_paused = true)]
async fn idle_connections_keep_no_page_from_loading() {
    let (upstream, mut script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send("data: one\n\n");
    let mut reply = proxy.post(ANTHROPIC).open().await;
    reply.piece().await.unwrap().unwrap();
    let began = tokio::time::Instant::now();
    for words in ["", "GET / HTTP/1.1\r\nhost: 127.0"] {
        let _silent = silent(&proxy, 140, words.as_bytes()).await;
        for _ in 0..3 {
            assert_eq!(proxy.get("/").send().await.status, 200);
        }
    }
    assert_eq!(began.elapsed().as_millis(), 0);
    // What carries a request stays.
    script.send("data: two\n\n");
    assert_eq!(reply.piece().await.unwrap().unwrap(), "data: two\n\n");
    script.end();
    assert!(reply.piece().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_connection_that_was_idle_for_longest_makes_room() {
    let proxy = Proxy::start(|config| config.limits.connections = 3).await;
    let request = format!("GET / HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n\r\n", proxy.port);
    let mut open = silent(&proxy, 3, b"").await;
    // The first one is used, and so the second has been idle for longest.
    let mut answer = vec![0; 12];
    open[0].write_all(request.as_bytes()).await.unwrap();
    open[0].read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 200");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(proxy.get("/").send().await.status, 200);
    let mut rest = Vec::new();
    assert_eq!(open[1].read_to_end(&mut rest).await.unwrap_or(0), 0);
    for at in [0, 2] {
        open[at].write_all(request.as_bytes()).await.unwrap();
        open[at].read_exact(&mut answer).await.unwrap();
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_reaches_no_provider() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let mut stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
    let request = format!("{}{{\"model\"", proxy.head("content-length: 100"));
    stream.write_all(request.as_bytes()).await.unwrap();
    drop(stream);
    assert_eq!(proxy.get("/").send().await.status, 200);
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let proxy = Proxy::start(|_| ()).await;
    let stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
    let io = hyper_util::rt::TokioIo::new(stream);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
    tokio::spawn(connection);
    for _ in 0..3 {
        let request = hyper::Request::get("/api/status")
            .header("host", format!("localhost:{}", proxy.port))
            .header("x-kitchen-assistant", proxy.server.token())
            .body(http_body_util::Empty::<axum::body::Bytes>::new())
            .unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body().collect().await.unwrap();
    }
}
