//! What a run has met. What it should have met and did not fails the run.

use std::collections::BTreeMap;
use std::fmt;

use agent::approval::{Basis, Outcome};
use agent::effect::{Effect, RunEnd, RunError};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::id::RequestId;
use agent::session::{Activity, Session};
use agent::time::Timestamp;

use crate::database::Fate;
use crate::kind::Kind;

/// A thing that can be met: what it happens to, or where, and what it is.
pub type Cell = (&'static str, &'static str);

/// How often each thing was met.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    met: BTreeMap<Cell, u64>,
}

impl Coverage {
    /// Something was met.
    pub fn meet(&mut self, cell: Cell) {
        *self.met.entry(cell).or_default() += 1;
    }

    /// Adds what another run has met.
    pub fn add(&mut self, other: &Self) {
        for (cell, times) in &other.met {
            *self.met.entry(*cell).or_default() += times;
        }
    }

    /// How often something was met.
    #[must_use]
    pub fn times(&self, cell: Cell) -> u64 {
        self.met.get(&cell).copied().unwrap_or(0)
    }

    /// What must be met in so many seeds and was not.
    #[must_use]
    pub fn missing(&self, seeds: u64) -> Vec<Cell> {
        let kinds = Kind::ALL.iter().map(|kind| ("kind", kind.name()));
        let transactions = TRANSACTIONS.iter().flat_map(|of| FATES.map(|fate| (*of, fate)));
        let unkept = WRITES.iter().flat_map(|of| UNKEPT.map(|fate| (*of, fate)));
        let late = LATE.iter().map(|of| (*of, "kept late"));
        let transactions = transactions.chain(unkept).chain(late);
        let required = kinds.chain(transactions).chain(REQUIRED.iter().copied());
        let due = |(of, _): &Cell| seeds >= MANY || !RARE.contains(of);
        required.filter(|cell| due(cell) && self.times(*cell) == 0).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((of, what), times) in &self.met {
            writeln!(f, "{times:>10}  {of}: {what}")?;
        }
        Ok(())
    }
}

const TRANSACTIONS: [&str; 8] =
    ["save", "record", "run", "read", "attempt", "outcome", "resolve", "withdraw"];
/// Those that write.
const WRITES: [&str; 7] = ["save", "record", "run", "attempt", "outcome", "resolve", "withdraw"];
/// Those that may be kept when nobody waits any more. A conversation is everybody's own: what is
/// said in it after that waits behind it.
const LATE: [&str; 6] = ["record", "run", "attempt", "outcome", "resolve", "withdraw"];
const UNKEPT: [&str; 4] = ["no room", "no room at commit", "kept unanswered", "undone unanswered"];
const FATES: [&str; 5] = ["commits", "aborts", "crash before", "crash inside", "crash after"];

/// What happens in few seeds: to meet it in every way takes many of them.
const RARE: [&str; 2] = ["withdraw", "withdrawn"];
const MANY: u64 = 20_000;

