//! What the recorded scenarios cannot reach: events that cross, stops at any point, stores, clocks.

mod copied;
mod handoff;
mod kitchen;
mod policy;
mod standing;
mod threats;
mod waits;
mod window;

use agent::approval::{Always, Answer, Decision, Outcome};
use agent::effect::{Effect, RunEnd, RunError};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::message::{Body, Ending};
use agent::model::{ModelError, ModelErrorKind, StopReason};
use agent::session::{Activity, RestoreError, Session};
use agent::time::Timestamp;
use kitchen::{Kitchen, call, reply, said, text, undone};

const NO: Answer = Answer::Reject { reason: None };
const YES: Answer = Answer::Approve { always: None };

#[test]
fn nothing_runs_before_its_decision_is_durable() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("eggs"), &["save", "model"]);
    kitchen.step(reply(vec![call("c1", "add")]), &["save", "ask add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.step(answer, &["save", "record add Approved"]);
    assert_eq!(kitchen.session.activity(), Activity::RecordingDecisions);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.step(recorded, &["save", "run add"]);
    let finished = kitchen.finished("Added.");
    kitchen.step(finished, &["save", "model"]);
    kitchen.step(reply(vec![text("Done.")]), &["save", "replied Done."]);
    assert_eq!(kitchen.session.activity(), Activity::Idle);
}

#[test]
fn a_second_click_is_dropped_while_the_first_is_recorded_and_carried_out() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let (yes, no) = (kitchen.answer(0, YES), kitchen.answer(0, NO));
    kitchen.step(yes.clone(), &["save", "record add Approved"]);
    kitchen.step(no.clone(), &["dropped"]);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.step(recorded, &["save", "run add"]);
    kitchen.step(yes, &["dropped"]);
    let finished = kitchen.finished("Added.");
    kitchen.step(finished.clone(), &["save", "model"]);
    kitchen.step(no, &["dropped"]);
    kitchen.step(finished, &["ignored"]);
}

#[test]
fn a_record_says_who_decided_what_and_keeps_the_arguments_to_itself() {
    let mut kitchen = Kitchen::asking(&["add"]);
    kitchen.now = Timestamp(5_000);
    let answer = kitchen.answer(0, Answer::Reject { reason: Some("Too many.".to_owned()) });
    kitchen.step(answer, &["save", "record add Denied"]);
    let event = kitchen.last_recorded();
    let request = &event.request;
    assert_eq!((event.requested_at, event.decided_at), (Timestamp(1_000), Timestamp(5_000)));
    assert_eq!((event.attempts, event.reason.as_deref()), (1, Some("Too many.")));
    assert_eq!(event.arguments_digest.len(), 64);
    assert!(!format!("{event:?}").contains("eggs"));
    assert_ne!(request.0, event.call.0);
}

#[test]
fn stopping_the_model_takes_the_text_back() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("eggs"), &["save", "model"]);
    kitchen.step(Event::Cancelled, &["save", "cancelled"]);
    assert!(kitchen.session.messages().is_empty());
    kitchen.step(reply(vec![text("Too late.")]), &["ignored"]);
    kitchen.step(Event::Resumed, &["failed NothingToResume"]);
}

#[test]
fn stopping_the_model_behind_results_leaves_something_to_go_on_with() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("list"), &["save", "model"]);
    kitchen.step(reply(vec![call("c1", "look")]), &["save", "run look"]);
    let finished = kitchen.finished("milk");
    kitchen.step(finished, &["save", "model"]);
    kitchen.step(Event::Cancelled, &["save", "cancelled"]);
    assert_eq!(kitchen.session.activity(), Activity::Interrupted);
    kitchen.step(Event::Resumed, &["save", "model"]);
}

#[test]
fn stopping_while_a_tool_runs_lets_it_end_and_closes_the_rest() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("list"), &["save", "model"]);
    kitchen.step(reply(vec![call("c1", "look"), call("c2", "look")]), &["save", "run look"]);
    kitchen.step(Event::Cancelled, &["save"]);
    let finished = kitchen.finished("milk");
    kitchen.step(finished, &["save", "cancelled"]);
    assert_eq!(kitchen.endings(), [Ending::Ran, Ending::NotRun]);
}

