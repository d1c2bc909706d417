//! "Always" that covers too much, and asking so often that a yes means nothing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "here a panic is a failed test")]

use std::collections::BTreeSet;

use agent::approval::{Always, Answer, Basis, Outcome};
use agent::canonical::canonical_object;
use agent::message::Ending;
use agent::tool::ToolSpec;
use serde_json::{Value, json};

use crate::kitchen::{Kitchen, call, call_with, reply, text};

const NO: Answer = Answer::Reject { reason: None };
const YES: Answer = Answer::Approve { always: None };

fn always(scope: Always) -> Answer {
    Answer::Approve { always: Some(scope) }
}

/// Calls that come near to `{"item":"crème fraîche","quantity":8,"note":{"a":[1,2],"b":null}}`.
fn near_misses() -> Vec<(&'static str, Value)> {
    let given = json!({"item": "crème fraîche", "quantity": 8, "note": {"a": [1, 2], "b": null}});
    let with = |key: &str, value: Value| {
        let mut near = given.clone();
        near[key] = value;
        ("add", near)
    };
    let without = |key: &str| {
        let mut near = given.clone();
        near.as_object_mut().unwrap().remove(key);
        ("add", near)
    };
    let mut near = vec![
        ("look_like_add", given.clone()),
        ("add", json!({})),
        without("item"),
        without("quantity"),
        without("note"),
        with("Item", json!("crème fraîche")),
        with("extra", json!(null)),
        with("extra", json!("")),
        with("", json!(1)),
    ];
    for item in [
        json!("Crème fraîche"),
        json!("CRÈME FRAÎCHE"),
        json!("creme fraiche"),
        json!("cre\u{300}me frai\u{302}che"),
        json!("crème fraîche "),
        json!(" crème fraîche"),
        json!("crème  fraîche"),
        json!("crème\u{a0}fraîche"),
        json!("crème\u{200b} fraîche"),
        json!("crème fraîche\u{0}"),
        json!("\u{441}rème fraîche"),
        json!("crème-fraîche"),
        json!(["crème fraîche"]),
        json!(null),
    ] {
        near.push(with("item", item));
    }
    for quantity in
        [json!("8"), json!(9), json!(-8), json!(8.000_001), json!(80), json!(true), json!([8])]
    {
        near.push(with("quantity", quantity));
    }
    for note in [
        json!({"a": [2, 1], "b": null}),
        json!({"a": [1, 2]}),
        json!({"a": [1, 2], "b": false}),
        json!({"a": [1, 2], "b": "null"}),
        json!({"a": [1, 2, 3], "b": null}),
        json!({"a": [[1, 2]], "b": null}),
        json!({"a": {"0": 1, "1": 2}, "b": null}),
        json!({"a": [1, 2], "b": null, "c": {}}),
        json!("{\"a\":[1,2],\"b\":null}"),
        json!(null),
    ] {
        near.push(with("note", note));
    }
    near
}

/// A kitchen with a standing approval for exactly the call that the others come near to.
fn exactly_given() -> Kitchen {
    let mut kitchen = Kitchen::new();
    let other = ToolSpec { name: "look_like_add".to_owned(), ..kitchen.tools[0].clone() };
    kitchen.tools.push(other);
    let given = r#"{"item":"crème fraîche","quantity":8,"note":{"a":[1,2],"b":null}}"#;
    kitchen.prompt(vec![call_with("c0", "add", given)]);
    let answer = kitchen.answer(0, always(Always::ToolWithArguments));
    kitchen.drive(answer);
    kitchen.drive(reply(vec![text("Done.")]));
    kitchen
}

#[test]
fn always_for_exactly_this_covers_no_call_that_only_comes_near() {
    let near = near_misses();
    assert_eq!(near.len(), 40);
    for (tool, arguments) in near {
        let mut kitchen = exactly_given();
        kitchen.prompt(vec![call_with("c1", tool, &arguments.to_string())]);
        assert_eq!(kitchen.times_asked(), 2, "{tool} {arguments}");
        assert_eq!(kitchen.released().len(), 1, "{tool} {arguments}");
    }
}

#[test]
fn always_for_exactly_this_covers_the_same_value_however_it_is_written() {
    for same in [
        r#"{"note":{"b":null,"a":[1,2]},"quantity":8,"item":"crème fraîche"}"#,
        r#"{"item":"cr\u00e8me fra\u00EEche","quantity":8.0,"note":{"a":[1.0,2e0],"b":null}}"#,
        "{ \"quantity\" : 80e-1,\n \"item\":\"crème fraîche\", \"note\":{\"a\":[1,2],\"b\":null} }",
    ] {
        let mut kitchen = exactly_given();
        kitchen.prompt(vec![call_with("c1", "add", same)]);
        assert_eq!((kitchen.times_asked(), kitchen.released().len()), (1, 2), "{same}");
        assert_eq!(kitchen.last_recorded().basis, Basis::Standing);
    }
}

