//! What providers say when they fail: one reading of all their words, names and statuses.
//!
//! The proxy speaks of its own failures in the names of Anthropic, whoever was to answer; servers
//! that call themselves compatible mix the names of others. So the names of all are known here.

use serde_json::Value;

use crate::error::{Failure, WireError};
use crate::limits::WORDS_MAX_CHARS;

/// What an answer without success says, or one that is no stream. `retry_after` is the header of
/// that name, in seconds; a date in it is not understood.
#[must_use]
pub fn error_from_response(status: u16, retry_after: Option<&str>, body: &[u8]) -> WireError {
    let retry_after_s = retry_after.and_then(|text| text.trim().parse().ok());
    error(Words::of_body(body), Told { status: Some(status), retry_after_s })
}

/// What an error says that came in a stream, or in a body that was to be a success.
pub(crate) fn error_in_reply(body: &[u8]) -> WireError {
    error(Words::of_body(body), Told { status: None, retry_after_s: None })
}

/// Whether a body that was to be a success is an error all the same.
pub(crate) fn is_error(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body)
        .is_ok_and(|value| value.get("error").is_some_and(|error| !error.is_null()))
}

/// What a provider said about a failure.
struct Words {
    /// The names of its kind, the finer one first.
    names: Vec<String>,
    message: Option<String>,
}

/// All that came with the words.
#[derive(Clone, Copy)]
struct Told {
    /// The status of the answer; none in the middle of a reply.
    status: Option<u16>,
    /// Seconds to wait, as the answer's head says.
    retry_after_s: Option<u64>,
}

impl Words {
    /// Reads `{"error":{"type","code","message"}}`, its looser relatives such as Ollama's
    /// `{"error":"…"}` (the proxy adds its name as `code`), and short plain text. A page of HTML
    /// says nothing.
    fn of_body(body: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            let text = String::from_utf8_lossy(body);
            return Self { names: Vec::new(), message: words(&text) };
        };
        let text = |value: &Value, key: &str| value.get(key)?.as_str().and_then(words);
        let (names, message) = match value.get("error").filter(|error| !error.is_null()) {
            Some(Value::String(message)) => ([text(&value, "code"), None], words(message)),
            Some(error) => ([text(error, "code"), text(error, "type")], text(error, "message")),
            None => {
                let message = text(&value, "message").or(text(&value, "detail"));
                ([text(&value, "code"), None], message)
            }
        };
        Self { names: names.into_iter().flatten().collect(), message }
    }
}

fn error(said: Words, told: Told) -> WireError {
    let message = match (said.message, told.status) {
        (Some(message), _) => message,
        (None, Some(status)) => {
            format!("the provider answered with status {status} and no explanation")
        }
        (None, None) => "the provider stopped the reply without an explanation".to_owned(),
    };
    let mut named = said.names.iter().filter_map(|name| of_name(name, told, &message));
    let failure = named.next().unwrap_or_else(|| of_status(told, &message));
    let code = said.names.into_iter().next().unwrap_or_default();
    WireError::Provider { failure, code, message }
}

/// The kind of failure that a name means; none where its status says it better.
fn of_name(name: &str, told: Told, words: &str) -> Option<Failure> {
    Some(match name {
        "authentication_error"
        | "billing_error"
        | "permission_error"
        | "invalid_api_key"
        | "account_deactivated"
        | "billing_hard_limit_reached"
        | "billing_not_active"
        | "insufficient_permissions"
        | "insufficient_quota" => Failure::Unauthorized,
        "not_found_error" => not_found(words),
        "model_not_found" => Failure::UnknownModel,
        "rate_limit_error" | "rate_limit_exceeded" => rate_limit(told, words),
        "timeout_error" => Failure::Timeout,
        "overloaded_error" | "server_is_overloaded" | "slow_down" => Failure::Overloaded,
        "request_too_large" | "context_length_exceeded" | "invalid_prompt" => Failure::BadRequest,
        // OpenAI gives a missing key and a missing model this name too.
        "invalid_request_error" if matches!(told.status, None | Some(400)) => Failure::BadRequest,
        _ => return None,
    })
}

fn of_status(told: Told, words: &str) -> Failure {
    match told.status {
        Some(401..=403) => Failure::Unauthorized,
        Some(404) => not_found(words),
        Some(408 | 504) => Failure::Timeout,
        Some(429) => rate_limit(told, words),
        Some(502) => Failure::Unreachable,
        Some(503 | 529) => Failure::Overloaded,
        Some(400..=499) => Failure::BadRequest,
        Some(_) | None => Failure::Internal,
    }
}

/// Something that is not there: the model, or the place.
fn not_found(words: &str) -> Failure {
    if words.to_lowercase().contains("model") { Failure::UnknownModel } else { Failure::BadRequest }
}

/// Too many requests, with the wait of the answer's head or else of the words.
fn rate_limit(told: Told, words: &str) -> Failure {
    Failure::RateLimit { retry_after_s: told.retry_after_s.or_else(|| wait_in(words)) }
}

/// The wait in words such as "Please try again in 1m7.5s", in whole seconds, rounded up.
fn wait_in(words: &str) -> Option<u64> {
    let (_, mut rest) = words.split_once("try again in ")?;
    let mut wait_ms = 0.0;
    let mut found = false;
    while rest.starts_with(|c: char| c.is_ascii_digit()) {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at(end);
        // A full stop behind the last unit belongs to the sentence.
        let letters = unit.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at(letters);
        let unit_ms = match unit {
            "ms" => 1.0,
            "s" => 1_000.0,
            "m" => 60_000.0,
            "h" => 3_600_000.0,
            _ => return None,
        };
        wait_ms += number.parse::<f64>().ok()? * unit_ms;
        found = true;
        rest = after;
    }
    // A wait of more than a day is no wait: somebody has to do something.
    let seconds = (wait_ms / 1_000.0).ceil();
    (found && seconds <= 86_400.0).then_some(whole(seconds))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole, not negative and at most a day"
)]
fn whole(seconds: f64) -> u64 {
    seconds as u64
}

fn words(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && !text.starts_with('<'))
        .then(|| text.chars().take(WORDS_MAX_CHARS).collect())
}
