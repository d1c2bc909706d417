//! What the driver deals with, one after the other, and how much of it may show.

use agent::event::ToolOutcome;
use agent::id::{RequestId, SessionId};
use agent::model::{ModelError, ModelEvent, ModelReply};
use view::command::Command;
use view::scene::Proxy;
use wasm_bindgen::JsValue;

use super::lock::Held;
use crate::database::Ended;

/// Something for the driver to deal with.
#[derive(Debug)]
pub enum Input {
    /// The person asked for something, with these questions on the screen.
    Command(Command, Vec<RequestId>),
    /// A piece of the reply to a call.
    ModelEvent(CallNumber, ModelEvent),
    /// A call came to its end.
    ModelEnded(CallNumber, Result<ModelReply, ModelError>),
    /// An answer came from outside the household, or is not waited for any longer.
    Attempted(RequestId, ToolOutcome),
    /// Another tab has something to say: a [`TabMessage`].
    Heard(JsValue),
    /// The browser gave the lock on a conversation that this tab had waited for.
    Granted(SessionId, Held),
    /// The browser was asked to keep the store, and promised or did not.
    Persistence(bool),
    /// The proxy was asked what it offers.
    Offers(Proxy),
    /// The engine was loaded, or could not be.
    Loaded(bool),
    /// The connection to the store came to its end.
    StoreEnded(Ended),
    /// There is time to check records that were not checked yet.
    CheckRecords,
    /// Time went by: the timer fired.
    TimePassed,
    /// The page was woken: it is looked at again, come back to, or goes on after it was frozen.
    Woken,
}

impl Input {
    /// What the person said, if that is it.
    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Command(Command::Say(text), _) = self { Some(text) } else { None }
    }
}

/// What a person may see change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// Only the words that stream in.
    Words,
    /// Anything.
    Everything,
}

/// Which call of the model something belongs to; a stopped call's late words are not the next one's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallNumber(pub(super) u64);
