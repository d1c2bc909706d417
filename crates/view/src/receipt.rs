//! What stays of a card: whether it was allowed, whether it ran, and everything that was shown.

use agent::approval::{Basis, Decision, Outcome};
use agent::audit::ExecutionOutcome;
use agent::id::{CallId, RequestId};
use agent::message::{Ending, ToolCall, ToolResult};
use agent::time::Timestamp;
use kitchen::{Change, ChangeId};

use crate::card::{Argument, arguments, json};
use crate::claim::Claim;
use crate::line::EffectLine;
use crate::marks::Marked;
use crate::resolution::WayOn;

/// What stays of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The call.
    pub call: CallId,
    /// The request that was answered.
    pub request: RequestId,
    /// The tool's name for people.
    pub title: &'static str,
    /// The tool's name.
    pub tool: Marked,
    /// What it did, or would have done.
    pub lines: Vec<EffectLine>,
    /// What was decided.
    pub outcome: Outcome,
    /// Its sign.
    pub sign: Sign,
    /// Whether it was allowed.
    pub allowed: Truth,
    /// When that was decided.
    pub decided_at: Timestamp,
    /// Whether it ran.
    pub ran: Truth,
    /// When that became known, where it was unknown before.
    pub known_at: Option<Timestamp>,
    /// What a person may do where it is unknown.
    pub ways: Vec<WayOn>,
    /// Whether the reply that followed says so too; absent where it claims nothing.
    pub claimed: Option<Truth>,
    /// What the model was told, in the tool's words; absent while it runs.
    pub told: Option<Marked>,
    /// How it can be taken back.
    pub undo: Undo,
    /// The arguments, whole.
    pub arguments: Vec<Argument>,
    /// The arguments as JSON, whole.
    pub json: Marked,
}

/// Something that is so, in words and by its weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// In words.
    pub words: Marked,
    /// By its weight.
    pub tone: Tone,
}

/// The weight of a truth. The words carry it; colour repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It was allowed, or it happened.
    Yes,
    /// It was refused by a person, or it failed.
    No,
    /// It is not known, or not yet.
    Open,
    /// It did not happen, and nobody said no.
    Quiet,
}

/// A sign, by its shape: solid for what happened, outlined for what did not, dashed for what is
/// open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It ran with a person's yes.
    Ran,
    /// It ran without asking.
    RanByRule,
    /// It is allowed and not done yet.
    Running,
    /// It failed.
    Failed,
    /// A person said no.
    Denied,
    /// Time went by.
    TimedOut,
    /// The person said something else.
    MovedOn,
    /// It was closed without a person's no.
    Closed,
    /// It may have run.
    Unknown,
}

/// How a change can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undo {
    /// There is nothing to take back.
    Nothing,
    /// It can be taken back.
    Can(ChangeId),
    /// It was taken back.
    Done,
}

impl Receipt {
    /// The receipt of a call with a decision. Without a result it is allowed and still runs.
    #[must_use]
    pub fn of(
        call: &ToolCall,
        decision: &Decision,
        result: Option<&ToolResult>,
        changes: &[Change],
    ) -> Self {
        let ending = result.map(|result| result.ending);
        let change =
            changes.iter().rfind(|change| change.request.as_ref() == Some(&decision.request));
        let lines = match change {
            Some(change) if !change.lines.is_empty() => {
                change.lines.iter().map(EffectLine::of_change).collect()
            }
            Some(_) | None => vec![EffectLine::of_call(call)],
        };
        Self {
            call: call.id.clone(),
            request: decision.request.clone(),
            title: kitchen::title(&call.name),
            tool: Marked::of(&call.name),
            lines,
            outcome: decision.outcome,
            sign: sign(decision, ending),
            allowed: allowed(decision),
            decided_at: decision.at,
            ran: ran(decision, ending),
            known_at: None,
            ways: Vec::new(),
            claimed: None,
            told: result.map(|result| Marked::of(&result.text)),
            undo: match change {
                Some(change) if change.undone => Undo::Done,
                Some(change) => Undo::Can(change.id),
                None => Undo::Nothing,
            },
            arguments: arguments(call),
            json: json(call),
        }
    }

    /// Whether it did happen; `None` where that is not known, or not yet.
    fn happened(&self) -> Option<bool> {
        match self.sign {
            Sign::Ran | Sign::RanByRule => Some(true),
            Sign::Failed | Sign::Denied | Sign::TimedOut | Sign::MovedOn | Sign::Closed => {
                Some(false)
            }
            Sign::Running | Sign::Unknown => None,
        }
    }

    /// Holds a claim against what happened. True if it is one of success that there was none of.
    pub(crate) fn hold(&mut self, claim: Claim) -> bool {
        let Some(happened) = self.happened() else { return false };
        let agrees = happened == (claim == Claim::Done);
        let (words, tone) =
            if agrees { ("Reply agrees", Tone::Quiet) } else { ("Reply says otherwise", Tone::No) };
        self.claimed = Some(Truth { words: Marked::ours(words), tone });
        !agrees && !happened
    }

    /// Says that the answer was given in another tab, where this one showed the question too.
    pub(crate) fn say_elsewhere(&mut self) {
        let words = match self.outcome {
            Outcome::Approved => "Allowed in another tab",
            Outcome::Denied => "Denied in another tab",
            Outcome::MovedOn => "Something else was said in another tab",
            Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted => return,
        };
        self.allowed.words = Marked::ours(words);
    }

