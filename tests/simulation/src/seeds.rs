//! Which seeds are played, and what they came to together.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{panic, thread};

use crate::coverage::Coverage;
use crate::schedule::{Played, play};

/// Seeds that found something once, and are played ever since. A seed is a schedule as long as the
/// simulation draws what it draws now; what must never come back has a test of its own too.
const PAST: &str = include_str!("../seeds.txt");

/// After so many failures the rest would say the same.
const FAILURES_MAX: usize = 10;

/// The seeds that found something once.
#[must_use]
pub fn past() -> Vec<u64> {
    let lines = PAST.lines().filter_map(|line| line.split_whitespace().next());
    lines.filter_map(|word| word.parse().ok()).collect()
}

/// How many threads play seeds side by side.
#[must_use]
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// What many seeds came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Seeds that were played.
    pub seeds: u64,
    /// Steps of loops in all of them.
    pub steps: u64,
    /// The most steps of one seed, and which seed it was.
    pub longest: (u64, u64),
    /// What was met in all of them.
    pub coverage: Coverage,
    /// Seeds in which something did not hold, each with a line that says how to play it again.
    pub failures: Vec<(u64, String)>,
}

impl Tally {
    /// Plays seeds, one after the other.
    #[must_use]
    pub fn of(seeds: impl IntoIterator<Item = u64>) -> Self {
        let mut tally = Self::default();
        for seed in seeds {
            tally.count(seed, play(seed, None));
            if tally.failures.len() >= FAILURES_MAX {
                break;
            }
        }
        tally
    }

    /// Plays seeds on all cores. It comes to the same as [`Tally::of`], unless there are failures:
    /// then which of them are found first is left to chance.
    #[must_use]
    pub fn on_all_cores(seeds: &Range<u64>) -> Self {
        const AT_ONCE: u64 = 50;
        let (next, failures) = (AtomicU64::new(seeds.start), AtomicU64::new(0));
        let play = || {
            let mut tally = Self::default();
            while failures.load(Ordering::Relaxed) < FAILURES_MAX as u64 {
                let from = next.fetch_add(AT_ONCE, Ordering::Relaxed);
                if from >= seeds.end {
                    break;
                }
                let played = Self::of(from..seeds.end.min(from + AT_ONCE));
                failures.fetch_add(played.failures.len() as u64, Ordering::Relaxed);
                tally.add(played);
            }
            tally
        };
        let mut tally = Self::default();
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads()).map(|_| scope.spawn(play)).collect();
            for thread in threads {
                tally.add(thread.join().unwrap_or_else(|why| panic::resume_unwind(why)));
            }
        });
        tally.failures.sort();
        tally
    }

    fn count(&mut self, seed: u64, played: Played) {
        let Played { steps, coverage, violation } = played;
        self.seeds += 1;
        self.steps += steps;
        self.longest = self.longest.max((steps, seed));
        self.coverage.add(&coverage);
        if let Some(violation) = violation {
            let again = format!("cargo run --release -p simulation -- --tell {seed}");
            self.failures.push((seed, format!("{again}  # {violation}")));
        }
    }

    fn add(&mut self, other: Self) {
        let Self { seeds, steps, longest, coverage, failures } = other;
        self.seeds += seeds;
        self.steps += steps;
        self.longest = self.longest.max(longest);
        self.coverage.add(&coverage);
        self.failures.extend(failures);
    }
}
