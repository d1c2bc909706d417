//! An answer counts for what was seen: a yes to anything else than what would run is not a yes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "here a panic is a failed test")]

use std::collections::BTreeSet;

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse, CardDigest, Outcome};
use agent::effect::Effect;
use agent::event::Event;
use agent::message::Ending;
use agent::session::{Session, SessionState};
use serde_json::{Value, json};

use crate::kitchen::{Chance, Kitchen, answered, call, call_with, reply, said};

const YES: Answer = Answer::Approve { always: None };
const NO: Answer = Answer::Reject { reason: None };

/// Arguments of any shape, with what is easily changed on the way: numbers, blanks, signs, order.
fn any_arguments(chance: &mut Chance) -> String {
    let words =
        ["eggs", "crème fraîche", "cre\u{300}me", "\u{202e}sgge", "", "a\nb", "\"", "𝔢", "0"];
    let keys = ["item", "quantity", "note", "Item", "\u{20ac}", "\u{1f600}"];
    let numbers = ["1", "1.0", "-0", "1e3", "12345678901234567890123", "0.1", "1E400"];
    let mut entries = BTreeSet::new();
    let mut object = String::from("{");
    for _ in 0..chance.below(5) {
        let key = chance.one_of(&keys);
        if !entries.insert(key) {
            continue;
        }
        let value = match chance.below(5) {
            0 => chance.one_of(&numbers).to_owned(),
            1 => json!([chance.one_of(&words), null, true]).to_string(),
            2 => json!({"b": chance.one_of(&words), "a": {"c": false}}).to_string(),
            _ => Value::from(chance.one_of(&words)).to_string(),
        };
        if object.len() > 1 {
            object.push_str(chance.one_of(&[",", " , ", ",\n"]));
        }
        object.push_str(&format!("{}: {value}", Value::from(key)));
    }
    object.push('}');
    object
}

/// A yes as another page or an older one may send it: with arguments of its own, and whatever else.
fn yes_with_more(card: &ApprovalRequest, arguments: &Value) -> Event {
    let response = json!({
        "request": card.id,
        "shown": card.shown,
        "answer": {"Approve": {"always": null, "arguments": arguments, "call": {"name": "sell"}}},
        "arguments": arguments,
        "call": {"name": "sell", "arguments": arguments},
        "approved": true,
    });
    let response = serde_json::from_value(response).unwrap();
    Event::Answered { responses: vec![response], text: None }
}

/// Digests that are not the one of this card, some of them near to it.
fn other_digests(card: &ApprovalRequest) -> Vec<CardDigest> {
    let mut other = card.call.clone();
    other.arguments.insert("item".to_owned(), json!("poison"));
    let named = agent::message::ToolCall { name: "look".to_owned(), ..card.call.clone() };
    let mut digests =
        vec![CardDigest::of(&other, None), CardDigest::of(&named, None), CardDigest::default()];
    digests.push(CardDigest::of(&card.call, None));
    digests.push(CardDigest(card.shown.0.to_uppercase()));
    digests.push(CardDigest(card.shown.0[1..].to_owned()));
    digests
}

fn open(kitchen: &Kitchen) -> Vec<ApprovalRequest> {
    kitchen.session.open_requests().cloned().collect()
}

#[test]
fn what_runs_is_what_was_shown_byte_for_byte_whatever_an_answer_carries() {
    let mut chance = Chance(2);
    let mut ran = 0;
    for _ in 0..10_000 {
        let mut kitchen = Kitchen::new();
        kitchen.act(said("eggs"));
        let arguments = any_arguments(&mut chance);
        kitchen.act(reply(vec![call_with("c1", "add", &arguments)]));
        let Some(card) = open(&kitchen).pop() else {
            assert_eq!(kitchen.endings(), [Ending::BadArguments], "{arguments}");
            continue;
        };
        if chance.below(2) == 0 {
            kitchen.restart();
        }
        if chance.below(4) == 0 {
            let shown = chance.one_of(&other_digests(&card));
            kitchen.drive(answered(&ApprovalRequest { shown, ..card.clone() }, YES));
            assert_eq!((kitchen.released().len(), open(&kitchen)), (0, vec![card.clone()]));
        }
        let yes = match chance.below(2) {
            0 => answered(&card, YES),
            _ => yes_with_more(&card, &json!({"item": "poison"})),
        };
        kitchen.drive(yes);
        let (call, request) = kitchen.last_released();
        assert_eq!(request, Some(card.id));
        assert_eq!(
            serde_json::to_vec(&call).unwrap(),
            serde_json::to_vec(&card.call).unwrap(),
            "{arguments}"
        );
        ran += 1;
    }
    assert!(ran > 8_000, "{ran} calls ran");
}

