//! What a person is told of something that the store could not do.

use store::error::StoreError;

use super::{Action, Notice, NoticeKind};
use crate::marks::Marked;
use crate::scene::StoreTask;

const RELOAD: &str = "Reload the page. What was kept before is still there.";
const AGAIN: &str = "Try it again. If that does not help, reload the page.";
const UNANSWERED: (&str, &str, &str) = (
    "The browser has not said whether it kept something",
    "It may have, or may yet. What is shown was read again since.",
    "Look whether it is there before you do it again, and reload the page.",
);
const LEFT: &str = "It was left as it is. The list and the other conversations can be used.";
const ANOTHER: &str = "Reload the page, or go on in another conversation.";
const MAKE_ROOM: &str = "Make some room for this browser's data, or forget a conversation you no \
    longer need, then try again. A copy of everything can be saved in Settings.";
const BEGIN_ANEW: &str = "Reload the page. If that does not help, export the record of what was \
    decided on the activity page, then clear this page's data in the browser's settings and begin \
    anew.";

pub(super) fn of_store(task: StoreTask, why: &StoreError, actions: Vec<Action>) -> Notice {
    let (happened, done, advice) = match why {
        StoreError::Unanswered => UNANSWERED,
        StoreError::Full => {
            let (happened, done, _) = words(task);
            (happened, done, MAKE_ROOM)
        }
        StoreError::Newer
        | StoreError::Damaged { .. }
        | StoreError::Stale
        | StoreError::NotApproved
        | StoreError::Absent
        | StoreError::Refused(_) => words(task),
    };
    Notice {
        happened: happened.to_owned(),
        done: Marked::ours(done).and(reason(why)),
        advice: advice.to_owned(),
        actions,
        kind: NoticeKind::Fault,
    }
}

pub(super) fn decision_not_stored(tool: &str, why: &StoreError, close: Action) -> Notice {
    let done = format!(
        "So it counts as a no. \u{201C}{}\u{201D} did not run, and nothing was changed.",
        kitchen::title(tool)
    );
    let advice = match why {
        StoreError::Full => MAKE_ROOM,
        StoreError::Damaged { .. } => BEGIN_ANEW,
        StoreError::Newer
        | StoreError::Stale
        | StoreError::NotApproved
        | StoreError::Absent
        | StoreError::Unanswered
        | StoreError::Refused(_) => "Reload the page, then ask again.",
    };
    Notice {
        happened: "Your answer could not be written down".to_owned(),
        done: Marked::ours(&done).and(reason(why)),
        advice: advice.to_owned(),
        actions: vec![close],
        kind: NoticeKind::Fault,
    }
}

/// The notice of a store that cannot be used.
pub(super) fn unavailable(why: &StoreError) -> Notice {
    let (happened, advice) = match why {
        StoreError::Newer => (
            "What is kept here was written by a newer version of this page",
            "Reload to get the newer version. If that does not help, start the newer one with \
             ./run in its folder.",
        ),
        StoreError::Absent => (
            "This browser does not let the page keep anything",
            "Allow this page to store data, or leave the private window, then reload.",
        ),
        StoreError::Full => {
            ("This browser has no room left for this page", "Make some room in it, then reload.")
        }
        StoreError::Damaged { .. } => (
            "What is kept here is damaged",
            "Reload. If that does not help, clear this page's data in the browser's settings and \
             begin anew.",
        ),
        StoreError::Unanswered => (
            "This browser does not say whether it keeps anything",
            "Close other tabs of this page, then reload. If that does not help, start the browser \
             again.",
        ),
        StoreError::Stale | StoreError::NotApproved | StoreError::Refused(_) => (
            "What is kept here could not be opened",
            "Reload. If that does not help, close the browser and start it again.",
        ),
    };
    let done = "What is kept was left as it is. What is said and done here now is lost when the \
                page closes, so nothing that changes something will run.";
    Notice {
        happened: happened.to_owned(),
        done: Marked::ours(done).and(reason(why)),
        advice: advice.to_owned(),
        actions: Vec::new(),
        kind: NoticeKind::Fault,
    }
}

fn reason(why: &StoreError) -> Marked {
    Marked::ours(" The reason: ").and(Marked::of(&why.to_string())).and(Marked::ours("."))
}

/// What happened, what was and was not done, and what to do.
fn words(task: StoreTask) -> (&'static str, &'static str, &'static str) {
    match task {
        StoreTask::ReadHousehold => (
            "The list could not be read",
            "It was left as it is: it is not shown, it cannot be changed, and nothing that changes \
             something is asked or runs.",
            BEGIN_ANEW,
        ),
        StoreTask::ReadChanges => (
            "Some changes cannot be taken back",
            "What is kept of them could not be read and was left as it is. The list is whole.",
            "Change the list by hand where it is not as you want it.",
        ),
        StoreTask::ReadSettings => (
            "Your settings could not be read",
            "They were left as they are. The page goes by its own settings.",
            "Choose them again in Settings: that replaces what cannot be read.",
        ),
        StoreTask::ReadKey => (
            "Nothing that you decide can be written down",
            "What binds it to the record could not be read and was left as it is. So nothing that \
             changes something is asked or runs. The list can be changed by hand.",
            BEGIN_ANEW,
        ),
        StoreTask::ListConversations => ("A conversation could not be listed", LEFT, ANOTHER),
        StoreTask::OpenConversation => ("A conversation could not be opened", LEFT, ANOTHER),
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
        StoreTask::RecordOutcome => (
            "What came of it could not be written down",
            "It may have been done.",
            "Look before you ask for it again.",
        ),
        StoreTask::Resolve => ("That could not be done", "Nothing was tried or marked.", AGAIN),
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
