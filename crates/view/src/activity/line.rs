//! A line of the activity page, and what opens under it.

use agent::approval::{Basis, Decision, Outcome};
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::message::ToolCall;
use agent::resolution::ResolutionEvent;
use agent::time::Timestamp;
use agent::tool::Access;
use store::records::Record;

use crate::activity::RecordKind;
use crate::activity::filter::{End, Filter};
use crate::activity::history::{Held, History};
use crate::card::json;
use crate::line::EffectLine;
use crate::marks::Marked;
use crate::receipt::{Sign, Tone, allowed, sign_of, sign_of_execution, word};

/// A line of the activity page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityLine {
    /// The same for the same line.
    pub key: String,
    /// When; absent if that cannot be read.
    pub at: Option<Timestamp>,
    /// Whether somebody decided, or something happened; absent if that cannot be read.
    pub kind: Option<RecordKind>,
    /// What, in a word.
    pub word: &'static str,
    /// Its weight.
    pub tone: Tone,
    /// Its sign.
    pub sign: Sign,
    /// What it was about, in the conversation's words; absent where that is gone.
    pub about: Option<Marked>,
    /// The tool's name for people.
    pub title: &'static str,
    /// The tool's name.
    pub tool: Marked,
    /// On what it rests, or what came of it.
    pub basis: Marked,
    /// Everything else the record says.
    pub details: Vec<Detail>,
    /// The arguments as JSON, where the conversation still has them.
    pub json: Option<Marked>,
}

/// One thing a record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// What it is.
    pub name: &'static str,
    /// What it says.
    pub value: DetailValue,
}

/// What a record says about one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DetailValue {
    /// Words, a name or a number.
    Text(Marked),
    /// A point in time.
    Time(Timestamp),
}

/// The lines that are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// The lines, latest first.
    pub shown: Vec<ActivityLine>,
    /// How many more of the held records there are like these.
    pub more: usize,
}

impl Lines {
    /// The latest lines that the filter shows, at most `limit`.
    #[must_use]
    pub fn of(history: &History, filter: Filter, limit: usize) -> Self {
        let mut fitting = history.held().rev().filter(|held| filter.shows(held));
        let shown = fitting.by_ref().take(limit).map(ActivityLine::of).collect();
        Self { shown, more: fitting.count() }
    }
}

impl ActivityLine {
    fn of(held: &Held) -> Self {
        let number = held.entry.at.number;
        let line = match &held.entry.record {
            Ok(Record::Decision(event)) => of_decision(event, held.call.as_ref()),
            Ok(Record::Execution(event)) => of_execution(event, held.call.as_ref()),
            Ok(Record::Resolution(event)) => of_resolution(event, held.call.as_ref()),
            Err(why) => damaged(why),
        };
        let known = if held.call.is_some() { "about" } else { "alone" };
        let chain =
            [text("record", &number.to_string()), text("record digest", &held.entry.at.digest)];
        Self {
            key: format!("{number}.{known}"),
            details: line.details.into_iter().chain(chain).collect(),
            ..line
        }
    }
}

fn of_decision(event: &AuditEvent, call: Option<&ToolCall>) -> ActivityLine {
    let decision = Decision {
        request: event.request.clone(),
        outcome: event.outcome,
        basis: event.basis,
        reason: event.reason.clone(),
        at: event.decided_at,
    };
    ActivityLine {
        key: String::new(),
        at: Some(event.decided_at),
        kind: Some(RecordKind::Decision),
        word: short(event.outcome),
        tone: allowed(&decision).tone,
        sign: sign_of(event.outcome),
        about: call.map(about),
        title: kitchen::title(&event.tool),
        tool: Marked::of(&event.tool),
        basis: basis(&decision, event.attempts),
        details: [
            text("request", &event.request.0),
            text("call", &event.call.0),
            text("conversation", &event.session.0),
            text("arguments digest", &event.arguments_digest),
            text("attempts", &event.attempts.to_string()),
            time("requested", event.requested_at),
            time("decided", event.decided_at),
            text("policy version", &event.policy_version.to_string()),
            text("on behalf of", &event.operator),
        ]
        .into_iter()
        .chain(event.would_be.map(|class| text("policy on trial", on_trial(class))))
        .collect(),
        json: call.map(json),
    }
}

