//! Policies: which tools are asked about, on trial and in force, and the way back.

#![allow(clippy::unwrap_used, reason = "here a panic is a failed test")]

use agent::approval::{Answer, Mode, Outcome, Policy, PolicyError};
use agent::audit::{AuditEvent, HOUSEHOLD};
use agent::effect::Effect;
use agent::message::Ending;
use agent::settings::Wait;
use agent::tool::{Access, ToolSpec};

use crate::kitchen::{Kitchen, call, reply, said, text};

const YES: Answer = Answer::Approve { always: None };

fn policy(mode: Mode, add: Access, look: Access, tools: &[ToolSpec]) -> Policy {
    let inventory = [("add", add), ("look", look)];
    Policy::new(7, mode, &inventory, Wait::new(2, 5), tools).unwrap()
}

fn governed(mode: Mode, add: Access, look: Access) -> Kitchen {
    let mut kitchen = Kitchen::new();
    kitchen.settings.policy = policy(mode, add, look, &kitchen.tools);
    kitchen
}

#[test]
fn a_policy_in_force_decides_which_tools_are_offered_asked_about_and_run() {
    let mut kitchen = governed(Mode::Enforce, Access::Unavailable, Access::Write);
    let effects = kitchen.act(said("eggs"));
    let Some(Effect::CallModel(request)) = effects.last() else { panic!("the model is called") };
    let offered: Vec<_> = request.tools.iter().map(|it| &*it.name).collect();
    assert_eq!(offered, ["look"]);
    kitchen.step(reply(vec![call("c0", "add"), call("c1", "look")]), &["save", "ask look"]);
    let answer = kitchen.answer(0, YES);
    kitchen.drive(answer);
    assert_eq!(kitchen.endings(), [Ending::NotFound, Ending::Ran]);
}

#[test]
fn records_name_the_policy_and_on_whose_behalf_it_was_decided() {
    for (mode, would_be) in [(Mode::Enforce, None), (Mode::ReportOnly, Some(Access::AlwaysAsk))] {
        let mut kitchen = governed(mode, Access::AlwaysAsk, Access::Read);
        kitchen.prompt(vec![call("c0", "add")]);
        let answer = kitchen.answer(0, YES);
        kitchen.drive(answer);
        let event = kitchen.last_recorded();
        assert_eq!((event.policy_version, &*event.operator), (7, HOUSEHOLD));
        assert_eq!(event.would_be, would_be);
    }
}

