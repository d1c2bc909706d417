//! Conversations of every kind the loop can leave behind, and broken ones that it cannot.

use agent::approval::{Basis, Decision, Outcome};
use agent::id::{CallId, RequestId};
use agent::message::{Body, Content, Ending, Message, Opaque, ToolCall, ToolResult};
use agent::model::{ModelRequest, ToolChoice};
use agent::time::Timestamp;
use agent::tool::{Access, ToolSpec};
use agent::wording;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};
use wire::protocol::Protocol;

/// Stands in every id that a model gave: none of them may go out.
pub(super) const MODEL_ID: &str = "toolu_of_the_model";

/// One reply, what came of it, and what the person wrote then.
#[derive(Debug, Clone)]
struct Round {
    /// Whose name its blocks bear; mostly whose they are.
    by: Protocol,
    before: Vec<Value>,
    texts: Vec<String>,
    calls: Vec<Call>,
    behind: Vec<Value>,
    shuffle: Index,
    persons: Vec<String>,
}

#[derive(Debug, Clone)]
struct Call {
    name: String,
    arguments: Map<String, Value>,
    end: End,
}

#[derive(Debug, Clone)]
enum End {
    Ran(String),
    Failed(String),
    Rejected(Option<String>),
    Edited(String),
    TimedOut,
    MovedOn,
    Cancelled,
    NotRun,
    NotFound,
    BadArguments,
    Stopped,
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~\n\u{e9}\u{6771}\u{1f95a}\u{202e}\u{0}\u{2028}]{0,30}[a-z!]",
        1 => "[ \n\t]{0,3}",
    ]
}

fn spoken() -> impl Strategy<Value = String> + Clone {
    "[ -~\u{e9}\u{6771}]{0,20}[a-z!]"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
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

fn call() -> impl Strategy<Value = Call> {
    let end = prop_oneof![
        3 => words().prop_map(End::Ran),
        1 => words().prop_map(End::Failed),
        2 => proptest::option::of(words()).prop_map(End::Rejected),
        1 => spoken().prop_map(End::Edited),
        1 => Just(End::TimedOut),
        1 => Just(End::MovedOn),
        1 => Just(End::Cancelled),
        1 => Just(End::NotRun),
        1 => Just(End::NotFound),
        1 => Just(End::BadArguments),
        1 => Just(End::Stopped),
    ];
    let name = prop_oneof![
        4 => "[a-z_]{1,20}",
        1 => "[ -~\u{fc}\u{1f95a}]{0,200}",
    ];
    (name, object(), end).prop_map(|(name, arguments, end)| Call { name, arguments, end })
}

/// A block that goes back to its own protocol, one that must not, or one that pretends.
fn block(by: Protocol) -> BoxedStrategy<Value> {
    let text = spoken();
    match by {
        Protocol::Anthropic => prop_oneof![
            (text.clone(), text.clone()).prop_map(|(thinking, signature)| json!({
                "type": "thinking", "thinking": thinking, "signature": signature })),
            text.clone().prop_map(|text| json!({
                "type": "thinking", "thinking": text, "signature": "" })),
            text.clone().prop_map(|data| json!({ "type": "redacted_thinking", "data": data })),
            text.prop_map(|name| json!({
                "type": "tool_use", "id": "x", "name": name, "input": {} })),
        ]
        .boxed(),
        Protocol::OpenAiChat => prop_oneof![
            text.clone().prop_map(|text| json!({ "reasoning_content": text })),
            text.clone().prop_map(|text| json!({ "reasoning": text })),
            text.prop_map(|text| json!({ "role": "system", "content": text })),
        ]
        .boxed(),
        Protocol::OpenAiResponses => prop_oneof![
            text.clone().prop_map(|text| json!({
                "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": text })),
            text.clone().prop_map(|text| json!({
                "type": "reasoning", "id": "rs_2",
                "summary": [{ "type": "summary_text", "text": text }] })),
            text.prop_map(|name| json!({
                "type": "function_call", "call_id": "x", "name": name, "arguments": "{}" })),
        ]
        .boxed(),
        Protocol::Ollama => prop_oneof![
            text.clone().prop_map(|text| json!({ "thinking": text })),
            text.prop_map(|text| json!({ "thinking": text, "tool_calls": [] })),
        ]
        .boxed(),
    }
}

fn round() -> impl Strategy<Value = Round> {
    let by = proptest::sample::select(Protocol::ALL.to_vec());
    let made_by = prop_oneof![3 => by.clone().prop_map(|by| (by, by)), 1 => (by.clone(), by)];
    made_by.prop_flat_map(|(by, of)| {
        (
            vec(block(of), 0..3),
            vec(words(), 0..3),
            vec(call(), 0..4),
            vec(block(of), 0..2),
            any::<Index>(),
            vec(words(), 0..3),
        )
            .prop_map(move |(before, texts, calls, behind, shuffle, persons)| Round {
                by,
                before,
                texts,
                calls,
                behind,
                shuffle,
                persons,
            })
    })
}

/// A request as the loop makes one, at any moment of any conversation.
pub(super) fn request() -> impl Strategy<Value = ModelRequest> {
    let choice = prop_oneof![Just(ToolChoice::Auto), Just(ToolChoice::None)];
    let ids = "[0-9a-hjkmnp-tv-z]{22}";
    (words(), spoken(), vec(round(), 0..6), spoken(), any::<bool>(), choice, ids).prop_map(
        |(instructions, first, rounds, last, ask_again, tool_choice, ids)| {
            let mut bodies = vec![Body::Person(first)];
            for (place, round) in rounds.into_iter().enumerate() {
                add(round, place, &ids, &mut bodies);
            }
            let answered = matches!(bodies.last(), Some(Body::Result(_)));
            if ask_again || !answered {
                bodies.push(Body::Person(last));
            }
            let messages = bodies
                .into_iter()
                .map(|body| Message { at: Timestamp(1), body, usage: None })
                .collect();
            ModelRequest {
                instructions,
                messages,
                tools: vec![tool("add"), tool("look_up")],
                tool_choice,
            }
        },
    )
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "Does it.".to_owned(),
        parameters: json!({ "type": "object", "properties": { "n": { "type": "integer" } } }),
        version: "1".to_owned(),
        access: Access::Write,
    }
}

