//! The conversation, the card and the list: what a person is shown of hand-made calls and answers.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use agent::approval::{ApprovalRequest, Basis, CardDigest, Decision, Outcome};
use agent::effect::RunError;
use agent::id::{CallId, RequestId};
use agent::message::{Body, Content, Ending, Message, ToolCall, ToolResult};
use agent::model::{ModelError, ModelErrorKind};
use agent::settings::Wait;
use agent::time::Timestamp;
use kitchen::{Change, ChangeId, Edit, Household, LineId, difference};
use serde_json::{Value, json};
use view::card::{Asked, Card, RowAnswer};
use view::conversation::{Streamed, Turn, TurnBody, turns};
use view::list::{Counts, List};
use view::notice::{Notice, NoticeKind};
use view::receipt::{Sign, Undo};
use view::scene::{Cause, Problem, Streaming};

const NOW: Timestamp = Timestamp(1_000_000);

fn household(lines: &[(&str, &str)]) -> Household {
    let mut household = Household::default();
    for (item, quantity) in lines {
        let edit = Edit::Add { item: (*item).to_owned(), quantity: (*quantity).to_owned() };
        household.edit(edit).expect("an item");
    }
    household
}

fn call(id: &str, tool: &str, arguments: &Value) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        model_id: "toolu_1".to_owned(),
        name: tool.to_owned(),
        arguments: arguments.as_object().cloned().expect("an object"),
    }
}

fn add(id: &str, item: &str, quantity: &str) -> ToolCall {
    call(id, "add_to_shopping_list", &json!({ "item": item, "quantity": quantity }))
}

fn request(call: &ToolCall, deadline: Option<Timestamp>) -> ApprovalRequest {
    ApprovalRequest {
        id: RequestId(format!("request-{}", call.id)),
        call: call.clone(),
        requested_at: NOW,
        attempt: 1,
        deadline,
        gated: true,
        shown: CardDigest::of(call, None),
    }
}

fn decision(call: &ToolCall, outcome: Outcome, basis: Basis) -> Decision {
    Decision {
        request: RequestId(format!("request-{}", call.id)),
        outcome,
        basis,
        reason: None,
        at: NOW,
    }
}

fn open(request: &ApprovalRequest) -> Asked<'_> {
    Asked { call: &request.call, open: Some(request), decision: None, result: None }
}

