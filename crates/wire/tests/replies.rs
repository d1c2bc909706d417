//! Streams of Anthropic that no recording has: every doubt is an error, and no error has a call.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use agent::limits::{ARGUMENT_BYTES_MAX, CALLS_PER_REPLY_MAX, REPLY_BYTES_MAX};
use agent::message::Opaque;
use agent::model::{ModelEvent, ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use serde_json::{Value, json};
use wire::decoder::Decoder;
use wire::error::{Failure, WireError};
use wire::protocol::Protocol;

fn start() -> Value {
    json!({ "type": "message_start", "message": { "usage": { "input_tokens": 7 } } })
}

fn call_start(index: u64, name: &str) -> Value {
    json!({ "type": "content_block_start", "index": index,
            "content_block": { "type": "tool_use", "id": "t", "name": name, "input": {} } })
}

fn text_start(index: u64) -> Value {
    json!({ "type": "content_block_start", "index": index,
            "content_block": { "type": "text", "text": "" } })
}

fn input(index: u64, piece: &str) -> Value {
    json!({ "type": "content_block_delta", "index": index,
            "delta": { "type": "input_json_delta", "partial_json": piece } })
}

fn words(index: u64, text: &str) -> Value {
    json!({ "type": "content_block_delta", "index": index,
            "delta": { "type": "text_delta", "text": text } })
}

fn block_stop(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn reason(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason },
            "usage": { "output_tokens": 5 } })
}

fn stop() -> Value {
    json!({ "type": "message_stop" })
}

