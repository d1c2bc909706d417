//! A driver in miniature: a queue, a scripted model, scripted tools, a store and its ledger.

use std::collections::{BTreeMap, HashMap, VecDeque};

use agent::approval::{ApprovedCall, Decision, Rule};
use agent::audit::AuditEvent;
use agent::effect::{Effect, RunEnd};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::id::{Entropy, RequestId, SessionId};
use agent::message::{Message, ToolCall};
use agent::model::{ModelReply, ModelRequest, StopReason, Usage};
use agent::session::{Context, Session, SessionState};
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::{Access, ToolSpec};
use agent::wording;
use serde_json::{Map, Value};

use super::agents::Agents;
use super::expected::{AuditRecord, Executed, ToolChange};
use super::host::Refusal;
use super::invariants::{self, Evidence};
use super::names;
use super::script::{access, model_error, outcome, reply_content, rule, settings};
use super::vector::{Audit, Mode, Tool, ToolPolicy, ToolScript, Turn, Vector};

/// Steps of the loop that one action may take before it counts as endless.
const STEPS_MAX: usize = 10_000;

/// What outlives every copy of a conversation: which requests were decided, which carried out.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) decisions: HashMap<RequestId, Decision>,
    /// By request, or by call for calls nobody was asked about.
    executions: HashMap<String, Execution>,
    /// Records the store refused and still owes.
    owed: Vec<AuditRecord>,
}

enum Execution {
    Started,
    Finished(ToolOutcome),
}

/// What happened in one step.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) executed: Vec<Executed>,
    pub(super) requests: Vec<ModelRequest>,
    pub(super) dropped: usize,
    pub(super) ended: Option<RunEnd>,
    /// What a host said to an input that never reached the loop.
    pub(super) refused: Option<Refusal>,
    pub(super) crashed: bool,
    pub(super) audit: Vec<AuditRecord>,
    pub(super) audit_failed: bool,
    /// Texts and requests in the order they appear while streaming.
    pub(super) events: Vec<&'static str>,
}

/// A conversation as a store keeps it.
type Kept = (String, Vec<Message>);

pub(super) struct World {
    mode: Mode,
    settings: Settings,
    rules: Vec<Rule>,
    pub(super) specs: Vec<ToolSpec>,
    scripts: HashMap<String, Vec<ToolScript>>,
    pub(super) agents: Agents,
    pub(super) executions: BTreeMap<String, usize>,
    turns: VecDeque<Turn>,
    pub(super) audit: Audit,
    pub(super) now: Timestamp,
    entropy: u128,
    pub(super) sessions: BTreeMap<String, Session>,
    stored: HashMap<String, Kept>,
    copies: HashMap<String, Kept>,
    pub(super) ledger: Ledger,
    pub(super) trace: Trace,
    pub(super) evidence: Evidence,
}

impl World {
    pub(super) fn new(vector: &Vector, mode: Mode) -> Self {
        let mut world = Self {
            mode,
            settings: settings(&vector.config),
            rules: vector.config.auto_rules.iter().cloned().map(rule).collect(),
            specs: Vec::new(),
            scripts: HashMap::new(),
            agents: Agents::of(vector),
            executions: BTreeMap::new(),
            turns: vector.model.iter().cloned().collect(),
            audit: vector.config.audit,
            now: Timestamp(1_000_000),
            entropy: 0,
            sessions: BTreeMap::new(),
            stored: HashMap::new(),
            copies: HashMap::new(),
            ledger: Ledger::default(),
            trace: Trace::default(),
            evidence: Evidence::default(),
        };
        for tool in &vector.tools {
            world.register(tool.clone());
        }
        world
    }

