//! A conversation that comes from a copy: nothing of it is answered, runs or goes on by itself.

use std::collections::BTreeMap;

use agent::approval::{Always, Answer, Basis, Decision, Expired, Known, Outcome};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::message::{Body, Ending};
use agent::session::Activity;
use agent::time::Timestamp;
use agent::wording;

use crate::kitchen::{Kitchen, call, reply, said};
use crate::{NO, YES};

const LATER: Timestamp = Timestamp(90_000);

/// Brings the conversation in as from a copy, and lets everything happen that could set it going.
#[track_caller]
fn brought_in(kitchen: &mut Kitchen, expected: Expired) {
    kitchen.restart();
    assert_eq!(kitchen.session.expire(&BTreeMap::new(), LATER), expected);
    assert_eq!(kitchen.session.activity(), Activity::Idle);
    assert_eq!(kitchen.session.open_requests().count(), 0);
    assert_eq!(kitchen.session.standing_approvals(), []);
    assert_eq!(kitchen.session.unsettled().count(), 0);
    assert_eq!(kitchen.session.unsaved_from(), 0);
    kitchen.now = Timestamp(LATER.0 + 86_400_000);
    kitchen.step(Event::TimePassed, &[]);
    kitchen.step(Event::Resumed, &["failed NothingToResume"]);
    kitchen.restart();
    kitchen.step(Event::TimePassed, &[]);
}

#[test]
fn questions_of_a_copy_expire_and_no_answer_to_them_counts() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    let (yes, no) = (kitchen.answer(0, YES), kitchen.answer(1, NO));
    brought_in(&mut kitchen, Expired { waiting: 2, ..Expired::default() });
    assert_eq!(kitchen.endings(), [Ending::NotRun, Ending::NotRun]);
    for answer in [yes, no] {
        kitchen.step(answer, &["dropped", "failed UnknownApproval"]);
    }
    let told = |body: &Body| matches!(body, Body::Result(it) if it.text == wording::EXPIRED);
    assert_eq!(kitchen.session.messages().iter().filter(|it| told(&it.body)).count(), 2);
    kitchen.step(said("milk"), &["save", "model"]);
}

#[test]
fn what_a_copy_allowed_never_runs() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.act(answer);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.act(recorded);
    brought_in(&mut kitchen, Expired { waiting: 1, allowed: 1, ..Expired::default() });
    assert_eq!(kitchen.endings(), [Ending::NotRun, Ending::NotRun]);
}

#[test]
fn a_decision_that_was_not_on_disk_when_the_copy_was_made_did_not_count() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.act(answer);
    brought_in(&mut kitchen, Expired { waiting: 1, ..Expired::default() });
    assert_eq!(outcomes(&kitchen), [Outcome::Cancelled]);
}

#[test]
fn of_what_was_under_way_in_a_copy_nobody_can_tell() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.act(answer);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.act(recorded);
    brought_in(&mut kitchen, Expired { unknown: 1, ..Expired::default() });
    assert_eq!(kitchen.endings(), [Ending::Unknown]);
}

#[test]
fn nothing_is_allowed_in_advance_by_a_copy() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, Answer::Approve { always: Some(Always::Tool) });
    kitchen.drive(answer);
    kitchen.drive(reply(vec![]));
    assert_eq!(kitchen.session.standing_approvals().len(), 1);
    brought_in(&mut kitchen, Expired { standing: 1, ..Expired::default() });
    kitchen.act(said("more"));
    kitchen.step(reply(vec![call("c9", "add")]), &["save", "ask add"]);
}

#[test]
fn a_text_that_waited_its_turn_in_a_copy_is_not_lost() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.act(answer);
    kitchen.act(said("and milk"));
    brought_in(&mut kitchen, Expired { waiting: 1, ..Expired::default() });
    let last = kitchen.session.messages().last().map(|it| it.body.clone());
    assert_eq!(last, Some(Body::Person("and milk".to_owned())));
}

#[test]
fn what_is_on_record_here_is_what_came_of_a_request_of_a_copy() {
    let cases = [
        (Outcome::Denied, None, Ending::Refused),
        (Outcome::Approved, None, Ending::NotRun),
        (Outcome::Approved, Some(returned()), Ending::Ran),
        (Outcome::Approved, Some(ToolOutcome::Unknown), Ending::Unknown),
    ];
    for (outcome, ran, expected) in cases {
        let mut kitchen = Kitchen::asking(&["add"]);
        kitchen.restart();
        let request = kitchen.session.unsettled().next().cloned().unwrap();
        let (basis, at, reason) = (Basis::Person, Timestamp(7), None);
        let decision = Decision { request: request.clone(), outcome, basis, reason, at };
        let known = BTreeMap::from([(request, Known { decision, outcome: ran })]);
        let expired = kitchen.session.expire(&known, LATER);
        assert_eq!(expired.waiting + expired.unknown + expired.standing, 0);
        assert_eq!(expired.allowed, usize::from(expected == Ending::NotRun));
        assert_eq!(kitchen.endings(), [expected]);
        assert_eq!(outcomes(&kitchen), [outcome]);
    }
}

fn outcomes(kitchen: &Kitchen) -> Vec<Outcome> {
    let decided = kitchen.session.messages().iter().filter_map(|it| match &it.body {
        Body::Result(result) => Some(result.decision.as_ref()?.outcome),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    decided.collect()
}

fn returned() -> ToolOutcome {
    ToolOutcome::Returned { text: Some("Added.".to_owned()), terminate: false }
}
