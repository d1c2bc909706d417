//! The agent loop and its approval engine, without a browser, a provider or an egg.
//!
//! Events go in, effects come out; time and randomness are passed in. Where to start:
//! 1. [`approval`]: the rules of asking a person, in their order of precedence.
//! 2. [`session`]: what is kept, and [`session::Session::step`], the one way to change it.
//! 3. [`event`] and [`effect`]: everything that can happen, and everything a run can ask for.
//! 4. [`handoff`]: several agents in one conversation.
//! 5. `run`, the loop itself: which event leads where.

pub mod approval;
pub mod arguments;
pub mod audit;
pub mod canonical;
pub mod effect;
pub mod event;
pub mod handoff;
pub mod id;
pub mod limits;
pub mod message;
pub mod mistake;
pub mod model;
mod reply;
pub mod resolution;
mod run;
pub mod schema;
pub mod session;
pub mod settings;
pub mod stored;
pub mod time;
pub mod tool;
pub mod window;
pub mod wording;
