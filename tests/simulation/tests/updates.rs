//! A program that is replaced by another version while it carries something out.

use std::rc::Rc;

use agent::event::Event;
use agent::message::{Body, Ending};
use simulation::database::{Fate, Plan};
use simulation::exhaustive::{settings, two_calls};
use simulation::person;
use simulation::tools::Change;
use simulation::violation::Violation;
use simulation::world::World;

/// Works until the tab waits for somebody, or until what is next is a transaction of this kind.
fn work_up_to(world: &mut World, kind: Option<&str>) -> Result<(), Violation> {
    loop {
        let tab = world.tab(0)?;
        let next = tab.work.front().and_then(|work| work.transaction());
        if tab.is_quiet() || (kind.is_some() && next == kind) {
            return Ok(());
        }
        world.work(0, Plan::default())?;
    }
}

/// Approves both calls, stops the program before the first of them runs, and goes on with one whose
/// tool changed. Gives back how the calls ended, if both did; the
/// checker looks on.
fn endings(change: Option<(usize, Change)>) -> Result<Vec<Ending>, Violation> {
    let mut world = two_calls(None)?;
    let open = world.tab(0)?.session.open_requests();
    let responses = open.map(|request| person::yes(&request.id, None)).collect();
    world.tell(0, Event::Answered { responses, text: None })?;
    work_up_to(&mut world, Some("run"))?;
    world.work(0, Plan { fate: Fate::CrashBefore, ..Plan::default() })?;
    world.start(0, Rc::new(settings()), change)?;
    work_up_to(&mut world, None)?;
    let results = world.tab(0)?.session.messages().iter().filter_map(|it| match &it.body {
        Body::Result(result) => Some(result.ending),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    Ok(results.collect())
}

#[test]
fn a_released_call_runs_after_a_restart() -> Result<(), Violation> {
    assert_eq!(endings(None)?, [Ending::Ran, Ending::Ran]);
    Ok(())
}

#[test]
fn a_released_call_does_not_run_as_another_tool() -> Result<(), Violation> {
    for change in [Change::Version, Change::Arguments, Change::Unavailable] {
        let all = endings(Some((1, change)))?;
        assert!(all.iter().all(|ending| *ending != Ending::Ran), "{change:?}: {all:?}");
    }
    Ok(())
}
