//! What the server half takes from clients, and what it answers with.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use agent::message::{Body, Content, Ending};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, ToolChoice, Usage};
use serde_json::{Value, json};
use wire::anthropic::server::{
    Envelope, ServedRequest, decode_request, encode_stream, encode_whole,
};
use wire::error::{Violation, WireError};
use wire::limits::REQUEST_MAX_BYTES;

fn request(messages: Value) -> Value {
    json!({ "model": "kitchen", "max_tokens": 100, "messages": messages })
}

fn hi() -> Value {
    request(json!([{ "role": "user", "content": "Hi" }]))
}

fn with(key: &str, value: Value) -> Value {
    let mut request = hi();
    request[key] = value;
    request
}

fn serve(request: &Value) -> Result<ServedRequest, WireError> {
    decode_request(request.to_string().as_bytes())
}

/// The request is refused with a message that names the place.
#[track_caller]
fn refuse(request: &Value, place: &str) {
    match serve(request) {
        Err(WireError::Malformed(message)) if message.contains(place) => {}
        other => panic!("{other:?}"),
    }
}

fn bodies(request: &Value) -> Vec<Body> {
    serve(request).unwrap().request.messages.into_iter().map(|message| message.body).collect()
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "input_schema": { "type": "object" } })
}

#[test]
fn the_smallest_request_is_enough() {
    let served = serve(&hi()).unwrap();
    assert!(!served.stream);
    assert_eq!(served.request.tool_choice, ToolChoice::Auto);
    assert_eq!(served.request.instructions, "");
    assert_eq!(bodies(&hi()), [Body::Person("Hi".to_owned())]);
}

#[test]
fn what_clients_send_without_effect_is_taken() {
    for (key, value) in [
        ("temperature", json!(1)),
        ("top_p", json!(0.5)),
        ("stop_sequences", json!(["x"])),
        ("metadata", json!({ "user_id": "1" })),
        ("thinking", json!({ "type": "disabled" })),
        ("stream", json!(false)),
        ("system", Value::Null),
        ("tools", json!([])),
    ] {
        assert!(serve(&with(key, value)).is_ok(), "{key}");
    }
    refuse(&with("tols", json!([])), "tols");
}

#[test]
fn instructions_are_a_text_or_blocks() {
    let blocks = json!([
        { "type": "text", "text": "Be short.", "cache_control": { "type": "ephemeral" } },
        { "type": "text", "text": "Be kind." },
    ]);
    for (system, text) in [(json!("Be short."), "Be short."), (blocks, "Be short.\nBe kind.")] {
        assert_eq!(serve(&with("system", system)).unwrap().request.instructions, text);
    }
}

#[test]
fn content_is_a_text_or_blocks_and_results_take_both_and_nothing() {
    let messages = json!([
        { "role": "user", "content": "Eggs" },
        { "role": "user", "content": [{ "type": "text", "text": "and milk" }] },
        { "role": "assistant", "content": "Well," },
        { "role": "assistant", "content": [
            { "type": "thinking", "thinking": "Hm", "signature": "s" },
            { "type": "tool_use", "id": "a", "name": "add", "input": {}, "caller": null },
            { "type": "tool_use", "id": "b", "name": "add", "input": { "n": 1 } },
        ] },
        { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "b", "is_error": true, "content": "no" },
            { "type": "tool_result", "tool_use_id": "a" },
            { "type": "text", "text": "And?" },
        ] },
    ]);
    let bodies = bodies(&request(messages));
    let [_, _, Body::Assistant(contents), Body::Result(b), Body::Result(a), Body::Person(_)] =
        &bodies[..]
    else {
        panic!("{bodies:?}");
    };
    assert!(matches!(
        contents[..],
        [Content::Text(_), Content::Opaque(_), Content::Call(_), Content::Call(_)]
    ));
    assert_eq!((b.call.0.as_str(), b.text.as_str(), b.ending), ("b", "no", Ending::Failed));
    assert_eq!((a.call.0.as_str(), a.text.as_str(), a.ending), ("a", "", Ending::Ran));
}

#[test]
fn the_rules_of_calls_and_results_hold() {
    let asked = json!({ "role": "assistant", "content": [
        { "type": "tool_use", "id": "a", "name": "add", "input": {} },
    ] });
    let user = |content: Value| json!({ "role": "user", "content": content });
    let done = json!({ "type": "tool_result", "tool_use_id": "a", "content": "ok" });
    let text = json!({ "type": "text", "text": "so?" });
    let chat =
        |rest: Vec<Value>| request([vec![user(json!("Hi")), asked.clone()], rest].concat().into());

    assert!(serve(&chat(vec![user(json!([done, text]))])).is_ok());
    refuse(&chat(vec![]), "call a has no result");
    refuse(&chat(vec![user(json!("so?"))]), "messages.2.content.0: call a has no result");
    refuse(&chat(vec![user(json!([text, done]))]), "messages.2.content.0: call a has no result");
    refuse(&chat(vec![user(json!([done, done]))]), "messages.2.content.1");
    refuse(&chat(vec![user(json!([done])), asked.clone(), user(json!([done]))]), "unique");
    refuse(&request(json!([user(json!([done]))])), "no call of this id");
    refuse(
        &request(json!([user(json!("Hi")), { "role": "assistant", "content": "Ho" }])),
        "end with",
    );
    refuse(&request(json!([{ "role": "assistant", "content": "Ho" }, user(json!("Hi"))])), "first");
    refuse(&request(json!([])), "at least one");
    refuse(&request(json!([user(json!([]))])), "at least one");
    refuse(&request(json!([user(json!(" "))])), "empty");
    refuse(&request(json!([user(json!(["Hi"]))])), "not an object");
    refuse(&request(json!([{ "role": "system", "content": "Hi" }])), "role");
    let image = json!([{ "type": "image", "source": {} }]);
    refuse(&request(json!([user(image)])), "text only");
}

