//! Two tabs on one conversation, two calls, and every order of their steps.

use simulation::interleaved::{Bounds, explore};
use simulation::violation::Violation;

#[test]
fn two_tabs_hold_in_every_order_of_their_steps() -> Result<(), Violation> {
    for (clicks, crashes) in [(3, 0), (2, 1)] {
        let bounds = Bounds { clicks, crashes };
        let found = explore(bounds)?;
        println!("{bounds:?}: {} states, {} moves", found.states, found.moves);
        assert_eq!(found.violation, None);
    }
    Ok(())
}