/// What the policy that is on trial would have made of the tool.
fn on_trial(class: Access) -> &'static str {
    match class {
        Access::Read => "it would run without asking",
        Access::Write => "it would be asked about",
        Access::AlwaysAsk => "it would be asked about every time",
        Access::Unavailable => "it would not run",
    }
}

fn tone_of(outcome: ExecutionOutcome) -> Tone {
    match outcome {
        ExecutionOutcome::Ran => Tone::Quiet,
        ExecutionOutcome::Failed => Tone::No,
        ExecutionOutcome::Unknown => Tone::Open,
    }
}

fn of_execution(event: &ExecutionEvent, call: Option<&ToolCall>) -> ActivityLine {
    ActivityLine {
        key: String::new(),
        at: Some(event.at),
        kind: Some(RecordKind::Execution),
        word: End::Happened(event.outcome).title(),
        tone: tone_of(event.outcome),
        sign: sign_of_execution(event.outcome),
        about: call.map(about),
        title: kitchen::title(&event.tool),
        tool: Marked::of(&event.tool),
        basis: Marked::of(&event.result),
        details: vec![
            text("request", &event.request.0),
            text("call", &event.call.0),
            text("conversation", &event.session.0),
            time("happened", event.at),
        ],
        json: call.map(json),
    }
}

fn of_resolution(event: &ResolutionEvent, call: Option<&ToolCall>) -> ActivityLine {
    ActivityLine {
        key: String::new(),
        at: Some(event.at),
        kind: Some(RecordKind::Resolution),
        word: End::Followed(event.step).title(),
        tone: tone_of(event.step.outcome()),
        sign: sign_of_execution(event.step.outcome()),
        about: call.map(about),
        title: kitchen::title(&event.tool),
        tool: Marked::of(&event.tool),
        basis: if event.step.is_of_a_person() {
            Marked::ours("You")
        } else {
            Marked::of(&event.result)
        },
        details: vec![
            text("request", &event.request.0),
            text("call", &event.call.0),
            text("conversation", &event.session.0),
            time("at", event.at),
            text("on behalf of", &event.operator),
        ],
        json: call.map(json),
    }
}

/// It is shown as what it is, and the rest is shown beside it.
fn damaged(why: &str) -> ActivityLine {
    ActivityLine {
        key: String::new(),
        at: None,
        kind: None,
        word: "Damaged",
        tone: Tone::No,
        sign: Sign::Failed,
        about: None,
        title: "This record cannot be read",
        tool: Marked::default(),
        basis: Marked::default(),
        details: vec![text("why", why)],
        json: None,
    }
}

fn text(name: &'static str, value: &str) -> Detail {
    Detail { name, value: DetailValue::Text(Marked::of(value)) }
}

fn time(name: &'static str, at: Timestamp) -> Detail {
    Detail { name, value: DetailValue::Time(at) }
}

fn short(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Sticky | Outcome::RoundsExhausted => "Not asked",
        Outcome::Approved
        | Outcome::Denied
        | Outcome::TimedOut
        | Outcome::Cancelled
        | Outcome::MovedOn
        | Outcome::InputUnavailable
        | Outcome::AuditFailed => End::Decided(outcome).title(),
    }
}

fn basis(decision: &Decision, attempts: u32) -> Marked {
    match (decision.outcome, decision.basis, &decision.reason) {
        (Outcome::Denied, Basis::Person, Some(reason)) => {
            let mut words = Marked::ours("You: ");
            words.0.extend(Marked::of(reason).0);
            words
        }
        (Outcome::Approved | Outcome::Denied, Basis::Person, _) if attempts > 1 => {
            Marked::ours(&format!("You, on try {attempts}"))
        }
        (Outcome::Approved | Outcome::Denied, Basis::Person, _) => Marked::ours("You"),
        (_, Basis::Standing, _) => Marked::ours("Your rule"),
        (_, Basis::Rule, _) => Marked::ours("A rule of the app"),
        (outcome, Basis::Person | Basis::Loop, _) => Marked::ours(word(outcome)),
    }
}

fn about(call: &ToolCall) -> Marked {
    let line = EffectLine::of_call(call);
    let mut words = line.name;
    words.0.extend(Marked::ours(", ").0);
    words.0.extend(line.now.0);
    words
}
