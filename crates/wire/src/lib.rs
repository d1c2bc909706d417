//! Provider bytes to and from the words of the loop, without sockets. Where to start:
//! 1. [`provider`]: the one list of providers, and [`protocol`]: the door to what they speak.
//! 2. [`anthropic`], [`openai_chat`], [`openai_responses`], [`ollama`]: the codecs, requests out and
//!    replies in; the first also from the other side.
//! 3. `transcript`: what makes a transcript legal for every provider, before any codec writes it.
//! 4. [`framing`]: server-sent events and lines across any chunk boundary.
//! 5. [`status`], [`models`]: what the proxy can reach, and which models a provider has.
//!
//! Whatever is in doubt is an error, since an error never becomes a call that a person could
//! approve: a stream without its proper end, a call cut by the length limit, text that is no JSON.

pub mod anthropic;
mod budget;
pub mod decoder;
pub mod error;
pub mod failure;
pub mod framing;
mod json;
pub mod limits;
pub mod models;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;
pub mod protocol;
pub mod provider;
pub mod retry;
pub mod status;
mod tools;
mod transcript;
