//! Tabs of the same browser: one drives a conversation, the others follow it and pass on what is
//! done in them. What counts is decided by the store's transactions, whatever a tab believes.

use std::slice;

use agent::approval::ApprovalResponse;
use agent::id::{RequestId, SessionId, StandingApprovalId};
use serde::{Deserialize, Serialize};
use store::resolution::Wanted;
use view::scene::Streaming;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent};

use super::Driver;

/// What one tab tells the others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum TabMessage {
    /// A conversation was saved, under this revision.
    Saved(SessionId, u64),
    /// A conversation is not kept any more, and nothing of it is to be saved again.
    Forgotten(SessionId),
    /// The household, its changes or the records are not what they were.
    Kept,
    /// Someone prefers something else.
    Preferred,
    /// The reply that streams into a conversation.
    Streaming(SessionId, Option<Streaming>),
    /// A person did something in a tab that only follows; for the tab that drives.
    Errand(SessionId, PassedOn),
    /// The tab that drives has dealt with it.
    Done(String),
}

/// Something passed on to the tab that drives. It is kept until that tab says that it is done: if
/// that tab is gone first, this one takes over and does it itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PassedOn {
    /// Its name, told back in [`TabMessage::Done`].
    pub name: String,
    /// How many messages there were before it.
    pub before: usize,
    /// What is to be done.
    pub errand: Errand,
}

/// What only the tab that drives a conversation can do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Errand {
    /// Send a text.
    Say(Said),
    /// Answer a request.
    Answer(ApprovalResponse),
    /// Take back a standing approval.
    Revoke(StandingApprovalId),
    /// Do something about an outcome that is unknown.
    Resolve(Wanted),
    /// Try again.
    Retry,
    /// Stop what is going on.
    Stop,
}

impl Errand {
    /// The questions that it is an answer to.
    pub(super) fn answers(&self) -> &[RequestId] {
        match self {
            Self::Say(said) => &said.seen,
            Self::Answer(response) => slice::from_ref(&response.request),
            Self::Revoke(_) | Self::Resolve(_) | Self::Retry | Self::Stop => &[],
        }
    }
}

/// A text, and what the person who said it had before them. What they had not seen, they did not
/// answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Said {
    /// The text.
    pub text: String,
    /// The questions that were on the screen.
    pub seen: Vec<RequestId>,
}

impl Driver {
    pub(super) fn tell(&self, message: &TabMessage) {
        if let Some(tabs) = &self.tabs {
            tabs.tell(message);
        }
    }
}

/// The way to the other tabs, for as long as this value lives.
pub(super) struct Tabs {
    channel: BroadcastChannel,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Tabs {
    /// Listens to the other tabs of the same store; nothing if the browser has no such way.
    pub(super) fn open(name: &str, mut heard: impl FnMut(JsValue) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new(name).ok()?;
        let on_message = Closure::new(move |event: MessageEvent| {
            heard(event.data());
        });
        channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        Some(Self { channel, _on_message: on_message })
    }

    /// Tells every other tab. A tab that cannot be told finds out from the store.
    pub(super) fn tell(&self, message: &TabMessage) {
        if let Ok(message) = serde_wasm_bindgen::to_value(message) {
            let _ = self.channel.post_message(&message);
        }
    }
}

impl Drop for Tabs {
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.close();
    }
}
