//! What is looked at in a request before it goes out: the model, and whatever costs or is kept.
//!
//! The rest goes out as it came. Where a request leaves open how long the reply may be, or whether
//! it is kept, the proxy says so in its place.

use std::collections::BTreeSet;
use std::fmt;

use axum::body::Bytes;
use axum::http::StatusCode;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use wire::anthropic::ErrorKind;
use wire::protocol::Protocol;

use crate::config::UpstreamSettings;
use crate::limits::Limits;
use crate::refusal::Refusal;

/// What a protocol calls the things that cost.
struct Rules {
    /// The object that holds the bounds, where it is not the request itself.
    within: Option<&'static str>,
    /// The fields that bound the reply, in tokens. The first is put in where there is none.
    tokens: &'static [&'static str],
    only: &'static [Only],
}

/// A field that may have one value.
struct Only {
    field: &'static str,
    value: &'static str,
    /// What else would happen.
    otherwise: &'static str,
    /// Whether leaving the field out means something else.
    put_in: bool,
}

const STORED: &str = "have the provider keep the conversation";

fn rules(protocol: Protocol) -> Rules {
    match protocol {
        Protocol::Anthropic => Rules { within: None, tokens: &["max_tokens"], only: &[] },
        Protocol::OpenAiChat => Rules {
            within: None,
            tokens: &["max_completion_tokens", "max_tokens"],
            only: &[
                Only { field: "store", value: "false", otherwise: STORED, put_in: false },
                Only {
                    field: "n",
                    value: "1",
                    otherwise: "pay for several replies to one question",
                    put_in: false,
                },
            ],
        },
        Protocol::OpenAiResponses => Rules {
            within: None,
            tokens: &["max_output_tokens"],
            only: &[
                Only { field: "store", value: "false", otherwise: STORED, put_in: true },
                Only {
                    field: "background",
                    value: "false",
                    otherwise: "let the reply go on when nobody waits for it",
                    put_in: false,
                },
            ],
        },
        Protocol::Ollama => Rules { within: Some("options"), tokens: &["num_predict"], only: &[] },
    }
}

/// The body as it is to go out, or why it is not.
pub(crate) fn settle(
    body: &Bytes,
    protocol: Protocol,
    settings: &UpstreamSettings,
    limits: &Limits,
) -> Result<Bytes, Refusal> {
    let rules = rules(protocol);
    let mut request: Fields<'_> = serde_json::from_slice(body).map_err(unreadable)?;
    judge_model(request.get("model"), settings)?;
    for only in rules.only {
        match request.get(only.field) {
            Some(value) if value != only.value => {
                return Err(refuse(format!(
                    "The request would {}. Nothing was sent. {:?} may only be {}.",
                    only.otherwise, only.field, only.value
                )));
            }
            None if only.put_in => request.put(only.field, only.value.to_owned()),
            Some(_) | None => {}
        }
    }
    match rules.within {
        None => bound(&mut request, rules.tokens, limits)?,
        Some(name) => {
            let text = request.get(name).unwrap_or("{}").to_owned();
            let mut inner: Fields<'_> = serde_json::from_str(&text).map_err(unreadable)?;
            bound(&mut inner, rules.tokens, limits)?;
            if inner.changed {
                request.put(name, inner.text());
            }
        }
    }
    Ok(if request.changed { request.text().into() } else { body.clone() })
}

fn judge_model(model: Option<&str>, settings: &UpstreamSettings) -> Result<(), Refusal> {
    let Some(model) = model else {
        return Err(refuse("The request names no model, so nothing was sent.".to_owned()));
    };
    let model: String = serde_json::from_str(model).map_err(unreadable)?;
    let Some(models) = &settings.models else { return Ok(()) };
    if models.contains(&model) {
        return Ok(());
    }
    let facts = settings.vendor.facts();
    let section = format!("{}.models", facts.section);
    Err(Refusal::new(
        StatusCode::NOT_FOUND,
        ErrorKind::NotFound,
        format!(
            "The model {:?} is not among those this proxy uses, so nothing was sent. Choose one of \
             {}, or add it to {} and start again.",
            model.chars().take(128).collect::<String>(),
            models.join(", "),
            facts.models_variable.unwrap_or(&section)
        ),
    ))
}

fn bound(fields: &mut Fields<'_>, names: &[&'static str], limits: &Limits) -> Result<(), Refusal> {
    let mut bounded = false;
    for &name in names {
        let Some(text) = fields.get(name) else { continue };
        let asked: u64 = serde_json::from_str(text).map_err(unreadable)?;
        if asked > limits.max_tokens {
            return Err(refuse(format!(
                "The request asks for {asked} tokens, more than the {} this proxy allows. Nothing \
                 was sent.",
                limits.max_tokens
            )));
        }
        bounded = true;
    }
    if !bounded && let Some(&name) = names.first() {
        fields.put(name, limits.max_tokens.to_string());
    }
    Ok(())
}

#[allow(clippy::needless_pass_by_value, reason = "so that it can stand in map_err")]
fn unreadable(error: serde_json::Error) -> Refusal {
    refuse(format!("The request could not be read and was not passed on: {error}."))
}

fn refuse(message: String) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, ErrorKind::InvalidRequest, message)
}

/// An object, its values as they are written. A field given twice is refused: which one counts is
/// for every reader to choose, and the provider's choice costs money.
struct Fields<'a> {
    given: Vec<(String, &'a RawValue)>,
    put: Vec<(&'static str, String)>,
    changed: bool,
}

impl Fields<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.get())
    }

    /// Sets a field, in place of one that is there.
    fn put(&mut self, name: &'static str, value: String) {
        self.given.retain(|(given, _)| given != name);
        self.put.push((name, value));
        self.changed = true;
    }

    fn text(&self) -> String {
        let given = self.given.iter().map(|(name, value)| (name.as_str(), value.get()));
        let put = self.put.iter().map(|(name, value)| (*name, value.as_str()));
        let fields = given.chain(put).map(|(name, value)| format!("{}:{value}", quoted(name)));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut names = BTreeSet::new();
                let mut given = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    if !names.insert(name.clone()) {
                        return Err(A::Error::custom(format!("duplicate field {name:?}")));
                    }
                    given.push((name, value));
                }
                Ok(Fields { given, put: Vec::new(), changed: false })
            }
        }
        deserializer.deserialize_map(Object)
    }
}
