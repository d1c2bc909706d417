//! How a run is to behave. Product defaults are here; the bounds behind them have their reasons.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::approval::Policy;
use crate::{limits, wording};

/// How a run is to behave.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Which tools are asked about.
    pub policy: Policy,
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
            policy: Policy::declared(),
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
            approval_timeout_ms: Some(Wait::default().attempt_ms()),
            approval_attempts: Wait::default().attempts(),
            reasons: wording::reasons(),
        }
    }

    /// These settings with another wait for a person.
    #[must_use]
    pub fn waiting(self, wait: Wait) -> Self {
        Self {
            approval_timeout_ms: Some(wait.attempt_ms()),
            approval_attempts: wait.attempts(),
            ..self
        }
    }
}

/// How long a person is waited for: some attempts of some minutes each, both within their bounds,
/// so that no wait is endless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "UncheckedWait")]
pub struct Wait {
    attempts: u32,
    minutes: u32,
}

/// A wait as it was stored, by whatever version of the program.
#[derive(Deserialize)]
struct UncheckedWait {
    attempts: u32,
    minutes: u32,
}

impl Wait {
    /// A wait of that many attempts of that many minutes; what is out of bounds becomes the bound.
    #[must_use]
    pub fn new(attempts: u32, minutes: u32) -> Self {
        let within =
            |value: u32, bounds: RangeInclusive<u32>| value.clamp(*bounds.start(), *bounds.end());
        Self {
            attempts: within(attempts, limits::ATTEMPTS),
            minutes: within(minutes, limits::ATTEMPT_MINUTES),
        }
    }

    /// How many attempts there are.
    #[must_use]
    pub fn attempts(self) -> u32 {
        self.attempts
    }

    /// How many minutes one attempt lasts.
    #[must_use]
    pub fn minutes(self) -> u32 {
        self.minutes
    }

    /// How long one attempt lasts, in milliseconds.
    #[must_use]
    pub fn attempt_ms(self) -> u64 {
        u64::from(self.minutes) * 60_000
    }
}

impl Default for Wait {
    fn default() -> Self {
        Self::new(limits::ATTEMPTS_DEFAULT, limits::ATTEMPT_MINUTES_DEFAULT)
    }
}

impl From<UncheckedWait> for Wait {
    fn from(UncheckedWait { attempts, minutes }: UncheckedWait) -> Self {
        Self::new(attempts, minutes)
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
