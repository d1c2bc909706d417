//! Texts that break parsers and programs: read strictly or not at all, and never changed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use agent::arguments;
use agent::canonical::canonical;
use agent::message::{Body, Message};
use agent::model::{ModelRequest, ToolChoice};
use agent::time::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::protocol::{Ask, Protocol};

#[derive(Deserialize)]
struct Text {
    name: String,
    #[serde(default)]
    repeat: String,
    #[serde(default)]
    times: usize,
    input: String,
}

impl Text {
    fn whole(&self) -> String {
        self.repeat.repeat(self.times) + &self.input
    }
}

fn suite(kind: &str, count: usize) -> Vec<Text> {
    let texts: Vec<Text> = serde_json::from_str(include_str!("../texts/json.json")).unwrap();
    assert_eq!(texts.len(), 318);
    let texts: Vec<Text> = texts.into_iter().filter(|it| it.name.starts_with(kind)).collect();
    assert_eq!(texts.len(), count);
    texts
}

fn strings() -> Vec<String> {
    let strings: Vec<String> = serde_json::from_str(include_str!("../texts/strings.json")).unwrap();
    assert_eq!(strings.len(), 485);
    strings
}

/// Reads a text as the value of an argument, and as all of them.
fn read(text: &Text) -> [bool; 2] {
    let whole = text.whole();
    [arguments::read(&format!("{{\"a\":{whole}}}")).is_ok(), arguments::read(&whole).is_ok()]
}

#[test]
fn all_that_is_json_is_read_but_for_a_key_that_is_given_twice() {
    for text in suite("y_", 95) {
        let twice = ["y_object_duplicated_key", "y_object_duplicated_key_and_value"];
        let [as_value, as_all] = read(&text);
        assert_eq!(as_value, !twice.contains(&text.name.as_str()), "{}", text.name);
        let is_object = text.whole().trim_start().starts_with('{');
        assert_eq!(
            as_all,
            as_value && (is_object || text.whole().trim() == "null"),
            "{}",
            text.name
        );
    }
}

#[test]
fn nothing_that_is_no_json_is_read_or_repaired() {
    for text in suite("n_", 188) {
        // Models write nothing at all for a call without arguments.
        let blank = text.whole().trim().is_empty();
        assert_eq!(read(&text), [false, blank], "{}", text.name);
    }
}

#[test]
fn what_may_be_either_is_no_fault() {
    for text in suite("i_", 35) {
        // An integer of any length stays its own digits.
        let value = format!("{{\"a\":{}}}", text.whole());
        if let Ok(read) = arguments::read(&value) {
            assert!(arguments::read(&canonical(&Value::Object(read))).is_ok(), "{}", text.name);
        }
    }
}

#[test]
fn a_naughty_string_in_arguments_is_read_and_written_as_it_is() {
    for string in strings() {
        let text = json!({ "item": string, "all": [string] }).to_string();
        let read = arguments::read(&text).unwrap();
        assert_eq!(read["item"], Value::from(string.as_str()));
        let again = arguments::read(&canonical(&Value::Object(read.clone()))).unwrap();
        assert_eq!(again, read);
    }
}

#[test]
fn a_naughty_string_that_is_said_reaches_every_provider_as_it_is() {
    for string in strings().into_iter().filter(|it| !it.trim().is_empty()) {
        let said = Message { at: Timestamp(1), body: Body::Person(string.clone()), usage: None };
        let request = ModelRequest {
            instructions: "Be short.".to_owned(),
            messages: vec![said],
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
        };
        for protocol in Protocol::ALL {
            let ask = Ask { request: &request, model: "m", max_tokens: 16, stream: true };
            let body: Value = serde_json::from_slice(&protocol.encode(&ask).unwrap()).unwrap();
            assert!(holds(&body, &string), "{protocol:?} changed {string:?}: {body}");
        }
    }
}

/// Whether a text stands in it, whole and as it is.
fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(it) => it == text,
        Value::Array(items) => items.iter().any(|it| holds(it, text)),
        Value::Object(fields) => fields.values().any(|it| holds(it, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
