//! The connections that are open: so many and no more, and one that nobody uses makes room.
//!
//! A browser keeps connections open for later, and a program may open any number and say nothing.
//! Neither may keep a page from loading. So where all places are taken, the connection that has been
//! without a request for longest is closed; one that carries a request stays.

use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::limits::Limits;

/// All that are open.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    open: Mutex<Open>,
    /// Something ended: a connection, or the last request on one.
    eased: Notify,
}

#[derive(Debug, Default)]
struct Open {
    /// By number, which tells their order.
    connections: BTreeMap<u64, State>,
    /// Counts what happens, to number connections and to tell what came first.
    turn: u64,
}

#[derive(Debug)]
struct State {
    requests: usize,
    /// Whether it ever carried one.
    used: bool,
    /// The turn in which it was last left without a request.
    idle_since: u64,
    leaving: bool,
    leave: Arc<Notify>,
}

impl Connections {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, open: Mutex::default(), eased: Notify::new() })
    }

    /// Waits until there is room for one more, and takes it.
    pub(crate) async fn enter(self: &Arc<Self>) -> Connection {
        loop {
            let eased = self.eased.notified();
            if let Some(connection) = self.try_enter() {
                return connection;
            }
            eased.await;
        }
    }

    fn try_enter(self: &Arc<Self>) -> Option<Connection> {
        let mut open = self.open();
        if open.connections.len() >= self.most {
            open.make_room();
            return None;
        }
        open.turn += 1;
        let number = open.turn;
        let leave = Arc::new(Notify::new());
        let state = State {
            requests: 0,
            used: false,
            idle_since: number,
            leaving: false,
            leave: Arc::clone(&leave),
        };
        open.connections.insert(number, state);
        Some(Connection(Arc::new(Place { number, leave, among: Arc::clone(self) })))
    }

    /// Nothing panics while it is held, so what it holds is whole.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Tells the one that has been idle for longest to leave, unless one is leaving already.
    fn make_room(&mut self) {
        if self.connections.values().any(|it| it.leaving) {
            return;
        }
        let idle = self.connections.values_mut().filter(|it| it.requests == 0);
        if let Some(oldest) = idle.min_by_key(|it| it.idle_since) {
            oldest.leaving = true;
            oldest.leave.notify_one();
        }
    }
}

/// A place among the connections, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Connection(Arc<Place>);

#[derive(Debug)]
struct Place {
    number: u64,
    leave: Arc<Notify>,
    among: Arc<Connections>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.among.open().connections.remove(&self.number);
        self.among.eased.notify_waiters();
    }
}

impl Connection {
    /// Answers the requests on `stream` until it ends, has to make room or the server stops.
    pub(crate) async fn serve(
        self,
        stream: TcpStream,
        router: Router,
        limits: Limits,
        mut stopping: watch::Receiver<bool>,
    ) {
        let place = &self.0;
        let router = TowerToHyperService::new(router);
        let service = service_fn(|request: hyper::Request<Incoming>| {
            let carried = Carried::begin(place);
            let answer = router.call(request);
            async move { answer.await.map(|response| carried.until_written(response)) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .max_buf_size(limits.buffer_bytes)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        loop {
            let stops = tokio::select! {
                // A client that breaks off or speaks nonsense concerns nobody but itself.
                _ = connection.as_mut() => return,
                () = place.leave.notified() => false,
                // The sender gone means the same as its word: the server is no more.
                _ = stopping.wait_for(|it| *it) => true,
            };
            match place.leave_now(stops) {
                Leave::Stay => {}
                Leave::Cut => return,
                Leave::Finish { bounded } => {
                    connection.as_mut().graceful_shutdown();
                    if bounded {
                        let _ = timeout(limits.flush_time, connection).await;
                    } else {
                        let _ = connection.await;
                    }
                    return;
                }
            }
        }
    }
}

/// How a connection that was told to leave does so.
enum Leave {
    /// A request came just before.
    Stay,
    /// It never carried a request, so there is nothing to finish.
    Cut,
    /// What is on its way is written first.
    Finish {
        /// Whether that may take a moment only.
        bounded: bool,
    },
}

impl Place {
    fn leave_now(&self, server_stops: bool) -> Leave {
        let mut open = self.among.open();
        let Some(state) = open.connections.get_mut(&self.number) else { return Leave::Cut };
        match (state.requests, state.used) {
            (0, false) => Leave::Cut,
            (0, true) => Leave::Finish { bounded: true },
            (_, _) if server_stops => Leave::Finish { bounded: false },
            (_, _) => {
                state.leaving = false;
                drop(open);
                self.among.eased.notify_waiters();
                Leave::Stay
            }
        }
    }
}

/// A request that is being worked on, until the last byte of its answer was given to be written.
struct Carried(Arc<Place>);

impl Carried {
    fn begin(place: &Arc<Place>) -> Self {
        if let Some(state) = place.among.open().connections.get_mut(&place.number) {
            state.requests += 1;
            state.used = true;
        }
        Self(Arc::clone(place))
    }

    fn until_written(self, response: Response) -> Response {
        response.map(|body| Body::new(Carrying { body, _carried: self }))
    }
}

impl Drop for Carried {
    fn drop(&mut self) {
        let mut open = self.0.among.open();
        open.turn += 1;
        let turn = open.turn;
        if let Some(state) = open.connections.get_mut(&self.0.number) {
            state.requests -= 1;
            state.idle_since = turn;
        }
        drop(open);
        self.0.among.eased.notify_waiters();
    }
}

/// The body of an answer, which holds on to its request.
struct Carrying {
    body: Body,
    _carried: Carried,
}

impl hyper::body::Body for Carrying {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
