//! Reads the argument text of a call, strictly: what is shown, recorded and run is exactly what the
//! model wrote, or nothing is. Nothing is ever repaired.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use crate::limits::{ARGUMENT_BYTES_MAX, ARGUMENT_DEPTH_MAX, EXACT_INTEGER_MAX};

/// Why argument text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// It is longer than [`ARGUMENT_BYTES_MAX`].
    TooLong,
    /// It nests deeper than [`ARGUMENT_DEPTH_MAX`].
    TooDeep,
    /// It is JSON, but no object.
    NotAnObject,
    /// It is no JSON, or an object gives a key twice; the parser's words.
    Malformed(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the arguments are longer than {ARGUMENT_BYTES_MAX} bytes"),
            Self::TooDeep => {
                write!(f, "the arguments nest deeper than {ARGUMENT_DEPTH_MAX} levels")
            }
            Self::NotAnObject => f.write_str("the arguments are no JSON object"),
            Self::Malformed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Reads argument text. Empty or blank text and `null` mean no arguments. Integers that a double
/// cannot hold exactly become their own digits as text, so that no digit changes unseen.
///
/// # Errors
/// If the text is too long, too deep, no JSON object, or gives a key twice.
pub fn read(text: &str) -> Result<Map<String, Value>, Unreadable> {
    if text.len() > ARGUMENT_BYTES_MAX {
        return Err(Unreadable::TooLong);
    }
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let raw: &RawValue = serde_json::from_str(text)?;
    match read_value(raw, 1)? {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => Ok(Map::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(Unreadable::NotAnObject)
        }
    }
}

fn read_value(raw: &RawValue, depth: usize) -> Result<Value, Unreadable> {
    let text = raw.get();
    let nested = text.starts_with(['{', '[']);
    if nested && depth > ARGUMENT_DEPTH_MAX {
        return Err(Unreadable::TooDeep);
    }
    if text.starts_with('{') {
        let entries = serde_json::Deserializer::from_str(text).deserialize_map(Entries)?;
        let mut object = Map::new();
        for (key, value) in entries {
            if object.contains_key(&key) {
                let twice = format!("the key {} is given twice", Value::from(key));
                return Err(Unreadable::Malformed(twice));
            }
            object.insert(key, read_value(value, depth + 1)?);
        }
        Ok(Value::Object(object))
    } else if text.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text)?;
        items.into_iter().map(|item| read_value(item, depth + 1)).collect()
    } else if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        read_number(text)
    } else {
        Ok(serde_json::from_str(text)?)
    }
}

fn read_number(text: &str) -> Result<Value, Unreadable> {
    let digits = text.trim_start_matches('-');
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole && digits.parse::<u64>().map_or(true, |integer| integer > EXACT_INTEGER_MAX) {
        return Ok(Value::from(text));
    }
    Ok(Value::Number(serde_json::from_str::<Number>(text)?))
}

/// The entries of an object as they stand, doubled keys included.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value::<&RawValue>().map_err(A::Error::custom)?;
            entries.push((key, value));
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn reads(text: &str, expected: Value) {
        assert_eq!(read(text).map(Value::Object), Ok(expected));
    }

    #[track_caller]
    fn refuses(text: &str) {
        assert!(read(text).is_err(), "{text} was read as {:?}", read(text));
    }

    #[test]
    fn no_text_means_no_arguments() {
        for text in ["", "  \n", "null", " null ", "{}", " { } "] {
            reads(text, json!({}));
        }
    }

    #[test]
    fn what_the_model_wrote_is_what_is_read() {
        reads(
            r#"{"item":"cr\u00e8me fra\u00eeche 🥚","n":[1,-2.5,1e2,true,null,{"a":""}]}"#,
            json!({"item": "crème fraîche 🥚", "n": [1, -2.5, 100.0, true, null, {"a": ""}]}),
        );
    }

    #[test]
    fn a_key_given_twice_is_refused_however_it_is_spelt() {
        refuses(r#"{"item":"eggs","item":"poison"}"#);
        refuses(r#"{"item":"eggs","\u0069tem":"poison"}"#);
        refuses(r#"{"deep":[{"a":1,"a":1}]}"#);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in ["[]", "1", "\"{}\"", "true"] {
            assert_eq!(read(text), Err(Unreadable::NotAnObject));
        }
    }

    #[test]
    fn broken_text_is_refused_and_not_repaired() {
        for text in [
            "{\"item\": \"eg",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "{\"a\":1}x",
            "\u{feff}{}",
            "{\"a\":NaN}",
            "{\"a\":1e400}",
            "{\"a\":\"\\ud800\"}",
            "{\"\\udc00\":1}",
            "{\"a\":\"\u{0}\"}",
            "{\"a\":01}",
            "{\"a\":+1}",
        ] {
            refuses(text);
        }
    }

    #[test]
    fn an_integer_too_large_to_be_exact_stays_text() {
        reads("{\"n\":9007199254740992}", json!({"n": 9_007_199_254_740_992_u64}));
        reads("{\"n\":9007199254740993}", json!({"n": "9007199254740993"}));
        reads("{\"n\":-12345678901234567890123}", json!({"n": "-12345678901234567890123"}));
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let nested =
            |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        assert!(read(&nested(ARGUMENT_DEPTH_MAX)).is_ok());
        for depth in [ARGUMENT_DEPTH_MAX + 1, 127, 128, 30_000] {
            assert_eq!(read(&nested(depth)), Err(Unreadable::TooDeep));
        }
        let long = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
        assert!(read(&long(ARGUMENT_BYTES_MAX)).is_ok());
        assert_eq!(read(&long(ARGUMENT_BYTES_MAX + 1)), Err(Unreadable::TooLong));
    }
}
