//! The built-in model.

use agent::model::{ModelReply, ReplyContent, StopReason};
use serde_json::{Value, json};
use wire::provider::Provider;

use crate::world::Proxy;

const BUILTIN: &str = "/api/builtin/v1/messages";

fn eggs(stream: bool) -> Value {
    json!({
        "model": "kitchen-rules",
        "max_tokens": 1024,
        "stream": stream,
        "messages": [
            { "role": "user", "content": "We're out of eggs, put a dozen on the list." },
        ],
        "tools": [{
            "name": "add_to_shopping_list",
            "description": "Adds an item.",
            "input_schema": { "type": "object" },
        }],
    })
}

#[track_caller]
fn check_proposes_eggs(reply: &ModelReply) {
    assert_eq!(reply.stop, StopReason::ToolUse);
    let calls: Vec<(&str, Value)> = reply
        .content
        .iter()
        .filter_map(|content| match content {
            ReplyContent::Call(call) => {
                Some((call.name.as_str(), serde_json::from_str(&call.arguments).unwrap()))
            }
            ReplyContent::Text(_) | ReplyContent::Opaque(_) => None,
        })
        .collect();
    assert_eq!(calls, [("add_to_shopping_list", json!({ "item": "eggs", "quantity": "12" }))]);
}

#[tokio::test]
async fn the_built_in_model_streams_without_a_key_frame_by_frame() {
    let proxy = Proxy::start(|config| config.upstreams.anthropic.key = None).await;
    let mut answer = proxy.post(BUILTIN).body(eggs(true).to_string()).open().await;
    assert_eq!(answer.status(), 200);
    let mut decoder = Provider::Builtin.protocol().decoder();
    let mut pieces = 0;
    while let Some(piece) = answer.piece().await {
        let piece = piece.unwrap();
        let frames = piece.matches("event: ").count();
        assert!(frames == 1 && piece.ends_with("\n\n"), "several frames at once: {piece}");
        decoder.feed(piece.as_bytes()).unwrap();
        pieces += 1;
    }
    assert!(pieces > 5, "{pieces}");
    check_proposes_eggs(&decoder.finish().unwrap());
}

#[tokio::test]
async fn the_built_in_model_answers_whole_who_does_not_want_a_stream() {
    let proxy = Proxy::start(|_| ()).await;
    let answer = proxy.post(BUILTIN).body(eggs(false).to_string()).send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let message: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(message["stop_reason"], "tool_use");
    let again = proxy.post(BUILTIN).body(eggs(false).to_string()).send().await;
    let again: Value = serde_json::from_slice(&again.body).unwrap();
    assert_eq!(message["content"], again["content"]);
    assert_ne!(message["id"], again["id"]);
}

#[tokio::test]
async fn the_built_in_model_says_what_it_could_not_read() {
    let proxy = Proxy::start(|_| ()).await;
    for body in ["", "{}", "[]", "{\"model\":\"x\",\"max_tokens\":1,\"messages\":[]}"] {
        let answer = proxy.post(BUILTIN).body(body).send().await;
        assert_eq!((answer.status, answer.error().0.as_str()), (400, "invalid_request_error"));
        assert!(answer.error().1.starts_with("The built-in model could not read the request: "));
    }
}

#[tokio::test]
async fn a_place_is_given_back_when_the_built_in_model_is_done() {
    let proxy = Proxy::start(|config| config.limits.streams = 1).await;
    let mut answer = proxy.post(BUILTIN).body(eggs(true).to_string()).open().await;
    answer.piece().await.unwrap().unwrap();
    drop(answer);
    proxy.logged("POST /api/builtin/v1/messages ended after ").await;
    assert_eq!(proxy.post(BUILTIN).body(eggs(true).to_string()).send().await.status, 200);
}