fn add(round: Round, place: usize, ids: &str, bodies: &mut Vec<Body>) {
    let Round { by, before, texts, calls, behind, shuffle, persons } = round;
    let opaque = |block| Content::Opaque(Opaque { provider: by.name().to_owned(), block });
    let mut contents: Vec<_> = before.into_iter().map(opaque).collect();
    contents.extend(texts.into_iter().map(Content::Text));
    let mut results = Vec::new();
    for (n, call) in calls.into_iter().enumerate() {
        let id = CallId(format!("{ids}{place:02}{n:02}"));
        results.push(Body::Result(result(id.clone(), &call)));
        let model_id = format!("{MODEL_ID}_{n}");
        let Call { name, arguments, .. } = call;
        contents.push(Content::Call(ToolCall { id, model_id, name, arguments }));
    }
    contents.extend(behind.into_iter().map(opaque));
    bodies.push(Body::Assistant(contents));
    if !results.is_empty() {
        let start = shuffle.index(results.len());
        results.rotate_left(start);
    }
    bodies.extend(results);
    bodies.extend(persons.into_iter().map(Body::Person));
}

fn result(call: CallId, of: &Call) -> ToolResult {
    let reasons = wording::reasons();
    let refused = |outcome, reason: Option<String>| {
        let decision = decision(outcome, reason);
        (wording::refused(&decision, &reasons), Ending::Refused, Some(decision))
    };
    let (text, ending, decision) = match &of.end {
        End::Ran(text) => (text.clone(), Ending::Ran, None),
        End::Failed(text) => (wording::failed(Some(text)), Ending::Failed, None),
        End::Rejected(reason) => refused(Outcome::Denied, reason.clone()),
        End::Edited(text) => (format!("Run with other arguments: {text}"), Ending::Ran, None),
        End::TimedOut => refused(Outcome::TimedOut, None),
        End::MovedOn => refused(Outcome::MovedOn, None),
        End::Cancelled => refused(Outcome::Cancelled, None),
        End::NotRun => (wording::NOT_RUN.to_owned(), Ending::NotRun, None),
        End::NotFound => (wording::not_found(&of.name), Ending::NotFound, None),
        End::BadArguments => (wording::BAD_ARGUMENTS.to_owned(), Ending::BadArguments, None),
        End::Stopped => (wording::OUTCOME_UNKNOWN.to_owned(), Ending::Unknown, None),
    };
    ToolResult { call, text, ending, decision }
}

fn decision(outcome: Outcome, reason: Option<String>) -> Decision {
    Decision {
        request: RequestId("r".to_owned()),
        outcome,
        basis: Basis::Person,
        reason,
        at: Timestamp(1),
    }
}

/// A conversation with one rule broken, and which.
pub(super) fn broken() -> impl Strategy<Value = (&'static str, ModelRequest)> {
    let break_: fn(&mut ModelRequest, Index) -> &'static str = remove_result;
    let breaks = vec![
        break_,
        double_result,
        orphan_result,
        repeat_call,
        move_result,
        illegal_id,
        long_id,
        no_tools,
        end_with_model,
        begin_with_model,
        say_nothing,
    ];
    (request(), proptest::sample::select(breaks), any::<Index>()).prop_map(
        |(mut request, break_, place)| {
            let name = break_(&mut request, place);
            (name, request)
        },
    )
}

