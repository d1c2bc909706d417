//! The model proxy: a small server on this machine that stands between the page and the models.
//!
//! It holds the keys, so that the page never does; it streams replies through as they come; and it
//! serves the built page with its security headers. Read in this order: [`Config`] (what can be
//! set), `guard.rs` (who is let in), `vendor.rs` (whom it reaches), `asked.rs` and `upstream.rs`
//! (what goes out), `reply.rs` (what comes back).

mod ask;
mod asked;
mod builtin_model;
mod config;
mod connections;
mod guard;
mod limits;
mod list;
mod log;
mod page;
mod policy;
mod refusal;
mod reply;
mod server;
mod status;
mod token;
mod upstream;
mod vendor;

pub use config::{ApiKey, Config, ConfigError, Mistake, Source, Start, USAGE, UpstreamSettings};
pub use limits::Limits;
pub use log::Log;
pub use page::PageError;
pub use server::{Server, StartError};
pub use vendor::{PerVendor, Vendor};
