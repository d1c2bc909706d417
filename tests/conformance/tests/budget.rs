//! What a conversation costs however long it is: a request holds no more than the bound says, in any
//! protocol, and is legal.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use agent::id::CallId;
use agent::limits::TRANSCRIPT_BYTES_MAX;
use agent::message::{Body, Content, Ending, Message, Opaque, ToolCall, ToolResult};
use agent::model::{ModelRequest, ToolChoice};
use agent::time::Timestamp;
use agent::window;
use serde_json::{Value, json};
use wire::protocol::{Ask, Protocol};

const MESSAGES: usize = 10_000;

/// A conversation in which each turn is a text, a reply that calls, its result and a reply in words.
fn conversation(words: &str) -> Vec<Message> {
    let message = |body| Message { at: Timestamp(1), body, usage: None };
    let turn = |number: usize| {
        let id = CallId(format!("call-{number:0>35}"));
        let Value::Object(arguments) =
            json!({ "item": words, words: [1.0, null, true, { words: [] }] })
        else {
            panic!("an object is an object")
        };
        let own = |protocol: Protocol| {
            let block = json!({ "type": "thinking", "thinking": words, "signature": "s" });
            Content::Opaque(Opaque { provider: protocol.name().to_owned(), block })
        };
        let name = "add_to_shopping_list".to_owned();
        let call = ToolCall { id: id.clone(), model_id: "m".to_owned(), name, arguments };
        let result =
            ToolResult { call: id, text: words.to_owned(), ending: Ending::NotRun, decision: None };
        let mut reply: Vec<_> = Protocol::ALL.map(own).into();
        reply.extend([Content::Text(words.to_owned()), Content::Call(call)]);
        [
            Body::Person(words.to_owned()),
            Body::Assistant(reply),
            Body::Result(result),
            Body::Assistant(vec![Content::Text(words.to_owned())]),
        ]
    };
    (0..MESSAGES / 4).flat_map(turn).map(message).collect()
}

/// What the model is asked when something is said in a conversation of these messages.
fn request(mut messages: Vec<Message>) -> ModelRequest {
    let body = Body::Person("And milk.".to_owned());
    messages.push(Message { at: Timestamp(2), body, usage: None });
    ModelRequest {
        instructions: kitchen::agent().instructions,
        messages: window::of(&messages).to_vec(),
        tools: kitchen::tools().specs(),
        tool_choice: ToolChoice::Auto,
    }
}

fn body_bytes(protocol: Protocol, request: &ModelRequest) -> usize {
    let ask = Ask { request, model: "m", max_tokens: 4096, stream: true };
    protocol.encode(&ask).unwrap_or_else(|error| panic!("{protocol:?}: {error}")).len()
}

#[test]
fn ten_thousand_messages_make_no_larger_request_than_the_bound_in_any_protocol() {
    let nothing = request(Vec::new());
    for words in [
        "put a dozen eggs on the list",
        "\"\\\"\\\"\\\"\\",
        "\u{1}\u{2}\n\t\u{7f}",
        "\u{1F95A} \u{8C46}\u{8150}",
        &"crème fraîche ".repeat(100),
        &"\"\\".repeat(2_000),
        "x",
    ] {
        let request = request(conversation(words));
        let sent = request.messages.len();
        assert!((5..MESSAGES).contains(&sent), "{sent}");
        for protocol in Protocol::ALL {
            let (bytes, fixed) = (body_bytes(protocol, &request), body_bytes(protocol, &nothing));
            println!("{protocol:?} {sent} messages {bytes} bytes, of which fixed {fixed}");
            assert!(bytes - fixed <= TRANSCRIPT_BYTES_MAX, "{protocol:?}: {bytes} bytes");
        }
    }
}
