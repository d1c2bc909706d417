//! Seeds: one is a schedule. `SEED=n` plays one, `SEEDS=n` plays that many.

use std::num::ParseIntError;

use simulation::seeds::{Tally, past};

/// Seeds that are played where nothing else is said.
const SEEDS: u64 = 1000;

/// The number in a variable of the environment, if it is set.
fn number(name: &str) -> Result<Option<u64>, ParseIntError> {
    std::env::var(name).ok().map(|text| text.parse()).transpose()
}

#[track_caller]
fn holds(tally: &Tally) {
    let failures: Vec<_> = tally.failures.iter().map(|(_, line)| line.as_str()).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn what_must_hold_holds_in_every_schedule() -> Result<(), ParseIntError> {
    if let Some(seed) = number("SEED")? {
        holds(&Tally::of([seed]));
        return Ok(());
    }
    let tally = Tally::of(0..number("SEEDS")?.unwrap_or(SEEDS));
    println!("{} seeds, {} steps\n{}", tally.seeds, tally.steps, tally.coverage);
    holds(&tally);
    let missing = tally.coverage.missing(tally.seeds);
    assert!(missing.is_empty() || tally.seeds < SEEDS, "never met: {missing:?}");
    Ok(())
}

#[test]
fn seeds_that_found_something_once_hold() {
    assert!(!past().is_empty(), "seeds.txt names no seed");
    holds(&Tally::of(past()));
}
