//! The third truth: what a reply claims of what was asked before it, held against what happened.

#![allow(clippy::expect_used, reason = "a test stops where it is wrong")]

use agent::approval::{Basis, Decision, Outcome};
use agent::id::{CallId, RequestId};
use agent::message::{Body, Content, Ending, Message, ToolCall, ToolResult};
use agent::time::Timestamp;
use serde_json::json;
use view::conversation::{TurnBody, turns};

/// What is said of each receipt's reply, and the words of the notice under it.
fn told(calls: &[(&str, Outcome, Ending)], reply: &str) -> (Vec<String>, String) {
    let message = |body| Message { at: Timestamp(1_000), body, usage: None };
    let call = |item: &str| ToolCall {
        id: CallId(item.to_owned()),
        model_id: "toolu_1".to_owned(),
        name: "add_to_shopping_list".to_owned(),
        arguments: json!({ "item": item }).as_object().cloned().expect("an object"),
    };
    let proposed = calls.iter().map(|(item, ..)| Content::Call(call(item)));
    let mut messages = vec![
        message(Body::Person("please".to_owned())),
        message(Body::Assistant(proposed.collect())),
    ];
    for (item, outcome, ending) in calls {
        let decision = Decision {
            request: RequestId((*item).to_owned()),
            outcome: *outcome,
            basis: Basis::Person,
            reason: None,
            at: Timestamp(1_000),
        };
        messages.push(message(Body::Result(ToolResult {
            call: CallId((*item).to_owned()),
            text: String::new(),
            ending: *ending,
            decision: Some(decision),
        })));
    }
    messages.push(message(Body::Assistant(vec![Content::Text(reply.to_owned())])));
    let (mut claims, mut notice) = (Vec::new(), String::new());
    for turn in turns(&messages, &[], &[], &[]) {
        match turn.body {
            TurnBody::Receipt(receipt) => {
                claims.push(receipt.claimed.map_or_else(String::new, |truth| truth.words.spoken()))
            }
            TurnBody::Notice(it) => notice = format!("{}. {}", it.happened, it.done.spoken()),
            TurnBody::Person(_) | TurnBody::Assistant(_) | TurnBody::HandedOver(_) => {}
        }
    }
    (claims, notice)
}

const RAN: (Outcome, Ending) = (Outcome::Approved, Ending::Ran);
const DENIED: (Outcome, Ending) = (Outcome::Denied, Ending::Refused);

