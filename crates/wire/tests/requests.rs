//! What goes out to Anthropic, and what is never sent.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use agent::id::CallId;
use agent::message::{Body, Content, Ending, Message, Opaque, ToolCall, ToolResult};
use agent::model::{ModelRequest, ToolChoice};
use agent::time::Timestamp;
use agent::tool::{Access, ToolSpec};
use serde_json::{Value, json};
use wire::error::{Violation, WireError};
use wire::protocol::{Ask, Protocol};

fn person(text: &str) -> Body {
    Body::Person(text.to_owned())
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn call(id: &str) -> Content {
    named_call(id, "add_to_shopping_list")
}

fn named_call(id: &str, name: &str) -> Content {
    Content::Call(ToolCall {
        id: CallId(id.to_owned()),
        model_id: "toolu_of_the_model".to_owned(),
        name: name.to_owned(),
        arguments: json!({ "item": "eggs" }).as_object().unwrap().clone(),
    })
}

fn result(id: &str, text: &str, ending: Ending) -> Body {
    Body::Result(ToolResult {
        call: CallId(id.to_owned()),
        text: text.to_owned(),
        ending,
        decision: None,
    })
}

fn opaque(provider: &str, block: Value) -> Content {
    Content::Opaque(Opaque { provider: provider.to_owned(), block })
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "Adds one item.".to_owned(),
        parameters: json!({ "type": "object" }),
        version: "1".to_owned(),
        access: Access::Write,
    }
}

fn request(bodies: Vec<Body>) -> ModelRequest {
    ModelRequest {
        instructions: "Be short.".to_owned(),
        messages: bodies
            .into_iter()
            .map(|body| Message { at: Timestamp(1), body, usage: None })
            .collect(),
        tools: vec![tool("add_to_shopping_list")],
        tool_choice: ToolChoice::Auto,
    }
}

fn encode(request: &ModelRequest) -> Result<Vec<u8>, WireError> {
    Protocol::Anthropic.encode(&Ask { request, model: "claude-x", max_tokens: 1024, stream: true })
}

fn sent(request: &ModelRequest) -> Value {
    serde_json::from_slice(&encode(request).unwrap()).unwrap()
}

#[track_caller]
fn check(bodies: Vec<Body>, messages: Value) {
    assert_eq!(sent(&request(bodies))["messages"], messages);
}

#[track_caller]
fn refuse(bodies: Vec<Body>, violation: Violation) {
    refuse_request(&request(bodies), violation);
}

#[track_caller]
fn refuse_request(request: &ModelRequest, violation: Violation) {
    assert_eq!(encode(request), Err(WireError::Unsendable(violation)));
}

fn id(text: &str) -> CallId {
    CallId(text.to_owned())
}

#[test]
fn a_request_says_everything_the_provider_needs_and_nothing_else() {
    assert_eq!(
        sent(&request(vec![person("We're out of eggs")])),
        json!({
            "model": "claude-x",
            "max_tokens": 1024,
            "stream": true,
            "system": "Be short.",
            "messages": [
                { "role": "user", "content": [{ "type": "text", "text": "We're out of eggs" }] },
            ],
            "tools": [{
                "name": "add_to_shopping_list",
                "description": "Adds one item.",
                "input_schema": { "type": "object" },
            }],
            "tool_choice": { "type": "auto" },
        })
    );
}

#[test]
fn forbidden_tools_stay_declared() {
    let forbidden = ModelRequest { tool_choice: ToolChoice::None, ..request(vec![person("Hi")]) };
    let sent = sent(&forbidden);
    assert_eq!(sent["tool_choice"], json!({ "type": "none" }));
    assert_eq!(sent["tools"].as_array().unwrap().len(), 1);
}

#[test]
fn without_tools_and_instructions_neither_they_nor_a_choice_are_sent() {
    let bare =
        ModelRequest { instructions: " ".to_owned(), tools: vec![], ..request(vec![person("Hi")]) };
    let sent = sent(&bare);
    for key in ["tools", "tool_choice", "system"] {
        assert_eq!(sent.get(key), None, "{key}");
    }
}

