//! How long a card still waits, in words that change no more often than they must.

use agent::time::Timestamp;

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;
/// When a card says its time in seconds.
const SOON_MS: u64 = 2 * MINUTE_MS;

/// How long a card still waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeLeft {
    /// In words, as in "9 min left · try 1 of 3".
    pub words: String,
    /// As it is read aloud.
    pub spoken: String,
    /// Whether it is nearly over.
    pub soon: bool,
    /// Whole minutes, rounded up.
    pub minutes: u64,
    /// Which attempt to reach the person this is, from 1. A new one raises the question again.
    pub attempt: u32,
    /// How many attempts there are; after the last, silence is a no.
    pub attempts: u32,
}

impl TimeLeft {
    /// What is shown at `now` of a wait that ends at `deadline`: whole minutes, and seconds when it
    /// is nearly over.
    #[must_use]
    pub fn of(now: Timestamp, deadline: Timestamp, attempt: u32, attempts: u32) -> Self {
        let left_ms = now.ms_until(deadline);
        let (soon, seconds) = (left_ms <= SOON_MS, left_ms.div_ceil(SECOND_MS));
        let minutes = left_ms.div_ceil(MINUTE_MS);
        let left = if soon {
            format!("{}:{:02} left", seconds / 60, seconds % 60)
        } else {
            format!("{minutes} min left")
        };
        let plural = if minutes == 1 { "" } else { "s" };
        Self {
            words: format!("{left} · try {attempt} of {attempts}"),
            spoken: format!("{minutes} minute{plural} left"),
            soon,
            minutes,
            attempt,
            attempts,
        }
    }

    /// When something else is to be shown: the end of the minute or second that is shown at `now`,
    /// and at the latest the deadline itself.
    #[must_use]
    pub fn next_change(now: Timestamp, deadline: Timestamp) -> Timestamp {
        let left_ms = now.ms_until(deadline);
        let shown_ms = if left_ms <= SOON_MS { SECOND_MS } else { MINUTE_MS };
        let left_then_ms = left_ms.saturating_sub(1) / shown_ms * shown_ms;
        now.plus_ms(left_ms - left_then_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEADLINE: Timestamp = Timestamp(1_796_000_000_000);

    fn shown(left_ms: u64) -> TimeLeft {
        TimeLeft::of(Timestamp(DEADLINE.0 - left_ms), DEADLINE, 1, 3)
    }

    #[test]
    fn the_time_that_is_left_is_said_in_minutes_and_at_last_in_seconds() {
        for (left_ms, words, soon) in [
            (600_000, "10 min left · try 1 of 3", false),
            (540_001, "10 min left · try 1 of 3", false),
            (540_000, "9 min left · try 1 of 3", false),
            (120_001, "3 min left · try 1 of 3", false),
            (120_000, "2:00 left · try 1 of 3", true),
            (61_001, "1:02 left · try 1 of 3", true),
            (1, "0:01 left · try 1 of 3", true),
            (0, "0:00 left · try 1 of 3", true),
        ] {
            let left = shown(left_ms);
            assert_eq!((&*left.words, left.soon), (words, soon));
        }
    }

    #[test]
    fn what_is_shown_changes_at_the_next_change_and_not_before() {
        for left_ms in (1..=200_000).step_by(7).chain((599_000..=601_000).step_by(3)) {
            let now = Timestamp(DEADLINE.0 - left_ms);
            let next = TimeLeft::next_change(now, DEADLINE);
            assert!(now < next && next <= DEADLINE, "{left_ms} ms left");
            let before = Timestamp(next.0 - 1);
            assert_eq!(TimeLeft::of(before, DEADLINE, 1, 3), shown(left_ms), "{left_ms} ms left");
            assert_ne!(TimeLeft::of(next, DEADLINE, 1, 3), shown(left_ms), "{left_ms} ms left");
        }
    }

    #[test]
    fn nothing_is_left_to_wait_for_behind_the_deadline() {
        assert_eq!(TimeLeft::next_change(DEADLINE, DEADLINE), DEADLINE);
        let late = DEADLINE.plus_ms(5_000);
        assert_eq!(TimeLeft::next_change(late, DEADLINE), late);
    }
}