#[track_caller]
fn check(calls: &[(&str, (Outcome, Ending))], reply: &str, claims: &[&str], notice: &str) {
    let calls: Vec<_> = calls.iter().map(|(item, (how, end))| (*item, *how, *end)).collect();
    let (said, noted) = told(&calls, reply);
    assert_eq!((said.as_slice(), noted.as_str()), (&*strings(claims), notice), "{reply}");
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_claim_of_success_for_what_did_not_run_is_marked() {
    let marked = "This did not happen. eggs: Denied by you. Did not run. ";
    for reply in [
        "Done, the eggs are on the list.",
        "I\u{2019}ve added **eggs** to your list!",
        "Eggs added.",
        "Done.",
        "All set. I put the eggs on your shopping list.",
    ] {
        check(&[("eggs", DENIED)], reply, &["Reply says otherwise"], marked);
    }
}

#[test]
fn a_claim_of_success_is_marked_whatever_kept_it_from_happening_in_four_languages() {
    let outcomes = [
        (DENIED, "Denied by you. Did not run"),
        ((Outcome::TimedOut, Ending::Refused), "No answer in time. Did not run"),
        ((Outcome::Cancelled, Ending::Refused), "Question withdrawn. Did not run"),
        ((Outcome::MovedOn, Ending::Refused), "You said something else. Did not run"),
        ((Outcome::InputUnavailable, Ending::Refused), "Nobody could be asked. Did not run"),
        (
            (Outcome::AuditFailed, Ending::Refused),
            "Could not be written down, so it counts as a no. Did not run",
        ),
        ((Outcome::Sticky, Ending::Refused), "Not asked: you said no to this request. Did not run"),
        (
            (Outcome::RoundsExhausted, Ending::Refused),
            "Not asked: too many rounds of questions. Did not run",
        ),
        ((Outcome::Approved, Ending::Failed), "Allowed by you. Failed, nothing changed"),
    ];
    for (outcome, truth) in outcomes {
        let marked = format!("This did not happen. eggs: {truth}. ");
        for reply in [
            "I've added the eggs.",
            "Ik heb de eggs toegevoegd.",
            "De eggs staan op de lijst!",
            "Klaar.",
            "Die eggs stehen auf der Liste.",
            "Ich habe eggs hinzugef\u{fc}gt.",
            "Erledigt!",
            "J\u{2019}ai ajout\u{e9} les eggs \u{e0} la liste.",
            "C'est fait.",
        ] {
            check(&[("eggs", outcome)], reply, &["Reply says otherwise"], &marked);
        }
        for reply in [
            "I have not added the eggs.",
            "Ik heb de eggs niet toegevoegd.",
            "Er is niets gewijzigd.",
            "Ich habe die eggs nicht hinzugef\u{fc}gt.",
            "Es wurde nichts ge\u{e4}ndert.",
            "Je n\u{2019}ai pas ajout\u{e9} les eggs.",
            "Rien n'a \u{e9}t\u{e9} modifi\u{e9}.",
        ] {
            check(&[("eggs", outcome)], reply, &["Reply agrees"], "");
        }
        for reply in
            ["Zal ik de eggs toevoegen?", "Soll ich es \u{e4}ndern?", "Voulez-vous autre chose ?"]
        {
            check(&[("eggs", outcome)], reply, &[""], "");
        }
    }
}

/// Names hold words, and parts of words, that would say something elsewhere.
#[test]
fn the_name_of_a_thing_claims_nothing() {
    for name in
        ["cappuccino", "shallots", "pecan nuts", "bread without seeds", "never-ending buns", "tins"]
    {
        let done = format!("Done, {name} is on the list.");
        let marked = format!("This did not happen. {name}: Denied by you. Did not run. ");
        check(&[(name, DENIED)], &done, &["Reply says otherwise"], &marked);
        check(&[(name, RAN)], &done, &["Reply agrees"], "");
        let not_done = format!("I did not add {name}.");
        check(&[(name, DENIED)], &not_done, &["Reply agrees"], "");
        check(&[(name, DENIED)], &format!("Shall I look for {name}?"), &[""], "");
    }
}

#[test]
fn a_thing_is_not_taken_for_another_whose_name_it_is_a_part_of() {
    let marked = "This did not happen. oat milk: Denied by you. Did not run. ";
    check(
        &[("milk", RAN), ("oat milk", DENIED)],
        "I added the oat milk.",
        &["", "Reply says otherwise"],
        marked,
    );
    check(&[("pan", DENIED), ("panko", RAN)], "Added panko.", &["", "Reply agrees"], "");
    check(&[("egg", RAN)], "12 eggs added.", &["Reply agrees"], "");
}

#[test]
fn a_reply_that_keeps_to_what_happened_agrees() {
    for reply in [
        "Nothing was changed. What would you like instead?",
        "I did not add the eggs.",
        "The eggs weren\u{2019}t added. Shall I add six instead?",
        "The eggs are not on the list.",
    ] {
        check(&[("eggs", DENIED)], reply, &["Reply agrees"], "");
    }
    check(&[("eggs", RAN)], "Done.\n\n- Added eggs, 12", &["Reply agrees"], "");
    check(&[("eggs", RAN)], "The eggs were not added.", &["Reply says otherwise"], "");
}

#[test]
fn a_reply_that_claims_nothing_has_nothing_said_of_it() {
    for reply in ["What would you like instead?", "Shall I add eggs?", "I can add eggs later."] {
        check(&[("eggs", DENIED)], reply, &[""], "");
    }
}

#[test]
fn each_of_many_is_held_to_what_is_said_of_it() {
    check(
        &[("milk", RAN), ("bread", DENIED)],
        "Done.\n\n- Added milk\n\nNot done: bread. What would you like instead?",
        &["Reply agrees", "Reply agrees"],
        "",
    );
    check(
        &[("milk", RAN), ("bread", DENIED)],
        "I added milk and bread.",
        &["Reply agrees", "Reply says otherwise"],
        "This did not happen. bread: Denied by you. Did not run. ",
    );
}

#[test]
fn what_may_have_run_is_held_to_nothing() {
    let unknown = (Outcome::Approved, Ending::Unknown);
    check(&[("eggs", unknown)], "Done, eggs added.", &[""], "");
}
