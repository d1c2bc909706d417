//! How a run is to behave. Product defaults are here; the bounds behind them have their reasons.

use serde::{Deserialize, Serialize};

use crate::{limits, wording};

/// How a run is to behave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Hold free calls back unseen while a neighbour waits, instead of showing them too.
    pub hold_free_calls: bool,
    /// Show one request, queue the rest.
    pub one_at_a_time: bool,
    /// Honour "always": let an answer cover later calls too.
    pub standing_approvals: bool,
    /// After a no, refuse what would have to be asked later in the same prompt.
    pub sticky_denial: bool,
    /// What a text does while requests wait.
    pub on_new_message: OnNewMessage,
    /// What a call of an unknown tool does.
    pub on_unknown_tool: OnUnknownTool,
    /// Tell the model why a tool failed.
    pub detailed_errors: bool,
    /// Rounds in one run; the model call after the last may not call tools.
    pub iterations_max: u32,
    /// Failing rounds in a row that are tolerated.
    pub consecutive_errors_max: u32,
    /// Rounds of questions in one prompt.
    pub approval_rounds_max: u32,
    /// Rounds in one prompt in which standing approvals and rules may cover calls.
    pub covered_rounds_max: u32,
    /// How long one attempt to reach a person lasts; absent where a request may wait for ever.
    pub approval_timeout_ms: Option<u64>,
    /// Attempts to reach a person before silence is a no.
    pub approval_attempts: u32,
    /// The reasons a model reads behind each kind of no.
    pub reasons: Reasons,
}

impl Settings {
    /// The product's own settings.
    #[must_use]
    pub fn product() -> Self {
        Self {
            hold_free_calls: true,
            one_at_a_time: false,
            standing_approvals: true,
            sticky_denial: true,
            on_new_message: OnNewMessage::RejectPending,
            on_unknown_tool: OnUnknownTool::Result,
            detailed_errors: true,
            iterations_max: limits::ITERATIONS_MAX,
            consecutive_errors_max: limits::CONSECUTIVE_ERRORS_MAX,
            approval_rounds_max: limits::APPROVAL_ROUNDS_MAX,
            covered_rounds_max: limits::COVERED_ROUNDS_MAX,
            approval_timeout_ms: None,
            approval_attempts: 1,
            reasons: wording::reasons(),
        }
    }
}

/// What a text does while requests wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnNewMessage {
    /// It is refused until every shown request is answered.
    Refuse,
    /// It rejects what is open, and partial answers are kept.
    RejectPending,
}

/// What a call of an unknown tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUnknownTool {
    /// The model is told.
    Result,
    /// The run ends.
    EndRun,
}

/// The reasons a model reads behind each kind of no. An empty one adds nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reasons {
    /// A person's no without a reason of their own.
    pub reject: String,
    /// The person said something else instead.
    pub moved_on: String,
    /// An earlier no in the same prompt.
    pub sticky: String,
    /// Nobody answered in time, or nobody could be asked.
    pub timeout: String,
    /// The question was withdrawn.
    pub cancel: String,
    /// The decision could not be recorded.
    pub audit_failure: String,
}