fn card(asked: &[Asked<'_>], household: &Household) -> Card {
    Card::of(asked, &kitchen::tools(), household, Wait::default(), NOW).expect("something waits")
}

fn message(body: Body) -> Message {
    Message { at: NOW, body }
}

fn said(text: &str) -> Message {
    message(Body::Person(text.to_owned()))
}

fn result(call: &ToolCall, ending: Ending, decision: Option<Decision>) -> Message {
    let text = "the tool's own words".to_owned();
    message(Body::Result(ToolResult { call: call.id.clone(), text, ending, decision }))
}

#[test]
fn a_card_shows_the_call_whole_and_what_it_would_do() {
    let eggs = request(&add("a", "eggs", "12"), Some(NOW.plus_ms(540_000)));
    let card = card(&[open(&eggs)], &household(&[("milk", "1 l"), ("bread", "1")]));
    assert_eq!(card.title, "Add to the shopping list");
    let row = card.rows.first().expect("a row");
    assert_eq!(row.name(), "eggs, not on the list becomes 12");
    assert_eq!(row.json.spoken(), r#"{"item":"eggs","quantity":"12"}"#);
    assert_eq!(
        card.announcement(),
        "Waits for your answer: Add to the shopping list. item eggs, quantity 12. eggs, not on \
         the list becomes 12. 9 minutes left."
    );
}

#[test]
fn a_card_is_worked_out_on_the_list_as_it_is_now() {
    let milk = request(&add("a", "milk", "1 l"), None);
    for (household, name) in [
        (household(&[]), "milk, not on the list becomes 1 l"),
        (household(&[("milk", "1 l")]), "milk, 1 l becomes 2 l"),
    ] {
        assert_eq!(card(&[open(&milk)], &household).rows[0].name(), name);
    }
    let gone = call("b", "check_off_item", &json!({ "item": "caviar", "checked": true }));
    let gone = request(&gone, None);
    let said = card(&[open(&gone)], &household(&[])).announcement();
    assert!(said.contains("This would fail: "), "{said}");
}

#[test]
fn time_is_said_in_minutes_and_at_last_in_seconds() {
    for (left_ms, words, is_soon) in [
        (600_000, "10 min left · try 1 of 3", false),
        (540_001, "10 min left · try 1 of 3", false),
        (120_000, "2:00 left · try 1 of 3", true),
        (61_000, "1:01 left · try 1 of 3", true),
        (1, "0:01 left · try 1 of 3", true),
        (0, "0:00 left · try 1 of 3", true),
    ] {
        let eggs = request(&add("a", "eggs", "12"), Some(NOW.plus_ms(left_ms)));
        let time = card(&[open(&eggs)], &household(&[])).time.expect("a time");
        assert_eq!((time.words.as_str(), time.soon), (words, is_soon), "{left_ms} ms");
    }
}

#[test]
fn the_rows_of_a_batch_stay_until_the_last_is_answered() {
    let calls = [add("a", "leeks", "3"), add("b", "limes", "4"), add("c", "eggs", "12")];
    let yes = decision(&calls[0], Outcome::Approved, Basis::Person);
    let no = decision(&calls[1], Outcome::Denied, Basis::Person);
    let waiting = request(&calls[2], None);
    let answered = |call, decision| Asked { call, open: None, decision, result: None };
    let asked = [answered(&calls[0], Some(&yes)), answered(&calls[1], Some(&no)), open(&waiting)];
    let card = card(&asked, &household(&[]));
    assert_eq!(card.title, "Add to the shopping list, 3 items");
    let answers: Vec<_> = card.rows.iter().map(|row| row.answer).collect();
    assert_eq!(answers, [Some(RowAnswer::Allowed), Some(RowAnswer::Refused), None]);
    assert_eq!(
        Card::of(&asked[..2], &kitchen::tools(), &household(&[]), Wait::default(), NOW),
        None
    );
}

#[test]
fn each_row_is_worked_out_on_what_the_rows_above_it_leave() {
    let off = call("a", "remove_from_shopping_list", &json!({ "item": "bread" }));
    let calls = [off, add("b", "bread", ""), add("c", "milk", "1 l"), add("d", "milk", "1 l")];
    let waiting: Vec<_> = calls.iter().map(|call| request(call, None)).collect();
    let asked: Vec<_> = waiting.iter().map(open).collect();
    let household = household(&[("bread", "2")]);
    let names = |asked: &[Asked<'_>]| -> Vec<String> {
        card(asked, &household).rows.iter().map(|row| row.name()).collect()
    };
    assert_eq!(
        names(&asked),
        [
            "bread, 2 becomes not on the list",
            "bread, not on the list becomes on the list",
            "milk, not on the list becomes 1 l",
            "milk, 1 l becomes 2 l",
        ]
    );
    let no = decision(&calls[2], Outcome::Denied, Basis::Person);
    let mut asked = asked;
    asked[2] = Asked { call: &calls[2], open: None, decision: Some(&no), result: None };
    assert_eq!(names(&asked)[3], "milk, not on the list becomes 1 l");
}

#[test]
fn a_text_that_was_not_sent_stays_in_the_conversation_with_the_notice() {
    let error = ModelError { kind: ModelErrorKind::ProxyUnreachable, message: String::new() };
    let cause = Cause::Model { error, unsent: Some("add milk".to_owned()) };
    let problems = [Problem { number: 1, after: 0, cause }];
    let bodies: Vec<_> = turns(&[], &problems, &[], &[]).into_iter().map(|it| it.body).collect();
    assert!(
        matches!(&bodies[..], [TurnBody::Person(text), TurnBody::Notice(_)] if text == "add milk"),
        "{bodies:?}"
    );
}

#[test]
fn the_list_pencils_in_what_waits_where_it_would_stand() {
    let household = household(&[("milk", "1 l"), ("bread", "1")]);
    let calls = [add("a", "milk", "1 l"), add("b", "eggs", "12"), add("c", "rye bread", "1")];
    let requests = calls.each_ref().map(|call| request(call, None));
    let yes = decision(&calls[2], Outcome::Approved, Basis::Person);
    let allowed = Asked { call: &calls[2], open: None, decision: Some(&yes), result: None };
    let card = card(&[open(&requests[0]), open(&requests[1]), allowed], &household);
    let list = List::of(&household, &[], &[card]);
    let shown: Vec<_> = list
        .lines
        .iter()
        .map(|line| {
            let pencil = line.pencil.as_ref().map(|it| (it.allowed, it.change.spoken()));
            (line.aisle, line.name.spoken(), pencil)
        })
        .collect();
    let pencil = |allowed, words: &str| Some((allowed, words.to_owned()));
    assert_eq!(
        shown,
        [
            ("Bread", "bread".to_owned(), None),
            ("Bread", "rye bread".to_owned(), pencil(true, "rye bread, not on the list becomes 1")),
            ("Dairy & eggs", "milk".to_owned(), pencil(false, "milk, 1 l becomes 2 l")),
            ("Dairy & eggs", "eggs".to_owned(), pencil(false, "eggs, not on the list becomes 12")),
        ]
    );
    assert_eq!(list.counts(), Counts { to_get: 2, in_basket: 0, allowed: 1, pencilled: 2 });
}

#[test]
fn a_ticked_line_keeps_its_place_for_as_long_as_it_is_to() {
    let mut household = household(&[("milk", "1 l"), ("bread", "1")]);
    let milk = LineId(1);
    household.edit(Edit::Check { line: milk, checked: true }).expect("a line");
    let list = List::of(&household, &[], &[]);
    let titles = |staying: &[LineId]| {
        list.groups(staying).iter().map(|group| group.title).collect::<Vec<_>>()
    };
    assert_eq!(titles(&[]), ["Bread", "In the basket"]);
    assert_eq!(titles(&[milk]), ["Bread", "Dairy & eggs"]);
}

#[test]
fn the_latest_changes_can_be_taken_back_where_they_show() {
    let before = household(&[("milk", "1 l")]);
    let mut with_eggs = before.clone();
    with_eggs
        .edit(Edit::Add { item: "eggs".to_owned(), quantity: "12".to_owned() })
        .expect("an item");
    let change = |id, from: &Household, to: &Household| Change {
        id: ChangeId(id),
        at: NOW,
        request: None,
        lines: difference(from, to),
        undone: false,
    };
    let added = change(1, &before, &with_eggs);
    let list = List::of(&with_eggs, std::slice::from_ref(&added), &[]);
    let eggs = list.lines.iter().find(|line| line.name.spoken() == "eggs").expect("eggs");
    let recent = eggs.recent.as_ref().expect("a change to take back");
    assert_eq!((recent.change, recent.did), (ChangeId(1), "Added"));

    let removed = change(2, &with_eggs, &before);
    let gone = List::of(&before, &[added.clone(), removed], &[]).gone.expect("what is gone");
    assert_eq!(
        (gone.change, gone.did, gone.name.spoken()),
        (ChangeId(2), "Taken off", "eggs".to_owned())
    );

    let undone = Change { undone: true, ..added };
    let list = List::of(&with_eggs, &[undone], &[]);
    assert!(list.lines.iter().all(|line| line.recent.is_none()));
}

/// What the conversation says of one call that ended so.
#[track_caller]
fn check_receipt(outcome: Outcome, basis: Basis, ending: Ending, sign: Sign, words: &str) {
    let eggs = add("a", "eggs", "12");
    let messages = [
        said("eggs"),
        message(Body::Assistant(vec![Content::Call(eggs.clone())])),
        result(&eggs, ending, Some(decision(&eggs, outcome, basis))),
    ];
    let turns = turns(&messages, &[], &[], &[]);
    let Some(TurnBody::Receipt(receipt)) = turns.last().map(|turn| &turn.body) else {
        panic!("no receipt in {turns:?}")
    };
    assert_eq!((receipt.sign, receipt.announcement()), (sign, format!("eggs, 12. {words}")));
}

#[test]
fn a_receipt_tells_what_was_allowed_from_what_happened() {
    use Ending::{Failed, Ran, Refused, Unknown};
    let person = Basis::Person;
    let own = Basis::Loop;
    for (outcome, basis, ending, sign, words) in [
        (Outcome::Approved, person, Ran, Sign::Ran, "Allowed by you. Ran."),
        (Outcome::Approved, Basis::Standing, Ran, Sign::RanByRule, "Allowed by your rule. Ran."),
        (
            Outcome::Approved,
            person,
            Failed,
            Sign::Failed,
            "Allowed by you. Failed, nothing changed.",
        ),
        (
            Outcome::Approved,
            person,
            Unknown,
            Sign::Unknown,
            "Allowed by you. May have run. Look before you ask for it again.",
        ),
        (Outcome::Denied, person, Refused, Sign::Denied, "Denied by you. Did not run."),
        (Outcome::TimedOut, own, Refused, Sign::TimedOut, "No answer in time. Did not run."),
        (Outcome::MovedOn, own, Refused, Sign::MovedOn, "You said something else. Did not run."),
        (
            Outcome::Sticky,
            own,
            Refused,
            Sign::Closed,
            "Not asked: you said no to this request. Did not run.",
        ),
        (
            Outcome::AuditFailed,
            own,
            Refused,
            Sign::Failed,
            "Could not be written down, so it counts as a no. Did not run.",
        ),
    ] {
        check_receipt(outcome, basis, ending, sign, words);
    }
}

#[test]
fn a_receipt_shows_what_changed_and_takes_it_back() {
    let eggs = add("a", "eggs", "12");
    let before = household(&[]);
    let after = household(&[("eggs", "12")]);
    let change = Change {
        id: ChangeId(7),
        at: NOW,
        request: Some(RequestId("request-a".to_owned())),
        lines: difference(&before, &after),
        undone: false,
    };
    let messages = [
        message(Body::Assistant(vec![Content::Call(eggs.clone())])),
        result(&eggs, Ending::Ran, Some(decision(&eggs, Outcome::Approved, Basis::Person))),
    ];
    let receipt_of = |change: Change| match turns(&messages, &[], &[change], &[]).pop() {
        Some(Turn { body: TurnBody::Receipt(receipt), .. }) => receipt,
        other => panic!("no receipt but {other:?}"),
    };
    let receipt = receipt_of(change.clone());
    assert_eq!(receipt.lines[0].spoken(), "eggs, not on the list becomes 12");
    assert_eq!(receipt.undo, Undo::Can(ChangeId(7)));
    assert_eq!(receipt_of(Change { undone: true, ..change }).undo, Undo::Done);
}

#[test]
fn a_call_that_nobody_was_asked_about_has_no_receipt() {
    let read = call("a", "get_shopping_list", &json!({}));
    let messages = [
        said("what is on the list?"),
        message(Body::Assistant(vec![Content::Call(read.clone())])),
        result(&read, Ending::Ran, None),
    ];
    assert_eq!(turns(&messages, &[], &[], &[]).len(), 1);
}

fn notice_after(messages: &[Message], cause: Cause) -> Notice {
    Notice::of(&Problem { number: 1, after: messages.len(), cause }, messages)
}

fn model(kind: ModelErrorKind) -> Cause {
    Cause::Model { error: ModelError { kind, message: "words".to_owned() }, unsent: None }
}

#[test]
fn every_problem_says_what_happened_what_was_done_and_what_to_do() {
    let causes = [
        model(ModelErrorKind::ProxyUnreachable),
        model(ModelErrorKind::Transport),
        model(ModelErrorKind::Timeout),
        model(ModelErrorKind::Cancelled),
        model(ModelErrorKind::CutOff),
        model(ModelErrorKind::LengthLimit),
        model(ModelErrorKind::RateLimit { retry_after_s: Some(40) }),
        model(ModelErrorKind::RateLimit { retry_after_s: None }),
        model(ModelErrorKind::Overloaded),
        model(ModelErrorKind::Unauthorized),
        model(ModelErrorKind::UnknownModel),
        model(ModelErrorKind::BadRequest),
        model(ModelErrorKind::Protocol),
        Cause::Run(RunError::MaxIterations),
        Cause::Run(RunError::ApprovalRoundsExhausted),
        Cause::Run(RunError::Protocol { message: "words".to_owned() }),
        Cause::Run(RunError::ToolErrors { message: "words".to_owned() }),
        Cause::DecisionNotStored { tool: "add_to_shopping_list".to_owned() },
        Cause::CardChanged,
        Cause::Emptied,
        Cause::Store { doing: "saving".to_owned(), why: "words".to_owned() },
    ];
    for cause in causes {
        let notice = notice_after(&[said("eggs")], cause.clone());
        assert!(!notice.happened.is_empty(), "{cause:?}");
        assert!(!notice.done.spoken().is_empty(), "{cause:?}");
        assert!(!notice.advice.is_empty() && !notice.actions.is_empty(), "{cause:?}");
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
    let later = [&messages[..], &[said("and now?")]].concat();
    let cut = notice_after(&later, model(ModelErrorKind::CutOff));
    assert_eq!(cut.done.spoken(), "Nothing was changed.");
    let wait = notice_after(&messages, model(ModelErrorKind::Overloaded));
    assert_eq!(wait.kind, NoticeKind::Wait);
}

#[test]
fn words_stream_in_whole_and_blocks_close_behind_them() {
    for (text, expected) in [
        ("", None),
        ("Hel", None),
        ("Hello wor", Some(("", "Hello"))),
        ("Hello world.\n\nAnd", Some(("Hello world.\n\n", ""))),
        ("Hello world.\n\nAnd then", Some(("Hello world.\n\n", "And"))),
    ] {
        let streaming = Streaming { text: text.to_owned(), calls: Vec::new() };
        let streamed = Streamed::of(&streaming);
        let parts = streamed.as_ref().map(|it| (it.closed.as_str(), it.open.as_str()));
        assert_eq!(parts, expected, "{text:?}");
    }
    let streaming = Streaming { text: "豆".repeat(100), calls: Vec::new() };
    assert!(Streamed::of(&streaming).is_some_and(|it| it.open.chars().count() > 80));
}
