//! A letter that was approved, the mailbox it goes to, and a driver that carries it there.

#![allow(
    clippy::unwrap_used,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use std::collections::BTreeMap;

use agent::approval::{Answer, ApprovalResponse, ApprovedCall};
use agent::audit::{AuditEvent, ExecutionOutcome};
use agent::effect::Effect;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::handoff::Agent;
use agent::id::{Entropy, RequestId, SessionId};
use agent::message::{Body, Content, ToolCall};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::{Access, ToolSet, ToolSpec};
use kitchen::Household;
use serde_json::json;
use simulation::database::{Memory, View, at_once};
use store::Store;
use store::error::StoreError;
use store::outside::Attempt;
use store::records::Record;

pub(crate) const NOW: Timestamp = Timestamp(1_796_000_000_000);
pub(crate) const KEY: [u8; 32] = [7; 32];

/// A tool that sends a letter.
pub(crate) fn tools(version: &str) -> ToolSet<Household> {
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
pub(crate) struct Mailbox {
    pub(crate) letters: BTreeMap<RequestId, u32>,
}

/// A conversation that has proposed a letter.
pub(crate) struct Asked {
    pub(crate) session: Session,
    steps: u8,
}

impl Asked {
    pub(crate) fn letter() -> Self {
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

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        self.steps += 1;
        let context = Context {
            now: NOW,
            entropy: Entropy([self.steps; 16]),
            tools: &tools("1").specs(),
            rules: &[],
            settings: &Settings::product(),
            agents: &[Agent { tools: vec!["send_letter".to_owned()], ..kitchen::agent() }],
            digest_key: &KEY,
        };
        self.session.step(event, &context)
    }

    pub(crate) fn yes(&mut self) -> AuditEvent {
        let card = self.session.open_requests().next().unwrap();
        let (request, shown) = (card.id.clone(), card.shown.clone());
        let answer = Answer::Approve { always: None };
        let responses = vec![ApprovalResponse { request, shown, answer }];
        let effects = self.step(Event::Answered { responses, text: None });
        effects.into_iter().find_map(decision).unwrap()
    }

    pub(crate) fn released(&mut self, yes: &AuditEvent) -> ApprovedCall {
        let (request, recorded) = (yes.request.clone(), Recorded::Durable);
        let effects = self.step(Event::DecisionRecorded { request, recorded });
        effects.into_iter().find_map(leave).unwrap()
    }

    /// The model answers in words.
    pub(crate) fn model_says(&mut self, text: &str) {
        self.step(Event::ModelReplied(ModelReply {
            content: vec![ReplyContent::Text(text.to_owned())],
            stop: StopReason::EndTurn,
            usage: Usage::default(),
        }));
    }

    /// The call of the letter, as it stands in the conversation.
    pub(crate) fn call(&self) -> ToolCall {
        let calls = self.session.messages().iter().find_map(|message| match &message.body {
            Body::Assistant(content) => content.iter().find_map(|piece| match piece {
                Content::Call(call) => Some(call.clone()),
                Content::Text(_) | Content::Opaque(_) => None,
            }),
            Body::Person(_) | Body::Result(_) | Body::Note(_) => None,
        });
        calls.unwrap()
    }

    /// The program stops and starts again: leave to run is given once more.
    pub(crate) fn restarted(&mut self) -> ApprovedCall {
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

pub(crate) fn open(memory: &Memory) -> Store<View<'_>> {
    Store::new(View::of(memory))
}

/// Carries an approved letter out as a driver would. `lost`: the far side's answer never comes.
pub(crate) fn carry_out(
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

pub(crate) fn executions(memory: &Memory) -> Vec<ExecutionOutcome> {
    let entries = at_once(open(memory).newest_records(10)).unwrap().entries;
    let outcome = |record: Record| match record {
        Record::Execution(event) => Some(event.outcome),
        Record::Decision(_) | Record::Resolution(_) => None,
    };
    entries.into_iter().filter_map(|entry| outcome(entry.record.unwrap())).collect()
}
