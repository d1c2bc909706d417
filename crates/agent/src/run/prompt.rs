//! A prompt: what follows one text of the person. Texts reach the transcript here, and the model is
//! called from here.

use serde::{Deserialize, Serialize};

use crate::approval::{Judge, StandingApproval};
use crate::effect::Effect;
use crate::handoff::Agent;
use crate::id::PromptId;
use crate::message::{Body, Content, Message};
use crate::model::{ModelRequest, ToolChoice, Usage};
use crate::run::{Phase, Step};
use crate::session::{Context, Session};
use crate::window;

/// What is counted from one text of the person to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prompt {
    pub(crate) id: PromptId,
    /// Something was turned down: with sticky denial nothing more is asked.
    pub(crate) denied: bool,
    /// Replies that put a question.
    pub(crate) question_rounds: u32,
    /// Rounds in which a standing approval or a rule covered a call.
    pub(crate) covered_rounds: u32,
    /// Rounds with a failing tool, in a row.
    pub(crate) failing_rounds: u32,
}

impl Prompt {
    fn new(id: PromptId) -> Self {
        Self { id, denied: false, question_rounds: 0, covered_rounds: 0, failing_rounds: 0 }
    }
}

impl Default for Prompt {
    fn default() -> Self {
        Self::new(PromptId(String::new()))
    }
}

/// What a failing model call takes back: the text it was to answer, with the prompt it started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TakenBack {
    /// The length of the transcript before the text.
    pub(crate) messages: usize,
    /// The prompt before the text.
    pub(crate) prompt: Prompt,
    /// Whether there was a run to go on with.
    pub(crate) unfinished: bool,
}

impl Session {
    /// Lets the waiting texts reach the transcript, and calls the model.
    pub(super) fn go_on(
        &mut self,
        unfinished: bool,
        effects: Vec<Effect>,
        step: &mut Step<'_>,
    ) -> Vec<Effect> {
        self.add_notes(step.context);
        let mut texts = std::mem::take(&mut self.run.texts);
        let fresh = texts.split_off(texts.len().saturating_sub(self.run.fresh));
        self.add_texts(texts, step);
        let on_failure = (!fresh.is_empty()).then(|| TakenBack {
            messages: self.messages.len(),
            prompt: self.run.prompt.clone(),
            unfinished,
        });
        self.add_texts(fresh, step);
        self.call_model(on_failure, effects, step)
    }

    /// Lets texts reach the transcript. Each starts a new prompt.
    pub(super) fn add_texts(&mut self, texts: Vec<String>, step: &mut Step<'_>) {
        for text in texts {
            self.run.prompt = Prompt::new(step.prompt_id());
            self.add(Body::Person(text), step.context);
        }
    }

    pub(super) fn add(&mut self, body: Body, context: &Context<'_>) {
        self.messages.push(Message { at: context.now, body, usage: None });
    }

    /// Adds a reply of the model, with what it cost.
    pub(super) fn add_reply(&mut self, content: Vec<Content>, usage: Usage, context: &Context<'_>) {
        let usage = usage.is_counted().then_some(usage);
        self.messages.push(Message { at: context.now, body: Body::Assistant(content), usage });
    }

    pub(super) fn call_model(
        &mut self,
        on_failure: Option<TakenBack>,
        mut effects: Vec<Effect>,
        step: &Step<'_>,
    ) -> Vec<Effect> {
        self.attended = true;
        self.run.phase = Phase::AwaitingModel { on_failure };
        let context = step.context;
        // An agent that is not there any more is served for by the first.
        let agent = context.agent(self.agent()).or(context.agents.first());
        self.run.agent = agent.map(|agent| agent.name.clone());
        let judge = self.judge_of_now(false, context);
        let own = context.tools.iter().filter(|spec| judge.offers(spec)).cloned();
        let others = context.agents.iter().filter(|it| Some(&it.name) != self.run.agent.as_ref());
        effects.push(Effect::CallModel(ModelRequest {
            instructions: agent.map(|agent| agent.instructions.clone()).unwrap_or_default(),
            messages: window::of(&self.messages).to_vec(),
            tools: own.chain(others.map(Agent::handoff)).collect(),
            tool_choice: if self.may_call_tools(context) {
                ToolChoice::Auto
            } else {
                ToolChoice::None
            },
        }));
        effects
    }

    /// Whether the reply that is awaited may call tools.
    pub(super) fn may_call_tools(&self, context: &Context<'_>) -> bool {
        self.run.rounds < context.settings.iterations_max
    }

    /// What verdicts rest on now. `counted`: this round counts as a covered one already.
    pub(super) fn judge_of_now<'a>(&self, counted: bool, context: &Context<'a>) -> Judge<'a> {
        let rounds_left = self.run.prompt.covered_rounds < context.settings.covered_rounds_max;
        Judge {
            policy: &context.settings.policy,
            tools: context.tools,
            agents: context.agents,
            agent: context.agent(self.agent()),
            rules: context.rules,
            now: context.now,
            covers: counted || rounds_left,
        }
    }

    /// The standing approvals that may cover calls; none where they do not count.
    pub(super) fn standing(&mut self, context: &Context<'_>) -> &mut [StandingApproval] {
        if context.settings.standing_approvals { &mut self.run.standing } else { &mut [] }
    }
}
