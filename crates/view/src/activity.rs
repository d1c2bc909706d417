//! The activity page: decisions and executions, each a line of its own.

use agent::approval::{Basis, Decision, Outcome};
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::id::CallId;
use agent::message::{Message, ToolCall};
use agent::time::Timestamp;

use crate::card::json;
use crate::conversation::calls_of;
use crate::line::EffectLine;
use crate::marks::Marked;
use crate::receipt::{Sign, Tone, allowed, sign_of, sign_of_execution, word};
use store::records::Record;

/// A line of the activity page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityLine {
    /// The same for the same record.
    pub key: String,
    /// When.
    pub at: Timestamp,
    /// Whether somebody decided, or something happened.
    pub kind: RecordKind,
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
    /// The arguments as JSON, where the conversation still has them.
    pub json: Option<Marked>,
    /// The keyed digest of the arguments, of a decision.
    pub digest: Option<String>,
    /// The request's id, the same for a decision and its execution.
    pub request: String,
}

/// The two kinds of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// Who permitted.
    Decision,
    /// What happened.
    Execution,
}

impl RecordKind {
    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Execution => "execution",
        }
    }
}

/// The lines of the activity page, latest first.
#[must_use]
pub fn lines(records: &[Record], messages: &[Message]) -> Vec<ActivityLine> {
    records
        .iter()
        .rev()
        .map(|record| match record {
            Record::Decision(event) => of_decision(event, messages),
            Record::Execution(event) => of_execution(event, messages),
        })
        .collect()
}

fn of_decision(event: &AuditEvent, messages: &[Message]) -> ActivityLine {
    let call = call_of(messages, &event.call);
    let decision = Decision {
        request: event.request.clone(),
        outcome: event.outcome,
        basis: event.basis,
        reason: event.reason.clone(),
        at: event.decided_at,
    };
    ActivityLine {
        key: format!("d{}", event.request),
        at: event.decided_at,
        kind: RecordKind::Decision,
        word: short(event.outcome),
        tone: allowed(&decision).tone,
        sign: sign_of(event.outcome),
        about: call.map(about),
        title: kitchen::title(&event.tool),
        tool: Marked::of(&event.tool),
        basis: basis(&decision, event.attempts),
        json: call.map(json),
        digest: Some(event.arguments_digest.clone()),
        request: event.request.0.clone(),
    }
}

fn of_execution(event: &ExecutionEvent, messages: &[Message]) -> ActivityLine {
    let call = call_of(messages, &event.call);
    let (word, tone) = match event.outcome {
        ExecutionOutcome::Ran => ("Ran", Tone::Quiet),
        ExecutionOutcome::Failed => ("Failed", Tone::No),
        ExecutionOutcome::Unknown => ("Unknown", Tone::Open),
    };
    ActivityLine {
        key: format!("x{}", event.request),
        at: event.at,
        kind: RecordKind::Execution,
        word,
        tone,
        sign: sign_of_execution(event.outcome),
        about: call.map(about),
        title: kitchen::title(&event.tool),
        tool: Marked::of(&event.tool),
        basis: Marked::of(&event.result),
        json: call.map(json),
        digest: None,
        request: event.request.0.clone(),
    }
}

fn short(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Approved => "Allowed",
        Outcome::Denied => "Denied",
        Outcome::TimedOut => "Timed out",
        Outcome::Cancelled => "Withdrawn",
        Outcome::MovedOn => "Moved on",
        Outcome::InputUnavailable => "Nobody there",
        Outcome::AuditFailed => "Not kept",
        Outcome::Sticky | Outcome::RoundsExhausted => "Not asked",
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

fn call_of<'a>(messages: &'a [Message], id: &CallId) -> Option<&'a ToolCall> {
    messages.iter().flat_map(calls_of).find(|call| call.id == *id)
}

fn about(call: &ToolCall) -> Marked {
    let line = EffectLine::of_call(call);
    let mut words = line.name;
    words.0.extend(Marked::ours(", ").0);
    words.0.extend(line.now.0);
    words
}
