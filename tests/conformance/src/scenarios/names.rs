//! The names that scenarios have for what the loop says.

use agent::approval::{Basis, Outcome};
use agent::effect::RunError;
use agent::model::ModelErrorKind;

/// A decision, as records of scenarios call it.
pub(super) fn decision(outcome: Outcome, basis: Basis) -> &'static str {
    match (outcome, basis) {
        (Outcome::Approved, Basis::Person | Basis::Loop) => "approved",
        (Outcome::Approved, Basis::Standing) => "standing_approved",
        (Outcome::Approved, Basis::Rule) => "rule_approved",
        (Outcome::Denied, _) => "denied",
        (Outcome::TimedOut, _) => "timed_out",
        (Outcome::Cancelled, _) => "cancelled",
        (Outcome::MovedOn, _) => "superseded",
        (Outcome::InputUnavailable, _) => "input_unavailable",
        (Outcome::AuditFailed, _) => "denied_audit",
        (Outcome::Sticky, _) => "denied_sticky",
        (Outcome::RoundsExhausted, _) => "rounds_exhausted",
    }
}

/// The kind of an error, and its message where it has one.
pub(super) fn error(error: &RunError) -> (&'static str, Option<&str>) {
    match error {
        RunError::UnansweredApproval { message } => ("unanswered_approval", Some(message)),
        RunError::UnknownApproval => ("unknown_approval", None),
        RunError::NothingToResume => ("nothing_to_resume", None),
        RunError::Model(error) => (model_error(&error.kind), Some(&error.message)),
        RunError::Protocol { message } => ("protocol", Some(message)),
        RunError::MaxIterations => ("max_iterations", None),
        RunError::ToolErrors { message } => ("tool_errors", Some(message)),
        RunError::UnknownTool { .. } => ("unknown_tool", None),
        RunError::ApprovalRoundsExhausted => ("approval_rounds_exhausted", None),
    }
}

fn model_error(kind: &ModelErrorKind) -> &'static str {
    match kind {
        ModelErrorKind::RateLimit { .. } => "rate_limit",
        ModelErrorKind::Timeout => "timeout",
        ModelErrorKind::Cancelled => "cancelled",
        ModelErrorKind::Protocol | ModelErrorKind::LengthLimit => "protocol",
        ModelErrorKind::ProxyUnreachable
        | ModelErrorKind::Transport
        | ModelErrorKind::CutOff
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Unauthorized
        | ModelErrorKind::UnknownModel
        | ModelErrorKind::BadRequest => "transport",
    }
}