    /// What is so of it, in a sentence or two: "eggs: Denied by you. Did not run. "
    pub(crate) fn truth(&self) -> Marked {
        let names = self.lines.iter().map(|line| line.name.clone());
        Marked::joined(names, ", ")
            .and(Marked::ours(": "))
            .and(self.allowed.words.clone())
            .and(Marked::ours(". "))
            .and(self.ran.words.clone())
            .and(Marked::ours(". "))
    }

    /// As it is announced: "eggs, not on the list becomes 12. Allowed by you. Ran."
    #[must_use]
    pub fn announcement(&self) -> String {
        let lines: Vec<_> = self.lines.iter().map(EffectLine::spoken).collect();
        format!(
            "{}. {}. {}.",
            lines.join(", "),
            self.allowed.words.spoken(),
            self.ran.words.spoken()
        )
    }
}

/// Whether it was allowed, in words.
pub(crate) fn allowed(decision: &Decision) -> Truth {
    let tone = match decision.outcome {
        Outcome::Approved => Tone::Yes,
        Outcome::Denied | Outcome::AuditFailed => Tone::No,
        Outcome::TimedOut
        | Outcome::Cancelled
        | Outcome::MovedOn
        | Outcome::InputUnavailable
        | Outcome::Sticky
        | Outcome::RoundsExhausted => Tone::Quiet,
    };
    let mut words = Marked::ours(&format!(
        "{}{}",
        word(decision.outcome),
        by(decision.outcome, decision.basis)
    ));
    if let (Outcome::Denied, Some(reason)) = (decision.outcome, &decision.reason) {
        words = words.and(Marked::ours(": ")).and(Marked::of(reason));
    }
    Truth { words, tone }
}

/// An outcome in a word or two.
pub(crate) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Approved => "Allowed",
        Outcome::Denied => "Denied",
        Outcome::TimedOut => "No answer in time",
        Outcome::Cancelled => "Question withdrawn",
        Outcome::MovedOn => "You said something else",
        Outcome::InputUnavailable => "Nobody could be asked",
        Outcome::AuditFailed => "Could not be written down, so it counts as a no",
        Outcome::Sticky => "Not asked: you said no to this request",
        Outcome::RoundsExhausted => "Not asked: too many rounds of questions",
    }
}

fn by(outcome: Outcome, basis: Basis) -> &'static str {
    match (outcome, basis) {
        (Outcome::Approved | Outcome::Denied, Basis::Person) => " by you",
        (Outcome::Approved | Outcome::Denied, Basis::Standing) => " by your rule",
        (Outcome::Approved | Outcome::Denied, Basis::Rule) => " by a rule of the app",
        (
            Outcome::Approved
            | Outcome::Denied
            | Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::MovedOn
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted,
            Basis::Person | Basis::Standing | Basis::Rule | Basis::Loop,
        ) => "",
    }
}

fn ran(decision: &Decision, ending: Option<Ending>) -> Truth {
    let (words, tone) = match (ending, decision.outcome) {
        (Some(Ending::Ran), _) => ("Ran", Tone::Quiet),
        (Some(Ending::Provider), _) => ("Ran at the provider", Tone::Quiet),
        (Some(Ending::Failed), _) => ("Failed, nothing changed", Tone::No),
        (Some(Ending::Unknown), _) => {
            ("May have run. Look before you ask for it again", Tone::Open)
        }
        (Some(Ending::Refused | Ending::NotRun | Ending::NotFound | Ending::BadArguments), _) => {
            ("Did not run", Tone::Quiet)
        }
        (None, Outcome::Approved) => ("Not done yet", Tone::Open),
        (
            None,
            Outcome::Denied
            | Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::MovedOn
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted,
        ) => ("Did not run", Tone::Quiet),
    };
    Truth { words: Marked::ours(words), tone }
}

fn sign(decision: &Decision, ending: Option<Ending>) -> Sign {
    match (ending, decision.outcome) {
        (Some(Ending::Ran | Ending::Provider), _) => match decision.basis {
            Basis::Person | Basis::Loop => Sign::Ran,
            Basis::Standing | Basis::Rule => Sign::RanByRule,
        },
        (Some(Ending::Failed), _) => Sign::Failed,
        (Some(Ending::Unknown), _) => Sign::Unknown,
        (None, Outcome::Approved) => Sign::Running,
        (_, outcome) => sign_of(outcome),
    }
}

/// The sign of a decision alone.
pub(crate) fn sign_of(outcome: Outcome) -> Sign {
    match outcome {
        Outcome::Approved => Sign::Ran,
        Outcome::Denied => Sign::Denied,
        Outcome::TimedOut => Sign::TimedOut,
        Outcome::MovedOn => Sign::MovedOn,
        Outcome::AuditFailed => Sign::Failed,
        Outcome::Cancelled
        | Outcome::InputUnavailable
        | Outcome::Sticky
        | Outcome::RoundsExhausted => Sign::Closed,
    }
}

/// The sign of an execution alone.
pub(crate) fn sign_of_execution(outcome: ExecutionOutcome) -> Sign {
    match outcome {
        ExecutionOutcome::Ran => Sign::Ran,
        ExecutionOutcome::Failed => Sign::Failed,
        ExecutionOutcome::Unknown => Sign::Unknown,
    }
}
