//! Two calls and every order of a few events.

use simulation::exhaustive::{Act, explore};
use simulation::mutant::Mutant;
use simulation::violation::Violation;

fn holds(acts: &[Act], depth: u32) -> Result<(), Violation> {
    let found = explore(acts, depth, None)?;
    assert_eq!(found.violation, None);
    let orders: usize = (0..=depth).map(|events| acts.len().pow(events)).sum();
    println!("{orders} orders of up to {depth} events, {} states", found.states);
    Ok(())
}

#[test]
fn two_calls_hold_in_every_order_of_up_to_eight_events() -> Result<(), Violation> {
    holds(&Act::PLAIN, 8)
}

#[test]
fn two_calls_hold_whatever_becomes_of_each_transaction() -> Result<(), Violation> {
    holds(&Act::ALL, 6)
}

#[test]
fn a_planted_mistake_is_found_by_its_shortest_order() -> Result<(), Violation> {
    for (mutant, shortest) in [(Mutant::YesCoversAll, 1), (Mutant::KeepsDecisionsLoosely, 3)] {
        let found = explore(&Act::ALL, 8, Some(mutant))?;
        let (path, _) = found.violation.unwrap_or_else(|| panic!("{mutant:?} is not found"));
        println!("{mutant:?}: {path:?}");
        assert_eq!(path.len(), shortest, "{mutant:?}: {path:?}");
    }
    Ok(())
}
