//! Reads what was kept, or came as JSON, from its value into its type.
//!
//! serde_json reads a struct from an object and from an array, out of the text, with code for both
//! in every type. This reads it from an object alone, out of a parsed value: a third of the program.

use std::fmt;
use std::slice;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

/// Reads a text of JSON.
///
/// # Errors
/// If it is not JSON, or does not fit the type; the error says why.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Unfit> {
    let Parsed(value) = serde_json::from_str(text).map_err(Unfit::custom)?;
    read(&value)
}

/// Reads a value.
///
/// # Errors
/// If it does not fit the type; the error says where it does not.
pub fn read<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, Unfit> {
    T::deserialize(Stored(value))
}

/// Reads an object, such as the arguments of a call.
///
/// # Errors
/// If it does not fit the type; the error says where it does not.
pub fn read_object<'de, T: Deserialize<'de>>(object: &'de Map<String, Value>) -> Result<T, Unfit> {
    T::deserialize(Object(object))
}

/// Reads a field that holds any value.
pub(crate) fn value<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    let Parsed(value) = Parsed::deserialize(from)?;
    Ok(value)
}

/// Reads a field that holds any object.
pub(crate) fn object<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    match value(from)? {
        Value::Object(object) => Ok(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(Error::custom("an object belongs here"))
        }
    }
}

/// Reads a field that holds any object, or null.
pub(crate) fn optional_object<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Map<String, Value>>, D::Error> {
    struct Whole(Map<String, Value>);

    impl<'de> Deserialize<'de> for Whole {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            object(from).map(Self)
        }
    }

    Ok(Option::<Whole>::deserialize(from)?.map(|Whole(object)| object))
}

/// Reads a field that holds any values.
pub(crate) fn values<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
    let values = Vec::<Parsed>::deserialize(from)?;
    Ok(values.into_iter().map(|Parsed(value)| value).collect())
}

/// A value of JSON, as it is, where no object gives a key twice. serde_json's own reading of one takes
/// an object with a certain key for a raw text: what a model wrote must not be read so.
struct Parsed(Value);

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Value, E> {
        Ok(Value::from(it))
    }

    fn visit_u64<E>(self, it: u64) -> Result<Value, E> {
        Ok(Value::from(it))
    }

    fn visit_i64<E>(self, it: i64) -> Result<Value, E> {
        Ok(Value::from(it))
    }

    fn visit_f64<E>(self, it: f64) -> Result<Value, E> {
        Ok(Value::from(it))
    }

    fn visit_str<E>(self, it: &str) -> Result<Value, E> {
        Ok(Value::from(it))
    }

    fn visit_string<E>(self, it: String) -> Result<Value, E> {
        Ok(Value::from(it))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Parsed(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Parsed(value))) = entries.next_entry()? {
            let twice = |_| Err(A::Error::custom("a key is given twice"));
            object.insert(key, value).map_or(Ok(()), twice)?;
        }
        Ok(Value::Object(object))
    }
}

/// Why a value does not fit a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit(Box<str>);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

impl Error for Unfit {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Self(why.to_string().into())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("found {}, expected {expected}", kind(&found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }
}

/// What was found, without its value: to write any number takes code that nothing else needs.
fn kind(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) => "a string",
        Unexpected::Bytes(_) | Unexpected::Seq => "a list",
        Unexpected::Map => "an object",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::NewtypeStruct
        | Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant
        | Unexpected::Other(_) => "something else",
    }
}

#[derive(Clone, Copy)]
struct Stored<'de>(&'de Value);

impl<'de> Stored<'de> {
    fn unfit(self, expected: &str) -> Unfit {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(it) => Unexpected::Bool(*it),
            Value::Number(_) => Unexpected::Float(0.0),
            Value::String(it) => Unexpected::Str(it),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Unfit::invalid_type(found, &expected)
    }

    fn object(self, expected: &str) -> Result<&'de Map<String, Value>, Unfit> {
        self.0.as_object().ok_or_else(|| self.unfit(expected))
    }

    fn text(self) -> Result<&'de str, Unfit> {
        self.0.as_str().ok_or_else(|| self.unfit("a string"))
    }
}

/// Numbers of each kind: the visitor says whether they fit.
macro_rules! numbers {
    ($($method:ident)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            self.deserialize_i64(visitor)
        }
    )* };
}

impl<'de> Deserializer<'de> for Stored<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(it) => visitor.visit_bool(*it),
            Value::Number(_) => self.deserialize_i64(visitor),
            Value::String(it) => visitor.visit_borrowed_str(it),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_bool(self.0.as_bool().ok_or_else(|| self.unfit("a boolean"))?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let Value::Number(number) = self.0 else { return Err(self.unfit("a number")) };
        if let Some(it) = number.as_u64() {
            visitor.visit_u64(it)
        } else if let Some(it) = number.as_i64() {
            visitor.visit_i64(it)
        } else {
            visitor.visit_f64(number.as_f64().ok_or_else(|| self.unfit("a number"))?)
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.0.is_null() { visitor.visit_unit() } else { Err(self.unfit("null")) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let mut items = Items(self.0.as_array().ok_or_else(|| self.unfit("a sequence"))?.iter());
        let read = visitor.visit_seq(&mut items)?;
        if items.0.len() == 0 { Ok(read) } else { Err(self.unfit("a shorter list")) }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_map(Entries::of(self.object("a map")?))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_map(Entries::of(self.object(name)?))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        let (variant, content) = match self.0 {
            Value::String(variant) => (variant, None),
            Value::Object(object) => match object.iter().next() {
                Some((variant, content)) if object.len() == 1 => (variant, Some(content)),
                _ => return Err(self.unfit(name)),
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                return Err(self.unfit(name));
            }
        };
        visitor.visit_enum(Variant { variant, content: Stored(content.unwrap_or(&Value::Null)) })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { char bytes byte_buf unit_struct }
}

struct Object<'de>(&'de Map<String, Value>);

impl<'de> Deserializer<'de> for Object<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_map(Entries::of(self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Items<'de>(slice::Iter<'de, Value>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Unfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unfit> {
        self.0.next().map(|it| seed.deserialize(Stored(it))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Entries<'de> {
    rest: map::Iter<'de>,
    value: &'de Value,
}

impl<'de> Entries<'de> {
    fn of(object: &'de Map<String, Value>) -> Self {
        Self { rest: object.iter(), value: &Value::Null }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Unfit;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unfit> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = value;
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Unfit> {
        seed.deserialize(Stored(self.value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Variant<'de> {
    variant: &'de str,
    content: Stored<'de>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Unfit;
    type Variant = Stored<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Stored<'de>), Unfit> {
        Ok((seed.deserialize(StrDeserializer::new(self.variant))?, self.content))
    }
}

impl<'de> VariantAccess<'de> for Stored<'de> {
    type Error = Unfit;

    fn unit_variant(self) -> Result<(), Unfit> {
        if self.0.is_null() { Ok(()) } else { Err(self.unfit("nothing beside the variant")) }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Unfit> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_map(Entries::of(self.object("the fields of a variant")?))
    }
}

#[cfg(test)]
mod tests;
