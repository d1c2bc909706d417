//! All single faults and all ordered pairs of faults.

use simulation::faults::{SCENARIOS, after, play, singles};
use simulation::violation::Violation;

#[test]
fn every_single_fault_holds() -> Result<(), Violation> {
    let mut played = 0;
    for scenario in SCENARIOS {
        for fault in singles(&play(scenario, &[])?) {
            play(scenario, &[fault])?;
            played += 1;
        }
    }
    println!("{played} single faults in {} scenarios", SCENARIOS.len());
    assert!(played > 4_800, "only {played} single faults");
    Ok(())
}

#[test]
fn every_ordered_pair_of_faults_holds() -> Result<(), Violation> {
    let mut played = 0;
    for scenario in SCENARIOS {
        for first in after(0, play(scenario, &[])?.len()) {
            // What follows a fault is another course of things, with transactions of its own.
            let transactions = play(scenario, &[first])?.len();
            for second in after(first.0 + 1, transactions) {
                play(scenario, &[first, second])?;
                played += 1;
            }
        }
    }
    println!("{played} ordered pairs of faults in {} scenarios", SCENARIOS.len());
    assert!(played > 31_000, "only {played} ordered pairs of faults");
    Ok(())
}
