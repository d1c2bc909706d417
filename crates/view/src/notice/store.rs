//! What a person is told of something that the store could not do.

use super::{Action, Notice, NoticeKind};
use crate::marks::Marked;
use crate::scene::StoreTask;

const RELOAD: &str = "Reload the page. What was kept before is still there.";
const AGAIN: &str = "Try it again. If that does not help, reload the page.";

pub(super) fn of_store(task: StoreTask, why: &str, close: Action) -> Notice {
    let (happened, done, advice) = words(task);
    Notice {
        happened: happened.to_owned(),
        done: Marked::ours(done)
            .and(Marked::ours(" The reason: "))
            .and(Marked::of(why))
            .and(Marked::ours(".")),
        advice: advice.to_owned(),
        actions: vec![close],
        kind: NoticeKind::Fault,
    }
}

/// What happened, what was and was not done, and what to do.
fn words(task: StoreTask) -> (&'static str, &'static str, &'static str) {
    match task {
        StoreTask::Open => (
            "What this browser keeps could not be opened",
            "Nothing of it is shown, nothing new is kept, and nothing that changes something runs.",
            RELOAD,
        ),
        StoreTask::OpenConversation => (
            "A conversation could not be opened",
            "It was left as it is. The list and the other conversations can be used.",
            "Reload the page, or go on in another conversation.",
        ),
        StoreTask::SaveConversation => (
            "This conversation could not be kept",
            "What is new in it is lost when the page closes, and nothing that needs your yes runs.",
            "Copy what you want to keep, then reload the page. What was kept before is still there.",
        ),
        StoreTask::ForgetConversation => {
            ("The conversation could not be forgotten", "It is still kept, whole.", AGAIN)
        }
        StoreTask::ChangeList => ("The list could not be changed", "It stays as it is.", AGAIN),
        StoreTask::RunTool => (
            "What you approved could not be done",
            "Nothing was changed.",
            "Ask for it again. If that does not help, reload the page.",
        ),
        StoreTask::KeepSettings => (
            "Your settings could not be kept",
            "They count here until the page closes.",
            "Choose them again later.",
        ),
        StoreTask::ReadOthers => (
            "What another tab kept could not be read",
            "What you see here may be out of date. Nothing was changed.",
            RELOAD,
        ),
        StoreTask::ReadRecords => (
            "The record of what was decided could not be read",
            "The activity page does not show all of it. Nothing was changed.",
            RELOAD,
        ),
        StoreTask::ExportRecords => {
            ("The record could not be exported", "No file was written.", AGAIN)
        }
    }
}
