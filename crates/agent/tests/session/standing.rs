//! What "always" covers: for how long, how often, and until it is taken back.

#![allow(clippy::panic, reason = "here a panic is a failed test")]

use agent::approval::{Always, Answer, Basis, Policy, Scope, Standing};
use agent::event::Event;
use agent::id::StandingApprovalId;
use agent::limits::{STANDING_APPROVALS_MAX, STANDING_USES_MAX};
use agent::session::Session;
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::Access;
use serde_json::json;

use crate::kitchen::{Kitchen, call, call_with, reply, said, text};

const DAY: u64 = 24 * 60 * 60 * 1_000;

fn always(always: Always) -> Answer {
    Answer::Approve { always: Some(always) }
}

/// A kitchen in which the person said "always" to adding eggs.
fn given(scope: Always) -> Kitchen {
    let mut kitchen = Kitchen::new();
    // A prompt has a bound of its own on rounds that nobody looked at; not so here.
    kitchen.prompt(vec![call("c0", "add")]);
    let answer = kitchen.answer(0, always(scope));
    kitchen.drive(answer);
    kitchen.drive(reply(vec![text("Done.")]));
    kitchen
}

/// Whether another call is covered, in a prompt of its own.
fn covers(kitchen: &mut Kitchen) -> bool {
    let before = kitchen.times_asked();
    kitchen.prompt(vec![call("c1", "add")]);
    let asked = kitchen.times_asked() > before;
    if asked {
        let no = kitchen.answer(before, Answer::Reject { reason: None });
        kitchen.drive(no);
    }
    kitchen.drive(reply(vec![text("Done.")]));
    !asked
}

fn standing(kitchen: &Kitchen) -> Standing {
    let [it] = kitchen.session.standing_approvals() else { panic!("there is one") };
    it.standing(kitchen.now, &kitchen.tools, &Policy::declared())
}

#[test]
fn it_says_what_it_covers_where_it_comes_from_and_when_it_ends() {
    let kitchen = given(Always::ToolWithArguments);
    let [it] = kitchen.session.standing_approvals() else { panic!("there is one") };
    assert_eq!(it.request(), *kitchen.request(0));
    assert_eq!((&*it.tool, it.given_at), ("add", Timestamp(1_000)));
    assert_eq!(it.scope(), Scope::ToolWithArguments(json!({"item": "eggs"}).as_object().unwrap()));
    assert_eq!(it.expires_at, Some(Timestamp(1_000 + 30 * DAY)));
    assert_eq!((it.uses, it.uses_max), (0, STANDING_USES_MAX));

    let kitchen = given(Always::Tool);
    let [it] = kitchen.session.standing_approvals() else { panic!("there is one") };
    assert_eq!((it.scope(), it.expires_at), (Scope::Tool, None));
}

#[test]
fn its_time_ends_and_it_does_not_begin_before_it_was_given() {
    let mut kitchen = given(Always::ToolWithArguments);
    kitchen.now = Timestamp(1_000 + 30 * DAY - 1);
    assert_eq!(standing(&kitchen), Standing::Covers);
    assert!(covers(&mut kitchen));
    kitchen.now = Timestamp(1_000 + 30 * DAY);
    assert_eq!(standing(&kitchen), Standing::Expired);
    assert!(!covers(&mut kitchen));
    kitchen.now = Timestamp(999);
    assert_eq!(standing(&kitchen), Standing::Expired);
    assert!(!covers(&mut kitchen));
}

#[test]
fn its_uses_are_counted_across_restarts_and_come_to_an_end() {
    for scope in [Always::Tool, Always::ToolWithArguments] {
        let mut kitchen = given(scope);
        for uses in 1..=STANDING_USES_MAX {
            assert!(covers(&mut kitchen), "use {uses}");
            kitchen.restart();
            assert_eq!(kitchen.session.standing_approvals()[0].uses, uses);
        }
        assert_eq!(standing(&kitchen), Standing::UsedUp);
        assert!(!covers(&mut kitchen));
        assert_eq!(kitchen.session.standing_approvals()[0].uses, STANDING_USES_MAX);
    }
}

#[test]
fn what_is_left_of_its_uses_covers_so_many_calls_of_a_reply_and_no_more() {
    let mut kitchen = given(Always::Tool);
    for _ in 0..STANDING_USES_MAX - 2 {
        assert!(covers(&mut kitchen));
    }
    let before = kitchen.times_asked();
    kitchen.prompt((0..5).map(|n| call(&format!("c{n}"), "add")).collect());
    assert_eq!(kitchen.times_asked() - before, 3);
    assert_eq!(standing(&kitchen), Standing::UsedUp);
}

#[test]
fn a_reply_that_is_closed_uses_nothing_up() {
    let mut kitchen = given(Always::Tool);
    kitchen.settings.iterations_max = 0;
    kitchen.prompt(vec![call("c1", "add")]);
    assert_eq!(kitchen.session.standing_approvals()[0].uses, 0);
}

