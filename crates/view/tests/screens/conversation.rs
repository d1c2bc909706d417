//! The conversation.

use std::sync::Arc;

use agent::approval::{Basis, Outcome};
use agent::id::SessionId;
use agent::limits::TRANSCRIPT_BYTES_MAX;
use agent::message::{Body, Content, Ending, Message};
use agent::model::{ModelError, ModelErrorKind};
use agent::session::Session;
use agent::settings::Wait;
use kitchen::Household;
use serde_json::json;
use store::settings::Preferences;
use view::View;
use view::activity::history::History;
use view::conversation::{Streamed, TurnBody, turns};
use view::engine::Engine;
use view::scene::{Cause, Problem, Proxy, Scene, Storage, Streaming};
use view::status::Status;

use crate::transcript::{NOW, add, call, decision, message, result, said};

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
fn a_call_that_nobody_was_asked_about_has_no_receipt() {
    let read = call("a", "get_shopping_list", &json!({}));
    let messages = [
        said("what is on the list?"),
        message(Body::Assistant(vec![Content::Call(read.clone())])),
        result(&read, Ending::Ran, None),
    ];
    assert_eq!(turns(&messages, &[], &[], &[]).len(), 1);
}

/// A reply of these calls, and what each came to.
fn reply(calls: &[(&str, Ending)]) -> Vec<Message> {
    let calls: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(number, (tool, ending))| {
            (call(&format!("{number}{tool}"), tool, &json!({})), ending)
        })
        .collect();
    let content = calls.iter().map(|(call, _)| Content::Call(call.clone())).collect();
    let results = calls.iter().map(|(call, ending)| result(call, **ending, None));
    [message(Body::Assistant(content))].into_iter().chain(results).collect()
}

/// What is told of handoffs in a conversation of these replies.
fn handed_over(replies: &[Vec<Message>]) -> Vec<&'static str> {
    let told = |body| match body {
        TurnBody::HandedOver(to) => Some(to),
        TurnBody::Person(_)
        | TurnBody::Assistant(_)
        | TurnBody::Receipt(_)
        | TurnBody::Notice(_) => None,
    };
    let turns = turns(&replies.concat(), &[], &[], &[]);
    turns.into_iter().filter_map(|turn| told(turn.body)).collect()
}

#[test]
fn a_handoff_that_took_place_is_one_line_and_any_other_is_none() {
    let dining = reply(&[("handoff_to_dining", Ending::Ran)]);
    let back = reply(&[("handoff_to_kitchen", Ending::Ran)]);
    let there_and_back = [dining, back];
    assert_eq!(handed_over(&there_and_back), ["Dining", "Kitchen"]);
    let last_of_two =
        reply(&[("handoff_to_dining", Ending::Ran), ("handoff_to_activities", Ending::Ran)]);
    assert_eq!(handed_over(&[last_of_two]), ["Activities"]);
    for ending in [Ending::NotFound, Ending::NotRun, Ending::Provider] {
        assert!(handed_over(&[reply(&[("handoff_to_dining", ending)])]).is_empty(), "{ending:?}");
    }
    assert!(handed_over(&[reply(&[("get_shopping_list", Ending::Ran)])]).is_empty());
}

#[test]
fn a_handoff_is_told_behind_what_was_said_and_asked_beside_it() {
    let (eggs, handoff) = (add("a", "eggs", "12"), call("b", "handoff_to_dining", &json!({})));
    let content = vec![
        Content::Text("One moment.".to_owned()),
        Content::Call(handoff.clone()),
        Content::Call(eggs.clone()),
    ];
    let no = decision(&eggs, Outcome::Denied, Basis::Person);
    let messages = [
        said("eggs, and a table"),
        message(Body::Assistant(content)),
        result(&handoff, Ending::Ran, None),
        result(&eggs, Ending::Refused, Some(no)),
    ];
    let bodies: Vec<_> = turns(&messages, &[], &[], &[]).into_iter().map(|it| it.body).collect();
    let [TurnBody::Person(_), TurnBody::Assistant(_), TurnBody::Receipt(_), last] = &bodies[..]
    else {
        panic!("{bodies:?}");
    };
    assert_eq!(*last, TurnBody::HandedOver("Dining"));
}

#[test]
fn a_handoff_that_streams_in_is_no_question_being_prepared() {
    let calls = |tool: &str| Streaming { text: String::new(), calls: vec![tool.to_owned()] };
    assert_eq!(Status::of_reply(Some(&calls("handoff_to_dining"))), Status::Thinking);
    let add = Status::Asking("Add to the shopping list");
    assert_eq!(Status::of_reply(Some(&calls("add_to_shopping_list"))), add);
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

/// The texts of the person as they are shown with what acts, and where it says that the assistant
/// reads on.
fn shown(messages: Vec<Message>) -> Vec<String> {
    let empty = Session::new(SessionId("s".to_owned()));
    let mut state = serde_json::to_value(empty.state()).expect("a state is JSON");
    let fields = state.as_object_mut().expect("a state has fields");
    fields.insert("messages".to_owned(), messages.len().into());
    let state = serde_json::from_value(state).expect("the state is as it was but for its messages");
    let policy = kitchen::policy().expect("the kitchen has a policy");
    let view = View::of(&Scene {
        session: &Session::restore(state, messages).expect("a session"),
        conversations: &[],
        decided_elsewhere: &[],
        follows: false,
        awaited: &[],
        streaming: None,
        household: &Household::default(),
        engine: Some(&Engine::of(kitchen::tools(), policy)),
        loading: None,
        changes: &[],
        problems: &[],
        history: &Arc::new(History::default()),
        handed: None,
        storage: &Storage::Open { persistent: true },
        damage: &[],
        proxy: &Proxy::Asking,
        preferences: &Preferences::default(),
        wait: Wait::default(),
        now: NOW,
    });
    let of_turn = |body: &TurnBody| match body {
        TurnBody::Person(text) => Some(text.chars().take(1).collect()),
        TurnBody::Notice(notice) => Some(format!("{}: {}", notice.happened, notice.done.spoken())),
        TurnBody::Assistant(_) | TurnBody::HandedOver(_) | TurnBody::Receipt(_) => None,
    };
    view.turns.iter().filter_map(|turn| of_turn(&turn.body)).collect()
}

#[test]
fn where_the_assistant_reads_on_in_a_long_conversation_is_told_in_its_place() {
    let reply = || message(Body::Assistant(vec![Content::Text("Yes.".to_owned())]));
    let part = TRANSCRIPT_BYTES_MAX / 4;
    let of = |letters: &str| {
        let turn = |letter: char| [said(&letter.to_string().repeat(part)), reply()];
        letters.chars().flat_map(turn).collect()
    };
    assert_eq!(shown(of("abc")), ["a", "b", "c"]);
    let notice = "The assistant reads on from here: It is sent the newest 192 kB of a conversation. \
                  What is above stays, and counts.";
    assert_eq!(shown(of("abcd")), ["a", "b", notice, "c", "d"]);
    assert_eq!(shown(of("abcde")), ["a", "b", notice, "c", "d", "e"]);
}
