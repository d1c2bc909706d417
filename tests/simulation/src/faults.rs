//! Every single fault and every ordered pair of faults in a few scenarios: at each transaction, each
//! thing that can become of it. None is left to chance. A single fault strikes at every request of
//! its transaction; the faults of a pair strike at the end, where there is most to undo.

use agent::event::Event;
use agent::session::Activity;
use agent::settings::OnNewMessage;

use crate::database::{Fate, Plan};
use crate::exhaustive::{Act, State};
use crate::person;
use crate::schedule::named_requests;
use crate::violation::{Checked, Rule, Violation};

/// What happens, before the run is brought to its end.
pub const SCENARIOS: [&[Act]; 12] = {
    use Act::{
        Asks, ModelAnswers, MovesOn, NoToFirst, NoToSecond, Proposes, Restarts, TimePasses,
        YesToFirst, YesToSecond,
    };
    [
        &[Asks, ModelAnswers],
        &[Asks, Proposes, YesToFirst, YesToSecond, ModelAnswers],
        &[Asks, Proposes, YesToSecond, YesToFirst, ModelAnswers],
        &[Asks, Proposes, NoToFirst, NoToSecond, ModelAnswers],
        &[Asks, Proposes, YesToFirst, NoToSecond, ModelAnswers],
        &[Asks, Proposes, NoToFirst, YesToSecond, ModelAnswers],
        &[Asks, Proposes, MovesOn, ModelAnswers],
        &[Asks, Proposes, YesToFirst, MovesOn, ModelAnswers],
        &[Asks, Proposes, TimePasses, ModelAnswers],
        &[Asks, Proposes, YesToFirst, TimePasses, ModelAnswers],
        &[Asks, Proposes, YesToFirst, Restarts, YesToSecond, ModelAnswers],
        &[Asks, Proposes, YesToFirst, YesToSecond, Proposes, NoToFirst, YesToSecond, ModelAnswers],
    ]
};

/// What can become of a transaction at its end.
const FATES: [Fate; 6] = [
    Fate::Aborts,
    Fate::CrashBefore,
    Fate::CrashInside,
    Fate::CrashAfter,
    Fate::UnansweredKept,
    Fate::UnansweredUndone,
];

/// A fault: at which transaction, counted from zero, and what becomes of that.
pub type Fault = (u32, Plan);

/// Plays a scenario with these faults, in their order, up to its end. Gives back how many requests
/// each of its transactions made.
///
/// # Errors
/// What does not hold.
pub fn play(scenario: &[Act], faults: &[Fault]) -> Result<Vec<u32>, Violation> {
    let mut state = State::anew();
    state.faults = faults.to_vec();
    // Of a pair each fault alone was held against twins in every step.
    state.world.thorough = faults.len() < 2;
    let played = scenario.iter().try_for_each(|act| state.act(*act));
    match played.and_then(|()| ends(&mut state)) {
        Ok(()) => Ok(state.transactions),
        Err(Violation { rule, why }) => {
            Err(Violation { rule, why: format!("{scenario:?} with {faults:?}: {why}") })
        }
    }
}

/// Every single fault there can be in a scenario whose transactions make so many requests each.
#[must_use]
pub fn singles(requests: &[u32]) -> Vec<Fault> {
    let at = |(number, requests): (usize, &u32)| {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let inside = [Fate::Aborts, Fate::CrashInside, Fate::Full, Fate::UnansweredUndone];
        let inside = inside.into_iter().flat_map(|fate| (0..=*requests).map(move |at| (fate, at)));
        let around =
            [Fate::CrashBefore, Fate::CrashAfter, Fate::FullAtCommit, Fate::UnansweredKept];
        let plans: Vec<_> = inside.chain(around.map(|fate| (fate, 0))).collect();
        // What gets no answer gets one when it is asked again, or none.
        plans.into_iter().flat_map(move |(fate, requests)| {
            let unanswered = matches!(fate, Fate::UnansweredKept | Fate::UnansweredUndone);
            let all = if unanswered { [false, true].as_slice() } else { &[false] };
            let plan =
                move |again: &bool| Plan { fate, requests, again: *again, ..Plan::default() };
            all.iter().map(move |again| (number, plan(again)))
        })
    };
    requests.iter().enumerate().flat_map(at).collect()
}

/// Every fault at the end of a transaction, from this one on.
pub fn after(first: u32, transactions: usize) -> impl Iterator<Item = Fault> {
    let last = u32::try_from(transactions).unwrap_or(u32::MAX);
    (first..last).flat_map(|number| {
        FATES.map(|fate| (number, Plan { fate, requests: u32::MAX, ..Plan::default() }))
    })
}

/// Without further faults everything comes to its end: what is open is answered, what is interrupted
/// goes on, and nobody's yes was forgotten.
fn ends(state: &mut State) -> Checked {
    const TURNS_MAX: usize = 20;
    for _ in 0..TURNS_MAX {
        state.settle()?;
        let tab = state.world.tab(0)?;
        match tab.session.activity() {
            Activity::Idle => return nothing_forgotten(state),
            Activity::AwaitingModel => state.act(Act::ModelAnswers)?,
            Activity::AwaitingPerson => {
                debug_assert_ne!(tab.settings.on_new_message, OnNewMessage::Refuse);
                let open = tab.session.open_requests();
                let responses = open.map(|request| person::no(&request.id, None)).collect();
                state.world.tell(0, Event::Answered { responses, text: None })?;
            }
            Activity::RecordingDecisions | Activity::RunningTools | Activity::Interrupted => {
                match tab.retry() {
                    Some(text) => state.world.say(0, &text)?,
                    None => state.world.tell(0, Event::Resumed)?,
                }
            }
        }
    }
    Err(Violation { rule: Rule::Live, why: "it does not come to an end".to_owned() })
}

fn nothing_forgotten(state: &mut State) -> Checked {
    let named = named_requests(state.world.tab(0)?).into_iter().collect();
    let lost = state.world.lost_unsaved;
    let forgotten = state.world.checker.forgotten(&named).next().filter(|_| !lost);
    match forgotten {
        None => Ok(()),
        Some(event) => {
            let why = format!("{event:?} neither ran nor is told of");
            Err(Violation { rule: Rule::Live, why })
        }
    }
}
