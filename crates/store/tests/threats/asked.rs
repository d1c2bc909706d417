//! A conversation that waits for an answer, and what comes of it.

use agent::approval::{Always, Answer, ApprovalResponse, ApprovedCall};
use agent::audit::AuditEvent;
use agent::effect::Effect;
use agent::event::{Event, Recorded};
use agent::id::{Entropy, SessionId};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Context, Session};
use agent::settings::Settings;

use crate::{KEY, NOW};

/// A conversation that has proposed one call, and what it asked of the driver since.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) session: Session,
    steps: u8,
}

impl Asked {
    pub(crate) fn new(session: &str, tool: &str, arguments: &str) -> Self {
        let mut asked = Self { session: Session::new(SessionId(session.to_owned())), steps: 0 };
        asked.step(Event::Said("Put it on the list.".to_owned()));
        asked.step(Event::ModelReplied(ModelReply {
            content: vec![ReplyContent::Call(ProposedCall {
                id: "toolu_1".to_owned(),
                name: tool.to_owned(),
                arguments: arguments.to_owned(),
                provider_result: None,
            })],
            stop: StopReason::ToolUse,
            usage: Usage::default(),
        }));
        asked
    }

    pub(crate) fn eggs(session: &str) -> Self {
        Self::new(session, "add_to_shopping_list", r#"{"item":"eggs","quantity":"12"}"#)
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        self.steps += 1;
        let mut entropy = [0; 16];
        for (byte, text) in entropy.iter_mut().zip(self.session.id().0.bytes()) {
            *byte = text ^ self.steps;
        }
        let context = Context {
            now: NOW,
            entropy: Entropy(entropy),
            tools: &kitchen::tools().specs(),
            rules: &[],
            settings: &Settings::product(),
            agents: &[kitchen::agent()],
            digest_key: &KEY,
        };
        self.session.step(event, &context)
    }

    pub(crate) fn answer(&mut self, answer: Answer) -> AuditEvent {
        let card = self.session.open_requests().next().unwrap();
        let (request, shown) = (card.id.clone(), card.shown.clone());
        let response = ApprovalResponse { request, shown, answer };
        let effects = self.step(Event::Answered { responses: vec![response], text: None });
        let decision = effects.into_iter().find_map(|effect| {
            if let Effect::RecordDecision(decision) = effect { Some(decision) } else { None }
        });
        decision.unwrap()
    }

    /// A conversation as it was found.
    #[allow(dead_code, reason = "not every test begins with one")]
    pub(crate) fn of(session: Session) -> Self {
        Self { session, steps: 100 }
    }

    /// Allows this call and all like it, in advance.
    #[allow(dead_code, reason = "not every test allows anything in advance")]
    pub(crate) fn always(&mut self) {
        let yes = self.answer(Answer::Approve { always: Some(Always::Tool) });
        self.recorded(&yes);
    }

    pub(crate) fn yes(&mut self) -> AuditEvent {
        let always: Option<Always> = None;
        self.answer(Answer::Approve { always })
    }

    pub(crate) fn recorded(&mut self, decision: &AuditEvent) -> Vec<Effect> {
        let request = decision.request.clone();
        self.step(Event::DecisionRecorded { request, recorded: Recorded::Durable })
    }

    pub(crate) fn released(&mut self, decision: &AuditEvent) -> ApprovedCall {
        let call = self
            .recorded(decision)
            .into_iter()
            .find_map(|effect| if let Effect::RunTool(call) = effect { Some(call) } else { None });
        call.unwrap()
    }
}
