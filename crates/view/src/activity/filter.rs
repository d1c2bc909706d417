//! Which records are shown.

use agent::approval::Outcome;
use agent::audit::ExecutionOutcome;
use agent::resolution::ResolutionStep;
use store::records::Record;

use crate::activity::RecordKind;
use crate::activity::history::Held;

/// Which records are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Filter {
    /// Of which kind; of either if there is none.
    pub kind: Option<RecordKind>,
    /// With which end; with any if there is none.
    pub end: Option<End>,
}

/// How a question or a call came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It was decided so.
    Decided(Outcome),
    /// It happened so.
    Happened(ExecutionOutcome),
    /// It was unknown how it happened, and this followed.
    Followed(ResolutionStep),
}

impl End {
    /// Every end, in the order in which they are offered.
    pub const ALL: [Self; 18] = [
        Self::Decided(Outcome::Approved),
        Self::Decided(Outcome::Denied),
        Self::Decided(Outcome::TimedOut),
        Self::Decided(Outcome::MovedOn),
        Self::Decided(Outcome::Cancelled),
        Self::Decided(Outcome::InputUnavailable),
        Self::Decided(Outcome::AuditFailed),
        Self::Decided(Outcome::Sticky),
        Self::Decided(Outcome::RoundsExhausted),
        Self::Happened(ExecutionOutcome::Ran),
        Self::Happened(ExecutionOutcome::Failed),
        Self::Happened(ExecutionOutcome::Unknown),
        Self::Followed(ResolutionStep::Check),
        Self::Followed(ResolutionStep::TryAgain),
        Self::Followed(ResolutionStep::MarkedDone),
        Self::Followed(ResolutionStep::MarkedNotDone),
        Self::Followed(ResolutionStep::AnsweredDone),
        Self::Followed(ResolutionStep::AnsweredNotDone),
    ];

    /// Of which kind of record it is.
    #[must_use]
    pub fn kind(self) -> RecordKind {
        match self {
            Self::Decided(_) => RecordKind::Decision,
            Self::Happened(_) => RecordKind::Execution,
            Self::Followed(_) => RecordKind::Resolution,
        }
    }

    /// Its name for people, unlike that of any other.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Decided(outcome) => match outcome {
                Outcome::Approved => "Allowed",
                Outcome::Denied => "Denied",
                Outcome::TimedOut => "Timed out",
                Outcome::Cancelled => "Withdrawn",
                Outcome::MovedOn => "Moved on",
                Outcome::InputUnavailable => "Nobody there",
                Outcome::AuditFailed => "Not kept",
                Outcome::Sticky => "Not asked, after a no",
                Outcome::RoundsExhausted => "Not asked, too many rounds",
            },
            Self::Happened(outcome) => match outcome {
                ExecutionOutcome::Ran => "Ran",
                ExecutionOutcome::Failed => "Failed",
                ExecutionOutcome::Unknown => "Unknown",
            },
            Self::Followed(step) => match step {
                ResolutionStep::Check => "Checked",
                ResolutionStep::TryAgain => "Tried again",
                ResolutionStep::MarkedDone => "Marked as done",
                ResolutionStep::MarkedNotDone => "Marked as not done",
                ResolutionStep::AnsweredDone => "Answered: done",
                ResolutionStep::AnsweredNotDone => "Answered: not done",
            },
        }
    }

    fn of(record: &Record) -> Self {
        match record {
            Record::Decision(event) => Self::Decided(event.outcome),
            Record::Execution(event) => Self::Happened(event.outcome),
            Record::Resolution(event) => Self::Followed(event.step),
        }
    }
}

impl Filter {
    /// The ends that can be chosen beside the kind.
    pub fn ends(self) -> impl Iterator<Item = End> {
        End::ALL.into_iter().filter(move |end| self.kind.is_none_or(|kind| end.kind() == kind))
    }

    /// The same with another kind; an end that the kind does not have is given up.
    #[must_use]
    pub fn of_kind(self, kind: Option<RecordKind>) -> Self {
        let fits = |end: &End| kind.is_none_or(|kind| end.kind() == kind);
        Self { kind, end: self.end.filter(fits) }
    }

    /// Whether a record is shown. One that cannot be read has neither kind nor end.
    #[must_use]
    pub fn shows(self, held: &Held) -> bool {
        let Some(end) = held.record().map(End::of) else { return self == Self::default() };
        self.kind.is_none_or(|kind| kind == end.kind()) && self.end.is_none_or(|it| it == end)
    }
}