#[test]
fn a_text_while_tools_run_follows_their_results() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("list"), &["save", "model"]);
    kitchen.step(reply(vec![call("c1", "look")]), &["save", "run look"]);
    kitchen.step(said("And bread?"), &["save"]);
    let finished = kitchen.finished("milk");
    kitchen.step(finished, &["save", "model"]);
    let last = kitchen.session.messages().last().map(|message| &message.body);
    assert_eq!(last, Some(&Body::Person("And bread?".to_owned())));
}

#[test]
fn a_text_while_the_model_answers_is_handed_back() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("list"), &["save", "model"]);
    kitchen.step(said("And bread?"), &["ignored"]);
    kitchen.step(reply(vec![text("Milk.")]), &["save", "replied Milk."]);
}

#[test]
fn a_failing_text_that_came_while_tools_ran_is_the_only_one_taken_back() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("list"), &["save", "model"]);
    kitchen.step(reply(vec![call("c1", "look")]), &["save", "run look"]);
    kitchen.step(said("One."), &["save"]);
    kitchen.step(said("Two."), &["save"]);
    let finished = kitchen.finished("milk");
    kitchen.step(finished, &["save", "model"]);
    let error = ModelError { kind: ModelErrorKind::Transport, message: "cut".to_owned() };
    kitchen.step(Event::ModelFailed(error), &["save", "failed Model"]);
    let last = kitchen.session.messages().last().map(|message| &message.body);
    assert_eq!(last, Some(&Body::Person("One.".to_owned())));
}

#[test]
fn a_stop_while_the_model_answers_leaves_the_text_and_can_be_resumed() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("eggs"), &["save", "model"]);
    kitchen.restart();
    assert_eq!(kitchen.session.activity(), Activity::Interrupted);
    kitchen.step(reply(vec![text("From before.")]), &["ignored"]);
    kitchen.step(Event::Resumed, &["save", "model"]);
    let error = ModelError { kind: ModelErrorKind::Transport, message: "cut".to_owned() };
    kitchen.step(Event::ModelFailed(error), &["save", "failed Model"]);
    assert_eq!(kitchen.session.messages().len(), 1);
    kitchen.step(Event::Resumed, &["save", "model"]);
}

#[test]
fn a_stop_while_a_decision_is_recorded_sends_it_again() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    let yes = Answer::Approve { always: Some(Always::ToolWithArguments) };
    let answer = kitchen.answer(0, yes);
    kitchen.step(answer, &["save", "record add Approved"]);
    let sent = kitchen.last_recorded();
    kitchen.restart();
    assert_eq!(kitchen.session.activity(), Activity::Interrupted);
    kitchen.step(Event::Resumed, &["save", "record add Approved"]);
    assert_eq!(kitchen.last_recorded(), sent);
    assert_eq!(kitchen.session.activity(), Activity::AwaitingPerson);
    // The store had it already: it is the same decision, and "always" still counts.
    let known = Decision {
        request: sent.request,
        outcome: sent.outcome,
        basis: sent.basis,
        reason: sent.reason,
        at: sent.decided_at,
    };
    let recorded = kitchen.recorded(Recorded::Earlier(known));
    kitchen.step(recorded, &["save", "record add Approved"]);
    assert_eq!(kitchen.session.standing_approvals().len(), 1);
}

#[test]
fn an_earlier_decision_of_another_copy_counts_and_makes_no_rule() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, Answer::Approve { always: Some(Always::Tool) });
    kitchen.step(answer, &["save", "record add Approved"]);
    let sent = kitchen.last_recorded();
    let other = Decision {
        request: sent.request,
        outcome: Outcome::Denied,
        basis: sent.basis,
        reason: None,
        at: Timestamp(1),
    };
    let recorded = kitchen.recorded(Recorded::Earlier(other));
    kitchen.step(recorded, &["save", "model"]);
    assert_eq!(kitchen.endings(), [Ending::Refused]);
    assert!(kitchen.session.standing_approvals().is_empty());
}

