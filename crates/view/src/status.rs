//! What is going on, in a sentence.

use agent::handoff;

use crate::scene::Streaming;

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// Nothing.
    #[default]
    Idle,
    /// What the page acts by is being loaded.
    Loading,
    /// The model was asked and has not answered yet.
    Thinking,
    /// The model writes.
    Writing,
    /// The model puts a question together.
    Asking(&'static str),
    /// An allowed call runs.
    Working,
    /// An allowed call was made outside the household, and its answer has not come.
    Awaiting,
}

impl Status {
    /// What a model call that is under way is at.
    #[must_use]
    pub fn of_reply(streaming: Option<&Streaming>) -> Self {
        match streaming {
            Some(streaming) => match streaming.calls.last() {
                // That is told when it has taken place.
                Some(tool) if handoff::target(tool).is_some() => Self::Thinking,
                Some(tool) => Self::Asking(kitchen::title(tool)),
                None if streaming.text.is_empty() => Self::Thinking,
                None => Self::Writing,
            },
            None => Self::Thinking,
        }
    }

    /// In a sentence; empty when there is nothing to say.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Idle => String::new(),
            Self::Loading => "Getting ready.".to_owned(),
            Self::Thinking => "The assistant is thinking.".to_owned(),
            Self::Writing => "The assistant is writing.".to_owned(),
            Self::Asking(title) => format!("The assistant prepares: {title}."),
            Self::Working => "Doing what you allowed.".to_owned(),
            Self::Awaiting => "Waiting for an answer from outside.".to_owned(),
        }
    }

    /// Whether a message would come in between. While the page gets ready it waits its turn.
    #[must_use]
    pub fn is_busy(self) -> bool {
        !matches!(self, Self::Idle | Self::Loading)
    }

    /// Whether there is something to stop.
    #[must_use]
    pub fn can_stop(self) -> bool {
        match self {
            Self::Idle | Self::Loading | Self::Working => false,
            Self::Thinking | Self::Writing | Self::Asking(_) | Self::Awaiting => true,
        }
    }
}
