//! Streams a reply to the page, piece by piece as it comes, and sees to it that it ends.
//!
//! A task of its own carries the pieces, so that the bounds hold also while the page does not
//! read. The page gone, the task ends, and with it the request to the provider.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout};
use wire::anthropic::ErrorKind;
use wire::protocol::Protocol;
use wire::provider::Provider;

use crate::limits::Limits;
use crate::log::Log;
use crate::refusal;

/// What accompanies one request from its arrival to the last byte of its answer.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Who is asked.
    pub(crate) provider: Provider,
    /// When it began.
    pub(crate) began: Instant,
    /// Its place among the replies that stream at once; given back when it ends.
    pub(crate) place: OwnedSemaphorePermit,
    /// Turns true when the proxy stops.
    pub(crate) stopping: watch::Receiver<bool>,
    pub(crate) limits: Limits,
    pub(crate) log: Log,
}

/// How a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    PageGone,
    ProviderGone,
    ProviderSilent,
    TooLong,
    TooMuch,
    Stopped,
}

impl End {
    fn for_log(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::PageGone => "the page went away",
            Self::ProviderGone => "the provider broke off",
            Self::ProviderSilent => "the provider fell silent",
            Self::TooLong => "took too long",
            Self::TooMuch => "was too large",
            Self::Stopped => "the proxy was stopped",
        }
    }

    /// What the page is told, where there is still somebody to tell.
    fn event(self, protocol: Protocol, limits: &Limits) -> Option<String> {
        let (kind, what) = match self {
            Self::Whole | Self::PageGone => return None,
            Self::ProviderGone => {
                (ErrorKind::Api, "The provider broke off in the middle.".to_owned())
            }
            Self::ProviderSilent => (
                ErrorKind::Timeout,
                format!("The provider sent nothing for {}.", words(limits.idle_time)),
            ),
            Self::TooLong => (
                ErrorKind::Timeout,
                format!("The reply took longer than {}.", words(limits.total_time)),
            ),
            Self::TooMuch => {
                (ErrorKind::Api, "The reply was larger than any reply should be.".to_owned())
            }
            Self::Stopped => (ErrorKind::Api, "The proxy was stopped. Start it again.".to_owned()),
        };
        let words = format!("{what} The reply is not whole and was not used. Try again.");
        Some(refusal::event(protocol, kind, &words))
    }
}

/// Passes a provider's answer on.
pub(crate) fn pass_on(
    exchange: Exchange,
    status: StatusCode,
    kind: HeaderValue,
    from: Incoming,
) -> Response {
    let frames = Frames::of(&kind);
    let (to, body) = feed();
    tokio::spawn(async move {
        let mut tail = Tail::default();
        let end = carry(&exchange, from, &to.pieces, &mut tail).await;
        exchange.finish(end, to, tail.is_between(frames)).await;
    });
    answer(status, kind, Body::new(body))
}

/// Sends frames that are there already, one by one.
pub(crate) fn send_frames(exchange: Exchange, kind: HeaderValue, frames: Vec<Bytes>) -> Response {
    let (to, body) = feed();
    tokio::spawn(async move {
        let mut end = End::Whole;
        for frame in frames {
            end = exchange.send(&to.pieces, frame).await;
            if end != End::Whole {
                break;
            }
        }
        exchange.finish(end, to, true).await;
    });
    answer(StatusCode::OK, kind, Body::new(body))
}

async fn carry(
    exchange: &Exchange,
    mut from: Incoming,
    to: &mpsc::Sender<Bytes>,
    tail: &mut Tail,
) -> End {
    let mut sent = 0;
    loop {
        let next = tokio::select! {
            end = exchange.ended(to) => return end,
            next = timeout(exchange.limits.idle_time, from.frame()) => next,
        };
        let data = match next {
            Err(_) => return End::ProviderSilent,
            Ok(None) => return End::Whole,
            Ok(Some(Err(_))) => return End::ProviderGone,
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
        };
        sent += data.len();
        if sent > exchange.limits.reply_bytes {
            return End::TooMuch;
        }
        tail.push(&data);
        let end = exchange.send(to, data).await;
        if end != End::Whole {
            return end;
        }
    }
}

impl Exchange {
    /// Waits for whatever ends a reply from outside.
    async fn ended(&self, to: &mpsc::Sender<Bytes>) -> End {
        let mut stopping = self.stopping.clone();
        tokio::select! {
            biased;
            () = to.closed() => End::PageGone,
            // The sender gone means the same as its word: the server is no more.
            _ = stopping.wait_for(|it| *it) => End::Stopped,
            () = sleep_until(self.began + self.limits.total_time) => End::TooLong,
        }
    }

    async fn send(&self, to: &mpsc::Sender<Bytes>, data: Bytes) -> End {
        tokio::select! {
            biased;
            end = self.ended(to) => end,
            sent = to.send(data) => if sent.is_ok() { End::Whole } else { End::PageGone },
        }
    }

