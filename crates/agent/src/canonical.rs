//! Canonical JSON (RFC 8785) and the digests made of it: equal values, equal bytes.

use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// The canonical text of a value: keys sorted by UTF-16 code units, numbers as ECMAScript writes
/// them, no blanks. Numbers are doubles there, so integers beyond 2^53 lose their last digits;
/// arguments never hold such ones (see [`crate::arguments`]).
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

/// The canonical text of an argument object.
#[must_use]
pub fn canonical_object(object: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_object(&mut text, object);
    text
}

/// The SHA-256 of the canonical text of an array of these values, in hexadecimal.
#[must_use]
pub fn digest(values: &[&Value]) -> String {
    let mut text = String::new();
    write_array(&mut text, values.iter().copied());
    hexadecimal(&Sha256::digest(text))
}

/// The HMAC-SHA-256 (RFC 2104) of an argument object's canonical text, in hexadecimal. The key keeps
/// short arguments from being guessed out of a record.
#[must_use]
pub fn keyed_digest(key: &[u8; 32], arguments: &Map<String, Value>) -> String {
    // One block of SHA-256 is 64 bytes; a shorter key is followed by zeros.
    let padded = |pad: u8| -> [u8; 64] {
        std::array::from_fn(|index| key.get(index).copied().unwrap_or(0) ^ pad)
    };
    let text = canonical_object(arguments);
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
    hexadecimal(&Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize())
}

fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => write_number(text, number),
        Value::String(string) => write_string(text, string),
        Value::Array(items) => write_array(text, items.iter()),
        Value::Object(object) => write_object(text, object),
    }
}

fn write_array<'a>(text: &mut String, items: impl Iterator<Item = &'a Value>) {
    text.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            text.push(',');
        }
        write_value(text, item);
    }
    text.push(']');
}

fn write_object(text: &mut String, object: &Map<String, Value>) {
    let mut entries: Vec<_> = object.iter().collect();
    entries.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
    text.push('{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write_string(text, key);
        text.push(':');
        write_value(text, value);
    }
    text.push('}');
}

fn write_string(text: &mut String, string: &str) {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if string.bytes().all(plain) {
        text.push('"');
        text.push_str(string);
        text.push('"');
    } else {
        // serde_json escapes exactly what RFC 8785 asks for. Writing into memory cannot fail.
        text.push_str(&serde_json::to_string(string).unwrap_or_default());
    }
}

/// Writes a number as `Number.prototype.toString` does.
fn write_number(text: &mut String, number: &Number) {
    let double = number.as_f64().unwrap_or(f64::NAN);
    if double == 0.0 {
        text.push('0');
        return;
    }
    // `{:e}` gives the shortest digits that read back as the same double: "-1.25e-7".
    let shortest = format!("{double:e}");
    let (sign, unsigned) = shortest.strip_prefix('-').map_or(("", &*shortest), |rest| ("-", rest));
    let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i64 = exponent.parse().unwrap_or(0);
    text.push_str(sign);
    write_digits(text, &digits, exponent + 1);
}

/// Writes `0.digits × 10^point` in ECMAScript's notation.
fn write_digits(text: &mut String, digits: &str, point: i64) {
    let count = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    if (1..=21).contains(&point) && count <= point {
        text.push_str(digits);
        text.push_str(&zeros(point - count));
    } else if (1..=21).contains(&point) {
        let (whole, part) = digits.split_at(usize::try_from(point).unwrap_or(0));
        text.push_str(whole);
        text.push('.');
        text.push_str(part);
    } else if (-5..=0).contains(&point) {
        text.push_str("0.");
        text.push_str(&zeros(-point));
        text.push_str(digits);
    } else {
        let (first, rest) = digits.split_at(1);
        text.push_str(first);
        if !rest.is_empty() {
            text.push('.');
            text.push_str(rest);
        }
        text.push_str(if point > 0 { "e+" } else { "e-" });
        text.push_str(&(point - 1).unsigned_abs().to_string());
    }
}

/// Bytes in hexadecimal, in lower case.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: Value, expected: &str) {
        assert_eq!(canonical(&value), expected);
    }

    #[test]
    fn keys_are_sorted_by_utf16_code_units() {
        let shuffled = json!({
            "\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7
        });
        check(
            shuffled,
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}",
        );
    }

    #[test]
    fn strings_are_escaped_no_more_than_needed() {
        check(json!("\u{20ac}$\u{f}\nA'B\"\\\\\"/"), "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
    }

    #[test]
    fn numbers_are_written_as_ecmascript_does() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
            (0.000_001, "0.000001"),
            (0.000_000_1, "1e-7"),
            (1.25e-7, "1.25e-7"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (333_333_333.333_333_3, "333333333.3333333"),
            (9_007_199_254_740_992.0, "9007199254740992"),
        ] {
            check(json!(number), expected);
        }
        check(json!(12), "12");
        check(json!(-7), "-7");
    }

    #[test]
    fn equal_values_have_equal_digests() {
        let digest = |value| digest(&[&value]);
        assert_eq!(digest(json!({"a": 1, "b": [2.0]})), digest(json!({"b": [2], "a": 1.0})));
        assert_ne!(digest(json!({"a": null})), digest(json!({})));
        assert_eq!(
            digest(json!({})),
            "e10808d43975dc400731053386849f864f297e6c4f7519c380f3dbaf7067a840"
        );
    }

    #[test]
    fn the_keyed_digest_is_hmac_sha256() {
        let Value::Object(arguments) = json!({"item": "eggs", "quantity": "12"}) else {
            panic!("an object is an object");
        };
        // From Python's hmac module: key bytes 0..32, message {"item":"eggs","quantity":"12"}.
        let key = std::array::from_fn(|index| u8::try_from(index).unwrap());
        assert_eq!(
            keyed_digest(&key, &arguments),
            "ca28e24105ab7417257ab86847023da1e06f00a6a0a8a18be0f0ee2ffafafaf2"
        );
    }
}
