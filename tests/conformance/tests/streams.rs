//! The runner of recorded streams itself: it must be able to fail.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use conformance::streams;
use serde_json::{Value, json};

/// A folder of its own, gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let unique = format!("streams-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(unique);
        for protocol in ["anthropic", "openai-chat", "openai-responses", "ollama"] {
            fs::create_dir_all(path.join(protocol)).unwrap();
        }
        Self(path)
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.join(name), content).unwrap();
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("streams")
}

/// A recording alone in a folder, with its expectation changed in one place.
fn changed(name: &str, pointer: &str, value: &Value) -> Folder {
    let all: Value =
        serde_json::from_slice(&fs::read(recordings().join("EXPECTED.json")).unwrap()).unwrap();
    let mut expected = all[name].clone();
    match expected.pointer_mut(pointer) {
        Some(place) => *place = value.clone(),
        None => expected[pointer.trim_start_matches('/')] = value.clone(),
    }
    let body = fs::read(recordings().join(name)).unwrap();
    Folder::new().with(name, body).with("EXPECTED.json", json!({ name: expected }).to_string())
}

#[test]
fn a_wrong_expectation_is_found() {
    for (name, pointer, value) in [
        ("anthropic/parallel-tools.sse", "/text", json!("I'll solve this")),
        ("anthropic/parallel-tools.sse", "/thinking", json!("Hm")),
        ("anthropic/parallel-tools.sse", "/messages", json!(2)),
        ("anthropic/parallel-tools.sse", "/stop_reason", json!("end_turn")),
        ("anthropic/parallel-tools.sse", "/usage/input_tokens", json!(1)),
        ("anthropic/parallel-tools.sse", "/usage/output_tokens", json!(1)),
        ("anthropic/parallel-tools.sse", "/tool_calls", json!([])),
        ("anthropic/parallel-tools.sse", "/tool_calls/1/id", json!("toolu_REDACTED_1")),
        ("anthropic/parallel-tools.sse", "/tool_calls/0/name", json!("add")),
        ("anthropic/parallel-tools.sse", "/tool_calls/0/raw", json!("{}")),
        ("anthropic/parallel-tools.sse", "/tool_calls/0/arguments/x", json!(11)),
        (
            "anthropic/parallel-tools.sse",
            "/errors",
            json!([{ "type": "api_error", "message": "" }]),
        ),
        ("anthropic/zero-args.sse", "/tool_calls/0/arguments", json!({ "x": 1 })),
        ("anthropic/redacted-thinking.sse", "/redacted", json!(1)),
        ("anthropic/restarted-message.jsonl", "/messages", json!(1)),
        ("anthropic/restarted-message.jsonl", "/thinking", json!("")),
        ("anthropic/restarted-message.jsonl", "/signature", json!(false)),
        ("anthropic/cut-mid-args-max-tokens.sse", "/tool_calls", json!([])),
        ("anthropic/cut-mid-args-max-tokens.sse", "/tool_calls/0/name", json!("other")),
        ("anthropic/cut-mid-args-max-tokens.sse", "/tool_calls/0/complete", json!(true)),
        ("anthropic/cut-mid-args-max-tokens.sse", "/text", json!("")),
        ("anthropic/cut-mid-args-max-tokens.sse", "/stop_reason", json!(null)),
        ("anthropic/overloaded-mid-args.sse", "/errors", json!([])),
        ("anthropic/overloaded-mid-args.sse", "/errors/0/type", json!("api_error")),
        ("anthropic/overloaded-mid-args.sse", "/errors/0/message", json!("Busy")),
        ("anthropic/http-404-unknown-model.json", "/errors/0/type", json!("api_error")),
        ("anthropic/http-404-unknown-model.json", "/errors/0/message", json!("model")),
        ("openai-chat/parallel-tools.sse", "/stop_reason", json!("length")),
        ("openai-chat/parallel-tools.sse", "/tool_calls/1/id", json!("call_REDACTED_1")),
        ("openai-chat/parallel-tools.sse", "/usage/input_tokens", json!(1)),
        ("openai-chat/refusal.sse", "/refusal", json!("")),
        ("openai-chat/refusal.sse", "/text", json!("I cannot.")),
        ("openai-chat/tool-index-starts-at-1.sse", "/tool_calls/0/arguments/path", json!("b.txt")),
        ("openai-chat/length-cut-mid-args.sse", "/tool_calls/0/complete", json!(true)),
        ("openai-chat/length-one-whole-one-cut.sse", "/tool_calls/0/complete", json!(false)),
        ("openai-responses/parallel-tools.sse", "/status", json!("incomplete")),
        ("openai-responses/parallel-tools.sse", "/tool_calls/0/name", json!("x")),
        ("openai-responses/incomplete-mid-tool.sse", "/incomplete_reason", json!("content_filter")),
        ("openai-responses/mcp-approval-denied-reply.jsonl", "/reasoning_items", json!(2)),
        ("openai-responses/mcp-approval-denied-reply.jsonl", "/usage/output_tokens", json!(1)),
        ("openai-responses/error-in-200-stream.jsonl", "/errors/0/code", json!("other")),
        ("openai-responses/http-400-bad-previous-id.json", "/errors/0/code", json!("other")),
        ("openai-responses/parallel-wrapper.json", "/tool_calls/0/raw", json!("{}")),
        ("ollama/parallel-tools.ndjson", "/stop_reason", json!("length")),
        ("ollama/parallel-tools.ndjson", "/tool_calls/1/name", json!("lookup_harbor_label")),
        ("ollama/text-stream.ndjson", "/text", json!("")),
        ("ollama/blocking-tool.json", "/thinking", json!("")),
        ("ollama/blocking-tool.json", "/tool_calls/0/arguments/city", json!("Kyoto")),
    ] {
        let report = streams::run(&changed(name, pointer, &value).0);
        assert!(!report.holds(), "{name}: {pointer} as {value}");
    }
}

