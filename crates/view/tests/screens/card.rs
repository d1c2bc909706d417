//! The card.

use std::collections::BTreeSet;

use agent::approval::{ApprovalRequest, Basis, Mode, Outcome, Policy};
use agent::settings::Wait;
use agent::tool::Access;
use kitchen::Household;
use serde_json::json;
use view::card::{Asked, Card, RowAnswer};
use view::engine::Engine;

use crate::transcript::{NOW, add, call, decision, household, request};

pub(crate) fn open(request: &ApprovalRequest) -> Asked<'_> {
    Asked { call: &request.call, open: Some(request), decision: None, result: None }
}

fn engine() -> Engine {
    Engine::of(kitchen::tools(), kitchen::policy().expect("a policy"))
}

pub(crate) fn card(asked: &[Asked<'_>], household: &Household) -> Card {
    Card::of(asked, &engine(), household, Wait::default(), NOW).expect("something waits")
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
    assert_eq!(Card::of(&asked[..2], &engine(), &household(&[]), Wait::default(), NOW), None);
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
fn thirteen_questions_are_thirteen_rows_each_with_its_own_answer() {
    let calls: Vec<_> =
        (0..13).map(|at| add(&format!("c{at}"), &format!("item {at}"), "")).collect();
    let waiting: Vec<_> = calls.iter().map(|call| request(call, None)).collect();
    let mut asked: Vec<_> = waiting.iter().map(open).collect();
    let no = decision(&calls[6], Outcome::Denied, Basis::Person);
    asked[6] = Asked { call: &calls[6], open: None, decision: Some(&no), result: None };
    let card = card(&asked, &household(&[]));
    assert_eq!(card.title, "Add to the shopping list, 13 items");
    let names: Vec<_> = card.rows.iter().map(|row| row.name()).collect();
    let expected: Vec<_> =
        (0..13).map(|at| format!("item {at}, not on the list becomes on the list")).collect();
    assert_eq!(names, expected);
    let requests: BTreeSet<_> = card.rows.iter().map(|row| row.request.clone()).collect();
    assert_eq!(requests.len(), 13);
    assert_eq!(card.waiting().count(), 12);
    assert_eq!(card.rows[6].answer, Some(RowAnswer::Refused));
}

#[test]
fn a_card_says_why_it_asks_by_the_class_in_the_policy() {
    let stricter = |class: Access| {
        let inventory: Vec<_> = ["get_shopping_list", "add_to_shopping_list"]
            .map(|name| (name, class))
            .into_iter()
            .chain(
                ["update_shopping_item", "remove_from_shopping_list", "check_off_item"]
                    .map(|name| (name, Access::Write)),
            )
            .collect();
        let tools = kitchen::tools();
        let policy = Policy::new(2, Mode::Enforce, &inventory, Wait::default(), &tools.specs());
        Engine::of(tools, policy.expect("nothing is laxer than declared"))
    };
    let (read, eggs) = (call("r", "get_shopping_list", &json!({})), add("e", "eggs", "12"));
    let (read, eggs) = (request(&read, None), request(&eggs, None));
    let (write, always) = (engine(), stricter(Access::AlwaysAsk));
    let why = |asked: &[&ApprovalRequest], engine: &Engine| {
        let asked: Vec<_> = asked.iter().map(|request| open(request)).collect();
        let card = Card::of(&asked, engine, &household(&[]), Wait::default(), NOW);
        card.expect("something waits").why
    };
    for (asked, engine, expected) in [
        (&[&eggs][..], &write, "Asked because it changes the list."),
        (
            &[&eggs, &eggs],
            &write,
            "Asked because each of these changes the list. What you allow is done when every row \
             has its answer.",
        ),
        (&[&read], &write, "Asked beside a call that changes something."),
        (&[&eggs], &always, "Asked every time: this is never allowed in advance."),
        (&[&read], &always, "Asked every time: this is never allowed in advance."),
    ] {
        assert_eq!(why(asked, engine), expected);
    }
}
