//! The checker must see mistakes: each planted one is found within a bounded number of seeds.

use simulation::mutant::Mutant;
use simulation::schedule::play;

/// Seeds within which each mistake must be found.
const WITHIN: u64 = 3000;

#[test]
fn every_planted_mistake_is_found() {
    let mut missed = Vec::new();
    for mutant in Mutant::ALL {
        let found = (0..WITHIN).find_map(|seed| Some((seed, play(seed, Some(mutant)).violation?)));
        match found {
            Some((seed, violation)) => {
                let why: String = violation.to_string().chars().take(100).collect();
                println!("{mutant:?}: seed {seed}, {why}");
            }
            None => missed.push(mutant),
        }
    }
    assert!(missed.is_empty(), "not found within {WITHIN} seeds: {missed:?}");
}