#[test]
fn a_hundred_approvals_of_one_call_each_leave_no_standing_approval() {
    let mut kitchen = Kitchen::new();
    for n in 0..100 {
        kitchen.prompt(vec![call("c1", "add")]);
        let answer = kitchen.answer(n, YES);
        kitchen.drive(answer);
        kitchen.drive(reply(vec![text("Done.")]));
    }
    assert_eq!((kitchen.times_asked(), kitchen.released().len()), (100, 100));
    assert!(kitchen.session.standing_approvals().is_empty());
    let stored = serde_json::to_value(kitchen.session.state()).unwrap();
    assert_eq!(stored["run"]["standing"], json!([]));
}

#[test]
fn always_settles_exactly_the_waiting_calls_it_names_before_it_is_pressed() {
    let eggs = r#"{"item":"eggs"}"#;
    let calls = || {
        vec![
            call_with("c0", "add", eggs),
            call_with("c1", "add", r#"{"item":"milk"}"#),
            call_with("c2", "add", r#"{ "item": "eggs" }"#),
        ]
    };
    for one_at_a_time in [false, true] {
        for (scope, expected) in [(Always::Tool, 2), (Always::ToolWithArguments, 1)] {
            let mut kitchen = Kitchen::new();
            kitchen.settings.one_at_a_time = one_at_a_time;
            kitchen.prompt(calls());
            let request = kitchen.request(0).clone();
            let named: Vec<_> = kitchen
                .session
                .would_cover(&request, scope, kitchen.now)
                .into_iter()
                .map(|call| call.id.clone())
                .collect();
            assert_eq!(named.len(), expected, "{scope:?}");
            let answer = kitchen.answer(0, always(scope));
            kitchen.drive(answer);
            let decisions = kitchen.decisions();
            let by_rule = decisions.iter().filter(|event| event.basis == Basis::Standing);
            assert_eq!(by_rule.map(|event| event.call.clone()).collect::<Vec<_>>(), named);
            assert_eq!(decisions.len(), named.len() + 1, "nothing else was settled");
            assert_eq!(kitchen.session.open_requests().count(), 2 - expected);
        }
    }
}

#[test]
fn reads_are_never_asked_about_and_a_change_is_asked_about_once() {
    let mut kitchen = Kitchen::new();
    for task in 0..20 {
        kitchen.prompt(vec![call("c0", "look")]);
        kitchen.drive(reply(vec![call("c1", "look"), call("c2", "add")]));
        let answer = kitchen.answer(task, YES);
        kitchen.drive(answer);
        kitchen.drive(reply(vec![text("Done.")]));
    }
    let changes = kitchen.released().iter().filter(|(call, _)| call.name == "add").count();
    assert_eq!((changes, kitchen.times_asked()), (20, 20));
}

#[test]
fn what_was_turned_down_is_not_asked_about_again_in_the_same_prompt() {
    let mut kitchen = Kitchen::new();
    kitchen.prompt(vec![call("c0", "add")]);
    let answer = kitchen.answer(0, NO);
    kitchen.drive(answer);
    for n in 1..=4 {
        kitchen.drive(reply(vec![call(&format!("c{n}"), "add")]));
        assert_eq!(kitchen.last_recorded().outcome, Outcome::Sticky);
    }
    assert_eq!((kitchen.times_asked(), kitchen.released().len()), (1, 0));
}

#[test]
fn after_five_rounds_of_questions_the_run_ends() {
    let mut kitchen = Kitchen::new();
    kitchen.settings.iterations_max = 100;
    kitchen.prompt(vec![call("c0", "add")]);
    for round in 0..5 {
        let answer = kitchen.answer(round, YES);
        kitchen.drive(answer);
        kitchen.drive(reply(vec![call("c1", "add")]));
    }
    assert_eq!((kitchen.times_asked(), kitchen.released().len()), (5, 5));
    assert_eq!(kitchen.last_recorded().outcome, Outcome::RoundsExhausted);
    assert_eq!(kitchen.endings().last(), Some(&Ending::NotRun));
}

#[test]
fn equal_calls_have_equal_digests_and_near_ones_have_not() {
    let digests: BTreeSet<_> = near_misses()
        .iter()
        .map(|(tool, arguments)| {
            format!("{tool} {}", canonical_object(arguments.as_object().unwrap()))
        })
        .collect();
    assert_eq!(digests.len(), 40, "no two of them are the same call");
}
