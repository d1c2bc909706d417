//! One block of a reply while it streams.

use agent::message::Opaque;
use agent::model::{ProposedCall, ReplyContent};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{PROTOCOL, is_opaque};
use crate::budget::Arguments;
use crate::error::WireError;
use crate::json::{malformed, parse};

/// One block, and whether its end has come.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) body: Body,
    pub(super) ended: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Text(String),
    Call {
        id: String,
        name: String,
        /// Arguments that came at once with the beginning, as some gateways send them.
        whole: Option<Arguments>,
        arguments: Arguments,
    },
    Opaque {
        block: Map<String, Value>,
        /// Pieces of thinking, or of the input of a tool the provider runs.
        text: String,
        signature: String,
    },
    /// Of a type this codec does not know.
    Unknown,
}

/// A change to a block.
#[derive(Debug, Deserialize)]
pub(super) struct Delta {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    partial_json: Option<String>,
    thinking: Option<String>,
    signature: Option<String>,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct TextStart {
    text: Option<String>,
}

#[derive(Deserialize)]
struct CallStart {
    id: String,
    name: String,
    input: Option<Box<RawValue>>,
}

impl Delta {
    /// The bytes it would add.
    pub(super) fn len(&self) -> usize {
        [&self.text, &self.partial_json, &self.thinking, &self.signature]
            .into_iter()
            .flatten()
            .map(String::len)
            .sum()
    }
}

impl Block {
    /// Whether it is a call for us to run.
    pub(super) fn is_call(&self) -> bool {
        matches!(self.body, Body::Call { .. })
    }

    /// A block as `content_block_start` begins it.
    pub(super) fn begin(raw: &RawValue) -> Result<Self, WireError> {
        let Kind { kind } = parse(raw.get())?;
        let body = match kind.as_str() {
            "text" => Body::Text(parse::<TextStart>(raw.get())?.text.unwrap_or_default()),
            "tool_use" => {
                let CallStart { id, name, input } = parse(raw.get())?;
                let whole = input.filter(|raw| says_something(raw.get()));
                let whole = whole.map(|raw| Arguments::whole(raw.get())).transpose()?;
                Body::Call { id, name, whole, arguments: Arguments::default() }
            }
            kind if is_opaque(kind) => Body::Opaque {
                block: parse(raw.get())?,
                text: String::new(),
                signature: String::new(),
            },
            _ => Body::Unknown,
        };
        Ok(Self { body, ended: false })
    }

    /// Adds a piece; the words of it that are for the person.
    pub(super) fn add(&mut self, delta: Delta) -> Result<Option<String>, WireError> {
        if self.ended {
            return Err(malformed("a block went on after its end"));
        }
        let Delta { kind, text, partial_json, thinking, signature } = delta;
        let missing = || WireError::Malformed(format!("a {kind} is empty"));
        match (kind.as_str(), &mut self.body) {
            (_, Body::Unknown) => {}
            ("text_delta", Body::Text(so_far)) => {
                let piece = text.ok_or_else(missing)?;
                so_far.push_str(&piece);
                return Ok(Some(piece).filter(|piece| !piece.is_empty()));
            }
            ("input_json_delta", Body::Call { arguments, .. }) => {
                arguments.push(&partial_json.ok_or_else(missing)?)?;
            }
            ("input_json_delta", Body::Opaque { text, .. }) => {
                text.push_str(&partial_json.ok_or_else(missing)?);
            }
            ("thinking_delta", Body::Opaque { text, .. }) => {
                text.push_str(&thinking.ok_or_else(missing)?);
            }
            ("signature_delta", Body::Opaque { signature: so_far, .. }) => {
                so_far.push_str(&signature.ok_or_else(missing)?);
            }
            (
                "text_delta" | "input_json_delta" | "thinking_delta" | "signature_delta",
                Body::Text(_) | Body::Call { .. } | Body::Opaque { .. },
            ) => return Err(WireError::Malformed(format!("a {kind} came for another block"))),
            // Citations, and what is still to be invented.
            (_, Body::Text(_) | Body::Call { .. } | Body::Opaque { .. }) => {}
        }
        Ok(None)
    }

    /// The block as a piece of the reply, if it says anything. `cut` says that the length limit
    /// ended the reply, `last` that no block came after this one.
    pub(super) fn into_content(
        self,
        cut: bool,
        last: bool,
    ) -> Result<Option<ReplyContent>, WireError> {
        match self.body {
            Body::Text(text) if text.is_empty() => Ok(None),
            Body::Text(text) => Ok(Some(ReplyContent::Text(text))),
            Body::Call { id, name, whole, arguments } => {
                if cut && (!self.ended || whole.as_ref().unwrap_or(&arguments).may_be_cut(last)) {
                    return Err(WireError::LengthLimit { tool: name });
                }
                if !self.ended {
                    return Err(WireError::Malformed(format!("the call of {name} never ended")));
                }
                let arguments = one_of(whole, arguments)?;
                let call = ProposedCall { id, name, arguments, provider_result: None };
                Ok(Some(ReplyContent::Call(call)))
            }
            Body::Opaque { block, text, signature } => Ok(opaque(block, text, signature)),
            Body::Unknown => Ok(None),
        }
    }
}

fn one_of(whole: Option<Arguments>, pieces: Arguments) -> Result<String, WireError> {
    match whole {
        None => Ok(pieces.into_text()),
        Some(whole) if pieces.is_blank() => Ok(whole.into_text()),
        Some(_) => Err(malformed("the arguments of a call came twice")),
    }
}

/// A provider's own block, put together; nothing if the input of its tool is cut.
fn opaque(mut block: Map<String, Value>, text: String, signature: String) -> Option<ReplyContent> {
    if !text.is_empty() {
        if block.get("type").and_then(Value::as_str) == Some("thinking") {
            block.insert("thinking".to_owned(), append(block.get("thinking"), &text));
        } else {
            block.insert("input".to_owned(), parse(&text).ok()?);
        }
    }
    if !signature.is_empty() {
        block.insert("signature".to_owned(), append(block.get("signature"), &signature));
    }
    let opaque = Opaque { provider: PROTOCOL.to_owned(), block: Value::Object(block) };
    Some(ReplyContent::Opaque(opaque))
}

fn append(start: Option<&Value>, text: &str) -> Value {
    let start = start.and_then(Value::as_str).unwrap_or_default();
    Value::String(format!("{start}{text}"))
}

/// A beginning holds `{}` in place of the arguments that follow.
fn says_something(input: &str) -> bool {
    let compact: String = input.split_whitespace().collect();
    !matches!(compact.as_str(), "{}" | "null" | "\"\"")
}
