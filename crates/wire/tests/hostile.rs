//! Replies made to do harm: arguments without end or depth, in every protocol.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use agent::arguments::{self, Unreadable};
use agent::limits::ARGUMENT_DEPTH_MAX;
use agent::model::{ModelReply, ReplyContent};
use serde_json::{Value, json};
use wire::error::WireError;
use wire::protocol::Protocol;

fn event(event: &Value) -> String {
    let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {event}\n\n")
}

fn chunk(delta: &Value, reason: Option<&str>) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }))
}

/// The parts of a stream with one call, whose arguments come in these pieces. In the last protocol
/// a call comes whole.
fn call(protocol: Protocol, pieces: &[String]) -> Vec<String> {
    let whole = pieces.concat();
    match protocol {
        Protocol::Anthropic => {
            let message = json!({ "id": "m", "role": "assistant", "usage": { "input_tokens": 1 } });
            let block = json!({ "type": "tool_use", "id": "t", "name": "add", "input": {} });
            let start =
                json!({ "type": "content_block_start", "index": 0, "content_block": block });
            let mut parts =
                vec![event(&json!({ "type": "message_start", "message": message })), event(&start)];
            parts.extend(pieces.iter().map(|piece| {
                let delta = json!({ "type": "input_json_delta", "partial_json": piece });
                event(&json!({ "type": "content_block_delta", "index": 0, "delta": delta }))
            }));
            parts.push(event(&json!({ "type": "content_block_stop", "index": 0 })));
            let delta = json!({ "stop_reason": "tool_use" });
            parts.push(event(&json!({ "type": "message_delta", "delta": delta })));
            parts.push(event(&json!({ "type": "message_stop" })));
            parts
        }
        Protocol::OpenAiChat => {
            let function = json!({ "name": "add", "arguments": "" });
            let start = json!({ "index": 0, "id": "t", "type": "function", "function": function });
            let mut parts = vec![chunk(&json!({ "tool_calls": [start] }), None)];
            parts.extend(pieces.iter().map(|piece| {
                let more = json!({ "index": 0, "function": { "arguments": piece } });
                chunk(&json!({ "tool_calls": [more] }), None)
            }));
            parts.push(chunk(&json!({}), Some("tool_calls")));
            parts.push("data: [DONE]\n\n".to_owned());
            parts
        }
        Protocol::OpenAiResponses => {
            let item = |arguments: &str, status: &str| {
                json!({ "type": "function_call", "id": "fc", "call_id": "t", "name": "add",
                        "arguments": arguments, "status": status })
            };
            let mut parts = vec![event(&json!({ "type": "response.output_item.added",
                "output_index": 0, "item": item("", "in_progress") }))];
            parts.extend(pieces.iter().map(|piece| {
                event(&json!({ "type": "response.function_call_arguments.delta",
                    "item_id": "fc", "output_index": 0, "delta": piece }))
            }));
            let done = item(&whole, "completed");
            parts.push(event(&json!({ "type": "response.output_item.done", "output_index": 0,
                "item": done })));
            let response = json!({ "status": "completed", "output": [done] });
            parts.push(event(&json!({ "type": "response.completed", "response": response })));
            parts
        }
        Protocol::Ollama => {
            let line = format!(
                "{{\"message\":{{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{{\
                 \"function\":{{\"name\":\"add\",\"arguments\":{whole}}}}}]}},\"done\":false}}\n"
            );
            let end = "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n";
            vec![line, end.to_owned()]
        }
    }
}

/// Feeds a stream a kilobyte at a time; how much was read, and what came of it.
fn feed(protocol: Protocol, parts: &[String]) -> (usize, Result<ModelReply, WireError>) {
    let mut decoder = protocol.decoder();
    let mut read = 0;
    for bytes in parts.iter().flat_map(|part| part.as_bytes().chunks(1_000)) {
        read += bytes.len();
        if let Err(error) = decoder.feed(bytes) {
            return (read, Err(error));
        }
    }
    (read, decoder.finish())
}

#[test]
fn ten_megabytes_of_arguments_are_refused_before_a_third_of_one_is_read() {
    let numbers = "1,".repeat(500);
    let mut pieces = vec!["{\"a\":[".to_owned()];
    pieces.extend(std::iter::repeat_n(numbers, 10_000));
    pieces.push("1]}".to_owned());
    assert!(pieces.concat().len() > 10_000_000);
    for protocol in Protocol::ALL {
        let (read, reply) = feed(protocol, &call(protocol, &pieces));
        assert!(matches!(reply, Err(WireError::TooLarge { .. })), "{protocol:?}: {reply:?}");
        assert!(read <= 300_000, "{protocol:?} read {read} bytes");
    }
}

#[test]
fn arguments_of_any_depth_are_an_error_and_no_fault() {
    let nested =
        |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    for protocol in Protocol::ALL {
        for (depth, readable) in
            [(ARGUMENT_DEPTH_MAX, true), (127, false), (128, false), (30_000, false)]
        {
            let (_, reply) = feed(protocol, &call(protocol, &[nested(depth)]));
            // What can be kept as text goes to the loop, which tells the model.
            let reply = reply.unwrap_or_else(|error| panic!("{protocol:?} {depth}: {error}"));
            let ReplyContent::Call(call) = &reply.content[0] else { panic!("{reply:?}") };
            let read = arguments::read(&call.arguments);
            assert_eq!(read.is_ok(), readable, "{protocol:?} {depth}");
            assert!(readable || read == Err(Unreadable::TooDeep), "{protocol:?} {depth}");
        }
        let (_, reply) = feed(protocol, &call(protocol, &[nested(100_000)]));
        assert!(matches!(reply, Err(WireError::TooLarge { .. })), "{protocol:?}: {reply:?}");
    }
}

#[test]
fn a_reply_that_nests_without_end_around_its_call_is_an_error_too() {
    for protocol in Protocol::ALL {
        for depth in [127, 128, 50_000] {
            let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let line = match protocol {
                Protocol::Ollama => format!("{{\"message\":{deep},\"done\":true}}\n"),
                Protocol::Anthropic => format!("data: {{\"type\":{deep}}}\n\n"),
                Protocol::OpenAiChat => format!("data: {{\"choices\":{deep}}}\n\n"),
                Protocol::OpenAiResponses => format!("data: {{\"type\":{deep}}}\n\n"),
            };
            let (_, reply) = feed(protocol, &[line]);
            assert!(reply.is_err(), "{protocol:?} {depth}");
        }
    }
}
