//! Several agents in one conversation: who is in charge, wherever it stops, and what a handoff does
//! not take along.

use agent::approval::{Always, Answer, CallState, Outcome};
use agent::effect::{Effect, RunEnd, RunError};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::handoff::Agent;
use agent::message::{Body, Content, Ending};
use agent::model::{ModelError, ModelErrorKind, ProposedCall, ReplyContent, ToolChoice};
use agent::session::{Activity, Session};
use agent::settings::OnUnknownTool;
use agent::tool::{Access, SpecError, ToolSpec};

use crate::kitchen::{Kitchen, agent, call, call_with, reply, said, text};
use crate::{NO, YES};

/// A kitchen agent that adds and looks, and a dining agent that books and looks.
fn two() -> Kitchen {
    let mut kitchen = Kitchen::new();
    kitchen.has("book");
    kitchen.agents = vec![agent("kitchen", &["add", "look"]), agent("dining", &["book", "look"])];
    kitchen
}

/// The same, after a handoff to the dining agent.
fn dining() -> Kitchen {
    let mut kitchen = two();
    kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}")]);
    kitchen
}

fn names(tools: &[ToolSpec]) -> Vec<&str> {
    tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn the_first_agent_begins_with_its_own_instructions_and_tools() {
    let request = two().asked_of_model(said("hi"));
    assert_eq!(request.instructions, "You are the kitchen.");
    assert_eq!(names(&request.tools), ["add", "look", "handoff_to_dining"]);
}

#[test]
fn the_next_agent_has_its_own_instructions_and_tools_and_stays_in_charge() {
    let mut kitchen = two();
    kitchen.act(said("book a table"));
    let handoff = reply(vec![call_with("h1", "handoff_to_dining", r#"{"reason":"A table."}"#)]);
    let request = kitchen.asked_of_model(handoff);
    assert_eq!(request.instructions, "You are the dining.");
    assert_eq!(names(&request.tools), ["look", "book", "handoff_to_kitchen"]);
    assert_eq!(kitchen.told(), ["Transferred."]);
    kitchen.act(reply(vec![text("Where?")]));
    assert_eq!(kitchen.asked_of_model(said("in town")).instructions, "You are the dining.");
}

#[test]
fn a_handoff_is_declared_as_what_the_other_agent_does_and_may_have_a_reason() {
    let handoff = agent("dining", &[]).handoff();
    assert!(handoff.description.contains("does what the dining does"), "{}", handoff.description);
    assert_eq!(handoff.access, Access::Read);
    let fits = |arguments: &str| handoff.fits(&serde_json::from_str(arguments).unwrap());
    assert!(fits("{}") && fits(r#"{"reason":"A table."}"#));
    assert!(!fits(r#"{"approved":true}"#));
}

#[test]
fn one_agent_alone_has_nobody_to_hand_over_to() {
    let mut kitchen = Kitchen::new();
    assert_eq!(names(&kitchen.asked_of_model(said("hi")).tools), ["add", "look"]);
    kitchen.step(reply(vec![call("h1", "handoff_to_dining")]), &["save", "model"]);
    assert_eq!(kitchen.endings(), [Ending::NotFound]);
}

#[test]
fn no_agent_may_call_a_tool_of_another() {
    let mut kitchen = two();
    kitchen.prompt(vec![call("c1", "book"), call("c2", "look")]);
    assert_eq!(kitchen.endings(), [Ending::NotFound, Ending::Ran]);
    kitchen.drive(reply(vec![call_with("h1", "handoff_to_dining", "{}")]));
    kitchen.drive(reply(vec![call("c3", "add")]));
    assert_eq!(kitchen.times_asked(), 0);
    assert_eq!(kitchen.endings()[3..], [Ending::NotFound]);
}

#[test]
fn without_any_agent_nothing_may_be_called() {
    let mut kitchen = Kitchen::new();
    kitchen.agents = vec![Agent { tools: Vec::new(), ..agent("nobody", &[]) }];
    assert_eq!(kitchen.asked_of_model(said("eggs")).tools, []);
    kitchen.step(reply(vec![call("c1", "add"), call("c2", "look")]), &["save", "model"]);
    assert_eq!(kitchen.endings(), [Ending::NotFound, Ending::NotFound]);
}

#[test]
fn a_handoff_beside_a_question_waits_and_a_reload_keeps_it() {
    for (answer, told) in [(YES, Ending::Ran), (NO, Ending::Refused)] {
        let mut kitchen = two();
        kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}"), call("c1", "add")]);
        let held: Vec<_> = kitchen.session.batch().iter().map(|it| it.state().clone()).collect();
        assert!(matches!(held[..], [CallState::Held, CallState::Open(_)]), "{held:?}");
        assert_eq!(kitchen.in_charge(), "kitchen");
        kitchen.restart();
        assert_eq!(kitchen.in_charge(), "kitchen");
        let answer = kitchen.answer(0, answer);
        kitchen.drive(answer);
        assert_eq!(kitchen.in_charge(), "dining");
        assert_eq!(kitchen.endings(), [Ending::Ran, told]);
    }
}

#[test]
fn a_stop_between_the_decision_and_the_call_beside_a_handoff_loses_neither() {
    let mut kitchen = two();
    kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}"), call("c1", "add")]);
    let answer = kitchen.answer(0, YES);
    kitchen.step(answer, &["save", "record add Approved"]);
    kitchen.restart();
    kitchen.step(Event::Resumed, &["save", "record add Approved"]);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.step(recorded, &["save", "run add"]);
    kitchen.restart();
    assert_eq!(kitchen.in_charge(), "kitchen");
    kitchen.step(Event::Resumed, &["save", "run add"]);
    let finished = kitchen.finished("Added.");
    assert_eq!(kitchen.asked_of_model(finished).instructions, "You are the dining.");
    assert_eq!(kitchen.told(), ["Transferred.", "Added."]);
}

#[test]
fn a_stop_after_a_handoff_leaves_the_next_agent_in_charge() {
    let mut kitchen = dining();
    kitchen.restart();
    assert_eq!(kitchen.session.activity(), Activity::Interrupted);
    assert_eq!(kitchen.asked_of_model(Event::Resumed).instructions, "You are the dining.");
    kitchen.act(reply(vec![call("c1", "book")]));
    kitchen.restart();
    let answer = kitchen.answer(0, YES);
    kitchen.drive(answer);
    assert_eq!(kitchen.last_released().0.name, "book");
    assert_eq!(kitchen.in_charge(), "dining");
}

#[test]
fn a_model_that_fails_after_a_handoff_leaves_the_next_agent_in_charge() {
    let mut kitchen = two();
    kitchen.act(said("book a table"));
    kitchen.act(reply(vec![call_with("h1", "handoff_to_dining", "{}")]));
    let error = ModelError { kind: ModelErrorKind::Transport, message: "cut".to_owned() };
    kitchen.step(Event::ModelFailed(error), &["save", "failed Model"]);
    assert_eq!(kitchen.asked_of_model(Event::Resumed).instructions, "You are the dining.");
}

#[test]
fn a_text_that_is_taken_back_takes_no_handoff_back() {
    let mut kitchen = two();
    kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}"), call("c1", "add")]);
    kitchen.drive(said("never mind the eggs"));
    let error = ModelError { kind: ModelErrorKind::Transport, message: "cut".to_owned() };
    kitchen.step(Event::ModelFailed(error), &["save", "failed Model"]);
    assert_eq!(kitchen.in_charge(), "dining");
    assert_eq!(kitchen.endings(), [Ending::Ran, Ending::Refused]);
}

#[test]
fn of_two_handoffs_in_one_reply_the_last_counts() {
    let mut kitchen = two();
    kitchen.agents.push(agent("activities", &["look"]));
    kitchen.act(said("what shall we do"));
    let both = vec![
        call_with("h1", "handoff_to_dining", "{}"),
        call("c1", "look"),
        call_with("h2", "handoff_to_activities", "{}"),
    ];
    kitchen.drive(reply(both));
    assert_eq!(kitchen.in_charge(), "activities");
    assert_eq!(kitchen.endings(), [Ending::Ran; 3]);
}

#[test]
fn a_handoff_to_oneself_changes_nothing() {
    let mut kitchen = two();
    kitchen.act(said("hi"));
    let request = kitchen.asked_of_model(reply(vec![call_with("h1", "handoff_to_kitchen", "{}")]));
    assert_eq!(request.instructions, "You are the kitchen.");
    assert_eq!(kitchen.told(), ["Transferred."]);
}

#[test]
fn agents_that_hand_over_to_each_other_come_to_an_end() {
    let mut kitchen = two();
    kitchen.act(said("hi"));
    let mut targets = ["dining", "kitchen"].into_iter().cycle();
    for _ in 0..kitchen.settings.iterations_max - 1 {
        let handoff = format!("handoff_to_{}", targets.next().unwrap());
        let request = kitchen.asked_of_model(reply(vec![call_with("h", &handoff, "{}")]));
        assert_eq!(request.tool_choice, ToolChoice::Auto);
    }
    let last = kitchen.asked_of_model(reply(vec![call_with("h", "handoff_to_kitchen", "{}")]));
    assert_eq!(last.tool_choice, ToolChoice::None);
    let before = kitchen.in_charge().to_owned();
    let over = reply(vec![call_with("h", "handoff_to_dining", "{}")]);
    assert_eq!(
        kitchen.act(over).last(),
        Some(&Effect::Finished(RunEnd::Failed(RunError::MaxIterations)))
    );
    assert_eq!(kitchen.endings().last(), Some(&Ending::NotRun));
    assert_eq!(kitchen.in_charge(), before);
}

#[test]
fn a_no_holds_for_the_next_agent_too_until_the_person_writes() {
    let mut kitchen = two();
    kitchen.prompt(vec![call("c1", "add")]);
    let no = kitchen.answer(0, NO);
    kitchen.drive(no);
    kitchen.drive(reply(vec![call_with("h1", "handoff_to_dining", "{}")]));
    kitchen.drive(reply(vec![call("c2", "book")]));
    assert_eq!(kitchen.times_asked(), 1);
    assert_eq!(kitchen.last_recorded().outcome, Outcome::Sticky);
    kitchen.act(reply(vec![text("It was turned down.")]));
    kitchen.prompt(vec![call("c3", "book")]);
    assert_eq!(kitchen.times_asked(), 2);
}

#[test]
fn a_handoff_settles_no_question_and_makes_none_go_unasked() {
    let mut kitchen = dining();
    kitchen.drive(reply(vec![
        call("c1", "book"),
        call_with("h2", "handoff_to_kitchen", "{}"),
        call("c2", "book"),
    ]));
    assert_eq!(kitchen.times_asked(), 2);
    let first = kitchen.answer(0, YES);
    kitchen.drive(first);
    assert!(kitchen.released().is_empty());
    let second = kitchen.answer(1, YES);
    kitchen.drive(second);
    assert_eq!(kitchen.released().len(), 2);
    assert_eq!(kitchen.in_charge(), "kitchen");
    kitchen.drive(reply(vec![call("c3", "add")]));
    assert_eq!(kitchen.times_asked(), 3);
}

#[test]
fn always_for_a_tool_covers_no_tool_of_the_next_agent() {
    let mut kitchen = two();
    kitchen.prompt(vec![call("c1", "add")]);
    let always = kitchen.answer(0, Answer::Approve { always: Some(Always::Tool) });
    kitchen.drive(always);
    kitchen.drive(reply(vec![call_with("h1", "handoff_to_dining", "{}")]));
    kitchen.drive(reply(vec![call("c2", "book"), call("c3", "add")]));
    assert_eq!(kitchen.times_asked(), 2);
    let no = kitchen.answer(1, NO);
    kitchen.drive(no);
    let added = kitchen.released().iter().filter(|(call, _)| call.name == "add").count();
    assert_eq!(added, 1);
}

#[test]
fn cancelling_before_a_handoff_took_place_leaves_the_agent_in_charge() {
    let mut kitchen = two();
    kitchen.prompt(vec![call("c1", "add"), call_with("h1", "handoff_to_dining", "{}")]);
    kitchen.drive(Event::Cancelled);
    assert_eq!(kitchen.endings(), [Ending::Refused, Ending::NotRun]);
    assert_eq!(kitchen.in_charge(), "kitchen");
}

#[test]
fn a_handoff_that_was_told_as_done_counts_though_the_run_ended_behind_it() {
    let mut kitchen = two();
    kitchen.prompt(vec![call("c1", "add"), call_with("h1", "handoff_to_dining", "{}")]);
    let yes = kitchen.answer(0, YES);
    kitchen.act(yes);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.act(recorded);
    let outcome = ToolOutcome::Returned { text: None, terminate: true };
    let finished = Event::ToolFinished { call: kitchen.running(), outcome };
    kitchen.step(finished, &["save", "terminated"]);
    assert_eq!(
        (kitchen.endings(), kitchen.in_charge()),
        (vec![Ending::Ran, Ending::NotRun], "kitchen")
    );

    let mut kitchen = two();
    kitchen.act(said("look"));
    kitchen.act(reply(vec![call_with("h1", "handoff_to_dining", "{}"), call("c1", "look")]));
    let outcome = ToolOutcome::Returned { text: None, terminate: true };
    let finished = Event::ToolFinished { call: kitchen.running(), outcome };
    kitchen.step(finished, &["save", "terminated"]);
    assert_eq!(
        (kitchen.endings(), kitchen.in_charge()),
        (vec![Ending::Ran, Ending::Ran], "dining")
    );
}

#[test]
fn an_agent_that_is_gone_after_a_reload_is_not_handed_over_to() {
    let mut kitchen = two();
    kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}"), call("c1", "add")]);
    kitchen.restart();
    kitchen.agents.truncate(1);
    let no = kitchen.answer(0, NO);
    kitchen.drive(no);
    assert_eq!(kitchen.endings(), [Ending::NotFound, Ending::Refused]);
    assert_eq!(kitchen.in_charge(), "kitchen");
}

#[test]
fn what_an_agent_that_is_gone_had_asked_for_does_not_run_and_the_first_goes_on() {
    let mut kitchen = dining();
    kitchen.drive(reply(vec![call("c1", "book"), call("c2", "look")]));
    kitchen.restart();
    kitchen.agents.truncate(1);
    let yes = kitchen.answer(0, YES);
    kitchen.drive(yes);
    assert_eq!(kitchen.endings()[1..], [Ending::NotFound, Ending::NotFound]);
    assert!(kitchen.released().is_empty());
    assert_eq!(kitchen.in_charge(), "kitchen");
    kitchen.act(reply(vec![text("It cannot be booked here.")]));
    assert_eq!(kitchen.asked_of_model(said("eggs")).instructions, "You are the kitchen.");
}

#[test]
fn an_approved_call_whose_agent_lost_its_tool_is_taken_back_before_it_is_told() {
    let mut kitchen = dining();
    kitchen.act(reply(vec![call("c1", "book")]));
    kitchen.agents[1].tools.retain(|tool| tool != "book");
    let yes = kitchen.answer(0, YES);
    kitchen.step(yes, &["save", "record book Approved"]);
    let recorded = kitchen.recorded(Recorded::Durable);
    kitchen.step(recorded, &["save", "withdraw book"]);
}

#[test]
fn a_conversation_from_before_there_were_agents_belongs_to_the_first() {
    let mut kitchen = two();
    kitchen.prompt(vec![call("c1", "add")]);
    let mut state = serde_json::to_value(kitchen.session.state()).unwrap();
    let run = state["run"].as_object_mut().unwrap();
    assert_eq!(run.remove("agent"), Some("kitchen".into()));
    let state = serde_json::from_value(state).unwrap();
    kitchen.session = Session::restore(state, kitchen.session.messages().to_vec()).unwrap();
    assert_eq!(kitchen.session.agent(), None);
    let yes = kitchen.answer(0, YES);
    kitchen.drive(yes);
    assert_eq!(kitchen.endings(), [Ending::Ran]);
    assert_eq!(kitchen.in_charge(), "kitchen");
}

#[test]
fn a_handoff_that_the_provider_claims_to_have_run_hands_nothing_over() {
    let mut kitchen = two();
    let mut provided = call_with("h1", "handoff_to_dining", "{}");
    if let ReplyContent::Call(ProposedCall { provider_result, .. }) = &mut provided {
        *provider_result = Some("Transferred.".to_owned());
    }
    kitchen.prompt(vec![provided, call("c1", "look")]);
    assert_eq!(kitchen.endings(), [Ending::Provider, Ending::Ran]);
    assert_eq!(kitchen.in_charge(), "kitchen");
}

#[test]
fn a_handoff_to_nobody_ends_the_run_where_unknown_tools_do_and_one_to_an_agent_does_not() {
    let mut kitchen = two();
    kitchen.settings.on_unknown_tool = OnUnknownTool::EndRun;
    kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}")]);
    assert_eq!(kitchen.in_charge(), "dining");
    kitchen.act(reply(vec![call_with("h2", "handoff_to_nobody", "{}"), call("c1", "look")]));
    assert_eq!(kitchen.endings(), [Ending::Ran, Ending::NotFound, Ending::NotRun]);
}

#[test]
fn a_handoff_needs_no_answer_where_free_calls_are_shown_and_leaves_no_record() {
    let mut kitchen = two();
    kitchen.settings.hold_free_calls = false;
    kitchen.prompt(vec![call_with("h1", "handoff_to_dining", "{}"), call("c1", "add")]);
    assert_eq!(kitchen.times_asked(), 1);
    let no = kitchen.answer(0, NO);
    kitchen.drive(no);
    assert_eq!(kitchen.decisions().len(), 1);
    assert_eq!(kitchen.in_charge(), "dining");
}

#[test]
fn a_tool_cannot_have_the_name_of_a_handoff() {
    let mut kitchen = two();
    let spec = ToolSpec { name: "handoff_to_bank".to_owned(), ..kitchen.tools[0].clone() };
    assert_eq!(spec.check(), Err(SpecError::Name(spec.name.clone())));
    kitchen.tools.push(spec);
    kitchen.agents[0].tools.push("handoff_to_bank".to_owned());
    kitchen.prompt(vec![call("c1", "handoff_to_bank")]);
    assert_eq!(kitchen.endings(), [Ending::NotFound]);
}

#[test]
fn what_was_said_to_the_agent_before_is_all_there_for_the_next() {
    let mut kitchen = two();
    kitchen.act(said("Book The Domain Kitchen for two."));
    let content = vec![text("One moment."), call_with("h1", "handoff_to_dining", "{}")];
    let request = kitchen.asked_of_model(reply(content));
    let bodies: Vec<_> = request.messages.into_iter().map(|message| message.body).collect();
    let [Body::Person(_), Body::Assistant(content), Body::Result(result)] = &bodies[..] else {
        panic!("{bodies:?}");
    };
    assert!(matches!(&content[..], [Content::Text(_), Content::Call(_)]));
    assert_eq!(result.text, "Transferred.");
    assert_eq!(kitchen.session.agent(), Some("dining"));
}
