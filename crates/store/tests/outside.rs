//! An effect outside the household: at most one attempt, whatever stops in between. The far side is
//! a mailbox that may take a letter and lose its answer.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use std::collections::BTreeMap;

use agent::approval::{Answer, ApprovalResponse, ApprovedCall};
use agent::audit::{AuditEvent, ExecutionOutcome};
use agent::effect::Effect;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::id::{Entropy, RequestId, SessionId};
use agent::message::{Body, Ending};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::{Access, Reach, ToolSet, ToolSpec};
use kitchen::Household;
use serde_json::json;
use simulation::database::{Fate, Memory, Plan, View, at_once};
use store::Store;
use store::error::StoreError;
use store::outside::Attempt;
use store::records::Record;

const NOW: Timestamp = Timestamp(1_796_000_000_000);
const KEY: [u8; 32] = [7; 32];

/// A tool that sends a letter.
fn tools(version: &str) -> ToolSet<Household> {
    ToolSet::new().with_outside(ToolSpec {
        name: "send_letter".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object"}),
        version: version.to_owned(),
        access: Access::AlwaysAsk,
    })
}

/// The far side: letters by the key they came under.
#[derive(Default)]
struct Mailbox {
    letters: BTreeMap<RequestId, u32>,
}

/// A conversation that has proposed a letter.
struct Asked {
    session: Session,
    steps: u8,
}

impl Asked {
    fn letter() -> Self {
        let mut asked = Self { session: Session::new(SessionId("letters".to_owned())), steps: 0 };
        asked.step(Event::Said("Write to the farm.".to_owned()));
        asked.step(Event::ModelReplied(ModelReply {
            content: vec![ReplyContent::Call(ProposedCall {
                id: "toolu_1".to_owned(),
                name: "send_letter".to_owned(),
                arguments: r#"{"to":"the farm"}"#.to_owned(),
                provider_result: None,
            })],
            stop: StopReason::ToolUse,
            usage: Usage::default(),
        }));
        asked
    }

    fn step(&mut self, event: Event) -> Vec<Effect> {
        self.steps += 1;
        let context = Context {
            now: NOW,
            entropy: Entropy([self.steps; 16]),
            tools: &tools("1").specs(),
            rules: &[],
            settings: &Settings::product(),
            instructions: "",
            digest_key: &KEY,
        };
        self.session.step(event, &context)
    }

    fn yes(&mut self) -> AuditEvent {
        let card = self.session.open_requests().next().unwrap();
        let (request, shown) = (card.id.clone(), card.shown.clone());
        let answer = Answer::Approve { always: None };
        let responses = vec![ApprovalResponse { request, shown, answer }];
        let effects = self.step(Event::Answered { responses, text: None });
        effects.into_iter().find_map(decision).unwrap()
    }

    fn released(&mut self, yes: &AuditEvent) -> ApprovedCall {
        let (request, recorded) = (yes.request.clone(), Recorded::Durable);
        let effects = self.step(Event::DecisionRecorded { request, recorded });
        effects.into_iter().find_map(leave).unwrap()
    }

    /// The program stops and starts again: leave to run is given once more.
    fn restarted(&mut self) -> ApprovedCall {
        let messages = self.session.messages().to_vec();
        self.session = Session::restore(self.session.state(), messages).unwrap();
        self.step(Event::Resumed).into_iter().find_map(leave).unwrap()
    }
}

fn decision(effect: Effect) -> Option<AuditEvent> {
    if let Effect::RecordDecision(decision) = effect { Some(decision) } else { None }
}

fn leave(effect: Effect) -> Option<ApprovedCall> {
    if let Effect::RunTool(approved) = effect { Some(approved) } else { None }
}

fn open(memory: &Memory) -> Store<View<'_>> {
    Store::new(View { memory, slot: 0, mutant: None })
}

/// Carries an approved letter out as a driver would. `lost`: the far side's answer never comes.
fn carry_out(
    memory: &Memory,
    approved: &ApprovedCall,
    mailbox: &mut Mailbox,
    lost: bool,
) -> Result<ToolOutcome, StoreError> {
    let (store, session) = (open(memory), SessionId("letters".to_owned()));
    match at_once(store.attempt(&tools("1"), approved, &session, &KEY, NOW))? {
        Attempt::Ended(outcome) => Ok(outcome),
        Attempt::Begun(begun) => {
            *mailbox.letters.entry(begun.idempotency_key().clone()).or_default() += 1;
            if lost {
                return Err(StoreError::Absent);
            }
            let text = Some("Posted.".to_owned());
            let outcome = ToolOutcome::Returned { text, terminate: false };
            at_once(store.attempted(begun, outcome, NOW))
        }
    }
}

fn executions(memory: &Memory) -> Vec<ExecutionOutcome> {
    let entries = at_once(open(memory).newest_records(10)).unwrap().entries;
    let outcome = |record: Record| match record {
        Record::Execution(event) => Some(event.outcome),
        Record::Decision(_) => None,
    };
    entries.into_iter().filter_map(|entry| outcome(entry.record.unwrap())).collect()
}

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
        Body::Person(_) | Body::Assistant(_) => None,
    });
    let unknown = "Error: Function outcome is unknown; it may have run.";
    assert_eq!(told, Some((Ending::Unknown, unknown)));
}

#[test]
fn an_answer_that_comes_after_the_outcome_was_called_unknown_changes_nothing() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let approved = asked.released(&yes);
    let (store, session) = (open(&memory), asked.session.id().clone());
    let begun = at_once(store.attempt(&tools("1"), &approved, &session, &KEY, NOW)).unwrap();
    let Attempt::Begun(begun) = begun else { unreachable!("it was not begun before") };
    let elsewhere = carry_out(&memory, &asked.restarted(), &mut mailbox, false).unwrap();
    assert_eq!(elsewhere, ToolOutcome::Unknown);
    let late = ToolOutcome::Returned { text: None, terminate: false };
    assert_eq!(at_once(store.attempted(begun, late, NOW)).unwrap(), ToolOutcome::Unknown);
    assert_eq!(executions(&memory), [ExecutionOutcome::Unknown]);
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