#[test]
fn results_come_first_and_together_and_the_persons_texts_behind_them() {
    check(
        vec![
            person("Eggs and milk"),
            Body::Assistant(vec![text("Both?"), call("c1"), call("c2")]),
            result("c1", "12 eggs", Ending::Ran),
            result("c2", "Tool call invocation rejected. no milk", Ending::Refused),
            person("Actually, make that six"),
            person("Please"),
        ],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "Eggs and milk" }] },
            { "role": "assistant", "content": [
                { "type": "text", "text": "Both?" },
                { "type": "tool_use", "id": "c1", "name": "add_to_shopping_list",
                  "input": { "item": "eggs" } },
                { "type": "tool_use", "id": "c2", "name": "add_to_shopping_list",
                  "input": { "item": "eggs" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c1", "content": "12 eggs" },
                { "type": "tool_result", "tool_use_id": "c2", "is_error": true,
                  "content": "Tool call invocation rejected. no milk" },
                { "type": "text", "text": "Actually, make that six" },
                { "type": "text", "text": "Please" },
            ] },
        ]),
    );
}

#[test]
fn only_what_ran_is_not_an_error() {
    for (ending, error) in [
        (Ending::Ran, false),
        (Ending::Provider, false),
        (Ending::Failed, true),
        (Ending::Refused, true),
        (Ending::NotRun, true),
        (Ending::NotFound, true),
        (Ending::BadArguments, true),
        (Ending::Unknown, true),
    ] {
        let sent = sent(&request(vec![
            person("Hi"),
            Body::Assistant(vec![call("c1")]),
            result("c1", "words", ending),
        ]));
        let flag = sent["messages"][2]["content"][0].get("is_error").cloned();
        assert_eq!(flag, error.then_some(Value::Bool(true)), "{ending:?}");
    }
}

#[test]
fn no_text_is_ever_empty() {
    check(
        vec![
            person("Hi"),
            person(" "),
            Body::Assistant(vec![text(""), call("c1"), text("\n")]),
            result("c1", " ", Ending::Ran),
            Body::Assistant(vec![text(" ")]),
            person("And?"),
        ],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "Hi" }] },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "c1", "name": "add_to_shopping_list",
                  "input": { "item": "eggs" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c1", "content": "(empty)" },
                { "type": "text", "text": "And?" },
            ] },
        ]),
    );
}

#[test]
fn own_blocks_go_back_unchanged_and_in_place_and_foreign_ones_not_at_all() {
    let thinking = json!({ "type": "thinking", "thinking": "Hm.", "signature": "s1g" });
    let redacted = json!({ "type": "redacted_thinking", "data": "xyz" });
    let search = json!({ "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
                         "input": { "query": "eggs" } });
    let sent = sent(&request(vec![
        person("Hi"),
        Body::Assistant(vec![
            opaque("anthropic", thinking.clone()),
            opaque("anthropic", redacted.clone()),
            opaque("ollama", json!({ "type": "thinking", "thinking": "no", "signature": "x" })),
            opaque("anthropic", search.clone()),
            text("Hello"),
        ]),
        person("And?"),
    ]));
    assert_eq!(
        sent["messages"][1]["content"],
        json!([thinking, redacted, search, { "type": "text", "text": "Hello" }])
    );
}

#[test]
fn thinking_that_was_cut_or_led_nowhere_is_left_out() {
    let unsigned = json!({ "type": "thinking", "thinking": "Hm", "signature": "" });
    let signed = json!({ "type": "thinking", "thinking": "Hm", "signature": "s" });
    check(
        vec![
            person("Hi"),
            Body::Assistant(vec![opaque("anthropic", unsigned), opaque("anthropic", signed)]),
            person("And?"),
        ],
        json!([{ "role": "user", "content": [
            { "type": "text", "text": "Hi" },
            { "type": "text", "text": "And?" },
        ] }]),
    );
}

#[test]
fn a_call_hidden_in_a_providers_own_block_is_not_sent() {
    let smuggled = json!({ "type": "tool_use", "id": "x", "name": "y", "input": {} });
    let sent = sent(&request(vec![
        person("Hi"),
        Body::Assistant(vec![opaque("anthropic", smuggled), text("Hello")]),
        person("And?"),
    ]));
    assert_eq!(sent["messages"][1]["content"], json!([{ "type": "text", "text": "Hello" }]));
}

#[test]
fn a_reply_in_two_parts_is_one_turn() {
    let sent = sent(&request(vec![
        person("Hi"),
        Body::Assistant(vec![text("One")]),
        Body::Assistant(vec![text("two")]),
        person("And?"),
    ]));
    assert_eq!(sent["messages"][1]["content"].as_array().unwrap().len(), 2);
    assert_eq!(sent["messages"].as_array().unwrap().len(), 3);
}

