//! Why the store could not do something.

/// Why the store could not do something. Nothing of it was kept, but for [`StoreError::Unanswered`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no room left.
    #[error("the browser has no room left for this page")]
    Full,
    /// The store was written by a newer version of the page.
    #[error("it was written by a newer version of this page; reload to get that version")]
    Newer,
    /// Something kept cannot be read.
    #[error("{what} cannot be read: {why}")]
    Damaged {
        /// What.
        what: &'static str,
        /// The reader's words.
        why: String,
    },
    /// Another tab saved this conversation meanwhile; what it saved is the truth now.
    #[error("another tab went on with this conversation meanwhile")]
    Stale,
    /// A tool was to run without a decision that allows it.
    #[error("no decision on record allows this")]
    NotApproved,
    /// There is no store.
    #[error("this browser keeps nothing for this page")]
    Absent,
    /// The database did not say in time whether it was done: it may have been, or may be yet.
    #[error("the browser did not answer in time")]
    Unanswered,
    /// The database refused, in its own words.
    #[error("the browser says: {0}")]
    Refused(String),
}

impl StoreError {
    /// Whether it is about one thing that is kept, and not about the database.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }
}