/// Every phase with every event that can come to a tab of the page in it, every way to decide,
/// every answer of the store and every end of a run.
const REQUIRED: &[Cell] = &[
    ("awaiting model", "answered"),
    ("awaiting model", "decision recorded"),
    ("awaiting model", "model failed"),
    ("awaiting model", "model replied"),
    ("awaiting model", "resumed"),
    ("awaiting model", "said"),
    ("awaiting model", "time passed"),
    ("awaiting model", "tool finished"),
    ("awaiting person", "answered"),
    ("awaiting person", "cancelled"),
    ("awaiting person", "decision recorded"),
    ("awaiting person", "input unavailable"),
    ("awaiting person", "resumed"),
    ("awaiting person", "said"),
    ("awaiting person", "time passed"),
    ("awaiting person", "tool finished"),
    ("awaiting person", "typed"),
    ("decision", "approved"),
    ("decision", "audit failed"),
    ("decision", "cancelled"),
    ("decision", "denied"),
    ("decision", "input unavailable"),
    ("decision", "moved on"),
    ("decision", "rounds exhausted"),
    ("decision", "rule approved"),
    ("decision", "standing approved"),
    ("decision", "sticky"),
    ("decision", "timed out"),
    ("effect", "ask"),
    ("effect", "ask again"),
    ("effect", "call model"),
    ("effect", "dropped response"),
    ("effect", "finished"),
    ("effect", "ignored"),
    ("effect", "record decision"),
    ("effect", "run tool"),
    ("effect", "save"),
    ("effect", "withdraw approval"),
    ("end", "approval rounds exhausted"),
    ("end", "cancelled"),
    ("end", "max iterations"),
    ("end", "model failed"),
    ("end", "nothing to resume"),
    ("end", "protocol"),
    ("end", "replied"),
    ("end", "terminated"),
    ("end", "tool errors"),
    ("end", "unanswered approval"),
    ("end", "unknown approval"),
    ("end", "unknown tool"),
    ("idle", "answered"),
    ("idle", "cancelled"),
    ("idle", "decision recorded"),
    ("awaiting model", "resolved"),
    ("idle", "resolved"),
    ("idle", "resumed"),
    ("idle", "revoked"),
    ("idle", "said"),
    ("idle", "time passed"),
    ("idle", "tool finished"),
    ("interrupted", "answered"),
    ("interrupted", "cancelled"),
    ("interrupted", "decision recorded"),
    ("interrupted", "resumed"),
    ("interrupted", "said"),
    ("interrupted", "time passed"),
    ("interrupted", "tool finished"),
    ("recorded", "durable"),
    ("recorded", "earlier"),
    ("recorded", "refused"),
    ("recording decisions", "decision recorded"),
    ("running tools", "tool finished"),
    ("open", "after failures"),
    ("open", "another makes way"),
    ("open", "blocked"),
    ("open", "holds a newer version"),
    ("open", "not"),
    ("person", "answers after the deadline"),
    ("read", "undone unanswered"),
    ("reopen", "after failures"),
    ("reopen", "at once"),
    ("reopen", "not"),
    ("record", "closed"),
    ("run", "closed"),
    ("save", "closed"),
    ("running tools", "approval withdrawn"),
    ("tabs", "overtaken"),
    ("withdrawn", "not run"),
    ("withdrawn", "ran before"),
    ("withdrawn", "unknown"),
];

/// A transaction met its fate.
#[must_use]
pub fn transaction(kind: &'static str, fate: Fate) -> Cell {
    let fate = match fate {
        Fate::Commits => "commits",
        Fate::Aborts => "aborts",
        Fate::CrashBefore => "crash before",
        Fate::CrashInside => "crash inside",
        Fate::CrashAfter => "crash after",
        Fate::Full => "no room",
        Fate::FullAtCommit => "no room at commit",
        Fate::UnansweredKept => "kept unanswered",
        Fate::UnansweredUndone => "undone unanswered",
        Fate::UnansweredLate => "kept late",
        Fate::Closed => "closed",
    };
    (kind, fate)
}

/// An event came in a phase.
#[must_use]
pub fn pair(activity: Activity, event: &Event) -> Cell {
    let phase = match activity {
        Activity::Idle => "idle",
        Activity::AwaitingModel => "awaiting model",
        Activity::AwaitingPerson => "awaiting person",
        Activity::RecordingDecisions => "recording decisions",
        Activity::RunningTools => "running tools",
        Activity::Interrupted => "interrupted",
    };
    let event = match event {
        Event::Said(_) => "said",
        Event::Answered { .. } => "answered",
        Event::Typed(_) => "typed",
        Event::Resumed => "resumed",
        Event::Cancelled => "cancelled",
        Event::Revoked(_) => "revoked",
        Event::Resolved(_) => "resolved",
        Event::ModelReplied(_) => "model replied",
        Event::ModelFailed(_) => "model failed",
        Event::DecisionRecorded { .. } => "decision recorded",
        Event::ToolFinished { .. } => "tool finished",
        Event::ApprovalWithdrawn { .. } => "approval withdrawn",
        Event::TimePassed => "time passed",
        Event::InputUnavailable => "input unavailable",
    };
    (phase, event)
}

