//! Which seeds are played, and what they came to together.

use crate::coverage::Coverage;
use crate::schedule::{Played, play};

/// Seeds that found something once, and are played ever since. A seed is a schedule as long as the
/// simulation draws what it draws now; what must never come back has a test of its own too.
const PAST: &str = include_str!("../seeds.txt");

/// The seeds that found something once.
#[must_use]
pub fn past() -> Vec<u64> {
    let lines = PAST.lines().filter_map(|line| line.split_whitespace().next());
    lines.filter_map(|word| word.parse().ok()).collect()
}

/// What many seeds came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Seeds that were played.
    pub seeds: u64,
    /// Steps of loops in all of them.
    pub steps: u64,
    /// What was met in all of them.
    pub coverage: Coverage,
    /// A line for each seed in which something did not hold. It says how to play it again.
    pub failures: Vec<String>,
}

impl Tally {
    /// Plays seeds. After some failures the rest would say the same.
    #[must_use]
    pub fn of(seeds: impl IntoIterator<Item = u64>) -> Self {
        const FAILURES_MAX: usize = 10;
        let mut tally = Self::default();
        for seed in seeds {
            let Played { steps, coverage, violation } = play(seed, None);
            tally.seeds += 1;
            tally.steps += steps;
            tally.coverage.add(&coverage);
            if let Some(violation) = violation {
                tally.failures.push(format!("SEED={seed} cargo test -p simulation  # {violation}"));
            }
            if tally.failures.len() == FAILURES_MAX {
                break;
            }
        }
        tally
    }
}
