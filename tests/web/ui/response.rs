//! Answers, as a press should send them.

use agent::approval::{Answer, ApprovalResponse, CardDigest};
use agent::id::RequestId;
use view::command::Command;

pub(crate) fn answer(request: &str, answer: Answer) -> Command {
    let shown = CardDigest(format!("card of {request}"));
    Command::Answer(ApprovalResponse { request: RequestId(request.to_owned()), shown, answer })
}

pub(crate) fn yes(request: &str) -> Command {
    answer(request, Answer::Approve { always: None })
}

pub(crate) fn no(request: &str, reason: Option<&str>) -> Command {
    answer(request, Answer::Reject { reason: reason.map(str::to_owned) })
}