#[test]
fn a_stop_while_a_tool_runs_releases_the_same_call_again() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.step(answer, &["save", "record add Approved"]);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.step(recorded, &["save", "run add"]);
    let released = kitchen.last_released();
    kitchen.restart();
    assert_eq!(kitchen.session.activity(), Activity::Interrupted);
    kitchen.step(Event::Cancelled, &["ignored"]);
    kitchen.step(Event::Resumed, &["save", "run add"]);
    assert_eq!(kitchen.last_released(), released);
    kitchen.step(Event::Resumed, &["ignored"]);
    let call = kitchen.running();
    let unknown = Event::ToolFinished { call, outcome: ToolOutcome::Unknown };
    kitchen.step(unknown, &["save", "model"]);
    assert_eq!(kitchen.endings(), [Ending::Unknown]);
}

#[test]
fn a_stop_before_a_changed_tool_ran_asks_again() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    for index in 0..2 {
        let answer = kitchen.answer(index, YES);
        kitchen.act(answer);
    }
    let first = kitchen.recorded_nth(0, Recorded::Durable);
    kitchen.step(first, &["save"]);
    let second = kitchen.recorded_nth(1, Recorded::Durable);
    kitchen.step(second, &["save", "run add"]);
    kitchen.restart();
    kitchen.tools[0].version = "2".to_owned();
    kitchen.step(Event::Resumed, &["save", "run add"]);
    let finished = kitchen.finished("Added.");
    kitchen.step(finished, &["save", "withdraw add"]);
    let withdrawn = kitchen.withdrawn(undone());
    kitchen.step(withdrawn, &["save", "ask add"]);
}

/// Two calls with a yes each: the first runs, and what comes of it ends the run.
fn one_of_two_runs() -> Kitchen {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    for index in 0..2 {
        let answer = kitchen.answer(index, YES);
        kitchen.act(answer);
    }
    for index in 0..2 {
        let recorded = kitchen.recorded_nth(index, Recorded::Durable);
        kitchen.act(recorded);
    }
    let outcome = ToolOutcome::Returned { text: None, terminate: true };
    let finished = Event::ToolFinished { call: kitchen.running(), outcome };
    kitchen.step(finished, &["save", "withdraw add"]);
    kitchen
}

#[test]
fn a_yes_is_taken_back_before_its_call_is_told_as_not_run() {
    let mut kitchen = one_of_two_runs();
    assert_eq!(kitchen.endings(), []);
    kitchen.restart();
    kitchen.step(Event::Resumed, &["save", "withdraw add"]);
    let withdrawn = kitchen.withdrawn(undone());
    kitchen.step(withdrawn.clone(), &["save", "terminated"]);
    assert_eq!(kitchen.endings(), [Ending::Ran, Ending::NotRun]);
    kitchen.step(withdrawn, &["ignored"]);
}

#[test]
fn a_call_that_another_copy_carried_out_is_not_told_as_not_run() {
    let ran = ToolOutcome::Returned { text: Some("Added.".to_owned()), terminate: false };
    for (outcome, told) in [(ran, Ending::Ran), (ToolOutcome::Unknown, Ending::Unknown)] {
        let mut kitchen = one_of_two_runs();
        let withdrawn = kitchen.withdrawn(outcome);
        kitchen.step(withdrawn, &["save", "terminated"]);
        assert_eq!(kitchen.endings(), [Ending::Ran, told]);
    }
}

#[test]
fn the_store_is_told_which_messages_to_replace() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("one"), &["save", "model"]);
    assert_eq!(kitchen.session.unsaved_from(), 0);
    kitchen.session.mark_saved();
    let error = ModelError { kind: ModelErrorKind::Transport, message: "cut".to_owned() };
    kitchen.step(Event::ModelFailed(error), &["save", "failed Model"]);
    assert_eq!(kitchen.session.unsaved_from(), 0);
    kitchen.step(said("two"), &["save", "model"]);
    assert_eq!(kitchen.session.unsaved_from(), 0);
    kitchen.session.mark_saved();
    assert_eq!(kitchen.session.unsaved_from(), 1);
    kitchen.session.mark_unsaved(0);
    assert_eq!(kitchen.session.unsaved_from(), 0);
}