    /// Adds a tool, or puts it in the place of the one with its name.
    fn register(&mut self, tool: Tool) {
        self.agents.register(&tool);
        let spec = ToolSpec {
            name: tool.name.clone(),
            description: tool.description.unwrap_or_default(),
            parameters: tool.parameters.unwrap_or_else(|| Value::Object(Map::new())),
            version: tool.version.unwrap_or_default(),
            access: access(tool.policy, tool.always_ask),
        };
        self.scripts.insert(tool.name, tool.outcomes);
        match self.specs.iter_mut().find(|it| it.name == spec.name) {
            Some(it) => *it = spec,
            None => self.specs.push(spec),
        }
    }

    pub(super) fn change_tool(&mut self, change: &ToolChange) {
        if change.remove {
            self.specs.retain(|it| it.name != change.name);
        }
        let Some(it) = self.specs.iter_mut().find(|it| it.name == change.name) else { return };
        let always_ask = change.always_ask.unwrap_or(it.access == Access::AlwaysAsk);
        let policy = change.policy.unwrap_or(match it.access {
            Access::Read => ToolPolicy::Auto,
            Access::Write | Access::AlwaysAsk => ToolPolicy::Approval,
            Access::Unavailable => ToolPolicy::Unavailable,
        });
        it.access = access(policy, always_ask);
        it.version = change.version.clone().unwrap_or_else(|| it.version.clone());
        it.description = change.description.clone().unwrap_or_else(|| it.description.clone());
        it.parameters = change.parameters.clone().unwrap_or_else(|| it.parameters.clone());
    }

    pub(super) fn unused_turns(&self) -> usize {
        self.turns.len()
    }

    pub(super) fn session(&mut self, name: &str) -> &mut Session {
        let new = || Session::new(SessionId(name.to_owned()));
        self.sessions.entry(name.to_owned()).or_insert_with(new)
    }

    /// Lets an event happen, and everything that follows from it.
    pub(super) fn happen(&mut self, name: &str, event: Event) -> Result<(), String> {
        let mut queue = VecDeque::from([event]);
        for _ in 0..STEPS_MAX {
            let Some(event) = queue.pop_front() else { return Ok(()) };
            let session = self.session(name).clone();
            self.evidence.note(&event, &session);
            for effect in self.step(name, event) {
                queue.extend(self.carry_out(name, effect)?);
                if self.trace.crashed {
                    return self.restart(name);
                }
            }
        }
        Err("the loop does not come to rest".to_owned())
    }

    /// One step of the loop, on the session of this name.
    fn step(&mut self, name: &str, event: Event) -> Vec<Effect> {
        let mut session =
            self.sessions.remove(name).unwrap_or_else(|| Session::new(SessionId(name.to_owned())));
        let effects = self.step_with(&mut session, event);
        self.sessions.insert(name.to_owned(), session);
        effects
    }

    pub(super) fn step_with(&mut self, session: &mut Session, event: Event) -> Vec<Effect> {
        self.entropy += 1;
        let agents = self.agents.with(&self.specs);
        let context = Context {
            now: self.now,
            entropy: Entropy(self.entropy.to_be_bytes()),
            tools: &self.specs,
            rules: &self.rules,
            settings: &self.settings,
            agents: &agents,
            digest_key: &[7; 32],
        };
        session.step(event, &context)
    }

    fn carry_out(&mut self, name: &str, effect: Effect) -> Result<Option<Event>, String> {
        match effect {
            Effect::Save => {
                self.save(name)?;
                Ok(None)
            }
            Effect::CallModel(request) => self.call_model(name, request).map(Some),
            Effect::Ask(request) => {
                self.evidence.ask(request.id, request.call);
                self.note_event("request");
                Ok(None)
            }
            Effect::RecordDecision(event) => self.record(event).map(Some),
            Effect::RunTool(approved) => self.run_tool(name, &approved),
            Effect::WithdrawApproval { call, request } => Ok(Some(self.withdraw(call, &request))),
            Effect::Finished(end) => match self.trace.ended.replace(end) {
                None => Ok(None),
                Some(first) => Err(format!("the run ended twice, first with {first:?}")),
            },
            Effect::DroppedResponse(_) => {
                self.trace.dropped += 1;
                Ok(None)
            }
            Effect::Ignored(_) => Ok(None),
        }
    }

