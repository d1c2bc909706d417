//! A kitchen of three tools, in which a session takes one event at a time.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "here a panic is a failed test")]

use std::collections::VecDeque;

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse, CallState};
use agent::audit::AuditEvent;
use agent::effect::{Effect, RunEnd};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::handoff::Agent;
use agent::id::{CallId, Entropy, RequestId, SessionId};
use agent::message::{Body, Ending, ToolCall};
use agent::model::{ModelReply, ModelRequest, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::{Access, ToolSpec};
use serde_json::json;

pub(crate) struct Kitchen {
    pub(crate) session: Session,
    pub(crate) now: Timestamp,
    pub(crate) settings: Settings,
    pub(crate) tools: Vec<ToolSpec>,
    /// Where there are none, one agent has every tool.
    pub(crate) agents: Vec<Agent>,
    asked: Vec<ApprovalRequest>,
    recorded: Vec<AuditEvent>,
    released: Vec<(ToolCall, Option<RequestId>)>,
    steps: u128,
}

impl Kitchen {
    pub(crate) fn new() -> Self {
        let tool = |name: &str, access| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({"type": "object"}),
            version: "1".to_owned(),
            access,
        };
        Self {
            session: Session::new(SessionId("s".to_owned())),
            now: Timestamp(1_000),
            settings: Settings::product(),
            tools: vec![tool("add", Access::Write), tool("look", Access::Read)],
            agents: Vec::new(),
            asked: Vec::new(),
            recorded: Vec::new(),
            released: Vec::new(),
            steps: 0,
        }
    }

    /// A kitchen in which these tools were called and wait for answers.
    pub(crate) fn asking(tools: &[&str]) -> Self {
        let mut kitchen = Self::new();
        kitchen.act(said("eggs"));
        let calls = tools.iter().enumerate().map(|(n, tool)| call(&format!("c{n}"), tool));
        kitchen.act(reply(calls.collect()));
        kitchen
    }

    /// One tool more that must be approved.
    pub(crate) fn has(&mut self, tool: &str) {
        let spec = ToolSpec { name: tool.to_owned(), ..self.tools[0].clone() };
        self.tools.push(spec);
    }

    /// Lets the session take an event.
    pub(crate) fn act(&mut self, event: Event) -> Vec<Effect> {
        self.steps += 1;
        let all: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let sole = [agent("kitchen", &all)];
        let context = Context {
            now: self.now,
            entropy: Entropy(self.steps.to_be_bytes()),
            tools: &self.tools,
            rules: &[],
            settings: &self.settings,
            agents: if self.agents.is_empty() { &sole } else { &self.agents },
            digest_key: &[1; 32],
        };
        let effects = self.session.step(event, &context);
        for effect in &effects {
            match effect {
                Effect::Ask(request) => self.asked.push(request.clone()),
                Effect::RecordDecision(event) => self.recorded.push(event.clone()),
                Effect::RunTool(approved) => {
                    self.released.push((approved.call().clone(), approved.request().cloned()));
                }
                Effect::Save
                | Effect::CallModel(_)
                | Effect::WithdrawApproval { .. }
                | Effect::Finished(_)
                | Effect::DroppedResponse(_)
                | Effect::Ignored(_) => {}
            }
        }
        effects
    }

    /// Lets an event happen and all that follows from it, with a store that keeps what it is told and
    /// tools that work, up to the person or the model.
    pub(crate) fn drive(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for effect in self.act(event) {
                match effect {
                    Effect::RecordDecision(event) => events.push_back(Event::DecisionRecorded {
                        request: event.request,
                        recorded: Recorded::Durable,
                    }),
                    Effect::RunTool(approved) => events.push_back(Event::ToolFinished {
                        call: approved.call().id.clone(),
                        outcome: ToolOutcome::Returned { text: None, terminate: false },
                    }),
                    Effect::WithdrawApproval { call, .. } => events
                        .push_back(Event::ApprovalWithdrawn { call: call.id, outcome: undone() }),
                    Effect::Save
                    | Effect::CallModel(_)
                    | Effect::Ask(_)
                    | Effect::Finished(_)
                    | Effect::DroppedResponse(_)
                    | Effect::Ignored(_) => {}
                }
            }
        }
    }

    /// The person says something, and the model answers with this.
    pub(crate) fn prompt(&mut self, content: Vec<ReplyContent>) {
        self.drive(said("please"));
        self.drive(reply(content));
    }

    /// Lets the session take an event, and compares what it asks for.
    #[track_caller]
    pub(crate) fn step(&mut self, event: Event, expected: &[&str]) {
        let effects: Vec<_> = self.act(event).iter().map(shape).collect();
        assert_eq!(effects, expected);
    }

    /// The program stops, and starts again from what is stored.
    pub(crate) fn restart(&mut self) {
        let state = serde_json::to_string(&self.session.state()).unwrap();
        let state = serde_json::from_str(&state).unwrap();
        self.session = Session::restore(state, self.session.messages().to_vec()).unwrap();
    }

    /// An answer to the `index`-th request that was ever raised.
    pub(crate) fn answer(&self, index: usize, answer: Answer) -> Event {
        answered(&self.asked[index], answer)
    }

    /// The store's word on the decision it was told last.
    pub(crate) fn recorded(&self, recorded: Recorded) -> Event {
        self.recorded_nth(self.recorded.len() - 1, recorded)
    }

    /// The store's word on the `index`-th decision it was told.
    pub(crate) fn recorded_nth(&self, index: usize, recorded: Recorded) -> Event {
        Event::DecisionRecorded { request: self.recorded[index].request.clone(), recorded }
    }

    /// How often a person was asked.
    pub(crate) fn times_asked(&self) -> usize {
        self.asked.len()
    }

    /// The `index`-th request that was ever raised.
    pub(crate) fn request(&self, index: usize) -> &RequestId {
        &self.asked[index].id
    }

    /// Every decision the store was told.
    pub(crate) fn decisions(&self) -> &[AuditEvent] {
        &self.recorded
    }

    /// Every call that was released.
    pub(crate) fn released(&self) -> &[(ToolCall, Option<RequestId>)] {
        &self.released
    }

    pub(crate) fn last_recorded(&self) -> AuditEvent {
        self.recorded.last().cloned().unwrap()
    }

    pub(crate) fn last_released(&self) -> (ToolCall, Option<RequestId>) {
        self.released.last().cloned().unwrap()
    }

    /// The call that runs.
    pub(crate) fn running(&self) -> CallId {
        let runs = |state: &CallState| matches!(state, CallState::Running(_));
        let mut calls = self.session.batch().iter().filter(|it| runs(it.state()));
        calls.next().map(|it| it.call().id.clone()).unwrap()
    }

    /// The call that runs comes to its end.
    pub(crate) fn finished(&self, text: &str) -> Event {
        let outcome = ToolOutcome::Returned { text: Some(text.to_owned()), terminate: false };
        Event::ToolFinished { call: self.running(), outcome }
    }

    /// What the model is asked.
    pub(crate) fn asked_of_model(&mut self, event: Event) -> ModelRequest {
        let asked = |effect| match effect {
            Effect::CallModel(request) => Some(request),
            Effect::Save
            | Effect::Ask(_)
            | Effect::RecordDecision(_)
            | Effect::RunTool(_)
            | Effect::WithdrawApproval { .. }
            | Effect::Finished(_)
            | Effect::DroppedResponse(_)
            | Effect::Ignored(_) => None,
        };
        self.act(event).into_iter().find_map(asked).unwrap()
    }

    /// The name of the agent in charge.
    pub(crate) fn in_charge(&self) -> &str {
        self.session.agent().unwrap_or_default()
    }

    /// What the calls of the transcript came to, in the model's words.
    pub(crate) fn told(&self) -> Vec<&str> {
        let messages = self.session.messages().iter();
        let text = messages.filter_map(|message| match &message.body {
            Body::Result(result) => Some(result.text.as_str()),
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
        });
        text.collect()
    }

    /// The store's word on the approval that is taken back.
    pub(crate) fn withdrawn(&self, outcome: ToolOutcome) -> Event {
        let withdrawn = |state: &CallState| matches!(state, CallState::Withdrawing { .. });
        let mut calls = self.session.batch().iter().filter(|it| withdrawn(it.state()));
        Event::ApprovalWithdrawn { call: calls.next().unwrap().call().id.clone(), outcome }
    }

    /// How the calls of the transcript ended.
    pub(crate) fn endings(&self) -> Vec<Ending> {
        let ending = |body: &Body| match body {
            Body::Result(result) => Some(result.ending),
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
        };
        self.session.messages().iter().filter_map(|message| ending(&message.body)).collect()
    }
}

