//! What providers say when they fail, and what a person can do about it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use agent::model::{ModelError, ModelErrorKind};
use wire::anthropic::ErrorKind;
use wire::anthropic::server::encode_error;
use wire::error::{Failure, Violation, WireError};
use wire::failure::error_from_response;

#[track_caller]
fn check(status: u16, body: &str, failure: Failure, code: &str, message: &str) {
    let expected =
        WireError::Provider { failure, code: code.to_owned(), message: message.to_owned() };
    assert_eq!(error_from_response(status, None, body.as_bytes()), expected);
}

#[test]
fn every_kind_the_protocol_names_is_known_again() {
    for (kind, failure) in [
        (ErrorKind::InvalidRequest, Failure::BadRequest),
        (ErrorKind::Authentication, Failure::Unauthorized),
        (ErrorKind::Billing, Failure::Unauthorized),
        (ErrorKind::Permission, Failure::Unauthorized),
        (ErrorKind::NotFound, Failure::UnknownModel),
        (ErrorKind::RequestTooLarge, Failure::BadRequest),
        (ErrorKind::RateLimit, Failure::RateLimit { retry_after_s: None }),
        (ErrorKind::Api, Failure::Internal),
        (ErrorKind::Timeout, Failure::Timeout),
        (ErrorKind::Overloaded, Failure::Overloaded),
    ] {
        let body = encode_error(kind, "model: none");
        check(kind.status(), &body, failure, kind.name(), "model: none");
    }
}

#[test]
fn a_name_beside_words_without_an_object_is_read_too() {
    check(
        504,
        r#"{"error":"it took too long","code":"timeout_error"}"#,
        Failure::Timeout,
        "timeout_error",
        "it took too long",
    );
    let missing = r#"{"error":"model 'x' not found"}"#;
    check(404, missing, Failure::UnknownModel, "", "model 'x' not found");
}

#[test]
fn a_status_speaks_where_the_body_does_not() {
    for (status, failure) in [
        (400, Failure::BadRequest),
        (401, Failure::Unauthorized),
        (403, Failure::Unauthorized),
        (404, Failure::BadRequest),
        (408, Failure::Timeout),
        (422, Failure::BadRequest),
        (429, Failure::RateLimit { retry_after_s: None }),
        (500, Failure::Internal),
        (502, Failure::Unreachable),
        (503, Failure::Overloaded),
        (504, Failure::Timeout),
        (529, Failure::Overloaded),
        (302, Failure::Internal),
    ] {
        for body in ["", "<!doctype html><h1>Sorry</h1>", "{}", "[1]"] {
            let message = format!("the provider answered with status {status} and no explanation");
            check(status, body, failure, "", &message);
        }
    }
}

#[test]
fn looser_bodies_are_read_too() {
    let rate_limit = Failure::RateLimit { retry_after_s: None };
    check(429, "slow down\n", rate_limit, "", "slow down");
    check(429, "{\"error\":\"slow down\"}", rate_limit, "", "slow down");
    check(429, "{\"message\":\"slow down\"}", rate_limit, "", "slow down");
    check(429, "{\"error\":{\"message\":\"slow\",\"code\":\"x\"}}", rate_limit, "x", "slow");
    let unknown = "{\"error\":{\"message\":\"no such Model\"}}";
    check(404, unknown, Failure::UnknownModel, "", "no such Model");
    let unreachable = encode_error(ErrorKind::Api, "api.example cannot be reached");
    check(502, &unreachable, Failure::Unreachable, "api_error", "api.example cannot be reached");
    check(500, &"x".repeat(100_000), Failure::Internal, "", &"x".repeat(500));
}

#[test]
fn the_wait_is_told_in_seconds_or_not_at_all() {
    for (header, retry_after_s) in [
        (Some("12"), Some(12)),
        (Some(" 3 "), Some(3)),
        (Some("Fri, 01 Jan 2027 00:00:00 GMT"), None),
        (Some("-1"), None),
        (None, None),
    ] {
        let body = encode_error(ErrorKind::RateLimit, "slow down");
        let error = error_from_response(429, header, body.as_bytes());
        let kind = ModelErrorKind::RateLimit { retry_after_s };
        assert_eq!(ModelError::from(error), ModelError { kind, message: "slow down".to_owned() });
    }
}

#[test]
fn every_error_is_one_a_person_can_do_something_about() {
    let provider =
        |failure| WireError::Provider { failure, code: String::new(), message: "words".to_owned() };
    for (error, kind) in [
        (WireError::CutOff, ModelErrorKind::CutOff),
        (WireError::LengthLimit { tool: "a".to_owned() }, ModelErrorKind::LengthLimit),
        (WireError::Malformed("x".to_owned()), ModelErrorKind::Protocol),
        (WireError::TooLarge { what: "the reply", limit: 1 }, ModelErrorKind::Protocol),
        (WireError::NotAStream { start: "<".to_owned() }, ModelErrorKind::Protocol),
        (WireError::Unsendable(Violation::Empty), ModelErrorKind::BadRequest),
        (provider(Failure::Overloaded), ModelErrorKind::Overloaded),
        (provider(Failure::Internal), ModelErrorKind::Overloaded),
        (provider(Failure::Timeout), ModelErrorKind::Timeout),
        (provider(Failure::Unreachable), ModelErrorKind::Transport),
        (provider(Failure::Unauthorized), ModelErrorKind::Unauthorized),
        (provider(Failure::UnknownModel), ModelErrorKind::UnknownModel),
        (provider(Failure::BadRequest), ModelErrorKind::BadRequest),
    ] {
        let message = error.to_string();
        assert_eq!(ModelError::from(error), ModelError { kind, message });
    }
}
