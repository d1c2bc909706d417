//! An effect outside the household: at most one attempt, whatever stops in between. The far side is
//! a mailbox that may take a letter and lose its answer.

#![allow(
    clippy::unwrap_used,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

mod letters;
mod resolution;

use std::collections::BTreeMap;

use agent::audit::ExecutionOutcome;
use agent::event::{Event, ToolOutcome};
use agent::message::{Body, Ending};
use agent::tool::Reach;
use kitchen::Household;
use simulation::database::{Fate, Memory, Plan, at_once};
use store::error::StoreError;
use store::outside::Attempt;

use letters::{Asked, KEY, Mailbox, NOW, carry_out, executions, open, tools};

#[test]
fn a_letter_is_sent_once_under_the_name_of_its_request_and_recorded() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let approved = asked.released(&yes);
    assert_eq!(tools("1").reach(&approved), Ok(Reach::Outside));
    let first = carry_out(&memory, &approved, &mut mailbox, false).unwrap();
    let again = carry_out(&memory, &asked.restarted(), &mut mailbox, false).unwrap();
    assert_eq!(first, again);
    assert!(matches!(first, ToolOutcome::Returned { .. }));
    assert_eq!(mailbox.letters, BTreeMap::from([(yes.request, 1)]));
    assert_eq!(executions(&memory), [ExecutionOutcome::Ran]);
}

#[test]
fn nothing_is_sent_without_a_durable_yes_or_by_another_version_of_the_tool() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    let approved = asked.released(&yes);
    let sent = carry_out(&memory, &approved, &mut mailbox, false);
    assert_eq!(sent, Err(StoreError::NotApproved));

    at_once(open(&memory).record_decision(&yes)).unwrap();
    let store = open(&memory);
    let newer = at_once(store.attempt(&tools("2"), &approved, asked.session.id(), &KEY, NOW));
    assert!(matches!(newer, Ok(Attempt::Ended(ToolOutcome::Failed { .. }))), "{newer:?}");
    // Nor does it run as if it were the household's.
    assert!(tools("1").run(&approved, &mut Household::default()).is_err());
    assert!(mailbox.letters.is_empty());
}

#[test]
fn a_restart_between_start_and_end_leaves_the_outcome_unknown_and_nothing_is_sent_again() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let approved = asked.released(&yes);
    carry_out(&memory, &approved, &mut mailbox, true).unwrap_err();
    assert_eq!(executions(&memory), []);
    for _ in 0..3 {
        let approved = asked.restarted();
        let outcome = carry_out(&memory, &approved, &mut mailbox, false).unwrap();
        assert_eq!(outcome, ToolOutcome::Unknown);
    }
    assert_eq!(mailbox.letters, BTreeMap::from([(yes.request, 1)]));
    assert_eq!(executions(&memory), [ExecutionOutcome::Unknown]);

    let call = approved.call().id.clone();
    asked.step(Event::ToolFinished { call, outcome: ToolOutcome::Unknown });
    let told = asked.session.messages().iter().find_map(|message| match &message.body {
        Body::Result(result) => Some((result.ending, &*result.text)),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    let unknown = "Error: Function outcome is unknown; it may have run.";
    assert_eq!(told, Some((Ending::Unknown, unknown)));
}

/// Approved and not begun: the note of the attempt is durable before the attempt, so where there is
/// none, nothing was done, and resuming the conversation makes the one attempt.
#[test]
fn a_letter_that_was_approved_and_not_begun_is_sent_when_the_conversation_is_resumed() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let approved = asked.released(&yes);
    // The program stops before the note is kept: the attempt must not have begun.
    memory.plan(Plan { fate: Fate::CrashInside, requests: 3, ..Plan::default() });
    carry_out(&memory, &approved, &mut mailbox, false).unwrap_err();
    assert!(mailbox.letters.is_empty());
    memory.plan(Plan::default());
    let outcome = carry_out(&memory, &asked.restarted(), &mut mailbox, false).unwrap();
    assert!(matches!(outcome, ToolOutcome::Returned { .. }));
    assert_eq!(mailbox.letters, BTreeMap::from([(yes.request, 1)]));
}

/// Every transaction fails in every way, alone and with the one after it, and so does the far side.
#[test]
fn wherever_it_stops_a_thousand_times_over_there_is_at_most_one_letter() {
    let fates =
        [Fate::Commits, Fate::Aborts, Fate::CrashBefore, Fate::CrashInside, Fate::CrashAfter];
    let (mut runs, mut unknown) = (0, 0);
    for (first, second) in fates.iter().flat_map(|one| fates.map(|two| (*one, two))) {
        for requests in 0..20 {
            for lost in [false, true] {
                let memory = Memory::default();
                let (mut mailbox, mut asked) = (Mailbox::default(), Asked::letter());
                let yes = asked.yes();
                at_once(open(&memory).record_decision(&yes)).unwrap();
                let approved = asked.released(&yes);
                memory.plan(Plan { fate: first, requests, ..Plan::default() });
                let _ = carry_out(&memory, &approved, &mut mailbox, lost);
                memory.plan(Plan { fate: second, requests, ..Plan::default() });
                let _ = carry_out(&memory, &asked.restarted(), &mut mailbox, lost);
                memory.plan(Plan::default());
                let outcome = carry_out(&memory, &asked.restarted(), &mut mailbox, false).unwrap();
                let sent: u32 = mailbox.letters.values().sum();
                match outcome {
                    ToolOutcome::Returned { .. } => assert_eq!(sent, 1),
                    ToolOutcome::Unknown => assert!(sent <= 1),
                    ToolOutcome::Failed { text } => unreachable!("{text}"),
                }
                assert_eq!(executions(&memory).len(), 1);
                unknown += u32::from(outcome == ToolOutcome::Unknown);
                runs += 1;
            }
        }
    }
    assert_eq!(runs, 1_000);
    assert!((100..1_000).contains(&unknown), "{unknown} outcomes are unknown");
}
