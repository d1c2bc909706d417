//! The model: what it replies, at random, and what it may be sent.

use agent::id::CallId;
use agent::message::{Body, Content, ToolCall};
use agent::model::{
    ModelError, ModelErrorKind, ModelReply, ModelRequest, ProposedCall, ReplyContent, StopReason,
    Usage,
};
use serde_json::{Map, Value, json};

use crate::agents;
use crate::checker::calls;
use crate::kind::{Dice, Kind};
use crate::tools;

/// Argument texts that nobody should read anything out of: a key given twice, the end missing, a
/// number that is none, something behind the end, no object.
const UNREADABLE: [&str; 5] = [
    r#"{"item":"eggs","item":"poison","quantity":"12"}"#,
    r#"{"item":"eggs","quan"#,
    r#"{"item":"eggs","quantity":NaN}"#,
    r#"{"item":"eggs","quantity":"12"}{"item":"poison"}"#,
    r#"["eggs","12"]"#,
];

/// A call as the model means it.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    id: String,
    name: String,
    /// Its arguments as the model writes them.
    text: String,
    /// What they say; none if the text cannot be read.
    arguments: Option<Map<String, Value>>,
}

impl Proposal {
    /// Whether a recorded call is this one.
    #[must_use]
    pub fn is(&self, call: &ToolCall) -> bool {
        call.model_id == self.id
            && call.name == self.name
            && call.arguments == self.arguments.clone().unwrap_or_default()
    }

    fn new(id: String, name: String, arguments: Map<String, Value>) -> Self {
        let text = Value::Object(arguments.clone()).to_string();
        Self { id, name, text, arguments: Some(arguments) }
    }

    /// A call as it came. Its text can be read if it is as long as the model writes what it means: a
    /// key that is given twice would be lost.
    #[must_use]
    pub fn as_came(id: String, name: String, text: String) -> Self {
        let read =
            serde_json::from_str(&text).map(|read| Self::new(id.clone(), name.clone(), read));
        let read = read.ok().filter(|read| read.text.len() == length(&text));
        read.unwrap_or(Self { id, name, text, arguments: None })
    }
}

/// How long a text of JSON is without the blanks between its words.
fn length(text: &str) -> usize {
    let (mut quoted, mut escaped, mut length) = (false, false, 0);
    for letter in text.chars() {
        let blank = !quoted && letter.is_ascii_whitespace();
        length += if blank { 0 } else { letter.len_utf8() };
        quoted ^= letter == '"' && !escaped;
        escaped = quoted && letter == '\\' && !escaped;
    }
    length
}

/// What came of a call of the model.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A whole reply, and the calls it means.
    Reply(ModelReply, Vec<Proposal>),
    /// None.
    Failure(ModelError),
}

impl Answer {
    /// A reply of words alone.
    #[must_use]
    pub fn words(text: &str) -> Self {
        let content = vec![ReplyContent::Text(text.to_owned())];
        Self::Reply(reply(content, StopReason::EndTurn), Vec::new())
    }

    /// A reply of calls alone.
    #[must_use]
    pub fn calls(proposals: Vec<Proposal>) -> Self {
        let content = proposals.iter().map(|it| proposed(it, None)).collect();
        Self::Reply(reply(content, StopReason::ToolUse), proposals)
    }
}

/// A call of the kitchen's tools.
#[must_use]
pub fn proposal(id: &str, name: &str, arguments: &Value) -> Proposal {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    Proposal::new(id.to_owned(), name.to_owned(), arguments)
}

fn reply(content: Vec<ReplyContent>, stop: StopReason) -> ModelReply {
    ModelReply { content, stop, usage: Usage::default() }
}

fn proposed(proposal: &Proposal, provider_result: Option<String>) -> ReplyContent {
    ReplyContent::Call(ProposedCall {
        id: proposal.id.clone(),
        name: proposal.name.clone(),
        arguments: proposal.text.clone(),
        provider_result,
    })
}