    fn note_event(&mut self, event: &'static str) {
        match self.mode {
            Mode::Streaming => self.trace.events.push(event),
            Mode::NonStreaming => {}
        }
    }

    fn call_model(&mut self, name: &str, request: ModelRequest) -> Result<Event, String> {
        invariants::model_request(&request)?;
        if let Some(session) = self.sessions.get(name) {
            self.evidence.transcript(session.messages());
        }
        let asked = self.agents.told(&request.instructions).map(str::to_owned);
        self.trace.requests.push(request);
        let turn = self.turns.pop_front().ok_or("the model was asked more often than scripted")?;
        if turn.agent.is_some() && turn.agent.as_deref() != asked.as_deref() {
            return Err(format!("{:?} was to be asked, and asked was {asked:?}", turn.agent));
        }
        for block in &turn.content {
            if block.text.as_ref().is_some_and(|text| !text.trim().is_empty()) {
                self.note_event("text");
            }
        }
        if let Some(failure) = turn.error.or(turn.then_error) {
            return Ok(Event::ModelFailed(model_error(failure)));
        }
        let calls = turn.content.iter().any(|block| block.call.is_some());
        Ok(Event::ModelReplied(ModelReply {
            content: turn.content.into_iter().map(reply_content).collect::<Result<_, _>>()?,
            stop: if calls { StopReason::ToolUse } else { StopReason::EndTurn },
            usage: Usage::default(),
        }))
    }

    /// The ledger takes a decision, once for each request.
    fn record(&mut self, event: AuditEvent) -> Result<Event, String> {
        let request = event.request.clone();
        if self.audit == Audit::Fail {
            self.trace.audit_failed = true;
            return Ok(Event::DecisionRecorded { request, recorded: Recorded::Refused });
        }
        let earlier = self.ledger.decisions.get(&request).cloned();
        let recorded = match earlier {
            Some(earlier) => Recorded::Earlier(earlier),
            None => {
                self.evidence.decided(&event)?;
                self.trace.audit.append(&mut self.ledger.owed);
                let outcome = names::decision(event.outcome, event.basis).to_owned();
                self.trace.audit.push(AuditRecord { tool: event.tool, outcome });
                self.ledger.decisions.insert(
                    request.clone(),
                    Decision {
                        request: event.request,
                        outcome: event.outcome,
                        basis: event.basis,
                        reason: event.reason,
                        at: event.decided_at,
                    },
                );
                Recorded::Durable
            }
        };
        Ok(Event::DecisionRecorded { request, recorded })
    }

    /// Runs a released call, unless the ledger knows that it was run, or may have been.
    fn run_tool(&mut self, name: &str, approved: &ApprovedCall) -> Result<Option<Event>, String> {
        let call = approved.call();
        let key = approved.request().map_or_else(|| call.id.0.clone(), |id| id.0.clone());
        let finished = |outcome| Ok(Some(Event::ToolFinished { call: call.id.clone(), outcome }));
        match self.ledger.executions.get(&key) {
            Some(Execution::Finished(outcome)) if approved.request().is_some() => {
                return finished(outcome.clone());
            }
            Some(Execution::Started) => {
                self.ledger.executions.insert(key, Execution::Finished(ToolOutcome::Unknown));
                self.record_execution(approved, "execution_unknown");
                return finished(ToolOutcome::Unknown);
            }
            Some(Execution::Finished(_)) | None => {}
        }
        if let Some(session) = self.sessions.get(name) {
            self.evidence.transcript(session.messages());
        }
        self.evidence.executes(approved, &self.specs, &self.ledger.decisions)?;
        let args = call.arguments.clone();
        self.trace.executed.push(Executed { tool: call.name.clone(), args });
        let nth = self.executions.entry(call.name.clone()).or_default();
        *nth += 1;
        let nth = *nth - 1;
        let scripts = self.scripts.get(&call.name).ok_or("a tool that does not exist was run")?;
        let script = scripts.get(nth).or(scripts.last()).cloned();
        if script.as_ref().is_some_and(|script| script.crash_after_effect) {
            self.ledger.executions.insert(key, Execution::Started);
            self.trace.crashed = true;
            return Ok(None);
        }
        let outcome = outcome(script.as_ref(), call);
        self.ledger.executions.insert(key, Execution::Finished(outcome.clone()));
        let failed = matches!(outcome, ToolOutcome::Failed { .. });
        self.record_execution(approved, if failed { "execution_failed" } else { "executed" });
        for tool in script.map(|script| script.registers).unwrap_or_default() {
            self.register(tool);
        }
        finished(outcome)
    }

