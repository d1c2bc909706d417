//! How a reply ends: by itself, by the page, by the provider, by a bound, by the proxy.

use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::mpsc;

use crate::world::{ANTHROPIC, Answer, Proxy, Upstream, error_in, scripted, stream};

const FRAME: &str = "event: ping\ndata: {\"type\":\"ping\"}\n\n";

/// The error event the stream ends with.
async fn last_words(mut reply: Answer) -> (String, String) {
    let event = reply.piece().await.unwrap().unwrap();
    assert!(reply.piece().await.is_none(), "something follows the error");
    let data = event.strip_prefix("event: error\ndata: ").and_then(|it| it.strip_suffix("\n\n"));
    error_in(data.unwrap_or_else(|| panic!("no error event: {event}")))
}

#[tokio::test]
async fn the_page_gone_ends_the_request_to_the_provider() {
    let (upstream, script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send(FRAME);
    let mut reply = proxy.post(ANTHROPIC).open().await;
    reply.piece().await.unwrap().unwrap();
    drop(reply);
    script.gone().await;
    proxy.logged("the page went away").await;
}

/// Says so when it is dropped.
struct Given(mpsc::UnboundedSender<()>);

impl Drop for Given {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[tokio::test]
async fn the_page_gone_before_an_answer_came_ends_it_too() {
    let (given_up, mut gone) = mpsc::unbounded_channel();
    let mut upstream = Upstream::start(move || {
        let held = Given(given_up.clone());
        async move {
            let _held = held;
            std::future::pending::<Response>().await
        }
    })
    .await;
    let proxy = Proxy::before(&upstream).await;
    let asking = tokio::spawn(proxy.post(ANTHROPIC).open());
    upstream.saw().await;
    asking.abort();
    gone.recv().await.unwrap();
}

#[tokio::test]
async fn a_provider_that_breaks_off_between_frames_is_told_in_the_stream() {
    let (upstream, script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send(FRAME);
    let mut reply = proxy.post(ANTHROPIC).open().await;
    assert_eq!(reply.piece().await.unwrap().unwrap(), FRAME);
    script.cut();
    assert_eq!(
        last_words(reply).await,
        (
            "api_error".to_owned(),
            "The provider broke off in the middle. The reply is not whole and was not used. Try \
             again."
                .to_owned()
        )
    );
}

#[tokio::test]
async fn a_provider_that_breaks_off_inside_a_frame_breaks_the_reply_off() {
    let (upstream, script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send("event: content_block_delta\ndata: {\"ty");
    let mut reply = proxy.post(ANTHROPIC).open().await;
    reply.piece().await.unwrap().unwrap();
    script.cut();
    assert!(reply.piece().await.unwrap().is_err());
}

#[tokio::test]
async fn a_stream_that_just_ends_is_passed_on_as_it_is() {
    let (upstream, mut script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send("event: content_block_delta\ndata: {\"ty");
    script.end();
    let whole = proxy.post(ANTHROPIC).send().await;
    assert_eq!(whole.text(), "event: content_block_delta\ndata: {\"ty");
    assert!(!whole.broke_off);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_never_answers_is_given_up_after_a_minute() {
    let upstream = Upstream::start(std::future::pending::<Response>).await;
    let proxy = Proxy::before(&upstream).await;
    let began = tokio::time::Instant::now();
    let whole = proxy.post(ANTHROPIC).send().await;
    assert_eq!(whole.status, 504);
    assert_eq!(
        whole.error(),
        (
            "timeout_error".to_owned(),
            "Claude did not answer within 60 seconds. Try again.".to_owned()
        )
    );
    assert_eq!(began.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_falls_silent_is_given_up_after_a_minute() {
    let (upstream, script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send(FRAME);
    let mut reply = proxy.post(ANTHROPIC).open().await;
    reply.piece().await.unwrap().unwrap();
    let began = tokio::time::Instant::now();
    let (kind, words) = last_words(reply).await;
    assert_eq!(kind, "timeout_error");
    assert!(words.starts_with("The provider sent nothing for 60 seconds."), "{words}");
    assert_eq!(began.elapsed().as_secs(), 60);
    script.gone().await;
}

/// A provider that says a little every half minute, for ever.
async fn endless() -> Upstream {
    let (frames, body) = mpsc::channel(1);
    let body = std::sync::Mutex::new(Some(body));
    tokio::spawn(async move {
        while frames.send(FRAME).await.is_ok() {
            tokio::time::sleep(Duration::from_secs(30)).await;
        }
    });
    Upstream::start(move || {
        let mut frames: mpsc::Receiver<&str> = body.lock().unwrap().take().unwrap();
        async move {
            let body = Frames(std::future::poll_fn(move |context| frames.poll_recv(context)));
            stream(Body::new(body))
        }
    })
    .await
}

/// A body out of anything that gives frames.
struct Frames<F>(F);

impl<F: Future<Output = Option<&'static str>> + Unpin> hyper::body::Body for Frames<F> {
    type Data = axum::body::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        std::pin::Pin::new(&mut self.0)
            .poll(context)
            .map(|it| it.map(|text| Ok(hyper::body::Frame::data(text.into()))))
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_without_end_is_cut_after_ten_minutes() {
    let upstream = endless().await;
    let proxy = Proxy::before(&upstream).await;
    let began = tokio::time::Instant::now();
    let whole = proxy.post(ANTHROPIC).send().await;
    assert_eq!(began.elapsed().as_secs(), 600);
    let (frames, event) = whole.text().rsplit_once("event: error\n").unwrap();
    assert!(frames.len() >= 20 * FRAME.len());
    assert!(event.contains("The reply took longer than 10 minutes."), "{event}");
    assert!(!whole.broke_off);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_does_not_read_holds_nothing_for_ever() {
    let upstream = Upstream::start(async || {
        let flood = std::future::poll_fn(|_| std::task::Poll::Ready(Some(FRAME)));
        stream(Body::new(Frames(flood)))
    })
    .await;
    let proxy = Proxy::start(|config| {
        config.upstreams.anthropic.base = upstream.base();
        config.limits.reply_bytes = usize::MAX;
        config.limits.streams = 1;
    })
    .await;
    let _unread = proxy.post(ANTHROPIC).open().await;
    proxy.logged("took too long").await;
    // The only place is free again.
    assert_eq!(proxy.post(ANTHROPIC).body("{").send().await.status, 400);
}

#[tokio::test]
async fn a_reply_larger_than_any_is_cut() {
    let upstream = Upstream::start(async || stream(Body::from(FRAME.repeat(100)))).await;
    let proxy = Proxy::start(|config| {
        config.upstreams.anthropic.base = upstream.base();
        config.limits.reply_bytes = 1_000;
    })
    .await;
    let whole = proxy.post(ANTHROPIC).send().await;
    assert!(whole.body.len() < 1_500);
    assert!(whole.text().contains("larger than any reply should be"), "{}", whole.text());
}

#[tokio::test]
async fn eight_replies_stream_at_once_and_a_ninth_is_told_to_wait() {
    let upstream =
        Upstream::start(async || stream(Body::new(Frames(std::future::pending::<Option<&str>>()))))
            .await;
    let proxy = Proxy::before(&upstream).await;
    let mut open = Vec::new();
    for _ in 0..8 {
        let reply = proxy.post(ANTHROPIC).open().await;
        assert_eq!(reply.status(), 200);
        open.push(reply);
    }
    let ninth = proxy.post(ANTHROPIC).send().await;
    assert_eq!((ninth.status, ninth.header("retry-after")), (503, "5"));
    let (kind, words) = ninth.error();
    assert_eq!(kind, "overloaded_error");
    assert!(words.starts_with("8 replies are on their way already"), "{words}");
    assert_eq!(proxy.get("/api/status").send().await.status, 200);
    open.pop();
    proxy.logged("the page went away").await;
    assert_eq!(proxy.post(ANTHROPIC).open().await.status(), 200);
}

#[tokio::test]
async fn stopping_tells_the_pages_that_wait_and_closes() {
    let (upstream, script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send(FRAME);
    let mut reply = proxy.post(ANTHROPIC).open().await;
    reply.piece().await.unwrap().unwrap();
    let (port, stopping) = (proxy.port, tokio::spawn(proxy.server.stop()));
    let (_, words) = last_words(reply).await;
    assert!(words.starts_with("The proxy was stopped."), "{words}");
    stopping.await.unwrap();
    script.gone().await;
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err());
}

#[tokio::test]
async fn stopping_answers_who_waits_for_a_first_word() {
    let mut upstream = Upstream::start(std::future::pending::<Response>).await;
    let proxy = Proxy::before(&upstream).await;
    let asking = tokio::spawn(proxy.post(ANTHROPIC).send());
    upstream.saw().await;
    proxy.server.stop().await;
    let whole = asking.await.unwrap();
    assert_eq!(whole.status, StatusCode::BAD_GATEWAY);
    assert!(whole.error().1.starts_with("The proxy was stopped before an answer came."));
}
