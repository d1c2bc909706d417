//! The part of a conversation that a model is sent: its newest turns, whole, within a bound.

use serde_json::{Map, Value};

use crate::limits::TRANSCRIPT_BYTES_MAX;
use crate::message::{Body, Content, Message};

/// How much is left out at once. What a request begins with then stays the same for many turns, and
/// providers charge less for what they have read before.
const STEP_BYTES: usize = TRANSCRIPT_BYTES_MAX / 2;

/// The most that any protocol writes around one piece of a message, its ids and its marks included.
const AROUND_BYTES: usize = 160;

/// The messages that are sent. They begin with one of the person's, so no call is parted from its
/// result; and the newest turn is among them whatever it weighs.
#[must_use]
pub fn of(messages: &[Message]) -> &[Message] {
    messages.get(begins_at(messages)..).unwrap_or(messages)
}

fn begins_at(messages: &[Message]) -> usize {
    let weights: Vec<usize> = messages.iter().map(weight).collect();
    let over = weights.iter().sum::<usize>().saturating_sub(TRANSCRIPT_BYTES_MAX);
    let left_out = over.div_ceil(STEP_BYTES) * STEP_BYTES;
    let (mut before, mut begins) = (0, 0);
    let mut follows_person = false;
    for (at, (message, weight)) in messages.iter().zip(weights).enumerate() {
        let is_person = matches!(message.body, Body::Person(_));
        if is_person && !follows_person {
            begins = at;
            if before >= left_out {
                break;
            }
        }
        before += weight;
        follows_person = is_person;
    }
    begins
}

/// The most bytes a message takes in a request.
fn weight(message: &Message) -> usize {
    match &message.body {
        Body::Person(text) | Body::Note(text) => AROUND_BYTES + JSON.text(text),
        Body::Result(result) => AROUND_BYTES + JSON.text(&result.text),
        Body::Assistant(contents) => {
            let piece = |content: &Content| match content {
                Content::Text(text) => JSON.text(text),
                Content::Call(call) => JSON.text(&call.name) + JSON_IN_JSON.object(&call.arguments),
                Content::Opaque(opaque) => JSON.value(&opaque.block),
            };
            contents.iter().map(|it| AROUND_BYTES + piece(it)).sum::<usize>() + AROUND_BYTES
        }
    }
}

/// How many bytes stand for a character that JSON does not write as it is.
struct Escaped {
    quote: usize,
    control: usize,
}

const JSON: Escaped = Escaped { quote: 2, control: 6 };
/// Some protocols write arguments as a text that is JSON.
const JSON_IN_JSON: Escaped = Escaped { quote: 4, control: 7 };

impl Escaped {
    /// A text with its quotation marks and what parts it from the next.
    fn text(&self, text: &str) -> usize {
        let escaped = |byte| match byte {
            b'"' | b'\\' => self.quote,
            0..0x20 => self.control,
            _ => 1,
        };
        2 * self.quote + 1 + text.bytes().map(escaped).sum::<usize>()
    }

    fn value(&self, value: &Value) -> usize {
        match value {
            Value::Null | Value::Bool(_) => 6,
            Value::Number(number) => number.to_string().len() + 1,
            Value::String(text) => self.text(text),
            Value::Array(values) => 3 + values.iter().map(|it| self.value(it)).sum::<usize>(),
            Value::Object(fields) => self.object(fields),
        }
    }

    fn object(&self, fields: &Map<String, Value>) -> usize {
        3 + fields.iter().map(|(name, it)| self.text(name) + self.value(it)).sum::<usize>()
    }
}