    /// Gives the place back and ends the answer: properly if it is whole, with an error event where
    /// one can be told apart, and else by breaking off.
    async fn finish(self, end: End, to: Feed, between_frames: bool) {
        let took = self.began.elapsed().as_millis();
        self.log.line(&format!(
            "POST {} ended after {took} ms: {}",
            self.provider.endpoint(),
            end.for_log()
        ));
        drop(self.place);
        if end == End::Whole {
            to.end_properly();
        } else if between_frames
            && let Some(event) = end.event(self.provider.protocol(), &self.limits)
        {
            // The page may have stopped reading, so the wait for room is bounded.
            let told = timeout(self.limits.stop_time, to.pieces.send(event.into())).await;
            if matches!(told, Ok(Ok(()))) {
                to.end_properly();
            }
        }
    }
}

/// How the parts of a reply are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frames {
    /// It is one part, and nothing can be added.
    None,
    /// By empty lines.
    Events,
    /// By lines.
    Lines,
}

impl Frames {
    fn of(kind: &HeaderValue) -> Self {
        if kind.as_bytes().starts_with(b"text/event-stream") {
            Self::Events
        } else if kind.as_bytes().starts_with(b"application/x-ndjson") {
            Self::Lines
        } else {
            Self::None
        }
    }
}

/// The last bytes that went out, to know whether a frame is unfinished: an event put into the
/// middle of another would be read as a part of it.
#[derive(Debug, Default)]
struct Tail(Vec<u8>);

impl Tail {
    fn push(&mut self, data: &[u8]) {
        let kept = data.get(data.len().saturating_sub(4)..).unwrap_or(data);
        self.0.extend_from_slice(kept);
        let surplus = self.0.len().saturating_sub(4);
        self.0.drain(..surplus);
    }

    fn is_between(&self, frames: Frames) -> bool {
        let ends: &[&[u8]] = match frames {
            Frames::None => return false,
            Frames::Events => &[b"\n\n", b"\r\n\r\n", b"\r\r"],
            Frames::Lines => &[b"\n"],
        };
        self.0.is_empty() || ends.iter().any(|it| self.0.ends_with(it))
    }
}

/// The writing end of an answer's body.
struct Feed {
    pieces: mpsc::Sender<Bytes>,
    ended: oneshot::Sender<()>,
}

impl Feed {
    fn end_properly(self) {
        // Refused when the page is gone, to whom it would have mattered.
        let _ = self.ended.send(());
    }
}

/// A body fed by a task. It has room for one piece, so that the pace is the reader's. Its end has
/// to be said: a writer that goes without a word leaves an answer that breaks off.
struct Fed {
    pieces: mpsc::Receiver<Bytes>,
    ended: oneshot::Receiver<()>,
    unwritten: bool,
}

fn feed() -> (Feed, Fed) {
    let (to, pieces) = mpsc::channel(1);
    let (end, ended) = oneshot::channel();
    (Feed { pieces: to, ended: end }, Fed { pieces, ended, unwritten: false })
}

#[derive(Debug, thiserror::Error)]
#[error("the reply broke off")]
struct BrokeOff;

impl hyper::body::Body for Fed {
    type Data = Bytes;
    type Error = BrokeOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokeOff>>> {
        // A connection gathers pieces until there is none, and only then writes. So after each
        // there is none for a moment.
        if std::mem::take(&mut self.unwritten) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        match self.pieces.poll_recv(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(piece)) => {
                self.unwritten = true;
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            Poll::Ready(None) => Pin::new(&mut self.ended).poll(context).map(|end| match end {
                Ok(()) => None,
                Err(_) => Some(Err(BrokeOff)),
            }),
        }
    }
}

/// An answer that is not kept by anybody.
pub(crate) fn answer(status: StatusCode, kind: HeaderValue, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A time as a person says it.
pub(crate) fn words(time: Duration) -> String {
    match time.as_secs() {
        whole if whole >= 120 && whole % 60 == 0 => format!("{} minutes", whole / 60),
        whole => format!("{whole} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::{Wake, Waker};

    use hyper::body::Body;

    use super::*;

    struct Woken(AtomicBool);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    #[test]
    fn each_piece_is_written_before_the_next_is_given() {
        let (to, mut body) = feed();
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        let mut poll = || Pin::new(&mut body).poll_frame(&mut context);
        for piece in ["one", "two"] {
            to.pieces.try_send(piece.into()).unwrap();
            assert!(matches!(poll(), Poll::Ready(Some(Ok(_)))), "{piece}");
            to.pieces.try_send("more".into()).unwrap();
            assert!(poll().is_pending());
            assert!(woken.0.swap(false, Ordering::Relaxed), "nobody would come back");
            assert!(matches!(poll(), Poll::Ready(Some(Ok(_)))));
            assert!(poll().is_pending());
        }
    }
}
