//! The conversation.

use agent::message::{Body, Content, Ending};
use agent::model::{ModelError, ModelErrorKind};
use serde_json::json;
use view::conversation::{Streamed, TurnBody, turns};
use view::scene::{Cause, Problem, Streaming};

use crate::transcript::{call, message, result, said};

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
