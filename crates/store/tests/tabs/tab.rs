//! A tab: the loop over the store, carried out one transaction at a time.

#![allow(clippy::unwrap_used, reason = "here a panic is a failed test")]

use std::collections::VecDeque;
use std::mem;

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse, CardDigest};
use agent::effect::Effect;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::handoff::Agent;
use agent::id::{Entropy, RequestId, SessionId};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Activity, Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::{Access, Output, Tool, ToolError, ToolSet, ToolSpec};
use agent::wording;
use kitchen::{Edit, Household};
use serde::Deserialize;
use serde_json::json;
use simulation::database::{Memory, View, at_once};
use store::Store;
use store::error::StoreError;

const NOW: Timestamp = Timestamp(1_796_000_000_000);
const KEY: [u8; 32] = [7; 32];
const SESSION: &str = "tabs";

/// A card that is or was on a screen.
pub(crate) type Card = Shown;

/// What a person sees of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) id: RequestId,
    pub(crate) shown: CardDigest,
}

impl Shown {
    fn of(request: &ApprovalRequest) -> Self {
        Self { id: request.id.clone(), shown: request.shown.clone() }
    }

    pub(crate) fn says(&self, answer: Answer) -> Event {
        let (request, shown) = (self.id.clone(), self.shown.clone());
        Event::Answered { responses: vec![ApprovalResponse { request, shown, answer }], text: None }
    }
}

/// An effect, and the card that shows exactly what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) call: String,
    pub(crate) request: RequestId,
    pub(crate) card: CardDigest,
}

/// A version of the tool that adds.
struct Add<const VERSION: usize>;

#[derive(Deserialize)]
struct Line {
    item: String,
    quantity: String,
}

impl<const VERSION: usize> Tool<Household> for Add<VERSION> {
    const NAME: &'static str = "add";
    const ACCESS: Access = Access::Write;
    type Args = Line;

    fn spec() -> ToolSpec {
        ToolSpec {
            name: Self::NAME.to_owned(),
            description: String::new(),
            parameters: json!({"type": "object"}),
            version: VERSION.to_string(),
            access: Self::ACCESS,
        }
    }

    fn run(Line { item, quantity }: Line, world: &mut Household) -> Result<Output, ToolError> {
        world.edit(Edit::Add { item, quantity }).map_err(|text| ToolError { text })?;
        Ok(Output { text: "Added.".to_owned() })
    }
}

fn tools(version: usize) -> ToolSet<Household> {
    match version {
        1 => ToolSet::new().with::<Add<1>>(),
        _ => ToolSet::new().with::<Add<2>>(),
    }
}

fn store(memory: &Memory) -> Store<View<'_>> {
    Store::new(View::of(memory))
}

pub(crate) struct Tab {
    session: Session,
    revision: u64,
    tools: ToolSet<Household>,
    name: u64,
    steps: u64,
    events: VecDeque<Event>,
    effects: VecDeque<Effect>,
    asked_again: u32,
}

impl Tab {
    fn new(name: usize, version: usize, session: Session, revision: u64) -> Self {
        Self {
            session,
            revision,
            tools: tools(version),
            name: u64::try_from(name).unwrap(),
            steps: 0,
            events: VecDeque::new(),
            effects: VecDeque::new(),
            asked_again: 0,
        }
    }

    /// A tab in which one call waits for its answer.
    pub(crate) fn that_asks(memory: &Memory, name: usize) -> Self {
        let mut tab = Self::new(name, 1, Session::new(SessionId(SESSION.to_owned())), 0);
        tab.tell(Event::Said("Eggs, please.".to_owned()));
        while tab.is_busy() {
            tab.work(memory);
        }
        tab.tell(Event::ModelReplied(ModelReply {
            content: vec![ReplyContent::Call(ProposedCall {
                id: "toolu_1".to_owned(),
                name: "add".to_owned(),
                arguments: r#"{"item":"eggs","quantity":"1"}"#.to_owned(),
                provider_result: None,
            })],
            stop: StopReason::ToolUse,
            usage: Usage::default(),
        }));
        while tab.is_busy() {
            tab.work(memory);
        }
        tab
    }

    /// A tab that goes on with what is kept.
    pub(crate) fn open(memory: &Memory, name: usize, version: usize) -> Self {
        let session = Session::new(SessionId(SESSION.to_owned()));
        let mut tab = Self::new(name, version, session, 0);
        tab.reload(memory);
        match tab.session.activity() {
            Activity::RecordingDecisions | Activity::RunningTools | Activity::Interrupted => {
                tab.tell(Event::Resumed);
            }
            Activity::Idle | Activity::AwaitingModel | Activity::AwaitingPerson => {}
        }
        tab
    }

