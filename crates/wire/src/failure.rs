//! What providers say about failures: their words, their names for kinds, the wait they ask for.

use serde_json::Value;

use crate::error::{Failure, WireError};
use crate::limits::WORDS_MAX_CHARS;

/// What a provider said about a failure.
#[derive(Debug)]
pub(crate) struct Words {
    /// The name of its kind.
    pub(crate) kind: Option<String>,
    /// Its finer name.
    pub(crate) code: Option<String>,
    message: Option<String>,
}

/// Where a failure was told, and all that came with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    /// The status of the answer; none in the middle of a stream.
    pub(crate) status: Option<u16>,
    /// Seconds to wait, as the answer's head says.
    pub(crate) retry_after_s: Option<u64>,
}

impl Told {
    /// In a stream, or in a body that was to be a success.
    pub(crate) const IN_A_REPLY: Self = Self { status: None, retry_after_s: None };

    /// In an answer without success. `retry_after` is the header of that name, in seconds; a date
    /// in it is not understood.
    pub(crate) fn in_answer(status: u16, retry_after: Option<&str>) -> Self {
        let retry_after_s = retry_after.and_then(|text| text.trim().parse().ok());
        Self { status: Some(status), retry_after_s }
    }
}

impl Words {
    /// Reads `{"error":{"type","code","message"}}`, its looser relatives at gateways, and short
    /// plain text. A page of HTML says nothing.
    pub(crate) fn of_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self::of(&value),
            Err(_) => {
                let text = String::from_utf8_lossy(body);
                Self { kind: None, code: None, message: words(&text) }
            }
        }
    }

    /// Reads a body that was parsed.
    pub(crate) fn of(value: &Value) -> Self {
        let text = |value: &Value, key: &str| value.get(key)?.as_str().and_then(words);
        match value.get("error").filter(|error| !error.is_null()) {
            Some(Value::String(message)) => {
                Self { kind: None, code: None, message: words(message) }
            }
            Some(error) => Self {
                kind: text(error, "type"),
                code: text(error, "code"),
                message: text(error, "message"),
            },
            None => Self {
                kind: None,
                code: text(value, "code"),
                message: text(value, "message").or(text(value, "detail")),
            },
        }
    }

    /// The error they amount to, under one of their two names.
    pub(crate) fn into_error(
        self,
        told: Told,
        code: Option<String>,
        failure: impl FnOnce(&str) -> Failure,
    ) -> WireError {
        let message = match (self.message, told.status) {
            (Some(message), _) => message,
            (None, Some(status)) => {
                format!("the provider answered with status {status} and no explanation")
            }
            (None, None) => "the provider stopped the reply without an explanation".to_owned(),
        };
        let failure = failure(&message);
        WireError::Provider { failure, code: code.unwrap_or_default(), message }
    }
}

/// What a body that was to be a success says, if it is an error all the same.
pub(crate) fn is_error(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body)
        .is_ok_and(|value| value.get("error").is_some_and(|error| !error.is_null()))
}

/// The kind of failure that a status means, where no name says it better.
pub(crate) fn of_status(told: Told, words: &str) -> Failure {
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
pub(crate) fn not_found(words: &str) -> Failure {
    if words.to_lowercase().contains("model") { Failure::UnknownModel } else { Failure::BadRequest }
}

/// Too many requests, with the wait of the answer's head or else of the words.
pub(crate) fn rate_limit(told: Told, words: &str) -> Failure {
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
