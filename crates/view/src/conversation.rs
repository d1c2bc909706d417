//! The conversation: what was said, the receipts of what was asked, and what went wrong.

use agent::approval::Decision;
use agent::handoff;
use agent::id::CallId;
use agent::message::{Body, Content, Message, ToolCall, ToolResult};
use agent::time::Timestamp;
use agent::window;
use kitchen::Change;

use crate::agents;
use crate::card::Asked;
use crate::claim::{self, Claim};
use crate::markdown;
use crate::marks::Marked;
use crate::notice::Notice;
use crate::receipt::{Receipt, Undo};
use crate::scene::{Problem, Streaming};

/// One piece of the conversation, in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The same for the same piece, as long as it says the same.
    pub key: String,
    /// When it came.
    pub at: Timestamp,
    /// What it is.
    pub body: TurnBody,
}

/// What a piece of the conversation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnBody {
    /// Words of the person.
    Person(String),
    /// Words of the assistant: markdown, read by [`markdown::parse`] where it is shown, so that a
    /// long conversation is not read again whenever something is added.
    Assistant(String),
    /// The agent that goes on from here.
    HandedOver(&'static str),
    /// What stayed of a card.
    Receipt(Box<Receipt>),
    /// A problem.
    Notice(Box<Notice>),
}

/// A reply that streams in, cut into what is laid out for good and what still grows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Streamed {
    /// Markdown whose blocks are complete; it only grows.
    pub closed: String,
    /// The words after it, without a word that is still being written.
    pub open: String,
}

/// Bytes of a word that is still being written from which on it is shown all the same: some
/// scripts have no blanks.
const HELD_BACK_MAX: usize = 32;

impl Streamed {
    /// Cuts what has come so far; `None` if there are no words yet.
    #[must_use]
    pub fn of(streaming: &Streaming) -> Option<Self> {
        let text = streaming.text.as_str();
        let (closed, open) = text.split_at_checked(markdown::closed_len(text))?;
        let whole = open
            .rfind(char::is_whitespace)
            .filter(|at| open.len() - at <= HELD_BACK_MAX)
            .map_or(open.len().saturating_sub(HELD_BACK_MAX), |at| at);
        let whole = (0..=whole).rev().find(|at| open.is_char_boundary(*at)).unwrap_or(0);
        let open = open.get(..whole).unwrap_or_default();
        (!closed.is_empty() || !open.trim().is_empty())
            .then(|| Self { closed: closed.to_owned(), open: open.to_owned() })
    }
}

