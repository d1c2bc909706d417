//! A reply as the provider sends it: in a stream of small pieces, or whole.

use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use serde_json::{Map, Value, json};

use crate::anthropic::failure::ErrorKind;
use crate::error::{Violation, WireError};
use crate::framing::frame;

/// Arguments are streamed in pieces of this many letters.
const PIECE_CHARS: usize = 12;

/// What a reply is wrapped in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// Its id, `msg_` and something that is new each time.
    pub id: &'a str,
    /// The model, as the client named it.
    pub model: &'a str,
}

/// The events of a streamed reply, each a whole frame of text.
///
/// # Errors
/// [`WireError::Unsendable`] for a call whose arguments are no JSON object, or that was run.
pub fn encode_stream(reply: &ModelReply, envelope: Envelope<'_>) -> Result<Vec<String>, WireError> {
    let mut message = message(envelope, &Usage { output: 0, ..reply.usage.clone() });
    message.insert("content".to_owned(), json!([]));
    message.insert("stop_reason".to_owned(), Value::Null);
    let mut frames = vec![event("message_start", json!({ "message": message }))];
    for (index, content) in reply.content.iter().enumerate() {
        let (start, deltas) = pieces(content)?;
        frames
            .push(event("content_block_start", json!({ "index": index, "content_block": start })));
        if index == 0 {
            frames.push(event("ping", json!({})));
        }
        frames.extend(
            deltas.into_iter().map(|delta| {
                event("content_block_delta", json!({ "index": index, "delta": delta }))
            }),
        );
        frames.push(event("content_block_stop", json!({ "index": index })));
    }
    let end = json!({ "stop_reason": stop_name(&reply.stop), "stop_sequence": null });
    frames.push(event("message_delta", json!({ "delta": end, "usage": usage(&reply.usage) })));
    frames.push(event("message_stop", json!({})));
    Ok(frames)
}

/// The body of a reply that is not streamed.
///
/// # Errors
/// As [`encode_stream`].
pub fn encode_whole(reply: &ModelReply, envelope: Envelope<'_>) -> Result<String, WireError> {
    let content: Result<Vec<_>, _> = reply.content.iter().map(whole).collect();
    let mut message = message(envelope, &reply.usage);
    message.insert("content".to_owned(), Value::Array(content?));
    message.insert("stop_reason".to_owned(), stop_name(&reply.stop).into());
    Ok(Value::Object(message).to_string())
}

/// The body of an answer that says that something failed; its status is [`ErrorKind::status`].
#[must_use]
pub fn encode_error(kind: ErrorKind, message: &str) -> String {
    json!({ "type": "error", "error": { "type": kind.name(), "message": message } }).to_string()
}

fn message(envelope: Envelope<'_>, tokens: &Usage) -> Map<String, Value> {
    let mut message = Map::new();
    message.insert("id".to_owned(), envelope.id.into());
    message.insert("type".to_owned(), "message".into());
    message.insert("role".to_owned(), "assistant".into());
    message.insert("model".to_owned(), envelope.model.into());
    message.insert("stop_sequence".to_owned(), Value::Null);
    message.insert("usage".to_owned(), usage(tokens));
    message
}

fn usage(tokens: &Usage) -> Value {
    json!({
        "input_tokens": tokens.input.saturating_sub(tokens.cached),
        "output_tokens": tokens.output,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens.cached,
    })
}

fn event(kind: &str, mut data: Value) -> String {
    if let Value::Object(fields) = &mut data {
        fields.insert("type".to_owned(), kind.into());
    }
    frame(kind, &data)
}

/// How a block begins, and the deltas that complete it.
fn pieces(content: &ReplyContent) -> Result<(Value, Vec<Value>), WireError> {
    match content {
        ReplyContent::Text(text) => {
            let words = text.split_inclusive(char::is_whitespace);
            let deltas = words.map(|word| json!({ "type": "text_delta", "text": word })).collect();
            Ok((json!({ "type": "text", "text": "" }), deltas))
        }
        ReplyContent::Call(call) => {
            input(call)?;
            let start =
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} });
            Ok((start, input_deltas(&call.arguments)))
        }
        ReplyContent::Opaque(opaque) => Ok(opaque_pieces(&opaque.block)),
    }
}

/// The first piece is empty, as the provider's own is.
fn input_deltas(input: &str) -> Vec<Value> {
    let letters: Vec<char> = input.chars().collect();
    let pieces = letters.chunks(PIECE_CHARS).map(|piece| piece.iter().collect::<String>());
    std::iter::once(String::new())
        .chain(pieces)
        .map(|piece| json!({ "type": "input_json_delta", "partial_json": piece }))
        .collect()
}

fn opaque_pieces(block: &Value) -> (Value, Vec<Value>) {
    let mut start = block.clone();
    let mut take = |key: &str, empty: Value| {
        let slot = start.get_mut(key)?;
        Some(std::mem::replace(slot, empty))
    };
    let deltas = match block.get("type").and_then(Value::as_str) {
        Some("thinking") => [
            take("thinking", "".into())
                .map(|text| json!({ "type": "thinking_delta", "thinking": text })),
            take("signature", "".into())
                .map(|text| json!({ "type": "signature_delta", "signature": text })),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Some("server_tool_use" | "mcp_tool_use") => match take("input", json!({})) {
            Some(input) => input_deltas(&input.to_string()),
            None => Vec::new(),
        },
        Some(_) | None => Vec::new(),
    };
    (start, deltas)
}

fn whole(content: &ReplyContent) -> Result<Value, WireError> {
    match content {
        ReplyContent::Text(text) => Ok(json!({ "type": "text", "text": text })),
        ReplyContent::Call(call) => {
            let input = input(call)?;
            Ok(json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input }))
        }
        ReplyContent::Opaque(opaque) => Ok(opaque.block.clone()),
    }
}

fn input(call: &ProposedCall) -> Result<Map<String, Value>, WireError> {
    if call.provider_result.is_some() {
        return Err(Violation::AlreadyRun(call.name.clone()).into());
    }
    if call.arguments.trim().is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(&call.arguments)
        .map_err(|_| Violation::ArgumentsNotAnObject(call.name.clone()).into())
}

fn stop_name(stop: &StopReason) -> &str {
    match stop {
        StopReason::EndTurn => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::StopSequence => "stop_sequence",
        StopReason::Refusal => "refusal",
        StopReason::Pause => "pause_turn",
        StopReason::Other(reason) => reason,
    }
}
