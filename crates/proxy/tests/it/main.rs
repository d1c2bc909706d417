//! The proxy from outside: real sockets on this machine, a provider written in the test.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed"
)]

mod bounds;
mod builtin;
mod config;
mod ends;
mod forward;
mod guard;
mod lists;
mod page;
mod program;
mod providers;
mod status;
mod token;
mod world;