pub(crate) fn agent(name: &str, tools: &[&str]) -> Agent {
    Agent {
        name: name.to_owned(),
        does: format!("does what the {name} does"),
        instructions: format!("You are the {name}."),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
    }
}

/// An answer by the card of a request.
pub(crate) fn answered(card: &ApprovalRequest, answer: Answer) -> Event {
    let (request, shown) = (card.id.clone(), card.shown.clone());
    Event::Answered { responses: vec![ApprovalResponse { request, shown, answer }], text: None }
}

pub(crate) fn said(text: &str) -> Event {
    Event::Said(text.to_owned())
}

pub(crate) fn text(text: &str) -> ReplyContent {
    ReplyContent::Text(text.to_owned())
}

pub(crate) fn call(id: &str, tool: &str) -> ReplyContent {
    call_with(id, tool, &json!({"item": "eggs"}).to_string())
}

pub(crate) fn call_with(id: &str, tool: &str, arguments: &str) -> ReplyContent {
    ReplyContent::Call(ProposedCall {
        id: id.to_owned(),
        name: tool.to_owned(),
        arguments: arguments.to_owned(),
        provider_result: None,
    })
}

/// Numbers that look like chance and are the same in every run (SplitMix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 1).unwrap() % bound
    }

    pub(crate) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// What the store says of a call that was not carried out and never will be.
