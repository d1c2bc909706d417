//! What becomes of the next transaction: decided beforehand.

/// What becomes of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fate {
    /// It is kept, and the program is told so.
    #[default]
    Commits,
    /// It is undone, and the program is told so.
    Aborts,
    /// The program stops before it begins.
    CrashBefore,
    /// The program stops inside, and it is undone.
    CrashInside,
    /// It is kept, and the program stops before it is told.
    CrashAfter,
    /// There is no room for what it writes, and it is undone.
    Full,
    /// There is no room, and the database finds out when it is to be kept.
    FullAtCommit,
    /// It is kept, and the program is not told so in time.
    UnansweredKept,
    /// It is undone, and the program is not told so in time.
    UnansweredUndone,
    /// It is kept, after the program was not told so in time and asked once more.
    UnansweredLate,
    /// This program has the database no more.
    Closed,
}

impl Fate {
    /// Whether the program stops.
    #[must_use]
    pub fn is_crash(self) -> bool {
        matches!(self, Self::CrashBefore | Self::CrashInside | Self::CrashAfter)
    }
}

/// What becomes of the next transaction, and at which of its requests, if it has that many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// What becomes of it.
    pub fate: Fate,
    /// How many requests are answered before it is undone.
    pub requests: u32,
    /// Whether the tool that runs in it ends the run. None of the kitchen's does.
    pub terminates: bool,
    /// Whether what gets no answer gets none when it is asked again.
    pub again: bool,
    /// How often the database does not open when it is opened anew after that.
    pub unopened: u32,
}

impl Plan {
    /// What becomes of a transaction that follows on one without an answer.
    #[must_use]
    pub fn second(self) -> Self {
        // Behind one that is late it waits.
        let late = self.fate == Fate::UnansweredLate;
        if self.again || late { self } else { Self::default() }
    }
}
