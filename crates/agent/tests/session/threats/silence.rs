//! Silence, a message instead of an answer, and a yes or a result that is taken for more than it is.

use agent::approval::{Answer, Outcome};
use agent::effect::Effect;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::message::{Body, Ending};
use agent::time::Timestamp;

use crate::kitchen::{Chance, Kitchen, call, reply, said};

const NO: Answer = Answer::Reject { reason: None };
const YES: Answer = Answer::Approve { always: None };
const MINUTE: u64 = 60_000;

#[test]
fn silence_is_never_consent_whatever_the_clock_does() {
    let mut chance = Chance(25);
    let jumps = [0, 1_000, 59_999, 600_000, 3_600_000, 28_800_000, 86_400_000];
    for run in 0..1_000 {
        let mut kitchen = Kitchen::new();
        kitchen.now = Timestamp(864_000_000);
        kitchen.act(said("eggs"));
        kitchen.act(reply(vec![call("c0", "add"), call("c1", "add")]));
        for _ in 0..chance.below(12) {
            let jump = chance.one_of(&jumps);
            kitchen.now = match chance.below(3) {
                0 => Timestamp(kitchen.now.0.saturating_sub(jump)),
                _ => kitchen.now.plus_ms(jump),
            };
            if chance.below(4) == 0 {
                kitchen.restart();
            }
            kitchen.drive(Event::TimePassed);
        }
        // However it jumped: awake for one whole wait, it is over.
        for _ in 0..30 {
            kitchen.now = kitchen.now.plus_ms(MINUTE);
            kitchen.drive(Event::TimePassed);
        }
        assert!(kitchen.released().is_empty(), "run {run}");
        let outcomes: Vec<_> = kitchen.decisions().iter().map(|event| event.outcome).collect();
        assert_eq!(outcomes, [Outcome::TimedOut; 2], "run {run}");
        let late = kitchen.answer(0, YES);
        kitchen.drive(late);
        assert!(kitchen.released().is_empty(), "run {run}");
    }
}

#[test]
fn a_new_message_turns_down_all_that_waits_and_the_model_can_go_on() {
    for one_at_a_time in [false, true] {
        let mut kitchen = Kitchen::new();
        kitchen.settings.one_at_a_time = one_at_a_time;
        kitchen.prompt((0..5).map(|n| call(&format!("c{n}"), "add")).collect());
        let effects = kitchen.act(said("Actually, make that six."));
        assert_eq!(effects.first(), Some(&Effect::Save), "the message and the five are one save");
        let moved_on = kitchen.decisions().iter().filter(|it| it.outcome == Outcome::MovedOn);
        assert_eq!((moved_on.count(), kitchen.decisions().len()), (5, 5));
        for index in 0..5 {
            let recorded = kitchen.recorded_nth(index, Recorded::Durable);
            kitchen.act(recorded);
        }
        assert_eq!(kitchen.endings(), [Ending::Refused; 5]);
        let last = kitchen.session.messages().last().map(|message| &message.body);
        assert_eq!(last, Some(&Body::Person("Actually, make that six.".to_owned())));
        assert!(kitchen.released().is_empty());
    }
}

#[test]
fn a_yes_to_one_call_covers_no_other() {
    for (first, second, expected) in [(YES, NO, "c0"), (NO, YES, "c1")] {
        let mut kitchen = Kitchen::asking(&["add", "add"]);
        for (index, answer) in [(0, first), (1, second)] {
            let answer = kitchen.answer(index, answer);
            kitchen.drive(answer);
        }
        let ran: Vec<_> = kitchen.released().iter().map(|(call, _)| &*call.model_id).collect();
        assert_eq!(ran, [expected]);
    }
}

#[test]
fn what_was_approved_and_failed_is_not_told_as_done() {
    for (outcome, ending) in [
        (ToolOutcome::Failed { text: "The list is full.".to_owned() }, Ending::Failed),
        (ToolOutcome::Unknown, Ending::Unknown),
    ] {
        let mut kitchen = Kitchen::asking(&["add"]);
        let answer = kitchen.answer(0, YES);
        kitchen.act(answer);
        let recorded = kitchen.recorded(Recorded::Durable);
        kitchen.act(recorded);
        let call = kitchen.running();
        kitchen.act(Event::ToolFinished { call, outcome });
        let result = kitchen.session.messages().iter().find_map(|message| match &message.body {
            Body::Result(result) => Some(result),
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
        });
        let result = result.unwrap();
        assert_eq!(result.ending, ending);
        assert!(result.text.starts_with("Error:"), "{}", result.text);
        let decision = result.decision.as_ref().map(|decision| decision.outcome);
        assert_eq!(decision, Some(Outcome::Approved), "allowed, and not done");
    }
}