/// What the model says to a request.
#[must_use]
pub fn answer(dice: &mut Dice, request: &ModelRequest) -> Answer {
    if dice.rolls(Kind::FailsBefore, 14) {
        return failure(
            dice,
            &[
                ModelErrorKind::ProxyUnreachable,
                ModelErrorKind::Transport,
                ModelErrorKind::Overloaded,
            ],
        );
    }
    if dice.rolls(Kind::FailsAfter, 20) {
        return failure(dice, &[ModelErrorKind::CutOff, ModelErrorKind::LengthLimit]);
    }
    if dice.rolls(Kind::Stalls, 40) {
        return failure(dice, &[ModelErrorKind::Timeout]);
    }
    if dice.rolls(Kind::Refuses, 40) {
        let limit = ModelErrorKind::RateLimit { retry_after_s: Some(30) };
        return failure(dice, &[ModelErrorKind::Unauthorized, ModelErrorKind::BadRequest, limit]);
    }
    if dice.rolls(Kind::Garbled, 40) {
        return failure(dice, &[ModelErrorKind::Protocol]);
    }
    if dice.rolls(Kind::EmptyReply, 25) {
        return Answer::Reply(reply(Vec::new(), StopReason::EndTurn), Vec::new());
    }
    if dice.is_calm() || dice.chance(if dice.is_insistent() { 30 } else { 3 }) {
        dice.meet(Kind::Words);
        return Answer::words("The list is as it is.");
    }
    calling(dice, request)
}

fn failure(dice: &mut Dice, kinds: &[ModelErrorKind]) -> Answer {
    let kind = dice.pick(kinds).cloned().unwrap_or(ModelErrorKind::Transport);
    Answer::Failure(ModelError { kind, message: "it failed".to_owned() })
}

fn calling(dice: &mut Dice, request: &ModelRequest) -> Answer {
    let several = dice.rolls(Kind::SeveralCalls, 2);
    let count = if several { 2 + dice.below(3) } else { 1 };
    let mut proposals: Vec<Proposal> =
        (0..count).map(|index| propose(dice, request, index)).collect();
    if !several {
        dice.meet(Kind::OneCall);
    }
    if dice.is_insistent() {
        dice.meet(Kind::Insists);
    }
    let free = |it: &Proposal| it.name == "get_shopping_list";
    if proposals.iter().any(free) && !proposals.iter().all(free) {
        dice.meet(Kind::FreeAndGated);
    }
    hand_over(dice, request, &mut proposals);
    break_rules(dice, &mut proposals);
    let provided = dice.rolls(Kind::ProviderResult, 20).then(|| "It is ten o'clock.".to_owned());
    let mut content: Vec<_> = proposals.iter().map(|it| proposed(it, None)).collect();
    if let (Some(result), Some(ReplyContent::Call(call))) = (provided, content.first_mut()) {
        call.provider_result = Some(result);
    }
    if dice.rolls(Kind::BlankWords, 6) {
        content.insert(0, ReplyContent::Text(" \n".to_owned()));
    } else if dice.chance(2) {
        content.insert(0, ReplyContent::Text("I will change the list.".to_owned()));
    }
    let cut = dice.rolls(Kind::CutReply, 25);
    let stop = if cut { StopReason::MaxTokens } else { StopReason::ToolUse };
    Answer::Reply(reply(content, stop), proposals)
}

/// Hands over to another agent, beside what was called or in its place.
fn hand_over(dice: &mut Dice, request: &ModelRequest, proposals: &mut Vec<Proposal>) {
    let handoff = |place: usize, to: &str| {
        let id = format!("handoff_{}_{place}", request.messages.len());
        proposal(&id, &agents::handoff(to), &json!({"reason": "It is for you."}))
    };
    let other = agents::targets(request).next();
    if let Some(other) = other
        && dice.rolls(Kind::HandsOver, 6)
    {
        if dice.chance(2) {
            proposals.clear();
        } else if proposals.iter().any(|it| it.name != "get_shopping_list") {
            dice.meet(Kind::HandsOverBeside);
        }
        proposals.insert(dice.below(proposals.len() + 1), handoff(0, other));
        if dice.rolls(Kind::HandsOverTwice, 6) {
            let other = if dice.chance(2) { other } else { agents::asked(request) };
            proposals.push(handoff(1, other));
        }
    }
    for (place, kind, to) in [
        (2, Kind::HandsOverToItself, agents::asked(request)),
        (3, Kind::HandsOverToNobody, "nobody"),
    ] {
        if dice.rolls(kind, 30) {
            proposals.push(handoff(place, to));
        }
    }
}

/// What no reply should do, and some do.
fn break_rules(dice: &mut Dice, proposals: &mut Vec<Proposal>) {
    let Some(first) = proposals.first().cloned() else { return };
    if dice.rolls(Kind::CallRepeated, 10) {
        proposals.push(first.clone());
    }
    if dice.rolls(Kind::IdForTwoCalls, 25) {
        let name = "check_off_item".to_owned();
        proposals.push(Proposal::new(first.id.clone(), name, Map::new()));
    }
    if dice.rolls(Kind::CallWithoutId, 30) {
        proposals.push(Proposal { id: String::new(), ..first.clone() });
    }
    if dice.rolls(Kind::TooManyCalls, 30) {
        proposals.extend((0..17).map(|n| Proposal { id: format!("many{n}"), ..first.clone() }));
    }
}

