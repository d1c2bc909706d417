//! What the transcript says: who speaks now, what was proposed before, and what came of it.

use agent::message::{Body, Content, Ending, Message, ToolCall, ToolResult};
use agent::wording;

/// How the result of a call begins that a decision refused; a reason may follow.
const REJECTED: &str = "Tool call invocation rejected.";

/// What is to be answered.
#[derive(Debug)]
pub(crate) enum Turn<'a> {
    /// The person wrote something; the calls are those of the reply before it.
    Person {
        /// Their words.
        text: String,
        /// What was proposed last, and what came of it.
        before: Vec<Proposal<'a>>,
    },
    /// The calls of the last reply have their results.
    Results {
        /// What the person had asked.
        text: String,
        /// The calls.
        proposals: Vec<Proposal<'a>>,
    },
}

/// A call and what came of it.
#[derive(Debug)]
pub(crate) struct Proposal<'a> {
    /// The call.
    pub(crate) call: &'a ToolCall,
    /// What came of it.
    pub(crate) fate: Fate<'a>,
}

/// What came of a call, as far as a result's text says. Only the first says that it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate<'a> {
    /// It ran and returned this.
    Done(&'a str),
    /// A person said no, with a reason of their own or without.
    Denied(Option<&'a str>),
    /// The person wrote something else instead of answering.
    MovedOn,
    /// An earlier no refused it.
    Sticky,
    /// Nobody answered in time.
    TimedOut,
    /// The question was withdrawn.
    Cancelled,
    /// The approval could not be recorded.
    NotRecorded,
    /// It may have run.
    Unknown,
    /// It did not run or did not work, and this is why.
    Failed(&'a str),
}

impl Fate<'_> {
    /// Whether it was a person who kept it from running, without saying no to the thing itself.
    pub(crate) fn may_be_proposed_again(self) -> bool {
        match self {
            Self::MovedOn | Self::TimedOut => true,
            Self::Done(_)
            | Self::Denied(_)
            | Self::Sticky
            | Self::Cancelled
            | Self::NotRecorded
            | Self::Unknown
            | Self::Failed(_) => false,
        }
    }
}

/// Reads who speaks now.
pub(crate) fn turn(messages: &[Message]) -> Turn<'_> {
    let is_reply = |message: &Message| matches!(message.body, Body::Assistant(_));
    let last_reply = messages.iter().rposition(is_reply);
    let since = messages.get(last_reply.map_or(0, |place| place + 1)..).unwrap_or_default();
    let earlier = messages.get(..last_reply.map_or(0, |place| place + 1)).unwrap_or_default();
    let text = words_of(since);
    if text.is_empty() && since.iter().any(|it| matches!(it.body, Body::Result(_))) {
        let asked = earlier.iter().rposition(|it| matches!(it.body, Body::Person(_)));
        let asked = asked.and_then(|place| messages.get(place..=place)).unwrap_or_default();
        return Turn::Results { text: words_of(asked), proposals: proposals(messages) };
    }
    // What was proposed since the text before this one.
    let this_text = messages.len() - since.len();
    let before = earlier.iter().rposition(|it| matches!(it.body, Body::Person(_))).unwrap_or(0);
    let exchange = messages.get(before..).filter(|_| before < this_text).unwrap_or_default();
    Turn::Person { text, before: proposals(exchange) }
}

fn words_of(messages: &[Message]) -> String {
    let texts = messages.iter().filter_map(|message| match &message.body {
        Body::Person(text) => Some(text.as_str()),
        Body::Assistant(_) | Body::Result(_) | Body::Note(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The calls of the last reply that has any, each with its result.
fn proposals(messages: &[Message]) -> Vec<Proposal<'_>> {
    let calls = messages.iter().rev().find_map(|message| {
        let calls: Vec<_> = calls_of(message).collect();
        (!calls.is_empty()).then_some(calls)
    });
    let result_of = |call: &ToolCall| {
        messages.iter().rev().find_map(|message| match &message.body {
            Body::Result(result) if result.call == call.id => Some(result),
            Body::Result(_) | Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
        })
    };
    let proposal = |call| Some(Proposal { call, fate: fate(result_of(call)?) });
    calls.unwrap_or_default().into_iter().filter_map(proposal).collect()
}

/// The calls in a message.
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

fn fate(result: &ToolResult) -> Fate<'_> {
    let text = result.text.as_str();
    if matches!(result.ending, Ending::Ran | Ending::Provider) {
        return Fate::Done(text);
    }
    if text == wording::OUTCOME_UNKNOWN {
        return Fate::Unknown;
    }
    let Some(reason) = text.strip_prefix(REJECTED) else {
        return Fate::Failed(text);
    };
    let (reason, known) = (reason.trim(), wording::reasons());
    if reason.is_empty() || reason == known.reject {
        Fate::Denied(None)
    } else if reason == known.moved_on {
        Fate::MovedOn
    } else if reason == known.sticky {
        Fate::Sticky
    } else if reason == known.timeout {
        Fate::TimedOut
    } else if reason == known.cancel {
        Fate::Cancelled
    } else if reason == known.audit_failure {
        Fate::NotRecorded
    } else {
        Fate::Denied(Some(reason))
    }
}
