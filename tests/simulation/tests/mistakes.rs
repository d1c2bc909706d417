//! Mistakes made in the loop and the store themselves, each of which must be found.

use agent::mistake::{Mistake, plant, reached};
use simulation::interleaved::{Bounds, explore};
use simulation::schedule::play;

/// Seeds within which each mistake must be found.
const WITHIN: u64 = 3000;

#[test]
fn every_mistake_in_the_loop_and_the_store_is_found() {
    let (mut seeds, mut missed) = (Vec::new(), Vec::new());
    for mistake in Mistake::ALL {
        plant(Some(*mistake));
        let found = (0..WITHIN).find_map(|seed| Some((seed, play(seed, None).violation?)));
        plant(None);
        match found {
            Some((seed, violation)) => {
                let why: String = violation.to_string().chars().take(100).collect();
                println!("{mistake:?}: seed {seed}, {why}");
                seeds.push(seed);
            }
            None => missed.push(mistake),
        }
    }
    let unreached: Vec<_> = Mistake::ALL.iter().filter(|it| !reached().contains(it)).collect();
    assert!(unreached.is_empty(), "nothing comes by: {unreached:?}");
    assert!(missed.is_empty(), "not found within {WITHIN} seeds: {missed:?}");
    seeds.sort_unstable();
    println!("note {} mistakes found, the median at seed {}", seeds.len(), seeds[seeds.len() / 2]);
}

#[test]
fn mistakes_between_two_tabs_are_found_without_chance() {
    for mistake in [Mistake::SavesOverNewer, Mistake::LastDecisionCounts, Mistake::RunsAgain] {
        plant(Some(mistake));
        let found = explore(Bounds { clicks: 3, crashes: 1 });
        plant(None);
        let violation = found.expect("the two calls wait").violation;
        assert!(violation.is_some(), "{mistake:?} is not found");
    }
}
