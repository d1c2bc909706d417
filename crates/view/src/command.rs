//! Everything a person can ask for on the page. The page's only way to the driver.

use std::sync::Arc;

use agent::approval::ApprovalResponse;
use agent::id::{SessionId, StandingApprovalId};

use store::resolution::Wanted;
use store::settings::Preferences;

use crate::backup::BringIn;

/// Something the person asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Send a text. If a card waits, that is a no to it.
    Say(String),
    /// Answer one card or one row of a batch.
    Answer(ApprovalResponse),
    /// Take back what was said "always" to.
    Revoke(StandingApprovalId),
    /// Do something about an outcome that is unknown.
    Resolve(Wanted),
    /// Try again what the problem with this number is about, or else go on with what is unfinished.
    Retry(Option<usize>),
    /// Stop what is going on.
    Stop,
    /// Begin a new conversation. What waits in the old one goes on waiting there.
    NewConversation,
    /// Go on with another conversation.
    Open(SessionId),
    /// Forget a conversation and all that was said in it. What waits in it never runs.
    Forget(SessionId),
    /// Change the list by hand.
    Edit(kitchen::Edit),
    /// Take back a change.
    Undo(kitchen::ChangeId),
    /// Use other preferences from now on.
    Prefer(Preferences),
    /// Load what the page acts by: something is about to be asked for, or shown that needs it.
    LoadEngine,
    /// Read what older records the page does not hold, one stretch, and what they are about.
    ReadRecords,
    /// Write all records as one file.
    ExportRecords,
    /// Write everything as one file, to be kept.
    KeepCopy,
    /// Bring such a file in.
    BringIn(Arc<BringIn>),
    /// What was asked for was taken.
    Taken,
    /// Look again whether the proxy is there.
    CheckProxy,
    /// Take a notice away.
    Dismiss(usize),
}