/// Whether somebody answers what waits and has waited too long.
#[must_use]
pub fn is_late(event: &Event, session: &Session, now: Timestamp) -> bool {
    let Event::Answered { responses, text: _ } = event else { return false };
    let answered = |id: &RequestId| responses.iter().any(|response| response.request == *id);
    session
        .open_requests()
        .any(|it| it.deadline.is_some_and(|deadline| deadline <= now) && answered(&it.id))
}

/// The loop asked for something.
#[must_use]
pub fn effect(effect: &Effect) -> Cell {
    let name = match effect {
        Effect::Save => "save",
        Effect::CallModel(_) => "call model",
        Effect::Ask(request) if request.attempt > 1 => "ask again",
        Effect::Ask(_) => "ask",
        Effect::RecordDecision(_) => "record decision",
        Effect::RunTool(_) => "run tool",
        Effect::WithdrawApproval { .. } => "withdraw approval",
        Effect::Finished(_) => "finished",
        Effect::DroppedResponse(_) => "dropped response",
        Effect::Ignored(_) => "ignored",
    };
    ("effect", name)
}

/// A decision was taken.
#[must_use]
pub fn decision(outcome: Outcome, basis: Basis) -> Cell {
    let name = match (outcome, basis) {
        (Outcome::Approved, Basis::Standing) => "standing approved",
        (Outcome::Approved, Basis::Rule) => "rule approved",
        (Outcome::Approved, Basis::Person | Basis::Loop) => "approved",
        (Outcome::Denied, _) => "denied",
        (Outcome::TimedOut, _) => "timed out",
        (Outcome::Cancelled, _) => "cancelled",
        (Outcome::MovedOn, _) => "moved on",
        (Outcome::InputUnavailable, _) => "input unavailable",
        (Outcome::AuditFailed, _) => "audit failed",
        (Outcome::Sticky, _) => "sticky",
        (Outcome::RoundsExhausted, _) => "rounds exhausted",
    };
    ("decision", name)
}

/// The store answered.
#[must_use]
pub fn recorded(recorded: &Recorded) -> Cell {
    let name = match recorded {
        Recorded::Durable => "durable",
        Recorded::Earlier(_) => "earlier",
        Recorded::Refused => "refused",
    };
    ("recorded", name)
}

/// The store took an approval back, or found what had come of it.
#[must_use]
pub fn withdrawn(outcome: &ToolOutcome) -> Cell {
    let name = match outcome {
        ToolOutcome::Failed { .. } => "not run",
        ToolOutcome::Returned { .. } => "ran before",
        ToolOutcome::Unknown => "unknown",
    };
    ("withdrawn", name)
}

/// A run ended.
#[must_use]
pub fn end(end: &RunEnd) -> Cell {
    let name = match end {
        RunEnd::Replied { .. } => "replied",
        RunEnd::Cancelled => "cancelled",
        RunEnd::Terminated => "terminated",
        RunEnd::Failed(RunError::UnansweredApproval { .. }) => "unanswered approval",
        RunEnd::Failed(RunError::UnknownApproval) => "unknown approval",
        RunEnd::Failed(RunError::NothingToResume) => "nothing to resume",
        RunEnd::Failed(RunError::Model(_)) => "model failed",
        RunEnd::Failed(RunError::Protocol { .. }) => "protocol",
        RunEnd::Failed(RunError::MaxIterations) => "max iterations",
        RunEnd::Failed(RunError::ToolErrors { .. }) => "tool errors",
        RunEnd::Failed(RunError::UnknownTool { .. }) => "unknown tool",
        RunEnd::Failed(RunError::ApprovalRoundsExhausted) => "approval rounds exhausted",
    };
    ("end", name)
}
