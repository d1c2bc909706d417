//! Holds the conversation of a case: every part is the product's own, but for the person, who says
//! yes to everything, and the browser, whose store is a variable.

use std::collections::VecDeque;

use agent::approval::{Answer, ApprovalResponse, ApprovedCall};
use agent::effect::{Effect, RunEnd};
use agent::event::{Event, Recorded, ToolOutcome};
use agent::id::{Entropy, SessionId};
use agent::message::ToolCall;
use agent::model::{ModelReply, ModelRequest, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use agent::tool::{ToolSet, ToolSpec};
use kitchen::{Household, Line, LineId};
use serde_json::{Map, Value};
use wire::anthropic::server;
use wire::protocol::Ask;
use wire::provider::Provider;

use super::case::{self, Call, Case, State, Turn};

/// More events than any conversation here takes.
const STEPS_MAX: u32 = 200;
const MAX_TOKENS: u32 = 1024;

/// What came of a case.
pub(super) struct Held {
    /// Every call after the last turn, in order, read and write.
    pub(super) calls: Vec<(String, Map<String, Value>)>,
    /// What the cards said.
    pub(super) cards: String,
    /// The last reply's words.
    pub(super) reply: String,
    /// The list at the end.
    pub(super) list: Vec<case::Line>,
}

/// Holds the conversation and approves whatever is proposed.
pub(super) fn hold(case: &Case) -> Result<Held, String> {
    let mut kitchen = Kitchen::new(case);
    let Some((Turn::User { user }, earlier)) = case.turns.split_last() else {
        return Err("the last turn is not the person's".to_owned());
    };
    let mut earlier = earlier.iter();
    while let Some(turn) = earlier.next() {
        let (Turn::User { user }, Some(Turn::Call { assistant_call, state })) =
            (turn, earlier.next())
        else {
            return Err("earlier turns are a text and a call each".to_owned());
        };
        kitchen.replay(user, assistant_call, *state)?;
    }
    kitchen.same_as(&case.context.shopping_list)?;
    kitchen.calls.clear();
    kitchen.cards.clear();
    kitchen.say(user)?;
    kitchen.approve_everything()?;
    match kitchen.end.take() {
        Some(RunEnd::Replied { text }) => Ok(Held {
            calls: kitchen.calls,
            cards: kitchen.cards,
            reply: text,
            list: lines(&kitchen.household),
        }),
        end => Err(format!("it ended with {end:?}")),
    }
}

struct Kitchen {
    session: Session,
    household: Household,
    tools: ToolSet<Household>,
    specs: Vec<ToolSpec>,
    settings: Settings,
    /// What the model says next, where a case lays that down.
    scripted: VecDeque<ModelReply>,
    calls: Vec<(String, Map<String, Value>)>,
    cards: String,
    end: Option<RunEnd>,
    steps: u32,
}

impl Kitchen {
    fn new(case: &Case) -> Self {
        let tools = kitchen::tools();
        let done = |line: &&case::Line| {
            case.turns.iter().any(|turn| match turn {
                Turn::Call { assistant_call, state: State::Done } => {
                    assistant_call.args.get("item").is_some_and(|item| *item == *line.item)
                }
                Turn::Call { .. } | Turn::User { .. } => false,
            })
        };
        // What an earlier call put on the list is not there before it.
        let lines = case.context.shopping_list.iter().filter(|line| !done(line));
        let line = |(id, line): (u64, &case::Line)| Line {
            id: LineId(id),
            item: line.item.clone(),
            quantity: line.quantity.clone(),
            note: String::new(),
            checked: line.checked,
        };
        let shopping = (1..).zip(lines).map(line).collect();
        Self {
            session: Session::new(SessionId("utterance".to_owned())),
            household: Household { shopping, ..Household::default() },
            specs: tools.specs(),
            tools,
            settings: Settings::product(),
            scripted: VecDeque::new(),
            calls: Vec::new(),
            cards: String::new(),
            end: None,
            steps: 0,
        }
    }

    /// A text, the call that followed it, and what became of that.
    fn replay(&mut self, text: &str, call: &Call, state: State) -> Result<(), String> {
        let proposed = ReplyContent::Call(ProposedCall {
            id: format!("earlier_{}", self.steps),
            name: call.tool.clone(),
            arguments: Value::Object(call.args.clone()).to_string(),
            provider_result: None,
        });
        self.scripted.push_back(scripted(proposed, StopReason::ToolUse));
        self.say(text)?;
        match state {
            State::Pending => Ok(()),
            State::Done => {
                let done = ReplyContent::Text("Done.".to_owned());
                self.scripted.push_back(scripted(done, StopReason::EndTurn));
                self.approve_everything()
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        self.end = None;
        self.step(Event::Said(text.to_owned()))
    }

    fn approve_everything(&mut self) -> Result<(), String> {
        loop {
            let yes = |request: &agent::approval::ApprovalRequest| ApprovalResponse {
                request: request.id.clone(),
                shown: request.shown.clone(),
                answer: Answer::Approve { always: None },
            };
            let responses: Vec<_> = self.session.open_requests().map(yes).collect();
            if responses.is_empty() {
                return Ok(());
            }
            self.step(Event::Answered { responses, text: None })?;
        }
    }

    /// One event and everything that follows from it without the person.
    fn step(&mut self, event: Event) -> Result<(), String> {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            self.steps += 1;
            if self.steps > STEPS_MAX {
                return Err("it does not come to an end".to_owned());
            }
            let mut entropy = [0; 16];
            entropy[..4].copy_from_slice(&self.steps.to_be_bytes());
            let context = Context {
                now: Timestamp(u64::from(self.steps)),
                entropy: Entropy(entropy),
                tools: &self.specs,
                rules: &[],
                settings: &self.settings,
                agents: &[kitchen::agent()],
                digest_key: &[7; 32],
            };
            for effect in self.session.step(event, &context) {
                events.extend(self.carry_out(effect)?);
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, effect: Effect) -> Result<Option<Event>, String> {
        match effect {
            Effect::Save => Ok(None),
            Effect::CallModel(request) => {
                let reply = self.reply(&request)?;
                self.note_calls(&reply)?;
                Ok(Some(Event::ModelReplied(reply)))
            }
            Effect::Ask(request) => {
                self.show(&request.call)?;
                Ok(None)
            }
            Effect::RecordDecision(audit) => {
                let (request, recorded) = (audit.request, Recorded::Durable);
                Ok(Some(Event::DecisionRecorded { request, recorded }))
            }
            Effect::RunTool(approved) => Ok(Some(self.run_tool(&approved))),
            Effect::Finished(end) => {
                self.end = Some(end);
                Ok(None)
            }
            effect @ (Effect::WithdrawApproval { .. }
            | Effect::DroppedResponse(_)
            | Effect::Ignored(_)) => Err(format!("the loop did not take it: {effect:?}")),
        }
    }

    /// The reply, by way of the bytes that go to the proxy and come back from it.
    fn reply(&mut self, request: &ModelRequest) -> Result<ModelReply, String> {
        if let Some(scripted) = self.scripted.pop_front() {
            return Ok(scripted);
        }
        let wire = |error: wire::error::WireError| format!("the codec refused: {error}");
        let protocol = Provider::Builtin.protocol();
        let ask = Ask { request, model: builtin::MODEL, max_tokens: MAX_TOKENS, stream: true };
        let sent = protocol.encode(&ask).map_err(wire)?;
        let served = server::decode_request(&sent).map_err(wire)?;
        let reply = builtin::reply(&served.request);
        let envelope = server::Envelope { id: "msg_1", model: &served.model };
        let mut decoder = protocol.decoder();
        for frame in server::encode_stream(&reply, envelope).map_err(wire)? {
            decoder.feed(frame.as_bytes()).map_err(wire)?;
        }
        decoder.finish().map_err(wire)
    }

    fn note_calls(&mut self, reply: &ModelReply) -> Result<(), String> {
        for piece in &reply.content {
            let ReplyContent::Call(call) = piece else { continue };
            let arguments = serde_json::from_str(&call.arguments)
                .map_err(|error| format!("arguments that are no object: {error}"))?;
            self.calls.push((call.name.clone(), arguments));
        }
        Ok(())
    }

    /// What the card says beside the call's own arguments.
    fn show(&mut self, call: &ToolCall) -> Result<(), String> {
        let (after, _) = self
            .tools
            .rehearse(call, &self.household)
            .map_err(|error| format!("a card for what cannot be done: {}", error.text))?;
        let side = |line: &Option<Line>| match line {
            Some(Line { item, quantity, note, checked, .. }) => {
                format!("{item} {quantity} {note}{}", if *checked { "☑" } else { "☐" })
            }
            None => "not on the list".to_owned(),
        };
        self.cards.push_str(kitchen::title(&call.name));
        for change in kitchen::difference(&self.household, &after) {
            self.cards.push_str(&format!("\n{} → {}", side(&change.before), side(&change.after)));
        }
        for remark in kitchen::card::remarks(call, &self.household) {
            self.cards.push('\n');
            self.cards.push_str(&remark);
        }
        self.cards.push('\n');
        Ok(())
    }

    fn run_tool(&mut self, approved: &ApprovedCall) -> Event {
        let call = approved.call().id.clone();
        let mut copy = self.household.clone();
        let outcome = match self.tools.run(approved, &mut copy) {
            Ok(output) => {
                self.household = copy;
                ToolOutcome::Returned { text: Some(output.text), terminate: false }
            }
            Err(error) => ToolOutcome::Failed { text: error.text },
        };
        Event::ToolFinished { call, outcome }
    }

    fn same_as(&self, context: &[case::Line]) -> Result<(), String> {
        let (mut is, mut should) = (lines(&self.household), context.to_vec());
        is.sort();
        should.sort();
        if is == should { Ok(()) } else { Err(format!("the list before is {is:?}")) }
    }
}

fn scripted(content: ReplyContent, stop: StopReason) -> ModelReply {
    ModelReply { content: vec![content], stop, usage: Usage::default() }
}

fn lines(household: &Household) -> Vec<case::Line> {
    let line = |line: &Line| case::Line {
        item: line.item.clone(),
        quantity: line.quantity.clone(),
        checked: line.checked,
    };
    household.shopping.iter().map(line).collect()
}
