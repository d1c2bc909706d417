//! Points in time, as the driver's clock gave them.

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The point `ms` milliseconds later; it stops at the end of time instead of wrapping.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `self` to `later`, zero if `later` has passed.
    #[must_use]
    pub fn ms_until(self, later: Self) -> u64 {
        later.0.saturating_sub(self.0)
    }
}

/// What a machine's two clocks show at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The wall clock. It goes on while the machine sleeps, and anybody may set it.
    pub wall: Timestamp,
    /// Milliseconds since some fixed moment. Nobody can set it, and it may stand still in a sleep.
    pub monotonic_ms: u64,
}

/// Time that never goes back, made of clocks of which neither can be trusted alone.
///
/// It begins at the wall clock and goes on with whichever clock went further. So a sleep counts in
/// full, a wall clock that is set back does not hold a deadline off, and one that is set forward can
/// only bring a deadline nearer: doubt about time ends in silence, and silence is a no.
#[derive(Debug, Clone, Copy)]
pub struct SteadyTime {
    now: u64,
    /// What is added to each clock to get the time it stands for.
    wall_offset_ms: i64,
    monotonic_offset_ms: i64,
}

/// How far a clock may lag behind before it goes on from where the other one is. Clocks tick in
/// steps of their own, and taking the larger of each two steps would add up to a time that runs fast.
const LAG_MAX_MS: i64 = 1_000;

impl SteadyTime {
    /// Time that begins at the wall clock.
    #[must_use]
    pub fn starting_at(reading: Reading) -> Self {
        let now = reading.wall.0;
        let monotonic_offset_ms = signed(now).saturating_sub(signed(reading.monotonic_ms));
        Self { now, wall_offset_ms: 0, monotonic_offset_ms }
    }

    /// The time at another reading.
    pub fn at(&mut self, reading: Reading) -> Timestamp {
        let wall = signed(reading.wall.0).saturating_add(self.wall_offset_ms);
        let monotonic = signed(reading.monotonic_ms).saturating_add(self.monotonic_offset_ms);
        let now = signed(self.now).max(wall).max(monotonic);
        for (clock, offset) in
            [(wall, &mut self.wall_offset_ms), (monotonic, &mut self.monotonic_offset_ms)]
        {
            let lag = now.saturating_sub(clock);
            if lag > LAG_MAX_MS {
                *offset = offset.saturating_add(lag);
            }
        }
        self.now = u64::try_from(now).unwrap_or(self.now);
        Timestamp(self.now)
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_796_000_000_000;
    const SECOND: u64 = 1_000;
    const HOUR: u64 = 3_600 * SECOND;
    const DAY: u64 = 24 * HOUR;

    /// What each of two clocks went, in milliseconds; a wall clock may go back.
    #[track_caller]
    fn check(steps: &[(i64, u64)], expected_ms: u64) {
        let mut reading = Reading { wall: Timestamp(START), monotonic_ms: 7 };
        let mut time = SteadyTime::starting_at(reading);
        let mut before = time.at(reading);
        for (wall_ms, monotonic_ms) in steps {
            reading.wall = Timestamp(reading.wall.0.saturating_add_signed(*wall_ms));
            reading.monotonic_ms += monotonic_ms;
            let now = time.at(reading);
            assert!(now >= before, "time went back");
            before = now;
        }
        assert_eq!(before, Timestamp(START + expected_ms), "{steps:?}");
    }

    fn back(ms: u64) -> i64 {
        -signed(ms)
    }

    #[test]
    fn it_goes_on_with_whichever_clock_went_further() {
        check(&[(5_000, 5_000)], 5_000);
        // Asleep: the monotonic clock stood still.
        check(&[(signed(8 * HOUR), 0), (5_000, 5_000)], 8 * HOUR + 5_000);
        // Set back, by an hour or by a day: what went by since is what the other clock says.
        check(&[(back(HOUR), 5_000), (5_000, 5_000)], 10_000);
        check(&[(back(DAY), 0), (5_000, 5_000)], 5_000);
        // Set forward: time is ahead from then on, and goes at its own pace.
        check(&[(signed(HOUR), 0), (5_000, 5_000)], HOUR + 5_000);
        check(&[(signed(DAY), 5_000), (5_000, 5_000)], DAY + 5_000);
    }

    #[test]
    fn no_order_of_sleeps_and_set_clocks_holds_it_up() {
        check(&[(signed(8 * HOUR), 0), (back(HOUR), 0), (5_000, 5_000)], 8 * HOUR + 5_000);
        check(&[(back(HOUR), 0), (signed(8 * HOUR), 0), (5_000, 5_000)], 8 * HOUR + 5_000);
        check(&[(back(DAY), 60_000), (signed(DAY), 60_000)], DAY + 60_000);
    }

    #[test]
    fn clocks_that_tick_in_turns_do_not_make_it_run_fast() {
        let ticks: Vec<_> = (0..10_000).flat_map(|_| [(16, 0), (0, 16)]).collect();
        check(&ticks, 160_000);
    }

    #[test]
    fn clocks_that_drift_apart_do_not_hold_it_up() {
        let drifting: Vec<_> = (0..10_000).map(|_| (990, 1_000)).collect();
        check(&drifting, 10_000_000);
        let drifting: Vec<_> = (0..10_000).map(|_| (1_000, 990)).collect();
        check(&drifting, 10_000_000);
    }
}
