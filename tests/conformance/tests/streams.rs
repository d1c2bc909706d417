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
        fs::create_dir_all(path.join("anthropic")).unwrap();
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
        ("parallel-tools.sse", "/text", json!("I'll solve this")),
        ("parallel-tools.sse", "/thinking", json!("Hm")),
        ("parallel-tools.sse", "/messages", json!(2)),
        ("parallel-tools.sse", "/stop_reason", json!("end_turn")),
        ("parallel-tools.sse", "/usage/input_tokens", json!(1)),
        ("parallel-tools.sse", "/usage/output_tokens", json!(1)),
        ("parallel-tools.sse", "/tool_calls", json!([])),
        ("parallel-tools.sse", "/tool_calls/1/id", json!("toolu_REDACTED_1")),
        ("parallel-tools.sse", "/tool_calls/0/name", json!("add")),
        ("parallel-tools.sse", "/tool_calls/0/raw", json!("{}")),
        ("parallel-tools.sse", "/tool_calls/0/arguments/x", json!(11)),
        ("parallel-tools.sse", "/errors", json!([{ "type": "api_error", "message": "" }])),
        ("zero-args.sse", "/tool_calls/0/arguments", json!({ "x": 1 })),
        ("redacted-thinking.sse", "/redacted", json!(1)),
        ("restarted-message.jsonl", "/messages", json!(1)),
        ("restarted-message.jsonl", "/thinking", json!("")),
        ("restarted-message.jsonl", "/signature", json!(false)),
        ("cut-mid-args-max-tokens.sse", "/tool_calls", json!([])),
        ("cut-mid-args-max-tokens.sse", "/tool_calls/0/name", json!("other")),
        ("cut-mid-args-max-tokens.sse", "/tool_calls/0/complete", json!(true)),
        ("cut-mid-args-max-tokens.sse", "/text", json!("")),
        ("cut-mid-args-max-tokens.sse", "/stop_reason", json!(null)),
        ("overloaded-mid-args.sse", "/errors", json!([])),
        ("overloaded-mid-args.sse", "/errors/0/type", json!("api_error")),
        ("overloaded-mid-args.sse", "/errors/0/message", json!("Busy")),
        ("http-404-unknown-model.json", "/errors/0/type", json!("api_error")),
        ("http-404-unknown-model.json", "/errors/0/message", json!("model")),
    ] {
        let name = format!("anthropic/{name}");
        let report = streams::run(&changed(&name, pointer, &value).0);
        assert!(!report.holds(), "{name}: {pointer} as {value}");
    }
}

#[test]
fn an_unchanged_expectation_holds() {
    let name = "anthropic/parallel-tools.sse";
    let report = streams::run(&changed(name, "/stop_reason", &json!("tool_use")).0);
    assert!(report.holds(), "{report}");
}

#[test]
fn a_damaged_recording_is_found() {
    let name = "anthropic/text-then-tool.sse";
    for (from, to) in [("message_stop", "ping"), ("toolu_REDACTED_1", "toolu_2"), ("}", "")] {
        let folder = changed(name, "/stop_reason", &json!("tool_use"));
        let body = fs::read_to_string(recordings().join(name)).unwrap().replace(from, to);
        let report = streams::run(&folder.with(name, body).0);
        assert!(!report.holds(), "{from} became {to}");
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