/// The conversation so far. `decided` are the calls of the reply that is being carried out that no
/// card shows any more: their results are not in the messages yet.
#[must_use]
pub fn turns(
    messages: &[Message],
    problems: &[Problem],
    changes: &[Change],
    decided: &[Asked<'_>],
) -> Vec<Turn> {
    let mut turns = Vec::with_capacity(messages.len());
    let mut problems = problems.iter().peekable();
    for (number, message) in messages.iter().enumerate() {
        while let Some(problem) = problems.next_if(|problem| problem.after <= number) {
            turns.extend(of_unsent(problem, message.at));
            turns.push(of_problem(problem, messages, message.at));
        }
        match &message.body {
            Body::Person(text) => turns.push(Turn {
                key: message_key(number, message.at),
                at: message.at,
                body: TurnBody::Person(text.clone()),
            }),
            Body::Assistant(content) => {
                let after = messages.get(number + 1..).unwrap_or_default();
                let asked = turns.len();
                of_reply(number, message.at, content, after, changes, &mut turns);
                if let Some(notice) = hold_to_its_words(&mut turns, asked) {
                    turns.insert(asked + 1, notice);
                }
            }
            Body::Result(_) | Body::Note(_) => {}
        }
    }
    let last = messages.last().map_or(Timestamp::default(), |message| message.at);
    for asked in decided {
        if let Some(decision) = asked.decision {
            turns.push(of_receipt(asked.call, decision, asked.result, changes));
        }
    }
    for problem in problems {
        turns.extend(of_unsent(problem, last));
        turns.push(of_problem(problem, messages, last));
    }
    turns
}

fn of_reply(
    number: usize,
    at: Timestamp,
    content: &[Content],
    after: &[Message],
    changes: &[Change],
    turns: &mut Vec<Turn>,
) {
    let mut text = String::new();
    let mut receipts = Vec::new();
    let mut handed_over = None;
    for piece in content {
        match piece {
            Content::Text(words) => {
                if !text.is_empty() && !words.trim().is_empty() {
                    text.push_str("\n\n");
                }
                text.push_str(words);
            }
            Content::Call(call) => {
                let Some(result) = result_of(after, &call.id) else { continue };
                if let Some(decision) = &result.decision {
                    receipts.push(of_receipt(call, decision, Some(result), changes));
                }
                // Of several the last counts.
                handed_over = handoff::taken(&call.name, result).or(handed_over);
            }
            Content::Opaque(_) => {}
        }
    }
    if !text.trim().is_empty() {
        turns.push(Turn { key: message_key(number, at), at, body: TurnBody::Assistant(text) });
    }
    turns.extend(receipts);
    if handed_over.is_some() {
        let body = TurnBody::HandedOver(agents::title(handed_over));
        turns.push(Turn { key: message_key(number, at) + "h", at, body });
    }
}

/// Holds what the reply at `index` claims against the receipts before it, back to what the person
/// said; what is not so gets a notice.
fn hold_to_its_words(turns: &mut [Turn], index: usize) -> Option<Turn> {
    let (before, reply) = turns.split_at_mut(index);
    let Turn { key, at, body: TurnBody::Assistant(text) } = reply.first()? else { return None };
    let asked = before.iter().rposition(|turn| matches!(turn.body, TurnBody::Person(_)));
    let mut receipts: Vec<_> = before
        .iter_mut()
        .skip(asked.unwrap_or(0))
        .filter_map(|turn| match &mut turn.body {
            TurnBody::Receipt(receipt) => Some((&mut turn.key, receipt)),
            TurnBody::Person(_)
            | TurnBody::Assistant(_)
            | TurnBody::HandedOver(_)
            | TurnBody::Notice(_) => None,
        })
        .collect();
    if receipts.is_empty() {
        return None;
    }
    let name =
        |receipt: &Receipt| receipt.lines.first().map_or(String::new(), |line| line.name.spoken());
    let names: Vec<_> = receipts.iter().map(|(_, receipt)| name(receipt)).collect();
    let mut done = Marked::default();
    for ((key, receipt), claim) in receipts.iter_mut().zip(claim::of(text, &names)) {
        let Some(claim) = claim else { continue };
        key.push_str(if claim == Claim::Done { ".done" } else { ".not" });
        if receipt.hold(claim) {
            done = done.and(receipt.truth());
        }
    }
    (!done.0.is_empty()).then(|| Turn {
        key: format!("{key}.untrue"),
        at: *at,
        body: TurnBody::Notice(Box::new(Notice::untrue(done))),
    })
}

/// A place in the transcript and when it was filled: a text that was taken back and the one after it
/// stand in the same place.
fn message_key(number: usize, at: Timestamp) -> String {
    format!("m{number}.{}", at.0)
}

fn of_receipt(
    call: &ToolCall,
    decision: &Decision,
    result: Option<&ToolResult>,
    changes: &[Change],
) -> Turn {
    let receipt = Receipt::of(call, decision, result, changes);
    let stage = match (&receipt.told, receipt.undo) {
        (None, _) => "allowed",
        (Some(_), Undo::Nothing) => "done",
        (Some(_), Undo::Can(_)) => "changed",
        (Some(_), Undo::Done) => "undone",
    };
    Turn {
        key: format!("r{}.{stage}", call.id),
        at: decision.at,
        body: TurnBody::Receipt(Box::new(receipt)),
    }
}

/// A text that was not sent stays where the person wrote it, above the notice that says so.
fn of_unsent(problem: &Problem, at: Timestamp) -> Option<Turn> {
    let text = problem.cause.unsent()?.to_owned();
    Some(Turn { key: format!("u{}", problem.number), at, body: TurnBody::Person(text) })
}

/// Says where the part begins that the model is sent, if that is not the whole conversation.
pub(crate) fn mark_what_is_sent(turns: &mut Vec<Turn>, messages: &[Message]) {
    let sent = window::of(messages);
    let from = messages.len() - sent.len();
    let Some(first) = sent.first().filter(|_| from > 0) else { return };
    let key = message_key(from, first.at);
    if let Some(place) = turns.iter().position(|turn| turn.key == key) {
        let body = TurnBody::Notice(Box::new(Notice::not_sent()));
        turns.insert(place, Turn { key: format!("from{from}"), at: first.at, body });
    }
}

/// Texts on their way.
pub(crate) fn being_sent(texts: &[&str], at: Timestamp) -> impl Iterator<Item = Turn> {
    texts.iter().enumerate().map(move |(number, text)| Turn {
        key: format!("sent{number}"),
        at,
        body: TurnBody::Person((*text).to_owned()),
    })
}

fn of_problem(problem: &Problem, messages: &[Message], at: Timestamp) -> Turn {
    Turn {
        key: format!("p{}", problem.number),
        at,
        body: TurnBody::Notice(Box::new(Notice::of(problem, messages))),
    }
}

/// The calls of a message.
pub(crate) fn calls_of(message: &Message) -> impl Iterator<Item = &ToolCall> {
    let content = match &message.body {
        Body::Assistant(content) => content.as_slice(),
        Body::Person(_) | Body::Result(_) | Body::Note(_) => &[],
    };
    content.iter().filter_map(|piece| match piece {
        Content::Call(call) => Some(call),
        Content::Text(_) | Content::Opaque(_) => None,
    })
}

/// A call of the transcript.
#[must_use]
pub fn call_of<'a>(messages: &'a [Message], id: &CallId) -> Option<&'a ToolCall> {
    messages.iter().flat_map(calls_of).find(|call| call.id == *id)
}

/// The result of a call. The results of a reply follow it, before the next reply.
pub(crate) fn result_of<'a>(messages: &'a [Message], call: &CallId) -> Option<&'a ToolResult> {
    messages
        .iter()
        .filter_map(|message| match &message.body {
            Body::Result(result) => Some(result),
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
        })
        .find(|result| result.call == *call)
}
