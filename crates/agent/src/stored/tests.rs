//! What is read here is what serde_json reads.

#![allow(clippy::unwrap_used, reason = "a test stops where it is wrong")]

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{parse, read, read_object};
use crate::message::ToolCall;

/// Every shape that a kept value can have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Shapes {
    text: String,
    count: u64,
    signed: i64,
    share: f64,
    is_so: bool,
    perhaps: Option<u32>,
    #[serde(default)]
    late: Vec<Kind>,
    pair: (u8, String),
    name: Name,
    arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Name(String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Plain,
    Of(Name),
    Two(i8, i8),
    With { left: u32, right: Option<Box<Kind>> },
}

fn leaves() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    leaves().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{0,4}", inner, 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn kinds() -> impl Strategy<Value = Kind> {
    let leaf = prop_oneof![
        Just(Kind::Plain),
        ".{0,6}".prop_map(|it| Kind::Of(Name(it))),
        any::<(i8, i8)>().prop_map(|(one, two)| Kind::Two(one, two)),
    ];
    leaf.prop_recursive(3, 8, 1, |inner| {
        (any::<u32>(), prop::option::of(inner.prop_map(Box::new)))
            .prop_map(|(left, right)| Kind::With { left, right })
    })
}

fn shapes() -> impl Strategy<Value = Shapes> {
    let numbers = (any::<u64>(), any::<i64>(), -1e9..1e9f64, any::<bool>());
    let rest = (".{0,9}", any::<Option<u32>>(), prop::collection::vec(kinds(), 0..4));
    let more = (any::<u8>(), ".{0,4}", prop::collection::btree_map(".{0,4}", values(), 0..4));
    (numbers, rest, more).prop_map(
        |((count, signed, share, is_so), (text, perhaps, late), more)| {
            let (number, word, arguments) = more;
            let arguments = arguments.into_iter().collect();
            let (pair, name) = ((number, word.clone()), Name(word));
            Shapes { text, count, signed, share, is_so, perhaps, late, pair, name, arguments }
        },
    )
}

/// A value with one thing in it otherwise, in every way there is: `other` in the place of anything,
/// or one item or entry more or less.
fn otherwise(value: &Value, other: &Value) -> Vec<Value> {
    let mut all = vec![other.clone()];
    match value {
        Value::Array(items) => {
            let mut more = items.clone();
            more.push(other.clone());
            all.push(more.into());
            for (at, item) in items.iter().enumerate() {
                let mut less = items.clone();
                less.remove(at);
                all.push(less.into());
                all.extend(otherwise(item, other).into_iter().map(|it| {
                    let rest = items.iter().skip(at + 1).cloned();
                    items.iter().take(at).cloned().chain([it]).chain(rest).collect()
                }));
            }
        }
        Value::Object(entries) => {
            let with = |key: &str, value: Value| {
                let mut entries = entries.clone();
                entries.insert(key.to_owned(), value);
                Value::Object(entries)
            };
            all.push(with("more", other.clone()));
            for (key, value) in entries {
                let mut less = entries.clone();
                less.remove(key);
                all.push(Value::Object(less));
                all.extend(otherwise(value, other).into_iter().map(|it| with(key, it)));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_was_written_is_read_as_it_was(shapes in shapes()) {
        let text = serde_json::to_string(&shapes).unwrap();
        let by_serde_json: Shapes = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(parse::<Shapes>(&text).unwrap(), by_serde_json);
    }

    #[test]
    fn any_value_comes_through_whole(value in values()) {
        prop_assert_eq!(&read::<Value>(&value).unwrap(), &value);
    }

    #[test]
    fn what_hardly_fits_is_read_or_refused_as_serde_json_does(kind in kinds(), other in leaves()) {
        for value in otherwise(&serde_json::to_value(&kind).unwrap(), &other) {
            let by_serde_json: Result<Kind, _> = serde_json::from_value(value.clone());
            prop_assert_eq!(read::<Kind>(&value).ok(), by_serde_json.ok(), "{}", value);
        }
    }
}

#[test]
fn a_list_in_the_place_of_an_object_is_refused_though_serde_json_reads_it() {
    let list = json!(["c1", "m1", "add", {}]);
    assert!(serde_json::from_value::<ToolCall>(list.clone()).is_ok());
    assert!(read::<ToolCall>(&list).is_err());
    assert!(read::<Kind>(&json!({ "with": [3, null] })).is_err());
}

#[test]
fn an_object_that_names_itself_a_raw_text_is_read_as_it_was_written() {
    let raw = json!({ "$serde_json::private::RawValue": "{\"item\":\"poison\"}" });
    let arguments = json!({ "note": raw });
    let call = json!({ "id": "c1", "model_id": "m1", "name": "add", "arguments": arguments });
    let by_text: ToolCall = parse(&call.to_string()).unwrap();
    let by_value: ToolCall = read(&call).unwrap();
    assert_eq!(Value::Object(by_text.arguments), arguments);
    assert_eq!(Value::Object(by_value.arguments), arguments);
}

#[test]
fn fields_that_are_missing_or_too_many_or_of_another_kind_are_told() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is read, never looked at")]
    struct Strict {
        item: String,
        count: Option<u8>,
    }
    let told = |value: Value| {
        let Value::Object(object) = value else { panic!("an object") };
        read_object::<Strict>(&object).unwrap_err().to_string()
    };
    assert_eq!(told(json!({})), "missing field `item`");
    assert_eq!(told(json!({ "item": 3 })), "found a number, expected a string");
    assert_eq!(told(json!({ "item": "eggs", "count": 300 })), "found a number, expected u8");
    assert_eq!(
        told(json!({ "item": "eggs", "more": 1 })),
        "unknown field `more`, expected `item` or `count`"
    );
    assert_eq!(
        read::<Kind>(&json!({ "plain": 1 })).unwrap_err().to_string(),
        "found a number, expected nothing beside the variant"
    );
    assert!(parse::<Strict>("{\"item\":").unwrap_err().to_string().starts_with("EOF"));
}

#[test]
fn an_object_that_gives_a_key_twice_is_not_read() {
    for text in [r#"{"a":1,"a":1}"#, r#"[{"deep":{"a":1,"\u0061":2}}]"#] {
        assert_eq!(
            parse::<Value>(text).unwrap_err().to_string().split(" at ").next(),
            Some("a key is given twice")
        );
    }
}
