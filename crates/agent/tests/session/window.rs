//! How much of a long conversation the model is sent.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "here a panic is a failed test")]

use agent::effect::Effect;
use agent::limits::TRANSCRIPT_BYTES_MAX;
use agent::message::{Body, Message};

use crate::kitchen::{Kitchen, call, reply, said, text};

/// What the model is sent with this text.
fn sent(kitchen: &mut Kitchen, words: &str) -> Vec<Message> {
    let effects = kitchen.act(said(words));
    let sent = effects.into_iter().find_map(|effect| match effect {
        Effect::CallModel(request) => Some(request.messages),
        Effect::Save
        | Effect::Ask(_)
        | Effect::RecordDecision(_)
        | Effect::WithdrawApproval { .. }
        | Effect::RunTool(_)
        | Effect::Finished(_)
        | Effect::DroppedResponse(_)
        | Effect::Ignored(_) => None,
    });
    sent.unwrap()
}

/// A turn with a call and its result, of some kilobytes: what the model is sent with its text.
fn turn(kitchen: &mut Kitchen) -> Vec<Message> {
    let sent = sent(kitchen, &"bread and butter ".repeat(200));
    kitchen.act(reply(vec![call("c", "look")]));
    let looked = kitchen.finished(&"m".repeat(5_000));
    kitchen.act(looked);
    kitchen.act(reply(vec![text("There is milk.")]));
    sent
}

#[test]
fn the_oldest_turns_are_left_out_whole_and_many_requests_begin_alike() {
    let mut kitchen = Kitchen::new();
    let (mut beginnings, mut before) = (Vec::new(), 0);
    for number in 0..200 {
        let sent = turn(&mut kitchen);
        let from = 4 * number + 1 - sent.len();
        assert!(from >= before, "what was left out comes back");
        before = from;
        assert!(matches!(sent[0].body, Body::Person(_)), "{:?}", sent[0]);
        // The rest of the turn of that text was added since.
        assert_eq!(sent, kitchen.session.messages()[from..from + sent.len()]);
        let bytes = serde_json::to_string(&sent).unwrap().len();
        assert!(bytes <= TRANSCRIPT_BYTES_MAX, "{bytes}");
        assert!(from == 0 || bytes >= TRANSCRIPT_BYTES_MAX / 3, "{bytes}");
        beginnings.push(from);
    }
    beginnings.dedup();
    assert!((10..30).contains(&beginnings.len()), "{beginnings:?}");
}

#[test]
fn the_newest_turn_is_sent_whole_whatever_it_weighs() {
    let mut kitchen = Kitchen::new();
    turn(&mut kitchen);
    let long = "x".repeat(2 * TRANSCRIPT_BYTES_MAX);
    let sent = sent(&mut kitchen, &long);
    assert!(matches!(&sent[..], [Message { body: Body::Person(text), .. }] if *text == long));
}