fn stream(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn begun() -> Decoder {
    Protocol::Anthropic.decoder()
}

fn read(stream: &str) -> Result<(Vec<ModelEvent>, ModelReply), WireError> {
    let mut decoder = begun();
    let events = decoder.feed(stream.as_bytes())?;
    Ok((events, decoder.finish()?))
}

fn reply(events: &[Value]) -> Result<ModelReply, WireError> {
    read(&stream(events)).map(|(_, reply)| reply)
}

fn call(name: &str, arguments: &str) -> ReplyContent {
    ReplyContent::Call(ProposedCall {
        id: "t".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        provider_result: None,
    })
}

fn said(text: &str) -> ReplyContent {
    ReplyContent::Text(text.to_owned())
}

#[track_caller]
fn malformed(events: &[Value]) {
    let read = reply(events);
    assert!(matches!(read, Err(WireError::Malformed(_))), "{read:?}");
}

#[test]
fn blocks_are_told_apart_by_index_and_not_by_arrival() {
    let (events, reply) = read(&stream(&[
        start(),
        call_start(2, "b"),
        call_start(1, "a"),
        input(1, "{\"n\""),
        input(2, "{}"),
        input(1, ":1}"),
        block_stop(1),
        block_stop(2),
        text_start(0),
        words(0, "Hi"),
        block_stop(0),
        reason("tool_use"),
        stop(),
    ]))
    .unwrap();
    assert_eq!(
        reply,
        ModelReply {
            content: vec![said("Hi"), call("a", "{\"n\":1}"), call("b", "{}")],
            stop: StopReason::ToolUse,
            usage: Usage { input: 7, cached: 0, output: 5, ..Usage::default() },
        }
    );
    assert_eq!(
        events,
        [
            ModelEvent::CallStarted { name: "b".to_owned() },
            ModelEvent::CallStarted { name: "a".to_owned() },
            ModelEvent::Text("Hi".to_owned()),
        ]
    );
}

#[test]
fn what_came_before_an_error_is_told_however_the_bytes_are_cut() {
    let error = json!({ "type": "error",
                        "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let bytes = stream(&[start(), text_start(0), words(0, "Hi"), error]);
    for size in [1, 16, bytes.len()] {
        let (mut decoder, mut events) = (begun(), Vec::new());
        let mut chunks = bytes.as_bytes().chunks(size);
        assert!(chunks.any(|chunk| decoder.feed_into(chunk, &mut events).is_err()), "{size}");
        assert_eq!(events, [ModelEvent::Text("Hi".to_owned())], "{size}");
    }
}

#[test]
fn an_error_in_the_stream_voids_what_came_before_it() {
    let whole = [start(), call_start(0, "a"), input(0, "{}"), block_stop(0)];
    let error = json!({ "type": "error",
                        "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let expected = WireError::Provider {
        failure: Failure::Overloaded,
        code: "overloaded_error".to_owned(),
        message: "Overloaded".to_owned(),
    };
    for end in [vec![], vec![reason("tool_use"), stop()]] {
        let before = [&whole[..], &end, std::slice::from_ref(&error)].concat();
        assert_eq!(reply(&before), Err(expected.clone()));
        let mut decoder = begun();
        assert_eq!(decoder.feed(stream(&before).as_bytes()), Err(expected.clone()));
        assert_eq!(decoder.feed(stream(&[stop()]).as_bytes()), Err(expected.clone()));
        assert_eq!(decoder.finish(), Err(expected.clone()));
    }
}

#[test]
fn an_error_is_known_by_its_event_name_or_its_shape_too() {
    for text in [
        "event: error\ndata: {\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}\n\n",
        "data: {\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}\n\n",
        "data: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}",
        "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}",
    ] {
        assert_eq!(
            read(text),
            Err(WireError::Provider {
                failure: Failure::RateLimit { retry_after_s: None },
                code: "rate_limit_error".to_owned(),
                message: "slow".to_owned(),
            }),
            "{text}"
        );
    }
}

#[test]
fn a_stream_without_its_end_is_cut() {
    let whole = [start(), text_start(0), words(0, "Hi"), block_stop(0), reason("end_turn"), stop()];
    assert!(reply(&whole).is_ok());
    for end in 0..whole.len() {
        assert_eq!(reply(&whole[..end]), Err(WireError::CutOff), "{end} events");
    }
    assert_eq!(read(&format!("{}data: [DONE]\n\n", stream(&whole[..5]))), Err(WireError::CutOff));
}

#[test]
fn what_is_no_stream_is_called_so() {
    for page in ["<html>502", "{\"id\":\"msg_1\",\"type\":\"message\"}", "Bad gateway"] {
        let start = page.to_owned();
        assert_eq!(read(page), Err(WireError::NotAStream { start }), "{page}");
    }
    for cut in ["", "\u{feff}", "ev", "event: message_st", ": hi"] {
        assert_eq!(read(cut), Err(WireError::CutOff), "{cut}");
    }
}

#[test]
fn the_limit_inside_arguments_leaves_no_call() {
    let cut = Err(WireError::LengthLimit { tool: "b".to_owned() });
    let first = [start(), call_start(0, "a"), input(0, "{}"), block_stop(0), call_start(1, "b")];
    let open = [input(1, "{\"n\":")];
    let ended = [input(1, "{\"n\":"), block_stop(1)];
    let none_yet = [input(1, ""), block_stop(1)];
    let whole_but_open = [input(1, "{\"n\":1}")];
    for pieces in [&[] as &[Value], &open, &ended, &none_yet, &whole_but_open] {
        for limit in ["max_tokens", "model_context_window_exceeded"] {
            let events = [&first[..], pieces, &[reason(limit), stop()]].concat();
            assert_eq!(reply(&events), cut, "{pieces:?}");
        }
    }
}

#[test]
fn the_limit_behind_a_whole_call_leaves_it_whole() {
    let events = [
        start(),
        call_start(0, "a"),
        input(0, ""),
        block_stop(0),
        call_start(1, "b"),
        input(1, "{\"n\":1}"),
        block_stop(1),
        text_start(2),
        words(2, "and th"),
        reason("max_tokens"),
        stop(),
    ];
    assert_eq!(
        reply(&events).unwrap().content,
        [call("a", ""), call("b", "{\"n\":1}"), said("and th")]
    );
}

#[test]
fn a_call_that_never_ended_is_refused_whatever_the_reason() {
    for end in ["tool_use", "end_turn", "pause_turn", "stop_sequence", "something_new"] {
        malformed(&[start(), call_start(0, "a"), input(0, "{}"), reason(end), stop()]);
    }
}

#[test]
fn a_declined_reply_has_no_calls() {
    let events = [
        start(),
        text_start(0),
        words(0, "Well,"),
        block_stop(0),
        call_start(1, "a"),
        input(1, "{}"),
        block_stop(1),
        reason("refusal"),
        stop(),
    ];
    let reply = reply(&events).unwrap();
    assert_eq!((reply.content, reply.stop), (vec![said("Well,")], StopReason::Refusal));
}

#[test]
fn a_second_beginning_voids_the_first_message_even_behind_its_end() {
    let first =
        [start(), call_start(0, "a"), input(0, "{}"), block_stop(0), reason("tool_use"), stop()];
    let second =
        [start(), text_start(0), words(0, "Hi"), block_stop(0), reason("end_turn"), stop()];
    let (events, reply) = read(&stream(&[&first[..], &second].concat())).unwrap();
    assert_eq!(reply.content, [said("Hi")]);
    assert_eq!(events[1], ModelEvent::Restarted);
    for end in 1..second.len() {
        let cut = [&first[..], &second[..end]].concat();
        assert_eq!(read(&stream(&cut)), Err(WireError::CutOff), "{end} events");
    }
}

#[test]
fn pieces_out_of_place_are_refused() {
    let end = [reason("end_turn"), stop()];
    let with = |pieces: &[Value]| [pieces, &end].concat();
    let whole = [start(), text_start(0), words(0, "Hi"), block_stop(0)];
    assert!(reply(&with(&whole)).is_ok());

    malformed(&with(&[text_start(0), block_stop(0), start()]));
    malformed(&[stop()]);
    malformed(&[start(), stop()]);
    malformed(&with(&[start(), words(0, "Hi")]));
    malformed(&with(&[start(), block_stop(0)]));
    malformed(&with(&[start(), text_start(0), input(0, "{}"), block_stop(0)]));
    malformed(&with(&[start(), call_start(0, "a"), words(0, "{}"), block_stop(0)]));
    let begun = [start(), call_start(0, "a")];
    for twice in [call_start(0, "b"), text_start(0)] {
        malformed(&with(&[&begun[..], &[block_stop(0), twice.clone(), block_stop(0)]].concat()));
        malformed(&with(&[&begun[..], &[twice, block_stop(0)]].concat()));
    }
    malformed(&with(&[&whole[..], &[words(0, " you")]].concat()));
    malformed(&with(&[&whole[..], &[block_stop(0)]].concat()));
    malformed(&[&with(&whole)[..], &[call_start(1, "a"), block_stop(1)]].concat());
    malformed(&[&with(&whole)[..], &[reason("tool_use")]].concat());
}

#[test]
fn what_cannot_be_read_is_refused() {
    let good = stream(&[start(), text_start(0)]);
    for bad in ["nonsense", "[\"message_stop\"]", "null", "{", "{\"a\":1}", "{\"type\":1}"] {
        let read = read(&format!("{good}data: {bad}\n\n{}", stream(&[reason("end_turn"), stop()])));
        assert!(matches!(read, Err(WireError::Malformed(_))), "{bad}: {read:?}");
    }
    // What looks like the fields of an event in their order is none.
    let listed =
        format!("{good}{}data: [\"message_stop\",null]\n\n", stream(&[reason("end_turn")]));
    assert!(matches!(read(&listed), Err(WireError::Malformed(_))));
    let mut decoder = begun();
    let broken = decoder.feed(b"data: {\"type\":\"\xFF\"}\n\n");
    assert!(matches!(broken, Err(WireError::Malformed(_))));
    let twice = "data: {\"type\":\"ping\",\"type\":\"message_stop\"}\n\n";
    assert!(matches!(read(twice), Err(WireError::Malformed(_))));
}

#[test]
fn what_is_unknown_and_what_only_keeps_alive_is_passed_over() {
    let text = format!(
        ": hi\n\ndata:\n\ndata: {}\n\n{}data: [DONE]\n\n{}",
        json!({ "type": "new_event" }),
        stream(&[
            start(),
            json!({ "type": "ping" }),
            json!({ "type": "content_block_start", "index": 0,
                    "content_block": { "type": "new_block" } }),
            json!({ "type": "content_block_delta", "index": 0,
                    "delta": { "type": "new_delta", "x": 1 } }),
            text_start(1),
            json!({ "type": "content_block_delta", "index": 1,
                    "delta": { "type": "citations_delta", "citation": {} } }),
            words(1, "Hi"),
            block_stop(0),
            block_stop(1),
            reason("end_turn"),
            stop(),
        ]),
        stream(&[json!({ "type": "ping" }), stop()]),
    );
    assert_eq!(read(&text).unwrap().1.content, [said("Hi")]);
}

#[test]
fn arguments_at_the_beginning_are_taken_as_they_came_but_not_twice() {
    let begun = "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\
                 \"tool_use\",\"id\":\"t\",\"name\":\"a\",\"input\":{\"n\":1, \"n\":2}}}";
    let end = stream(&[block_stop(0), reason("tool_use"), stop()]);
    let head = format!("{}data: {begun}\n\n", stream(&[start()]));
    // Both values of the repeated key are there for the loop to refuse.
    let reply = read(&format!("{head}{end}")).unwrap().1;
    assert_eq!(reply.content, [call("a", "{\"n\":1, \"n\":2}")]);
    let twice = read(&format!("{head}{}{end}", stream(&[input(0, "{\"n\":3}")])));
    assert!(matches!(twice, Err(WireError::Malformed(_))));
}

#[test]
fn what_the_provider_runs_itself_is_kept_and_is_no_call() {
    let search = json!({ "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
                         "input": {} });
    let found = json!({ "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1",
                        "content": [{ "type": "web_search_result", "encrypted_content": "x" }] });
    let opaque = |block: &Value| {
        ReplyContent::Opaque(Opaque { provider: "anthropic".to_owned(), block: block.clone() })
    };
    let whole = json!({ "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
                        "input": { "query": "eggs" } });
    let events = [
        start(),
        json!({ "type": "content_block_start", "index": 0, "content_block": search }),
        input(0, "{\"query\":"),
        input(0, "\"eggs\"}"),
        block_stop(0),
        json!({ "type": "content_block_start", "index": 1, "content_block": found }),
        block_stop(1),
        call_start(2, "a"),
        block_stop(2),
        reason("tool_use"),
        stop(),
    ];
    assert_eq!(reply(&events).unwrap().content, [opaque(&whole), opaque(&found), call("a", "")]);
}

#[test]
fn too_much_is_refused_while_it_comes() {
    let mut decoder = begun();
    decoder.feed(stream(&[start(), call_start(0, "a")]).as_bytes()).unwrap();
    let piece = stream(&[input(0, &"1".repeat(1000))]);
    let mut fed = 0;
    while decoder.feed(piece.as_bytes()).is_ok() {
        fed += piece.len();
        assert!(fed < 300_000, "arguments are read on and on");
    }
    assert!(matches!(decoder.finish(), Err(WireError::TooLarge { limit: ARGUMENT_BYTES_MAX, .. })));

    let mut decoder = begun();
    decoder.feed(stream(&[start(), call_start(0, "a")]).as_bytes()).unwrap();
    let flood = stream(&[input(0, &"1".repeat(10_000_000))]);
    let read = flood.as_bytes().chunks(1000).take_while(|chunk| decoder.feed(chunk).is_ok());
    assert!(read.count() < 300, "one endless piece is read on and on");

    let mut decoder = begun();
    decoder.feed(stream(&[start(), text_start(0)]).as_bytes()).unwrap();
    let piece = stream(&[words(0, &"1".repeat(1000))]);
    while decoder.feed(piece.as_bytes()).is_ok() {}
    assert!(matches!(decoder.finish(), Err(WireError::TooLarge { limit: REPLY_BYTES_MAX, .. })));

    let calls: Vec<_> = std::iter::once(start())
        .chain((0..=CALLS_PER_REPLY_MAX as u64).map(|index| call_start(index, "a")))
        .collect();
    assert!(matches!(reply(&calls), Err(WireError::TooLarge { limit: CALLS_PER_REPLY_MAX, .. })));
}

#[test]
fn later_counts_hold_and_zero_read_is_no_count() {
    let usage = |input: Value, output: Value| {
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" },
                "usage": { "input_tokens": input, "output_tokens": output } })
    };
    for (delta, expected) in [
        (usage(json!(0), json!(3)), Usage { input: 7, cached: 0, output: 3, ..Usage::default() }),
        (usage(json!(9), json!(0)), Usage { input: 9, cached: 0, output: 0, ..Usage::default() }),
        (
            usage(Value::Null, Value::Null),
            Usage { input: 7, cached: 0, output: 0, ..Usage::default() },
        ),
        (
            usage(json!("many"), json!(-1)),
            Usage { input: 7, cached: 0, output: 0, ..Usage::default() },
        ),
    ] {
        assert_eq!(reply(&[start(), delta, stop()]).unwrap().usage, expected);
    }
}
