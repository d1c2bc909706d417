//! How a database opens and how it is lost: what the page and the simulation must do alike.

use agent::mistake::{Mistake, made};

/// How often a database that would not open is tried again: browsers fail now and then, above all
/// after a long sleep, and then open it.
const REOPENED_MAX: u32 = 3;

/// How a connection came to its end though nobody here ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Another tab brings what is kept up to a newer version, and this one made way.
    Replaced,
    /// The browser closed it, or what was kept is being deleted.
    Lost,
}

impl Ended {
    /// How it ended, by the version that is to come: none is where nothing is to be kept any more.
    #[must_use]
    pub fn of(newer: Option<f64>) -> Self {
        if newer.is_some() { Self::Replaced } else { Self::Lost }
    }
}

/// Opens a database, and tries again if it may open then.
///
/// # Errors
/// The last one, if it does not open.
pub async fn open<D, E>(
    mut attempt: impl AsyncFnMut() -> Result<D, E>,
    may_pass: impl Fn(&E) -> bool,
) -> Result<D, E> {
    let mut opened = attempt().await;
    for _ in 0..REOPENED_MAX {
        match &opened {
            Err(error) if may_pass(error) && !made(Mistake::OpensOnce) => {
                opened = attempt().await;
            }
            Ok(_) | Err(_) => break,
        }
    }
    opened
}

/// Whether a database may open if it is tried again, by the name of the exception with which it did
/// not.
#[must_use]
pub fn may_pass(exception: &str) -> bool {
    matches!(exception, "UnknownError" | "InvalidStateError" | "AbortError")
}