#[test]
fn said_again_once_it_is_used_up_it_begins_anew() {
    let mut kitchen = given(Always::Tool);
    for _ in 0..STANDING_USES_MAX {
        assert!(covers(&mut kitchen));
    }
    assert!(!covers(&mut kitchen));
    let before = kitchen.times_asked();
    kitchen.prompt(vec![call("c1", "add")]);
    let again = kitchen.answer(before, always(Always::Tool));
    kitchen.drive(again);
    kitchen.drive(reply(vec![text("Done.")]));
    assert_eq!(standing(&kitchen), Standing::Covers);
    assert!(covers(&mut kitchen));
}

#[test]
fn taken_back_it_covers_nothing_from_then_on() {
    let mut kitchen = given(Always::Tool);
    let id = kitchen.session.standing_approvals()[0].id.clone();
    kitchen.step(Event::Revoked(id.clone()), &["save"]);
    kitchen.step(Event::Revoked(id), &["ignored"]);
    kitchen.restart();
    assert!(kitchen.session.standing_approvals().is_empty());
    assert!(!covers(&mut kitchen));
}

#[test]
fn it_can_be_taken_back_whatever_is_going_on() {
    let mut kitchen = given(Always::ToolWithArguments);
    let id = kitchen.session.standing_approvals()[0].id.clone();
    kitchen.act(said("butter"));
    kitchen.act(reply(vec![call_with("c1", "add", r#"{"item":"butter"}"#)]));
    kitchen.step(Event::Revoked(id), &["save"]);
    assert_eq!(kitchen.session.open_requests().count(), 1);
    let unknown = Event::Revoked(StandingApprovalId("nobody's".to_owned()));
    kitchen.step(unknown, &["ignored"]);
}

#[test]
fn it_ends_with_its_tool() {
    let mut kitchen = given(Always::Tool);
    kitchen.tools[0].version = "2".to_owned();
    assert_eq!(standing(&kitchen), Standing::ToolChanged);
    assert!(!covers(&mut kitchen));
    kitchen.tools[0].version = "1".to_owned();
    kitchen.tools[0].access = Access::AlwaysAsk;
    assert_eq!(standing(&kitchen), Standing::ToolChanged);
    assert!(!covers(&mut kitchen));
}

#[test]
fn it_is_never_offered_for_a_tool_that_is_asked_about_every_time() {
    let mut kitchen = Kitchen::new();
    kitchen.tools[0].access = Access::AlwaysAsk;
    kitchen.prompt(vec![call("c0", "add"), call("c1", "add")]);
    for scope in [Always::Tool, Always::ToolWithArguments] {
        assert_eq!(kitchen.session.would_stand(kitchen.request(0), scope, kitchen.now), None);
        assert!(kitchen.session.would_cover(kitchen.request(0), scope, kitchen.now).is_empty());
    }
    let answer = kitchen.answer(0, always(Always::Tool));
    kitchen.drive(answer);
    assert!(kitchen.session.standing_approvals().is_empty());
    assert_eq!(kitchen.session.open_requests().count(), 1);
}

#[test]
fn it_covers_no_waiting_call_of_a_tool_that_is_by_now_asked_about_every_time() {
    let mut kitchen = Kitchen::asking(&["add", "add"]);
    kitchen.restart();
    kitchen.tools[0].access = Access::AlwaysAsk;
    let answer = kitchen.answer(0, always(Always::Tool));
    kitchen.drive(answer);
    assert_eq!(kitchen.decisions().len(), 1);
    assert_eq!(kitchen.session.open_requests().count(), 1);
    assert!(kitchen.session.standing_approvals().is_empty());
}

#[test]
fn the_oldest_makes_room() {
    let mut kitchen = Kitchen::new();
    for n in 0..=STANDING_APPROVALS_MAX {
        kitchen.prompt(vec![call_with("c", "add", &json!({"item": n}).to_string())]);
        let answer = kitchen.answer(n, always(Always::ToolWithArguments));
        kitchen.drive(answer);
        kitchen.drive(reply(vec![text("Done.")]));
    }
    let kept = kitchen.session.standing_approvals();
    assert_eq!(kept.len(), STANDING_APPROVALS_MAX);
    assert_eq!(kept[0].request(), *kitchen.request(1));
}

#[test]
fn one_from_before_they_had_an_end_is_left_out_and_the_person_is_asked() {
    let kitchen = given(Always::Tool);
    let mut state = serde_json::to_value(kitchen.session.state()).unwrap();
    state["version"] = json!(1);
    let rule = state["run"]["standing"][0].as_object_mut().unwrap();
    for key in ["id", "expires_at", "uses", "uses_max"] {
        rule.remove(key).unwrap();
    }
    let state = serde_json::from_value(state).unwrap();
    let messages = kitchen.session.messages().to_vec();
    let restored = Session::restore(state, messages).unwrap();
    assert!(restored.standing_approvals().is_empty());
}

#[test]
fn with_standing_approvals_off_none_covers_and_none_is_used_up() {
    let mut kitchen = given(Always::Tool);
    kitchen.settings = Settings { standing_approvals: false, ..Settings::product() };
    assert!(!covers(&mut kitchen));
    let it = &kitchen.session.standing_approvals()[0];
    assert_eq!(it.uses, 0);
    assert!(kitchen.decisions().iter().all(|event| event.basis != Basis::Standing));
}