    /// The ledger takes an approval back, unless it knows that the call was run, or may have been.
    fn withdraw(&mut self, call: ToolCall, request: &RequestId) -> Event {
        let undone = ToolOutcome::Failed { text: wording::TAKEN_BACK.to_owned() };
        let known = self.ledger.executions.entry(request.0.clone());
        let outcome = match known.or_insert(Execution::Finished(undone)) {
            Execution::Finished(outcome) => outcome.clone(),
            Execution::Started => ToolOutcome::Unknown,
        };
        Event::ApprovalWithdrawn { call: call.id, outcome }
    }

    fn record_execution(&mut self, approved: &ApprovedCall, outcome: &str) {
        if approved.request().is_none() {
            return;
        }
        let record =
            AuditRecord { tool: approved.call().name.clone(), outcome: outcome.to_owned() };
        match self.audit {
            Audit::Fail => self.ledger.owed.push(record),
            Audit::None | Audit::Ok => {
                self.trace.audit.append(&mut self.ledger.owed);
                self.trace.audit.push(record);
            }
        }
    }

    /// Writes a conversation as a store does: the state as JSON, and the messages that are new.
    fn save(&mut self, name: &str) -> Result<(), String> {
        let session = self.session(name);
        let state = serde_json::to_string(&session.state()).map_err(|error| error.to_string())?;
        let from = session.unsaved_from();
        let new =
            session.messages().get(from..).ok_or("the store has more than there is")?.to_vec();
        session.mark_saved();
        let kept = self.stored.entry(name.to_owned()).or_default();
        kept.0 = state;
        kept.1.truncate(from);
        kept.1.extend(new);
        Ok(())
    }

    /// The program stops and starts again: what was saved last is what there is.
    fn restart(&mut self, name: &str) -> Result<(), String> {
        let kept = self.stored.get(name).cloned().ok_or("nothing was saved before the stop")?;
        self.put(name, &kept)
    }

    fn put(&mut self, name: &str, (state, messages): &Kept) -> Result<(), String> {
        let state: SessionState = serde_json::from_str(state).map_err(|error| error.to_string())?;
        let session =
            Session::restore(state, messages.clone()).map_err(|error| error.to_string())?;
        self.sessions.insert(name.to_owned(), session);
        Ok(())
    }

    pub(super) fn reload(&mut self) -> Result<(), String> {
        let names: Vec<_> = self.sessions.keys().cloned().collect();
        for name in names {
            self.save(&name)?;
            self.restart(&name)?;
        }
        Ok(())
    }

    pub(super) fn save_copy(&mut self, name: &str, copy: &str) -> Result<(), String> {
        self.save(name)?;
        let kept = self.stored.get(name).cloned().unwrap_or_default();
        self.copies.insert(copy.to_owned(), kept);
        Ok(())
    }

    pub(super) fn restore_copy(&mut self, name: &str, copy: &str) -> Result<(), String> {
        let kept = self.copies.get(copy).cloned().ok_or("there is no copy of that name")?;
        self.put(name, &kept)?;
        self.stored.insert(name.to_owned(), kept);
        Ok(())
    }
}