#[test]
fn a_yes_to_something_else_is_asked_again_as_it_was_and_a_no_is_a_no() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    let cards = open(&kitchen);
    let before = kitchen.session.clone();
    kitchen.now = kitchen.now.plus_ms(60_000);
    for shown in other_digests(&cards[0]) {
        let seen = ApprovalRequest { shown, ..cards[0].clone() };
        let effects = kitchen.act(answered(&seen, YES));
        let kinds: Vec<_> = effects.iter().map(std::mem::discriminant).collect();
        let response =
            ApprovalResponse { request: seen.id.clone(), shown: seen.shown.clone(), answer: YES };
        let expected =
            [Effect::DroppedResponse(response), Effect::Save, Effect::Ask(cards[0].clone())];
        assert_eq!(kinds, expected.each_ref().map(std::mem::discriminant));
        assert_eq!(effects, expected, "the attempt and its end stay as they were");
        assert_eq!(kitchen.session, before, "and so does everything else");
    }
    let seen = ApprovalRequest { shown: CardDigest::default(), ..cards[1].clone() };
    kitchen.drive(answered(&seen, NO));
    assert_eq!(kitchen.last_recorded().outcome, Outcome::Denied);
    assert_eq!(open(&kitchen), [cards[0].clone()]);
}

#[test]
fn of_two_answers_to_one_request_the_one_to_what_would_run_counts() {
    for right_first in [false, true] {
        let mut kitchen = Kitchen::asking(&["add"]);
        let card = open(&kitchen).remove(0);
        let response = |shown: &CardDigest| ApprovalResponse {
            request: card.id.clone(),
            shown: shown.clone(),
            answer: YES,
        };
        let (right, wrong) = (response(&card.shown), response(&CardDigest::default()));
        let responses = if right_first { vec![right, wrong] } else { vec![wrong, right] };
        kitchen.drive(Event::Answered { responses, text: None });
        assert_eq!((kitchen.released().len(), kitchen.times_asked()), (1, 1));
    }
}

/// The kitchen, restored from what is stored after a stranger changed it.
fn changed(kitchen: &mut Kitchen, change: impl FnOnce(&mut Value)) {
    let mut stored = serde_json::to_value(kitchen.session.state()).unwrap();
    change(&mut stored["run"]["phase"]["batch"]["calls"][0]);
    let state: SessionState = serde_json::from_value(stored).unwrap();
    kitchen.session = Session::restore(state, kitchen.session.messages().to_vec()).unwrap();
}

#[test]
fn a_record_that_was_changed_since_it_was_raised_is_shown_again_before_it_can_run() {
    let mut kitchen = Kitchen::asking(&["add"]);
    changed(&mut kitchen, |call| call["call"]["arguments"] = json!({"item": "poison"}));
    let card = open(&kitchen).remove(0);
    kitchen.drive(answered(&card, YES));
    assert_eq!(kitchen.released().len(), 0);
    let again = open(&kitchen).remove(0);
    assert_eq!((&again.id, again.attempt, again.deadline), (&card.id, card.attempt, card.deadline));
    assert_ne!(again.shown, card.shown);
    kitchen.drive(answered(&again, YES));
    assert_eq!(kitchen.released().len(), 1);
}

#[test]
fn a_card_from_before_there_were_digests_is_asked_again_once() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let card = open(&kitchen).remove(0);
    changed(&mut kitchen, |call| {
        call["state"]["open"].as_object_mut().unwrap().remove("shown").unwrap();
    });
    let old = open(&kitchen).remove(0);
    kitchen.drive(answered(&old, YES));
    assert_eq!((kitchen.released().len(), open(&kitchen)), (0, vec![card.clone()]));
    kitchen.drive(answered(&card, YES));
    assert_eq!(kitchen.released().len(), 1);
}

#[test]
fn a_tool_that_changed_is_another_card() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let card = open(&kitchen).remove(0);
    kitchen.tools[0].description = "Adds, and pays.".to_owned();
    kitchen.drive(answered(&card, YES));
    let again = open(&kitchen).remove(0);
    assert_ne!((&again.id, &again.shown), (&card.id, &card.shown));
    let stale = ApprovalRequest { shown: card.shown, ..again.clone() };
    kitchen.drive(answered(&stale, YES));
    assert_eq!(kitchen.released().len(), 0);
    kitchen.drive(answered(&again, YES));
    assert_eq!(kitchen.released().len(), 1);
}

#[test]
fn equal_calls_have_equal_cards_and_other_calls_have_others() {
    let mut kitchen = Kitchen::new();
    let calls = [r#"{"item":"eggs"}"#, r#"{ "item": "eggs" }"#, r#"{"item":"Eggs"}"#, "{}"];
    let calls = calls.iter().enumerate().map(|(n, text)| call_with(&format!("c{n}"), "add", text));
    kitchen.prompt(calls.chain([call("c4", "add")]).collect());
    let shown: Vec<_> = open(&kitchen).into_iter().map(|card| card.shown).collect();
    assert_eq!((&shown[0], &shown[0]), (&shown[1], &shown[4]));
    assert_eq!(shown.into_iter().collect::<BTreeSet<_>>().len(), 3);
}
