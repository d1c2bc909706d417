//! A conversation and everything that is kept with it.

use crate::effect::Effect;
use crate::event::Event;
use crate::id::{Entropy, SessionId};
use crate::message::Message;
use crate::settings::Settings;
use crate::time::Timestamp;
use crate::tool::ToolSpec;

/// What one step may look at: time and randomness are passed in.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The driver's clock.
    pub now: Timestamp,
    /// Fresh randomness for new ids.
    pub entropy: Entropy,
    /// The tools there are now.
    pub tools: &'a [ToolSpec],
    /// How the run is to behave.
    pub settings: &'a Settings,
    /// The agent's instructions.
    pub instructions: &'a str,
    /// The key of the digests in audit events, one for each installation.
    pub digest_key: &'a [u8; 32],
}

/// A conversation: its transcript, the phase of its run, its state bag.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    id: SessionId,
    messages: Vec<Message>,
}

impl Session {
    /// A conversation in which nothing was said yet.
    #[must_use]
    pub fn new(id: SessionId) -> Self {
        Self { id, messages: Vec::new() }
    }

    /// Takes one event; the effects are to be carried out in order.
    pub fn step(&mut self, event: Event, _context: &Context<'_>) -> Vec<Effect> {
        vec![Effect::Ignored(event)]
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The transcript.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }
}
