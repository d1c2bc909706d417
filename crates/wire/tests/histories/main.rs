//! Thousands of conversations, sent to every provider and judged by what the providers demand.
//!
//! The judges in `check` read the JSON alone and know nothing of the encoders; `told` says, from the
//! conversation alone, what must be in it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod check;
mod features;
mod history;
mod told;

use std::cell::RefCell;
use std::collections::BTreeMap;

use agent::message::Body;
use agent::model::ModelRequest;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use wire::error::WireError;
use wire::protocol::{Ask, Protocol};

use self::features::features;
use self::history::{broken, request};
use self::told::Told;

/// How many conversations are made in each run.
const CONVERSATIONS: u32 = 3_000;

/// Sends a request and judges what goes out.
fn judge(protocol: Protocol, request: &ModelRequest, stream: bool) -> Result<(), String> {
    let ask = Ask { request, model: "o9-kitchen", max_tokens: 1024, stream };
    let body = protocol.encode(&ask).map_err(|error| format!("it was not sent: {error}"))?;
    let body: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
    let whole = format!("in {body}");
    if body["model"] != "o9-kitchen" || body["stream"] != stream {
        return Err(format!("it asks for something else {whole}"));
    }
    let read = check::read(protocol, &body, request).map_err(|why| format!("{why} {whole}"))?;
    let told = Told::of(&request.messages, protocol);
    told.compare(&read).map_err(|why| format!("{why} {whole}"))
}

#[test]
fn whatever_happened_every_provider_is_sent_a_legal_request_that_says_all_of_it() {
    let config = Config { cases: CONVERSATIONS, failure_persistence: None, ..Config::default() };
    let seen = RefCell::new(BTreeMap::<&str, u32>::new());
    TestRunner::new(config)
        .run(&(request(), any::<bool>()), |(request, stream)| {
            for feature in features(&request) {
                *seen.borrow_mut().entry(feature).or_default() += 1;
            }
            for protocol in Protocol::ALL {
                judge(protocol, &request, stream)
                    .map_err(|why| TestCaseError::fail(format!("{}: {why}", protocol.name())))?;
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let seen = seen.into_inner();
    for feature in features::FEATURES {
        let times = seen.get(feature).copied().unwrap_or_default();
        assert!(times >= 100, "{feature} was tried {times} times");
    }
}

#[test]
fn a_broken_conversation_is_sent_to_nobody() {
    let config = Config { cases: CONVERSATIONS, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&broken(), |(break_, request)| {
            for protocol in Protocol::ALL {
                let ask = Ask { request: &request, model: "m", max_tokens: 1, stream: true };
                let sent = protocol.encode(&ask);
                let refused = matches!(sent, Err(WireError::Unsendable(_)));
                prop_assert!(refused, "{}: {break_} was sent: {sent:?}", protocol.name());
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn the_same_conversation_is_always_the_same_bytes_and_its_ids_are_our_own() {
    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&request(), |request| {
            for protocol in Protocol::ALL {
                let ask = Ask { request: &request, model: "m", max_tokens: 1, stream: true };
                let sent = protocol.encode(&ask);
                prop_assert_eq!(&sent, &protocol.encode(&ask));
                let text = String::from_utf8(sent.unwrap()).unwrap();
                for message in &request.messages {
                    if let Body::Result(result) = &message.body {
                        let id = Value::from(result.call.0.as_str()).to_string();
                        prop_assert!(text.contains(&id), "{} was not sent", id);
                    }
                }
                prop_assert!(!text.contains(history::MODEL_ID), "a model's own id went out");
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}