/// Where the results are; a call with one is added if there is none.
fn results(request: &mut ModelRequest) -> Vec<usize> {
    let is_result = |message: &Message| matches!(message.body, Body::Result(_));
    if !request.messages.iter().any(is_result) {
        let call = Call {
            name: "add".to_owned(),
            arguments: Map::new(),
            end: End::Ran("done".to_owned()),
        };
        let id = CallId("zz".to_owned());
        let result = Body::Result(result(id.clone(), &call));
        let Call { name, arguments, .. } = call;
        let call = ToolCall { id, model_id: MODEL_ID.to_owned(), name, arguments };
        let bodies = [Body::Assistant(vec![Content::Call(call)]), result];
        request.messages.extend(bodies.map(|body| Message { at: Timestamp(1), body, usage: None }));
    }
    let places = request.messages.iter().enumerate();
    places.filter(|(_, message)| is_result(message)).map(|(place, _)| place).collect()
}

fn some_result(request: &mut ModelRequest, place: Index) -> usize {
    *place.get(&results(request))
}

fn remove_result(request: &mut ModelRequest, place: Index) -> &'static str {
    let place = some_result(request, place);
    request.messages.remove(place);
    "a call without its result"
}

fn double_result(request: &mut ModelRequest, place: Index) -> &'static str {
    let place = some_result(request, place);
    let again = request.messages[place].clone();
    request.messages.insert(place, again);
    "a result given twice"
}

fn orphan_result(request: &mut ModelRequest, place: Index) -> &'static str {
    let place = some_result(request, place);
    let mut orphan = request.messages[place].clone();
    if let Body::Result(result) = &mut orphan.body {
        result.call = CallId("nobodys".to_owned());
    }
    request.messages.insert(place, orphan);
    "a result without a call"
}

fn move_result(request: &mut ModelRequest, place: Index) -> &'static str {
    let place = some_result(request, place);
    let result = request.messages.remove(place);
    let between = Message { at: Timestamp(1), body: Body::Person("And?".to_owned()), usage: None };
    request.messages.insert(place, between);
    request.messages.insert(place + 1, result);
    "a result behind what the person said"
}

fn repeat_call(request: &mut ModelRequest, place: Index) -> &'static str {
    let place = some_result(request, place);
    let asked = request.messages[..place].iter().rposition(|message| {
        matches!(&message.body, Body::Assistant(contents)
            if contents.iter().any(|content| matches!(content, Content::Call(_))))
    });
    let Body::Assistant(contents) = &request.messages[asked.unwrap()].body else { return "" };
    let Body::Result(result) = &request.messages[place].body else { return "" };
    let is_it =
        |content: &&Content| matches!(content, Content::Call(call) if call.id == result.call);
    let call = contents.iter().find(is_it).cloned();
    let bodies = [Body::Assistant(call.into_iter().collect()), Body::Result(result.clone())];
    request.messages.extend(bodies.map(|body| Message { at: Timestamp(1), body, usage: None }));
    "one id for two calls"
}

fn rename(request: &mut ModelRequest, place: Index, name: &str) {
    let place = some_result(request, place);
    let Body::Result(result) = &mut request.messages[place].body else { return };
    let before = std::mem::replace(&mut result.call, CallId(name.to_owned()));
    for message in &mut request.messages {
        let Body::Assistant(contents) = &mut message.body else { continue };
        for content in contents {
            if let Content::Call(call) = content
                && call.id == before
            {
                call.id = CallId(name.to_owned());
            }
        }
    }
}

fn illegal_id(request: &mut ModelRequest, place: Index) -> &'static str {
    rename(request, place, "not.legal");
    "an id with a dot"
}

fn long_id(request: &mut ModelRequest, place: Index) -> &'static str {
    rename(request, place, &"a".repeat(41));
    "an id of 41 letters"
}

fn no_tools(request: &mut ModelRequest, _: Index) -> &'static str {
    results(request);
    request.tools.clear();
    "calls without tools"
}

fn end_with_model(request: &mut ModelRequest, _: Index) -> &'static str {
    let body = Body::Assistant(vec![Content::Text("Done.".to_owned())]);
    request.messages.push(Message { at: Timestamp(1), body, usage: None });
    request.messages.push(Message {
        at: Timestamp(1),
        body: Body::Person(" \n".to_owned()),
        usage: None,
    });
    "the model at the end"
}

fn begin_with_model(request: &mut ModelRequest, _: Index) -> &'static str {
    let body = Body::Assistant(vec![Content::Text("Welcome.".to_owned())]);
    request.messages.insert(0, Message { at: Timestamp(1), body, usage: None });
    "the model at the beginning"
}

fn say_nothing(request: &mut ModelRequest, _: Index) -> &'static str {
    request
        .messages
        .retain(|message| matches!(&message.body, Body::Person(text) if text.trim().is_empty()));
    "nothing at all"
}