#[test]
fn an_unchanged_expectation_holds() {
    for (name, stop) in [
        ("anthropic/parallel-tools.sse", "tool_use"),
        ("openai-chat/parallel-tools.sse", "tool_calls"),
        ("ollama/parallel-tools.ndjson", "stop"),
    ] {
        let report = streams::run(&changed(name, "/stop_reason", &json!(stop)).0);
        assert!(report.holds(), "{name}: {report}");
    }
}

#[test]
fn a_damaged_recording_is_found() {
    for (name, key, stop, from, to) in [
        ("anthropic/text-then-tool.sse", "/stop_reason", "tool_use", "message_stop", "ping"),
        ("anthropic/text-then-tool.sse", "/stop_reason", "tool_use", "toolu_REDACTED_1", "toolu_2"),
        ("anthropic/text-then-tool.sse", "/stop_reason", "tool_use", "}", ""),
        ("openai-chat/refusal.sse", "/stop_reason", "stop", "\"stop\"", "null"),
        ("openai-chat/refusal.sse", "/stop_reason", "stop", "refusal", "content"),
        (
            "openai-responses/parallel-tools.sse",
            "/status",
            "completed",
            ".completed",
            ".in_progress",
        ),
        ("openai-responses/parallel-tools.sse", "/status", "completed", "completed", "incomplete"),
        ("ollama/parallel-tools.ndjson", "/stop_reason", "stop", "\"done\":true", "\"done\":false"),
        ("ollama/parallel-tools.ndjson", "/stop_reason", "stop", "\"index\":1", "\"index\":1,"),
    ] {
        let folder = changed(name, key, &json!(stop));
        let body = fs::read_to_string(recordings().join(name)).unwrap().replace(from, to);
        let report = streams::run(&folder.with(name, body).0);
        assert!(!report.holds(), "{name}: {from} became {to}");
    }
}

#[test]
fn no_cases_and_unreadable_cases_are_failures() {
    assert!(!streams::run(&Folder::new().0).holds());
    let case = |expected: Value| Folder::new().with("EXPECTED.json", expected.to_string());
    for folder in [
        case(json!({})),
        case(json!({ "nobody/a.sse": {} })),
        case(json!({ "anthropic/a.sse": {} })),
        case(json!([])),
        case(json!({ "anthropic/a.sse": { "text": 1 } })).with("anthropic/a.sse", ""),
    ] {
        let report = streams::run(&folder.0);
        assert!(!report.holds(), "{report}");
    }
}
