//! Notices: every problem in words.

use agent::approval::{Basis, Outcome};
use agent::effect::RunError;
use agent::message::{Body, Content, Ending, Message};
use agent::model::{ModelError, ModelErrorKind};
use kitchen::{ChangeId, Edit};
use store::error::StoreError;
use view::command::Command;
use view::notice::{Notice, NoticeKind};
use view::scene::{Cause, Problem, StoreTask};

use crate::transcript::{add, decision, message, result, said};

fn notice_after(messages: &[Message], cause: Cause) -> Notice {
    Notice::of(&Problem { number: 1, after: messages.len(), cause }, messages)
}

fn model(kind: ModelErrorKind) -> Cause {
    Cause::Model { error: ModelError { kind, message: "words".to_owned() }, unsent: None }
}

const MODELS: [ModelErrorKind; 13] = [
    ModelErrorKind::ProxyUnreachable,
    ModelErrorKind::Transport,
    ModelErrorKind::Timeout,
    ModelErrorKind::Cancelled,
    ModelErrorKind::CutOff,
    ModelErrorKind::LengthLimit,
    ModelErrorKind::RateLimit { retry_after_s: Some(40) },
    ModelErrorKind::RateLimit { retry_after_s: None },
    ModelErrorKind::Overloaded,
    ModelErrorKind::Unauthorized,
    ModelErrorKind::UnknownModel,
    ModelErrorKind::BadRequest,
    ModelErrorKind::Protocol,
];

fn every_cause() -> Vec<Cause> {
    let words = || "words".to_owned();
    let runs = [
        RunError::UnansweredApproval { message: words() },
        RunError::UnknownApproval,
        RunError::NothingToResume,
        RunError::Protocol { message: words() },
        RunError::MaxIterations,
        RunError::ToolErrors { message: words() },
        RunError::UnknownTool { name: words() },
        RunError::ApprovalRoundsExhausted,
    ];
    let tasks = [
        StoreTask::ReadHousehold,
        StoreTask::ReadChanges,
        StoreTask::ReadSettings,
        StoreTask::ReadKey,
        StoreTask::ListConversations,
        StoreTask::OpenConversation,
        StoreTask::SaveConversation,
        StoreTask::ForgetConversation,
        StoreTask::ChangeList,
        StoreTask::RunTool,
        StoreTask::KeepSettings,
        StoreTask::ReadOthers,
        StoreTask::ReadRecords,
        StoreTask::ExportRecords,
    ];
    let others = [
        Cause::CardChanged,
        Cause::CardCame { unsent: words() },
        Cause::Overtaken { unsent: words() },
        Cause::Emptied,
        Cause::NotLoaded { undone: None },
        Cause::NotLoaded { undone: Some(Command::Say(words())) },
        Cause::NotLoaded { undone: Some(Command::Undo(ChangeId(1))) },
        Cause::NotLoaded {
            undone: Some(Command::Edit(Edit::Add { item: words(), quantity: "2 g".to_owned() })),
        },
        Cause::Kitchen { why: "eggs is not on the list".to_owned() },
    ];
    let models = MODELS.into_iter().map(model);
    let whys = [
        StoreError::Full,
        StoreError::Newer,
        StoreError::Damaged { what: "the household", why: words() },
        StoreError::Stale,
        StoreError::NotApproved,
        StoreError::Absent,
        StoreError::Unanswered,
        StoreError::Refused(words()),
    ];
    let tool = "add_to_shopping_list".to_owned();
    let undecided = whys.clone().map(|why| Cause::DecisionNotStored { tool: tool.clone(), why });
    let stores = tasks
        .into_iter()
        .flat_map(|task| whys.clone().map(|why| Cause::Store { task, why }))
        .chain(undecided);
    models.chain(runs.into_iter().map(Cause::Run)).chain(stores).chain(others).collect()
}

#[test]
fn every_problem_says_what_happened_what_was_done_and_what_to_do() {
    for cause in every_cause() {
        let notice = notice_after(&[said("eggs")], cause.clone());
        let done = notice.done.spoken();
        assert!(!notice.happened.is_empty() && !notice.happened.ends_with('.'), "{cause:?}");
        assert!(done.ends_with('.') && !done.contains(".."), "{cause:?}: {done}");
        let offers = notice.actions.iter().any(|action| action.label != "Close");
        assert!(offers || notice.advice.ends_with('.'), "{cause:?}: {}", notice.advice);
        assert!(!notice.actions.is_empty(), "{cause:?}");
        let words = format!("{} {}", notice.happened, notice.advice).to_lowercase();
        for word in ["oops", "please", "something went wrong", "!", "token", "session"] {
            assert!(!words.contains(word), "{cause:?} says {word}");
        }
    }
}

#[test]
fn a_problem_after_a_change_says_that_it_was_made() {
    let (eggs, milk) = (add("a", "eggs", "12"), add("b", "milk", "1 l"));
    let messages = [
        said("eggs and milk"),
        message(Body::Assistant(vec![Content::Call(eggs.clone()), Content::Call(milk.clone())])),
        result(&eggs, Ending::Ran, Some(decision(&eggs, Outcome::Approved, Basis::Person))),
        result(&milk, Ending::Refused, Some(decision(&milk, Outcome::Denied, Basis::Person))),
    ];
    let cut = notice_after(&messages, model(ModelErrorKind::CutOff));
    assert_eq!(cut.done.spoken(), "Done before that: eggs. Not done: milk.");
    let not_known = [
        &messages[..],
        &[
            message(Body::Assistant(vec![Content::Call(add("c", "flour", ""))])),
            result(
                &add("c", "flour", ""),
                Ending::Unknown,
                Some(decision(&add("c", "flour", ""), Outcome::Approved, Basis::Person)),
            ),
        ],
    ]
    .concat();
    let cut = notice_after(&not_known, model(ModelErrorKind::CutOff));
    assert_eq!(
        cut.done.spoken(),
        "Done before that: eggs. It is not known whether this was done: flour. Not done: milk."
    );
    let later = [&messages[..], &[said("and now?")]].concat();
    let cut = notice_after(&later, model(ModelErrorKind::CutOff));
    assert_eq!(cut.done.spoken(), "Nothing was changed.");
    let wait = notice_after(&messages, model(ModelErrorKind::Overloaded));
    assert_eq!(wait.kind, NoticeKind::Wait);
}