#[test]
fn a_record_from_before_there_were_policies_can_be_read() {
    let mut kitchen = Kitchen::asking(&["add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.act(answer);
    let event = kitchen.last_recorded();
    let mut stored = serde_json::to_value(&event).unwrap();
    for key in ["policy_version", "operator"] {
        stored.as_object_mut().unwrap().remove(key).unwrap();
    }
    let read: AuditEvent = serde_json::from_value(stored).unwrap();
    assert_eq!(read, event);
}

#[test]
fn a_policy_on_trial_asks_and_records_as_usual_and_never_runs_what_it_would_refuse() {
    let mut kitchen = governed(Mode::ReportOnly, Access::Unavailable, Access::Unavailable);
    kitchen.act(said("eggs"));
    kitchen.step(reply(vec![call("c0", "add"), call("c1", "look")]), &["save", "ask add"]);
    let answer = kitchen.answer(0, YES);
    kitchen.drive(answer);
    let event = kitchen.last_recorded();
    assert_eq!((event.outcome, event.would_be), (Outcome::Approved, Some(Access::Unavailable)));
    assert!(kitchen.released().is_empty());
    assert_eq!(kitchen.endings(), [Ending::NotFound, Ending::NotFound]);
}

#[test]
fn a_policy_on_trial_lets_everything_else_go_as_it_went() {
    let mut kitchen = governed(Mode::ReportOnly, Access::AlwaysAsk, Access::Write);
    kitchen.act(said("eggs"));
    kitchen.step(reply(vec![call("c1", "look")]), &["save", "run look"]);
    assert_eq!(kitchen.settings.policy.wait(), Wait::default());
    let finished = kitchen.finished("milk");
    kitchen.drive(finished);
    kitchen.drive(reply(vec![call("c2", "add")]));
    let answer = kitchen.answer(0, YES);
    kitchen.drive(answer);
    kitchen.drive(reply(vec![text("Done.")]));
    assert_eq!(kitchen.endings(), [Ending::Ran, Ending::Ran]);
}

#[test]
fn an_inventory_names_every_tool_once() {
    let tools = Kitchen::new().tools;
    let (add, look) = (("add", Access::Write), ("look", Access::Read));
    let new = |inventory: &[_]| {
        Policy::new(1, Mode::Enforce, inventory, Wait::default(), &tools).map(|it| it.version())
    };
    assert_eq!(new(&[add, look]), Ok(1));
    assert_eq!(new(&[add]), Err(PolicyError::Unclassed("look".to_owned())));
    assert_eq!(new(&[add, look, look]), Err(PolicyError::ClassedTwice("look".to_owned())));
    let gone = ("sell", Access::Write);
    assert_eq!(new(&[add, look, gone]), Err(PolicyError::NoSuchTool("sell".to_owned())));
}

#[test]
fn a_tool_that_came_later_may_not_be_called_before_it_is_in_a_class() {
    let mut kitchen = governed(Mode::Enforce, Access::Write, Access::Read);
    let sell = ToolSpec { name: "sell".to_owned(), ..kitchen.tools[1].clone() };
    kitchen.tools.push(sell);
    kitchen.prompt(vec![call("c0", "sell")]);
    assert_eq!(kitchen.endings(), [Ending::NotFound]);
}

#[test]
fn no_policy_takes_approval_away_from_a_tool_that_changes_something() {
    let mut tools = Kitchen::new().tools;
    for (declared, class) in [
        (Access::Write, Access::Read),
        (Access::AlwaysAsk, Access::Read),
        (Access::AlwaysAsk, Access::Write),
    ] {
        for mode in [Mode::Enforce, Mode::ReportOnly] {
            tools[0].access = declared;
            let inventory = [("add", class), ("look", Access::Read)];
            let refused = Policy::new(1, mode, &inventory, Wait::default(), &tools);
            let tool = "add".to_owned();
            assert_eq!(refused, Err(PolicyError::ApprovalRemoved { tool, declared, class }));
        }
    }
}

#[test]
fn the_way_back_restores_a_class_or_a_wait_and_never_takes_approval_away() {
    let mut tools = Kitchen::new().tools;
    tools[0].access = Access::Read;
    let first = policy(Mode::Enforce, Access::Read, Access::Read, &tools);
    let second = Policy::new(
        8,
        Mode::Enforce,
        &[("add", Access::Read), ("look", Access::Write)],
        Wait::new(1, 1),
        &tools,
    )
    .unwrap();
    let back = second.roll_back(&first, &tools).unwrap();
    assert_eq!((back.version(), back.access(&tools[1])), (9, Access::Read));
    assert_eq!(back.wait(), Wait::new(2, 5));

    // Its author has noticed meanwhile that the tool changes something.
    tools[0].access = Access::Write;
    let refused = second.roll_back(&first, &tools);
    let (declared, class) = (Access::Write, Access::Read);
    let tool = "add".to_owned();
    assert_eq!(refused, Err(PolicyError::ApprovalRemoved { tool, declared, class }));

    // Nor does a policy that is in force already let it run.
    let mut kitchen = Kitchen::new();
    kitchen.settings.policy = first;
    kitchen.prompt(vec![call("c0", "add")]);
    assert_eq!((kitchen.times_asked(), kitchen.released().len()), (1, 0));
}

#[test]
fn where_no_policy_holds_nothing_may_be_called() {
    let mut kitchen = Kitchen::new();
    kitchen.settings.policy = Policy::closed();
    kitchen.prompt(vec![call("c0", "add"), call("c1", "look")]);
    assert_eq!(kitchen.endings(), [Ending::NotFound, Ending::NotFound]);
}