#[test]
fn what_was_stored_is_restored_or_refused_with_a_reason() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("one"), &["save", "model"]);
    kitchen.step(reply(vec![text("Hi.")]), &["save", "replied Hi."]);
    let (state, messages) = (kitchen.session.state(), kitchen.session.messages().to_vec());

    let missing = Session::restore(state.clone(), messages[..1].to_vec());
    assert_eq!(missing, Err(RestoreError::MessagesMissing { expected: 2, found: 1 }));

    let surplus = [&messages[..], &messages[..1]].concat();
    let restored = Session::restore(state.clone(), surplus).unwrap();
    assert_eq!(restored.messages(), messages);
    assert_eq!(restored.unsaved_from(), 2);

    let mut json = serde_json::to_value(&state).unwrap();
    json["version"] = 99.into();
    let newer = serde_json::from_value(json).unwrap();
    assert_eq!(Session::restore(newer, messages), Err(RestoreError::Version { found: 99 }));
}

#[test]
fn a_decision_the_store_refused_is_offered_until_it_is_taken() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.step(answer, &["save", "record add Approved"]);
    let refused = kitchen.recorded(Recorded::Refused);
    kitchen.step(refused, &["save"]);
    let answer = kitchen.answer(1, NO);
    kitchen.step(answer, &["save", "record add AuditFailed", "record add Denied"]);
    let owed = kitchen.recorded_nth(1, Recorded::Durable);
    kitchen.step(owed, &["save"]);
    let denied = kitchen.recorded_nth(2, Recorded::Durable);
    kitchen.step(denied, &["save", "model"]);
    kitchen.step(reply(vec![text("Ok.")]), &["save", "replied Ok."]);
    kitchen.step(said("again"), &["save", "model"]);
    kitchen.step(reply(vec![call("c3", "add")]), &["save", "ask add"]);
    let answer = kitchen.answer(2, NO);
    kitchen.step(answer, &["save", "record add Denied"]);
}

#[test]
fn a_reply_cut_at_the_length_limit_calls_nothing() {
    let mut kitchen = Kitchen::new();
    kitchen.step(said("eggs"), &["save", "model"]);
    let cut = |content| kitchen::reply_stopped(content, StopReason::MaxTokens);
    kitchen.step(cut(vec![call("c1", "look")]), &["save", "failed Model"]);
    kitchen.step(said("eggs"), &["save", "model"]);
    kitchen.step(cut(vec![text("Once upon a")]), &["save", "replied Once upon a"]);
}

#[test]
fn a_reply_beyond_the_bounds_is_refused_whole() {
    let many = |count: usize| (0..count).map(|n| call(&format!("c{n}"), "look")).collect();
    let long = |bytes| vec![text(&"x".repeat(bytes))];
    for (content, accepted) in [
        (many(16), true),
        (many(17), false),
        (long(256 * 1024), true),
        (long(256 * 1024 + 1), false),
    ] {
        let mut kitchen = Kitchen::new();
        kitchen.step(said("eggs"), &["save", "model"]);
        let effects = kitchen.act(reply(content));
        let refused = effects.iter().any(|effect| {
            matches!(effect, Effect::Finished(RunEnd::Failed(RunError::Protocol { .. })))
        });
        assert_eq!(refused, !accepted);
    }
}

#[test]
fn ids_are_our_own_and_never_repeat() {
    let mut kitchen = Kitchen::new();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..3 {
        kitchen.step(said("eggs"), &["save", "model"]);
        kitchen.step(reply(vec![call("c1", "add")]), &["save", "ask add"]);
        let request = kitchen.session.open_requests().next().cloned().unwrap();
        assert!(seen.insert(request.id.0.clone()) && seen.insert(request.call.id.0.clone()));
        kitchen.step(Event::Cancelled, &["save", "record add Cancelled"]);
        let recorded = kitchen.recorded(Recorded::Durable);
        kitchen.step(recorded, &["save", "cancelled"]);
    }
}