fn propose(dice: &mut Dice, request: &ModelRequest, index: usize) -> Proposal {
    let (mut name, mut arguments) = what(dice, request);
    let earlier: Vec<&ToolCall> = request.messages.iter().flat_map(calls).collect();
    let reused = !earlier.is_empty() && index == 0 && dice.rolls(Kind::IdReused, 4);
    let id = match dice.pick(&earlier) {
        Some(call) if reused => call.model_id.clone(),
        Some(_) | None => format!("call_{}_{index}", request.messages.len()),
    };
    let again = if dice.is_habitual() { 2 } else { 6 };
    if let Some(call) = dice.pick(&earlier)
        && dice.rolls(Kind::ProposesAgain, again)
    {
        (name, arguments) = (call.name.clone(), call.arguments.clone());
    }
    if dice.rolls(Kind::UnknownTool, 14) {
        return Proposal::new(id, "order_pizza".to_owned(), arguments);
    }
    if dice.rolls(Kind::UnreadableArguments, 14) {
        let text = dice.pick(&UNREADABLE).map_or_else(String::new, |text| (*text).to_owned());
        return Proposal { id, name, text, arguments: None };
    }
    if dice.rolls(Kind::MisfitArguments, 14) {
        return proposal(&id, &name, &json!({"item": 12, "approved": true}));
    }
    Proposal::new(id, name, arguments)
}

/// A call of a tool that is offered, for the most part.
fn what(dice: &mut Dice, request: &ModelRequest) -> (String, Map<String, Value>) {
    let meant = any(dice);
    if agents::has(agents::asked(request), &meant.0) || dice.rolls(Kind::ToolOfAnother, 6) {
        return meant;
    }
    let own = match agents::asked(request) {
        agents::KITCHEN => ("add_to_shopping_list", json!({"item": "eggs", "quantity": "12"})),
        _ => ("check_off_item", json!({"item": "eggs", "checked": true})),
    };
    (own.0.to_owned(), own.1.as_object().cloned().unwrap_or_default())
}

fn any(dice: &mut Dice) -> (String, Map<String, Value>) {
    let item = *dice.pick(&["eggs", "milk", "bread", "crème fraîche"]).unwrap_or(&"eggs");
    let quantity = *dice.pick(&["12", "1 l", "500 g", ""]).unwrap_or(&"12");
    let (name, arguments) = match dice.below(12) {
        0 | 1 => ("get_shopping_list", json!({})),
        2..=4 => ("add_to_shopping_list", json!({"item": item, "quantity": quantity})),
        5 => ("update_shopping_item", json!({"item": item, "quantity": quantity})),
        6 => ("remove_from_shopping_list", json!({"item": item})),
        7..=10 => (tools::LETTER, json!({"to": item})),
        _ => ("check_off_item", json!({"item": item, "checked": true})),
    };
    (name.to_owned(), arguments.as_object().cloned().unwrap_or_default())
}

/// Whether every provider takes a request: each call has exactly one result, right behind it, no
/// text is blank, and the last word is not the model's.
///
/// # Errors
/// What is wrong with it.
pub fn is_valid(request: &ModelRequest) -> Result<(), String> {
    let mut owed: Vec<&CallId> = Vec::new();
    for message in &request.messages {
        let blank = match &message.body {
            Body::Result(result) => {
                if owed.first() != Some(&&result.call) {
                    return Err("a result without its call before it".to_owned());
                }
                owed.remove(0);
                continue;
            }
            Body::Person(text) | Body::Note(text) => text.trim().is_empty(),
            Body::Assistant(content) => content.is_empty() || content.iter().any(is_blank),
        };
        if blank {
            return Err("an empty text".to_owned());
        }
        if !owed.is_empty() {
            return Err("a call without its result behind it".to_owned());
        }
        owed = calls(message).map(|call| &call.id).collect();
    }
    match request.messages.last().map(|message| &message.body) {
        _ if !owed.is_empty() => Err("a call without its result at the end".to_owned()),
        Some(Body::Assistant(_)) => Err("the model's words at the end".to_owned()),
        Some(Body::Person(_) | Body::Result(_) | Body::Note(_)) => Ok(()),
        None => Err("nothing in it".to_owned()),
    }
}

fn is_blank(piece: &Content) -> bool {
    matches!(piece, Content::Text(text) if text.trim().is_empty())
}
