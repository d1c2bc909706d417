//! Both ends of the protocol against each other: nothing is lost between them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use agent::id::CallId;
use agent::message::{Body, Content, Ending, Message, Opaque, ToolCall, ToolResult};
use agent::model::{
    ModelEvent, ModelReply, ModelRequest, ProposedCall, ReplyContent, StopReason, ToolChoice, Usage,
};
use agent::time::Timestamp;
use agent::tool::{Access, ToolSpec};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use wire::anthropic::PROTOCOL;
use wire::anthropic::server::{Envelope, decode_request, encode_stream, encode_whole};
use wire::error::WireError;
use wire::protocol::{Ask, Protocol};

const ENVELOPE: Envelope<'_> = Envelope { id: "msg_1", model: "kitchen" };

/// Letters of every kind, and never only blanks.
fn words() -> impl Strategy<Value = String> {
    "[ -~\n\u{e9}\u{6771}\u{1f95a}\u{202e}\u{0}\u{2028}]{0,40}[a-z!]"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map(words(), inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Map<String, Value>> {
    btree_map(words(), value(), 0..4).prop_map(|map| map.into_iter().collect())
}

fn own_block() -> impl Strategy<Value = Opaque> {
    prop_oneof![
        (words(), words()).prop_map(|(thought, signature)| {
            json!({ "type": "thinking", "thinking": thought, "signature": signature })
        }),
        words().prop_map(|data| json!({ "type": "redacted_thinking", "data": data })),
        object().prop_map(|input| {
            json!({ "type": "server_tool_use", "id": "srv_1", "name": "web_search",
                    "input": input })
        }),
        value().prop_map(|content| {
            json!({ "type": "web_search_tool_result", "tool_use_id": "srv_1",
                    "content": content })
        }),
    ]
    .prop_map(|block| Opaque { provider: PROTOCOL.to_owned(), block })
}

fn proposed_call() -> impl Strategy<Value = ProposedCall> {
    ("[a-zA-Z0-9_-]{1,20}", "[a-z_]{1,20}", object()).prop_map(|(id, name, arguments)| {
        let arguments =
            if arguments.is_empty() { String::new() } else { Value::from(arguments).to_string() };
        ProposedCall { id, name, arguments, provider_result: None }
    })
}

fn reply() -> impl Strategy<Value = ModelReply> {
    let content = prop_oneof![
        words().prop_map(ReplyContent::Text),
        proposed_call().prop_map(ReplyContent::Call),
        own_block().prop_map(ReplyContent::Opaque),
    ];
    let stop = prop_oneof![
        Just(StopReason::EndTurn),
        Just(StopReason::ToolUse),
        Just(StopReason::StopSequence),
        Just(StopReason::Pause),
        Just(StopReason::Other("something_new".to_owned())),
    ];
    (vec(content, 0..6), stop, any::<u32>(), any::<u16>(), any::<u32>()).prop_map(
        |(content, stop, fresh, cached, output)| ModelReply {
            content,
            stop,
            usage: Usage {
                input: u64::from(fresh) + u64::from(cached),
                cached: cached.into(),
                output: output.into(),
                ..Usage::default()
            },
        },
    )
}

/// One reply of the model with what came of its calls, and what the person said to it.
#[derive(Debug, Clone)]
struct Round {
    before: Vec<Opaque>,
    text: String,
    calls: Vec<(String, Map<String, Value>, String, bool)>,
    person: Vec<String>,
}

fn round() -> impl Strategy<Value = Round> {
    let call = ("[a-zA-Z0-9_-]{1,20}", object(), words(), any::<bool>());
    (vec(own_block(), 0..2), words(), vec(call, 0..3), vec(words(), 1..3))
        .prop_map(|(before, text, calls, person)| Round { before, text, calls, person })
}

fn transcript(first: String, rounds: Vec<Round>) -> Vec<Message> {
    let mut bodies = vec![Body::Person(first)];
    for (place, round) in rounds.into_iter().enumerate() {
        let mut contents: Vec<_> = round.before.into_iter().map(Content::Opaque).collect();
        contents.push(Content::Text(round.text));
        let mut results = Vec::new();
        for (n, (name, arguments, text, ran)) in round.calls.into_iter().enumerate() {
            let model_id = format!("call-{place}_{n}");
            let id = CallId(model_id.clone());
            results.push(Body::Result(ToolResult {
                call: id.clone(),
                text,
                ending: if ran { Ending::Ran } else { Ending::Failed },
                decision: None,
            }));
            contents.push(Content::Call(ToolCall { id, model_id, name, arguments }));
        }
        bodies.push(Body::Assistant(contents));
        bodies.extend(results);
        bodies.extend(round.person.into_iter().map(Body::Person));
    }
    bodies.into_iter().map(|body| Message { at: Timestamp(0), body, usage: None }).collect()
}

fn tools() -> impl Strategy<Value = Vec<ToolSpec>> {
    btree_set("[a-zA-Z0-9_-]{1,20}", 1..4).prop_map(|names| {
        let tool = |name: String| ToolSpec {
            description: format!("Does {name}."),
            parameters: json!({ "type": "object", "properties": { "n": { "type": "integer" } } }),
            version: String::new(),
            access: Access::AlwaysAsk,
            name,
        };
        names.into_iter().map(tool).collect()
    })
}

fn request() -> impl Strategy<Value = ModelRequest> {
    let choice = prop_oneof![Just(ToolChoice::Auto), Just(ToolChoice::None)];
    (words(), words(), vec(round(), 0..4), tools(), choice).prop_map(
        |(instructions, first, rounds, tools, tool_choice)| ModelRequest {
            instructions,
            messages: transcript(first, rounds),
            tools,
            tool_choice,
        },
    )
}

proptest! {
    #[test]
    fn a_streamed_reply_arrives_as_it_was(reply in reply(), size in 1_usize..200) {
        let stream = encode_stream(&reply, ENVELOPE).unwrap().concat();
        let mut decoder = Protocol::Anthropic.decoder();
        let mut words = String::new();
        for chunk in stream.as_bytes().chunks(size) {
            for event in decoder.feed(chunk).unwrap() {
                if let ModelEvent::Text(piece) = event {
                    words.push_str(&piece);
                }
            }
        }
        prop_assert_eq!(&decoder.finish().unwrap(), &reply);
        let said: String = reply.content.iter().filter_map(|content| match content {
            ReplyContent::Text(text) => Some(text.as_str()),
            ReplyContent::Call(_) | ReplyContent::Opaque(_) => None,
        }).collect();
        prop_assert_eq!(words, said);
    }

    #[test]
    fn a_reply_says_the_same_whole_and_in_a_stream(reply in reply()) {
        let text = encode_whole(&reply, ENVELOPE).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&whole["id"], "msg_1");
        prop_assert_eq!(&whole["model"], "kitchen");
        prop_assert_eq!(&whole["usage"]["output_tokens"], reply.usage.output);
        prop_assert_eq!(Protocol::Anthropic.decode(text.as_bytes()).unwrap(), reply);
    }

    #[test]
    fn a_whole_reply_cut_anywhere_is_an_error(
        reply in reply(),
        place in any::<prop::sample::Index>(),
    ) {
        let text = encode_whole(&reply, ENVELOPE).unwrap();
        let cut = &text.as_bytes()[..place.index(text.len())];
        prop_assert_eq!(Protocol::Anthropic.decode(cut), Err(WireError::CutOff));
    }

    #[test]
    fn a_request_arrives_as_it_was(request in request(), max_tokens in 1_u32..) {
        let ask = Ask { request: &request, model: "claude-x", max_tokens, stream: true };
        let body = Protocol::Anthropic.encode(&ask).unwrap();
        let served = decode_request(&body).unwrap();
        prop_assert_eq!(served.request, request);
        prop_assert_eq!(served.model, "claude-x");
        prop_assert_eq!(served.max_tokens, max_tokens);
        prop_assert!(served.stream);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in vec(any::<u8>(), 0..300)) {
        let mut decoder = Protocol::Anthropic.decoder();
        let _ = decoder.feed(&bytes);
        prop_assert!(decoder.finish().is_err());
        prop_assert!(decode_request(&bytes).is_err());
    }

    #[test]
    fn a_reply_cut_anywhere_is_an_error(reply in reply(), place in any::<prop::sample::Index>()) {
        let stream = encode_stream(&reply, ENVELOPE).unwrap().concat();
        let cut = place.index(stream.trim_end().len());
        let mut decoder = Protocol::Anthropic.decoder();
        decoder.feed(&stream.as_bytes()[..cut]).unwrap();
        prop_assert_eq!(decoder.finish(), Err(WireError::CutOff));
    }
}
