//! The part of JSON Schema that tools may use. A keyword that is not understood is never passed
//! over: a spec with one is refused when it is checked, and no arguments fit it.

use std::fmt;

use serde_json::{Map, Value};

/// What is wrong with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// Where: keywords and names from the top, as in `properties/item`.
    pub path: String,
    /// What.
    pub fault: SchemaFault,
}

/// A fault of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaFault {
    /// A schema must be an object.
    NotAnObject,
    /// The keyword is not understood here.
    UnknownKeyword,
    /// The keyword has a value it cannot have.
    BadValue,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            SchemaFault::NotAnObject => "a schema must be an object",
            SchemaFault::UnknownKeyword => "this keyword is not supported",
            SchemaFault::BadValue => "this keyword cannot have this value",
        };
        write!(f, "{what}: {}", self.path)
    }
}

impl std::error::Error for SchemaError {}

/// Checks that a schema uses only what is understood here. For the author of a tool.
///
/// # Errors
/// With the first fault.
pub fn check(schema: &Value) -> Result<(), SchemaError> {
    check_at(schema, "")
}

fn check_at(schema: &Value, path: &str) -> Result<(), SchemaError> {
    let fault = |path: &str, fault| SchemaError { path: path.to_owned(), fault };
    let Value::Object(keywords) = schema else {
        return Err(fault(path, SchemaFault::NotAnObject));
    };
    for (keyword, value) in keywords {
        let path = if path.is_empty() { keyword.clone() } else { format!("{path}/{keyword}") };
        let sound = match keyword.as_str() {
            "description" | "title" => value.is_string(),
            "type" => types(value).is_some(),
            "properties" => {
                let Value::Object(properties) = value else {
                    return Err(fault(&path, SchemaFault::BadValue));
                };
                for (name, property) in properties {
                    check_at(property, &format!("{path}/{name}"))?;
                }
                true
            }
            "items" => {
                check_at(value, &path)?;
                true
            }
            "required" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
            "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
            "additionalProperties" => value.is_boolean(),
            "minLength" | "maxLength" | "maxItems" => value.is_u64(),
            "minimum" | "maximum" => value.is_number(),
            _ => return Err(fault(&path, SchemaFault::UnknownKeyword)),
        };
        if !sound {
            return Err(fault(&path, SchemaFault::BadValue));
        }
    }
    Ok(())
}

/// Whether a value fits a schema. Nothing fits a schema that [`check`] would refuse.
#[must_use]
pub fn fits(value: &Value, schema: &Value) -> bool {
    check(schema).is_ok() && fits_checked(value, schema)
}

fn fits_checked(value: &Value, schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return false;
    };
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "type" => types(rule).is_some_and(|types| types.iter().any(|it| it.includes(value))),
        "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
        "properties" => value.as_object().is_none_or(|object| properties_fit(object, rule)),
        "required" => value.as_object().is_none_or(|object| has_required(object, rule)),
        "additionalProperties" => {
            value.as_object().is_none_or(|object| extras_fit(object, keywords, rule))
        }
        "items" => {
            value.as_array().is_none_or(|items| items.iter().all(|item| fits_checked(item, rule)))
        }
        "maxItems" => value.as_array().is_none_or(|items| at_most(items.len(), rule)),
        "maxLength" => value.as_str().is_none_or(|text| at_most(text.chars().count(), rule)),
        "minLength" => value.as_str().is_none_or(|text| at_least(text.chars().count(), rule)),
        "minimum" => value.as_f64().is_none_or(|n| rule.as_f64().is_some_and(|least| n >= least)),
        "maximum" => value.as_f64().is_none_or(|n| rule.as_f64().is_some_and(|most| n <= most)),
        // Words about the value; `check` has refused everything else.
        _ => true,
    })
}

fn properties_fit(object: &Map<String, Value>, properties: &Value) -> bool {
    object.iter().all(|(name, value)| {
        properties.get(name).is_none_or(|property| fits_checked(value, property))
    })
}

fn has_required(object: &Map<String, Value>, required: &Value) -> bool {
    required.as_array().is_some_and(|names| {
        names.iter().all(|name| name.as_str().is_some_and(|name| object.contains_key(name)))
    })
}

fn extras_fit(object: &Map<String, Value>, schema: &Map<String, Value>, allowed: &Value) -> bool {
    let known = |name: &String| schema.get("properties").and_then(|it| it.get(name)).is_some();
    allowed == &Value::Bool(true) || object.keys().all(known)
}

fn at_most(count: usize, bound: &Value) -> bool {
    bound.as_u64().is_some_and(|most| u64::try_from(count).is_ok_and(|count| count <= most))
}