pub(crate) fn undone() -> ToolOutcome {
    ToolOutcome::Failed { text: "not done".to_owned() }
}

pub(crate) fn reply(content: Vec<ReplyContent>) -> Event {
    reply_stopped(content, StopReason::EndTurn)
}

pub(crate) fn reply_stopped(content: Vec<ReplyContent>, stop: StopReason) -> Event {
    Event::ModelReplied(ModelReply { content, stop, usage: Usage::default() })
}

fn shape(effect: &Effect) -> String {
    match effect {
        Effect::Save => "save".to_owned(),
        Effect::CallModel(_) => "model".to_owned(),
        Effect::Ask(request) => format!("ask {}", request.call.name),
        Effect::RecordDecision(event) => format!("record {} {:?}", event.tool, event.outcome),
        Effect::RunTool(approved) => format!("run {}", approved.call().name),
        Effect::WithdrawApproval { call, .. } => format!("withdraw {}", call.name),
        Effect::Finished(RunEnd::Replied { text }) => format!("replied {text}"),
        Effect::Finished(RunEnd::Cancelled) => "cancelled".to_owned(),
        Effect::Finished(RunEnd::Terminated) => "terminated".to_owned(),
        Effect::Finished(RunEnd::Failed(error)) => {
            let name = format!("{error:?}");
            format!("failed {}", name.split(['(', ' ']).next().unwrap_or_default())
        }
        Effect::DroppedResponse(_) => "dropped".to_owned(),
        Effect::Ignored(_) => "ignored".to_owned(),
    }
}
