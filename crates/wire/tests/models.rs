//! The lists of models that providers send.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use wire::error::WireError;
use wire::models::ModelList;
use wire::protocol::Protocol;

const ANTHROPIC: &str = r#"{"data":[
    {"type":"model","id":"claude-opus-5-5","display_name":"Claude Opus","created_at":"2026-01-01"},
    {"type":"model","id":"claude-haiku-4-5-20251001"}],
    "has_more":false,"first_id":"claude-opus-5-5","last_id":"claude-haiku-4-5-20251001"}"#;
const OPENAI: &str = r#"{"object":"list","data":[
    {"id":"gpt-5.2","object":"model","created":1,"owned_by":"openai"},
    {"id":"gpt-5.4-mini-2026-03-17","object":"model"}]}"#;
const OLLAMA: &str = r#"{"models":[
    {"name":"qwen3:8b","model":"qwen3:8b","size":5,"details":{"family":"qwen3"}},
    {"name":"gemma3:latest","modified_at":"2026-01-01T00:00:00Z"},
    {"size":1}]}"#;

#[test]
fn each_protocols_list_is_read_to_names() {
    for (protocol, body, names) in [
        (Protocol::Anthropic, ANTHROPIC, ["claude-opus-5-5", "claude-haiku-4-5-20251001"]),
        (Protocol::OpenAiChat, OPENAI, ["gpt-5.2", "gpt-5.4-mini-2026-03-17"]),
        (Protocol::OpenAiResponses, OPENAI, ["gpt-5.2", "gpt-5.4-mini-2026-03-17"]),
        (Protocol::Ollama, OLLAMA, ["qwen3:8b", "gemma3:latest"]),
    ] {
        let list = ModelList::decode(protocol, body.as_bytes()).unwrap();
        assert_eq!(list.names(), names);
    }
}

#[test]
fn what_is_no_list_is_an_error() {
    let bodies: [&[u8]; 7] =
        [b"", b"[]", b"{}", b"null", b"{\"data\":{}}", b"{\"models\":[1]}", b"\xff"];
    for (protocol, body) in Protocol::ALL.into_iter().flat_map(|it| bodies.map(|body| (it, body))) {
        let read = ModelList::decode(protocol, body);
        assert!(matches!(read, Err(WireError::Malformed(_))), "{protocol:?} {body:?}");
    }
}

#[test]
fn a_wrong_name_is_known_and_a_short_one_is_not_wrong() {
    for (protocol, body, model, lacks) in [
        (Protocol::Anthropic, ANTHROPIC, "claude-opus-5-5", false),
        (Protocol::Anthropic, ANTHROPIC, "claude-haiku-4-5", false),
        (Protocol::Anthropic, ANTHROPIC, "claude-haiku-4-5-latest", false),
        (Protocol::Anthropic, ANTHROPIC, "claude-opus-5", true),
        (Protocol::Anthropic, ANTHROPIC, "claude-haiku-4", true),
        (Protocol::Anthropic, ANTHROPIC, "", true),
        (Protocol::OpenAiChat, OPENAI, "gpt-5.4-mini", false),
        (Protocol::OpenAiChat, OPENAI, "gpt-5.4", true),
        (Protocol::OpenAiChat, OPENAI, "gpt-5.2-2025-12-11", true),
        (Protocol::Ollama, OLLAMA, "gemma3", false),
        (Protocol::Ollama, OLLAMA, "qwen3", true),
        (Protocol::Ollama, OLLAMA, "qwen3:8b", false),
    ] {
        let list = ModelList::decode(protocol, body.as_bytes()).unwrap();
        assert_eq!(list.lacks(model), lacks, "{model}");
    }
}

#[test]
fn a_list_that_goes_on_elsewhere_lacks_nothing_for_sure() {
    let body = ANTHROPIC.replace("\"has_more\":false", "\"has_more\":true");
    let list = ModelList::decode(Protocol::Anthropic, body.as_bytes()).unwrap();
    assert!(!list.lacks("claude-sonnet-5-5"));
}