fn at_least(count: usize, bound: &Value) -> bool {
    bound.as_u64().is_some_and(|least| u64::try_from(count).is_ok_and(|count| count >= least))
}

#[derive(Clone, Copy)]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    fn named(name: &str) -> Option<Self> {
        match name {
            "null" => Some(Self::Null),
            "boolean" => Some(Self::Boolean),
            "integer" => Some(Self::Integer),
            "number" => Some(Self::Number),
            "string" => Some(Self::String),
            "array" => Some(Self::Array),
            "object" => Some(Self::Object),
            _ => None,
        }
    }

    fn includes(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::Boolean => value.is_boolean(),
            // 1.0 is an integer to JSON Schema.
            Self::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            Self::Number => value.is_number(),
            Self::String => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }
}

/// The types a `type` keyword names: one, or a list of at least one.
fn types(value: &Value) -> Option<Vec<Type>> {
    match value {
        Value::String(name) => Some(vec![Type::named(name)?]),
        Value::Array(names) if !names.is_empty() => {
            names.iter().map(|name| Type::named(name.as_str()?)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn accepts(schema: Value, fitting: &[Value], misfits: &[Value]) {
        assert_eq!(check(&schema), Ok(()));
        for value in fitting {
            assert!(fits(value, &schema), "{value} should fit {schema}");
        }
        for value in misfits {
            assert!(!fits(value, &schema), "{value} should not fit {schema}");
        }
    }

    #[test]
    fn types_are_told_apart() {
        accepts(json!({}), &[json!({}), json!(null)], &[]);
        accepts(json!({"type": "string"}), &[json!("12")], &[json!(12), json!(null)]);
        accepts(json!({"type": "integer"}), &[json!(1), json!(1.0)], &[json!(1.5), json!("1")]);
        accepts(json!({"type": ["string", "null"]}), &[json!(""), json!(null)], &[json!(false)]);
    }

    #[test]
    fn objects_are_held_to_their_properties() {
        accepts(
            json!({
                "type": "object",
                "properties": {"item": {"type": "string"}, "n": {"type": "number"}},
                "required": ["item"],
                "additionalProperties": false
            }),
            &[json!({"item": "eggs"}), json!({"item": "", "n": 1})],
            &[json!({}), json!({"item": 1}), json!({"item": "eggs", "more": 1}), json!([])],
        );
        accepts(json!({"additionalProperties": true}), &[json!({"a": 1})], &[]);
        accepts(json!({"additionalProperties": false}), &[json!({})], &[json!({"a": 1})]);
    }

    #[test]
    fn bounds_are_counted_in_characters_and_items() {
        accepts(
            json!({"minLength": 1, "maxLength": 2}),
            &[json!("ü"), json!("🥚🥚"), json!(123)],
            &[json!(""), json!("abc")],
        );
        accepts(
            json!({"minimum": 1, "maximum": 2.5}),
            &[json!(1), json!(2.5)],
            &[json!(0.9), json!(3)],
        );
        accepts(
            json!({"maxItems": 1, "items": {"type": "string"}}),
            &[json!([]), json!(["a"])],
            &[json!(["a", "b"]), json!([1])],
        );
        accepts(json!({"enum": ["fridge", 1]}), &[json!("fridge"), json!(1)], &[json!("1")]);
    }

    #[test]
    fn what_is_not_understood_is_refused_and_fits_nothing() {
        for (schema, path, fault) in [
            (json!({"pattern": "a"}), "pattern", SchemaFault::UnknownKeyword),
            (json!({"$ref": "#"}), "$ref", SchemaFault::UnknownKeyword),
            (
                json!({"properties": {"a": {"format": "date"}}}),
                "properties/a/format",
                SchemaFault::UnknownKeyword,
            ),
            (json!({"items": {"oneOf": []}}), "items/oneOf", SchemaFault::UnknownKeyword),
            (json!({"type": "text"}), "type", SchemaFault::BadValue),
            (json!({"type": []}), "type", SchemaFault::BadValue),
            (json!({"additionalProperties": {}}), "additionalProperties", SchemaFault::BadValue),
            (json!({"maxLength": -1}), "maxLength", SchemaFault::BadValue),
            (json!({"enum": []}), "enum", SchemaFault::BadValue),
            (json!({"required": "item"}), "required", SchemaFault::BadValue),
            (json!(true), "", SchemaFault::NotAnObject),
        ] {
            assert_eq!(check(&schema), Err(SchemaError { path: path.to_owned(), fault }));
            assert!(!fits(&json!({}), &schema), "{schema}");
        }
    }
}