#[test]
fn a_name_the_model_made_up_is_made_sendable() {
    let sent = sent(&request(vec![
        person("Hi"),
        Body::Assistant(vec![named_call("c1", "add eggs, ü"), named_call("c2", "")]),
        result("c1", "not found", Ending::NotFound),
        result("c2", "not found", Ending::NotFound),
    ]));
    assert_eq!(sent["messages"][1]["content"][0]["name"], "add_eggs___");
    assert_eq!(sent["messages"][1]["content"][1]["name"], "_");
}

#[test]
fn a_call_has_exactly_one_result_directly_behind_its_reply() {
    let asked = || vec![person("Hi"), Body::Assistant(vec![call("c1"), call("c2")])];
    let with = |bodies: Vec<Body>| asked().into_iter().chain(bodies).collect::<Vec<_>>();
    let done = |id| result(id, "ok", Ending::Ran);

    refuse(asked(), Violation::CallWithoutResult(id("c1")));
    refuse(with(vec![done("c2")]), Violation::CallWithoutResult(id("c1")));
    refuse(with(vec![done("c1"), person("so?")]), Violation::CallWithoutResult(id("c2")));
    refuse(
        with(vec![done("c1"), Body::Assistant(vec![text("ok")])]),
        Violation::CallWithoutResult(id("c2")),
    );
    refuse(
        with(vec![person("so?"), done("c1"), done("c2")]),
        Violation::CallWithoutResult(id("c1")),
    );
    refuse(
        with(vec![Body::Assistant(vec![text("ok")]), done("c1"), done("c2")]),
        Violation::CallWithoutResult(id("c1")),
    );
    refuse(with(vec![done("c1"), done("c1")]), Violation::SecondResult(id("c1")));
    refuse(
        with(vec![done("c1"), done("c2"), person("so?"), done("c2")]),
        Violation::SecondResult(id("c2")),
    );
    refuse(with(vec![done("c3")]), Violation::ResultWithoutCall(id("c3")));
    refuse(vec![person("Hi"), done("c1")], Violation::ResultWithoutCall(id("c1")));
}

#[test]
fn ids_are_used_once_and_can_be_sent() {
    refuse(
        vec![
            person("Hi"),
            Body::Assistant(vec![call("c1")]),
            result("c1", "ok", Ending::Ran),
            Body::Assistant(vec![call("c1")]),
            result("c1", "ok", Ending::Ran),
        ],
        Violation::RepeatedCall(id("c1")),
    );
    for illegal in ["", "a b", "ü", "a.b", &"a".repeat(41)] {
        refuse(
            vec![
                person("Hi"),
                Body::Assistant(vec![call(illegal)]),
                result(illegal, "ok", Ending::Ran),
            ],
            Violation::IllegalCallId(illegal.to_owned()),
        );
    }
}

#[test]
fn the_person_or_a_tool_speaks_last_and_the_person_first() {
    refuse(vec![], Violation::Empty);
    refuse(vec![person(" ")], Violation::Empty);
    refuse(vec![person("Hi"), Body::Assistant(vec![text("Hello")])], Violation::EndsWithModel);
    refuse(
        vec![person("Hi"), Body::Assistant(vec![text("Hello")]), person("")],
        Violation::EndsWithModel,
    );
    refuse(vec![Body::Assistant(vec![text("Hello")]), person("Hi")], Violation::BeginsWithModel);
}

#[test]
fn tools_are_declared_once_by_legal_names_and_whenever_there_are_calls() {
    let with = |tools| ModelRequest { tools, ..request(vec![person("Hi")]) };
    refuse_request(&with(vec![tool("a"), tool("a")]), Violation::RepeatedTool("a".to_owned()));
    for illegal in ["", "a b", &"a".repeat(129)] {
        let violation = Violation::IllegalToolName(illegal.to_owned());
        refuse_request(&with(vec![tool(illegal)]), violation);
    }
    let bodies =
        vec![person("Hi"), Body::Assistant(vec![call("c1")]), result("c1", "ok", Ending::Ran)];
    refuse_request(&ModelRequest { tools: vec![], ..request(bodies) }, Violation::NoTools);
}