    fn reload(&mut self, memory: &Memory) {
        let saved = at_once(store(memory).session(self.session.id())).unwrap().unwrap();
        self.session = saved.session;
        self.revision = saved.revision;
        self.events.clear();
        self.effects.clear();
    }

    pub(crate) fn tell(&mut self, event: Event) {
        self.events.push_back(event);
    }

    pub(crate) fn is_busy(&self) -> bool {
        !self.events.is_empty() || !self.effects.is_empty()
    }

    /// The cards on the screen.
    pub(crate) fn painted(&self) -> Vec<Card> {
        self.session.open_requests().map(Shown::of).collect()
    }

    pub(crate) fn shows(&self, card: &Card) -> bool {
        self.painted().contains(card)
    }

    /// How often a card was asked again since the last look.
    pub(crate) fn asked_again(&mut self) -> u32 {
        mem::take(&mut self.asked_again)
    }

    /// Does the next thing: at most one transaction.
    pub(crate) fn work(&mut self, memory: &Memory) -> Vec<Done> {
        if let Some(effect) = self.effects.pop_front() {
            return self.carry_out(memory, effect);
        }
        let Some(event) = self.events.pop_front() else { return Vec::new() };
        let shown = self.painted();
        let effects = self.step(event);
        let again = |effect: &&Effect| matches!(effect, Effect::Ask(request) if shown.iter().any(|it| it.id == request.id));
        self.asked_again += u32::try_from(effects.iter().filter(again).count()).unwrap();
        self.effects.extend(effects);
        Vec::new()
    }

    fn step(&mut self, event: Event) -> Vec<Effect> {
        self.steps += 1;
        let entropy = u128::from(self.name) << 64 | u128::from(self.steps);
        let context = Context {
            now: NOW,
            entropy: Entropy(entropy.to_be_bytes()),
            tools: &self.tools.specs(),
            rules: &[],
            settings: &Settings::product(),
            agents: &[Agent { tools: vec!["add".to_owned()], ..kitchen::agent() }],
            digest_key: &KEY,
        };
        self.session.step(event, &context)
    }

    fn carry_out(&mut self, memory: &Memory, effect: Effect) -> Vec<Done> {
        match effect {
            Effect::Save => self.save(memory),
            Effect::RecordDecision(decision) => {
                let recorded = match at_once(store(memory).record_decision(&decision)).unwrap() {
                    None => Recorded::Durable,
                    Some(earlier) => Recorded::Earlier(agent::approval::Decision {
                        request: earlier.request,
                        outcome: earlier.outcome,
                        basis: earlier.basis,
                        reason: earlier.reason,
                        at: earlier.decided_at,
                    }),
                };
                self.tell(Event::DecisionRecorded { request: decision.request, recorded });
            }
            Effect::RunTool(approved) => {
                let id = self.session.id().clone();
                let ran = at_once(store(memory).run(&self.tools, &approved, &id, &KEY, NOW));
                let call = approved.call().clone();
                let (outcome, kept) = match ran {
                    Ok(ran) => (ran.outcome, ran.kept),
                    // What is kept was changed after the decision.
                    Err(StoreError::NotApproved) => {
                        (ToolOutcome::Failed { text: String::new() }, None)
                    }
                    Err(error) => unreachable!("{error}"),
                };
                self.tell(Event::ToolFinished { call: call.id.clone(), outcome });
                let changed = kept.is_some_and(|kept| !kept.changes.is_empty());
                if changed {
                    let specs = self.tools.specs();
                    let card =
                        CardDigest::of(&call, specs.first().map(ToolSpec::identity).as_ref());
                    let request = approved.request().unwrap().clone();
                    return vec![Done { call: call.id.0, request, card }];
                }
            }
            Effect::WithdrawApproval { call, request } => {
                let (id, why) = (self.session.id().clone(), wording::TAKEN_BACK.to_owned());
                let store = store(memory);
                let taken = store.not_carried_out(&call, &request, &id, &KEY, why, NOW);
                let outcome = at_once(taken).unwrap();
                self.tell(Event::ApprovalWithdrawn { call: call.id, outcome });
            }
            // The model is not what these tests are about: it never answers.
            Effect::CallModel(_)
            | Effect::Ask(_)
            | Effect::Finished(_)
            | Effect::DroppedResponse(_)
            | Effect::Ignored(_) => {}
        }
        Vec::new()
    }

    /// Saves what is new. If the other tab was first, what it saved is the truth.
    fn save(&mut self, memory: &Memory) {
        match at_once(store(memory).save_session(&self.session, None, self.revision, NOW)) {
            Ok(_) => {
                self.session.mark_saved();
                self.revision += 1;
            }
            Err(StoreError::Stale) => self.reload(memory),
            Err(error) => unreachable!("{error}"),
        }
    }
}
