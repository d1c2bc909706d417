//! The days that the figures are about, as the person's calendar has them: a day of 23 or 25 hours
//! is one day.

use agent::time::Timestamp;

/// How many days the figures reach back, today included: five weeks.
pub const DAYS: usize = 35;

/// The days of a week.
pub const WEEK: usize = 7;

/// A day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// When it begins.
    pub start: Timestamp,
    /// Its name for people, as in "27 November".
    pub name: String,
}

/// Days in a row, the last of which is today.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calendar(pub Vec<Day>);

impl Calendar {
    /// When the first day begins.
    #[must_use]
    pub fn start(&self) -> Timestamp {
        self.0.first().map_or(Timestamp::default(), |day| day.start)
    }

    /// Which of the days a time belongs to. What is after today by the clock counts as today.
    #[must_use]
    pub fn index(&self, at: Timestamp) -> Option<usize> {
        self.0.partition_point(|day| day.start <= at).checked_sub(1)
    }

    /// The last `count` days.
    #[must_use]
    pub fn last(&self, count: usize) -> &[Day] {
        self.0.get(self.0.len().saturating_sub(count)..).unwrap_or_default()
    }
}
