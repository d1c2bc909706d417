//! How much of one reply is read: what a reply may hold, charged while it comes.

use agent::limits::{ARGUMENT_BYTES_MAX, CALLS_PER_REPLY_MAX, REPLY_BYTES_MAX};
use serde::de::IgnoredAny;

use crate::error::WireError;
use crate::json::parse;
use crate::limits::BLOCKS_MAX;

/// What one reply has used of its bounds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Budget {
    bytes: usize,
}

impl Budget {
    /// Counts bytes of words, arguments or thinking.
    pub(crate) fn charge(&mut self, bytes: usize) -> Result<(), WireError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > REPLY_BYTES_MAX {
            return Err(WireError::TooLarge { what: "the reply", limit: REPLY_BYTES_MAX });
        }
        Ok(())
    }
}

/// Refuses a reply with more pieces, or more calls among them, than any reply needs.
pub(crate) fn check_counts(pieces: usize, calls: usize) -> Result<(), WireError> {
    if pieces > BLOCKS_MAX {
        return Err(WireError::TooLarge { what: "the number of blocks", limit: BLOCKS_MAX });
    }
    if calls > CALLS_PER_REPLY_MAX {
        return Err(WireError::TooLarge {
            what: "the number of calls",
            limit: CALLS_PER_REPLY_MAX,
        });
    }
    Ok(())
}

/// The argument text of a call while it comes, exactly as it was written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments(String);

impl Arguments {
    /// A text that came at once.
    pub(crate) fn whole(text: &str) -> Result<Self, WireError> {
        let mut arguments = Self::default();
        arguments.push(text)?;
        Ok(arguments)
    }

    /// Adds a piece.
    pub(crate) fn push(&mut self, piece: &str) -> Result<(), WireError> {
        if self.0.len().saturating_add(piece.len()) > ARGUMENT_BYTES_MAX {
            return Err(WireError::TooLarge {
                what: "the arguments of a call",
                limit: ARGUMENT_BYTES_MAX,
            });
        }
        self.0.push_str(piece);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing but blanks.
    pub(crate) fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Whether the text may lack its end, if the length limit ended the reply. None at all, as the
    /// last words before the limit, may as well be none yet.
    pub(crate) fn may_be_cut(&self, last: bool) -> bool {
        if self.is_blank() { last } else { parse::<IgnoredAny>(&self.0).is_err() }
    }

    /// The whole text.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}
