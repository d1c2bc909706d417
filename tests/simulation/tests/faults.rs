//! All single faults and all ordered pairs of faults.

use simulation::checker::Violation;
use simulation::faults::{Fault, SCENARIOS, after, play, singles};

#[track_caller]
fn holds(number: usize, faults: &[Fault]) -> Vec<u32> {
    match play(SCENARIOS[number], faults) {
        Ok(transactions) => transactions,
        Err(violation) => panic!("scenario {number} with {faults:?}: {violation}"),
    }
}

#[test]
fn every_single_fault_holds() -> Result<(), Violation> {
    let mut played = 0;
    for (number, scenario) in SCENARIOS.iter().enumerate() {
        for fault in singles(&play(scenario, &[])?) {
            holds(number, &[fault]);
            played += 1;
        }
    }
    println!("{played} single faults in {} scenarios", SCENARIOS.len());
    assert!(played > 800, "only {played} single faults");
    Ok(())
}

#[test]
fn every_ordered_pair_of_faults_holds() -> Result<(), Violation> {
    let mut played = 0;
    for (number, scenario) in SCENARIOS.iter().enumerate() {
        for first in after(0, play(scenario, &[])?.len()) {
            // What follows a fault is another course of things, with transactions of its own.
            let transactions = holds(number, &[first]).len();
            for second in after(first.0 + 1, transactions) {
                holds(number, &[first, second]);
                played += 1;
            }
        }
    }
    println!("{played} ordered pairs of faults in {} scenarios", SCENARIOS.len());
    assert!(played > 5_800, "only {played} ordered pairs of faults");
    Ok(())
}