#[test]
fn calls_in_the_transcript_are_well_formed() {
    for (block, place) in [
        (json!({ "type": "tool_use", "id": "a.b", "name": "add", "input": {} }), "id"),
        (json!({ "type": "tool_use", "id": "", "name": "add", "input": {} }), "id"),
        (json!({ "type": "tool_use", "id": "a", "input": {} }), "name"),
        (json!({ "type": "tool_use", "id": "a", "name": "add", "input": "{}" }), "input"),
        (json!({ "type": "tool_use", "id": "a", "name": "add" }), "input"),
        (json!({ "type": "image" }), "assistant"),
    ] {
        let messages = json!([
            { "role": "user", "content": "Hi" },
            { "role": "assistant", "content": [block] },
            { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "a" }] },
        ]);
        refuse(&request(messages), place);
    }
}

#[test]
fn tools_and_their_choice_are_ones_the_model_can_follow() {
    let choose = |choice: &str| {
        let mut request = with("tools", json!([tool("add")]));
        request["tool_choice"] = json!({ "type": choice });
        request
    };
    assert_eq!(serve(&choose("none")).unwrap().request.tool_choice, ToolChoice::None);
    assert_eq!(serve(&choose("auto")).unwrap().request.tool_choice, ToolChoice::Auto);
    for choice in ["any", "tool", "some"] {
        refuse(&choose(choice), "tool_choice");
    }
    refuse(&with("tool_choice", json!({ "type": "auto" })), "tool_choice");
    refuse(&with("tools", json!([tool("add"), tool("add")])), "tools.1");
    refuse(&with("tools", json!([tool("a b")])), "tools.0");
    refuse(&with("tools", json!([{ "name": "add" }])), "input_schema");
    refuse(&with("tools", json!([{ "type": "web_search_20250305", "name": "s" }])), "tools.0");
}

#[test]
fn what_is_missing_or_of_another_kind_is_refused() {
    refuse(&with("model", json!("")), "model");
    refuse(&with("max_tokens", json!(0)), "max_tokens");
    refuse(&with("max_tokens", json!(-1)), "-1");
    refuse(&json!({ "model": "kitchen", "max_tokens": 1 }), "messages");
    refuse(&json!([]), "sequence");
    let deep = "[".repeat(100_000);
    assert!(matches!(decode_request(deep.as_bytes()), Err(WireError::Malformed(_))));
    assert!(matches!(
        decode_request(&vec![b' '; REQUEST_MAX_BYTES + 1]),
        Err(WireError::TooLarge { .. })
    ));
}

#[test]
fn a_reply_is_streamed_word_by_word_and_its_arguments_in_pieces() {
    let reply = ModelReply {
        content: vec![
            ReplyContent::Text("A dozen eggs.".to_owned()),
            ReplyContent::Call(ProposedCall {
                id: "toolu_1".to_owned(),
                name: "add".to_owned(),
                arguments: "{\"item\":\"crème fraîche\"}".to_owned(),
                provider_result: None,
            }),
        ],
        stop: StopReason::ToolUse,
        usage: Usage { input: 3, cached: 0, output: 4, ..Usage::default() },
    };
    let frames = encode_stream(&reply, Envelope { id: "msg_1", model: "kitchen" }).unwrap();
    let kinds: Vec<_> = frames
        .iter()
        .map(|frame| frame.lines().next().unwrap().strip_prefix("event: ").unwrap())
        .collect();
    let delta = "content_block_delta";
    assert_eq!(
        kinds,
        [
            "message_start",
            "content_block_start",
            "ping",
            delta,
            delta,
            delta,
            "content_block_stop",
            "content_block_start",
            delta,
            delta,
            delta,
            "content_block_stop",
            "message_delta",
            "message_stop",
        ]
    );
    for (frame, kind) in frames.iter().zip(kinds) {
        let data = frame.lines().nth(1).unwrap().strip_prefix("data: ").unwrap();
        assert_eq!(serde_json::from_str::<Value>(data).unwrap()["type"], kind);
        assert!(frame.ends_with("\n\n"));
    }
}

#[test]
fn a_call_that_no_client_could_run_is_not_served() {
    let serve = |arguments: &str, provider_result: Option<&str>| {
        let call = ReplyContent::Call(ProposedCall {
            id: "toolu_1".to_owned(),
            name: "add".to_owned(),
            arguments: arguments.to_owned(),
            provider_result: provider_result.map(str::to_owned),
        });
        let reply =
            ModelReply { content: vec![call], stop: StopReason::ToolUse, usage: Usage::default() };
        let envelope = Envelope { id: "msg_1", model: "kitchen" };
        let (streamed, whole) =
            (encode_stream(&reply, envelope).err(), encode_whole(&reply, envelope).err());
        assert_eq!(streamed, whole);
        streamed
    };
    let name = || "add".to_owned();
    assert_eq!(serve("{}", None), None);
    for broken in ["[1]", "{\"n\":", "null"] {
        let violation = Violation::ArgumentsNotAnObject(name());
        assert_eq!(serve(broken, None), Some(violation.into()), "{broken}");
    }
    assert_eq!(serve("{}", Some("done")), Some(Violation::AlreadyRun(name()).into()));
}
