//! The two kinds of record: who permitted, and what happened. One is never the other. Where it is
//! unknown what happened, [`crate::resolution`] follows.

use serde::{Deserialize, Serialize};

use crate::approval::{Basis, Decision, Outcome};
use crate::id::{CallId, PromptId, RequestId, SessionId};
use crate::time::Timestamp;
use crate::tool::Access;

/// A decision. It is durable before anything acts on it. Arguments stay out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEvent {
    /// The request that was decided; a second record for it is never written.
    pub request: RequestId,
    /// The conversation.
    pub session: SessionId,
    /// The prompt within it.
    pub prompt: PromptId,
    /// The call.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// A keyed digest of the canonical arguments, in hexadecimal.
    pub arguments_digest: String,
    /// What was decided.
    pub outcome: Outcome,
    /// On what it rests.
    pub basis: Basis,
    /// The person's reason, if there was one. A store keeps it apart, where it can be forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Which round of questions of its prompt it belongs to, counted from one; zero if nothing had
    /// been asked in it.
    #[serde(default)]
    pub round: u32,
    /// How many attempts to reach a person there were.
    pub attempts: u32,
    /// When the question was raised.
    pub requested_at: Timestamp,
    /// When it was decided.
    pub decided_at: Timestamp,
    /// The version of the policy it was decided under; 0 before there were versions.
    #[serde(default)]
    pub policy_version: u32,
    /// On whose behalf it was decided.
    #[serde(default = "household")]
    pub operator: String,
    /// The class the policy on trial has for the tool; absent where the policy counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_be: Option<Access>,
}

impl AuditEvent {
    /// The decision that it records.
    #[must_use]
    pub fn into_decision(self) -> Decision {
        let Self { request, outcome, basis, reason, decided_at: at, .. } = self;
        Decision { request, outcome, basis, reason, at }
    }
}

/// The one operator there is, until a household tells its people apart.
pub const HOUSEHOLD: &str = "household";

fn household() -> String {
    HOUSEHOLD.to_owned()
}

/// What happened to an approved call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionEvent {
    /// The request it ran under.
    pub request: RequestId,
    /// The conversation.
    pub session: SessionId,
    /// The call.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// What happened.
    pub outcome: ExecutionOutcome,
    /// What the model was told. A store keeps it apart, where it can be forgotten.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub result: String,
    /// When.
    pub at: Timestamp,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionOutcome {
    /// It ran.
    Ran,
    /// It failed and changed nothing.
    Failed,
    /// The program stopped meanwhile: it may have run.
    Unknown,
}
