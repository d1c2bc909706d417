//! What must hold after every step of every scenario. The evidence is the driver's own, not what
//! the session says of itself.

use std::collections::{HashMap, HashSet};

use agent::approval::{
    Answer, ApprovalResponse, ApprovedCall, Basis, CardDigest, Decision, Outcome,
};
use agent::audit::AuditEvent;
use agent::effect::{Effect, RunEnd};
use agent::event::Event;
use agent::id::{CallId, RequestId};
use agent::message::{Body, Content, Message, ToolCall};
use agent::model::ModelRequest;
use agent::session::Session;
use agent::tool::ToolSpec;

use super::world::World;

/// What the driver saw, to hold the loop to.
#[derive(Default)]
pub(super) struct Evidence {
    /// Calls as the model proposed them.
    proposed: HashMap<CallId, ToolCall>,
    /// Calls as the person saw them.
    shown: HashMap<RequestId, ToolCall>,
    /// Requests a person said yes to in a message that did not also say no.
    yes: HashSet<RequestId>,
    executed: HashSet<RequestId>,
}

impl Evidence {
    /// A person's event is about to be taken.
    pub(super) fn note(&mut self, event: &Event, session: &Session) {
        if let Event::Typed(text) = event
            && ["y", "yes"].contains(&text.trim().to_lowercase().as_str())
        {
            self.yes.extend(session.open_requests().map(|request| request.id.clone()));
        }
        let Event::Answered { responses, .. } = event else { return };
        let with = |fits: fn(&Answer) -> bool| -> HashSet<&RequestId> {
            responses.iter().filter(|it| fits(&it.answer)).map(|it| &it.request).collect()
        };
        let no = with(|answer| matches!(answer, Answer::Reject { .. }));
        let yes = with(|answer| matches!(answer, Answer::Approve { .. }));
        self.yes.extend(yes.difference(&no).map(|id| (*id).clone()));
    }

    pub(super) fn transcript(&mut self, messages: &[Message]) {
        for call in messages.iter().flat_map(calls) {
            self.proposed.entry(call.id.clone()).or_insert_with(|| call.clone());
        }
    }

    pub(super) fn ask(&mut self, request: RequestId, call: ToolCall) {
        self.shown.insert(request, call);
    }

    /// A decision is about to be recorded: silence is never a yes (7).
    pub(super) fn decided(&self, event: &AuditEvent) -> Result<(), String> {
        let by_person = event.outcome == Outcome::Approved && event.basis == Basis::Person;
        if by_person && !self.yes.contains(&event.request) {
            return Err(format!("{} was approved by a person who did not say so", event.tool));
        }
        if event.outcome == Outcome::Approved && event.basis == Basis::Loop {
            return Err(format!("the loop itself approved {}", event.tool));
        }
        Ok(())
    }

    /// A call is about to run: with a decision on record if it needs one (1), as it was proposed
    /// and shown (2), and once (3).
    pub(super) fn executes(
        &mut self,
        approved: &ApprovedCall,
        tools: &[ToolSpec],
        decisions: &HashMap<RequestId, Decision>,
    ) -> Result<(), String> {
        let call = approved.call();
        if self.proposed.get(&call.id) != Some(call) {
            return Err(format!("{} ran otherwise than the model proposed it", call.name));
        }
        let Some(request) = approved.request() else {
            let gated = tools.iter().any(|it| it.name == call.name && it.access.is_gated());
            let why = || format!("{} ran and nobody was asked", call.name);
            return if gated { Err(why()) } else { Ok(()) };
        };
        if !self.executed.insert(request.clone()) {
            return Err(format!("{} ran twice for one request", call.name));
        }
        let decision = decisions.get(request);
        if decision.is_none_or(|decision| decision.outcome != Outcome::Approved) {
            return Err(format!("{} ran without a decision on record", call.name));
        }
        if self.shown.get(request).is_some_and(|shown| shown != call) {
            return Err(format!("{} ran otherwise than it was shown", call.name));
        }
        Ok(())
    }
}

/// Every call has exactly one result, right behind it (4), and the request is one that every
/// provider takes (5).
pub(super) fn model_request(request: &ModelRequest) -> Result<(), String> {
    let mut owed: Vec<&CallId> = Vec::new();
    for message in &request.messages {
        if let Body::Result(result) = &message.body {
            if owed.first() != Some(&&result.call) {
                return Err("a model request has a result without its call before it".to_owned());
            }
            owed.remove(0);
            continue;
        }
        if !owed.is_empty() {
            return Err("a model request has a call without its result behind it".to_owned());
        }
        owed = calls(message).map(|call| &call.id).collect();
        let blank = match &message.body {
            Body::Person(text) | Body::Note(text) => text.trim().is_empty(),
            Body::Assistant(content) => {
                content.is_empty()
                    || content
                        .iter()
                        .any(|it| matches!(it, Content::Text(text) if text.trim().is_empty()))
            }
            Body::Result(_) => false,
        };
        if blank {
            return Err("a model request has an empty text".to_owned());
        }
    }
    match request.messages.last().map(|message| &message.body) {
        _ if !owed.is_empty() => Err("a model request ends without a result".to_owned()),
        Some(Body::Assistant(_)) => Err("a model request ends with the model's words".to_owned()),
        Some(Body::Person(_) | Body::Result(_) | Body::Note(_)) => Ok(()),
        None => Err("a model request is empty".to_owned()),
    }
}

/// What holds of a session at rest, in the driver's eyes.
pub(super) fn at_rest(world: &mut World, name: &str) -> Result<(), String> {
    let Some(session) = world.sessions.get(name).cloned() else { return Ok(()) };
    for message in session.messages() {
        let Body::Result(result) = &message.body else { continue };
        let Some(decision) = &result.decision else { continue };
        let known = world.ledger.decisions.get(&decision.request);
        if known.is_some_and(|known| known.outcome != decision.outcome) {
            return Err("a result names another decision than the first".to_owned());
        }
    }
    restores(&session)?;
    takes_the_next(world, &session)
}

/// What is stored is what there is.
fn restores(session: &Session) -> Result<(), String> {
    let text = serde_json::to_string(&session.state()).map_err(|error| error.to_string())?;
    let state = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let twin =
        Session::restore(state, session.messages().to_vec()).map_err(|error| error.to_string())?;
    let same = twin.state() == session.state()
        && twin.messages() == session.messages()
        && twin.batch() == session.batch();
    if same { Ok(()) } else { Err("a restored session is another one".to_owned()) }
}

/// The missing answer, or the next message, gets things going (6).
fn takes_the_next(world: &mut World, session: &Session) -> Result<(), String> {
    let mut probe = session.clone();
    let open: Vec<_> = probe.open_requests().map(|request| request.id.clone()).collect();
    let event = if open.is_empty() {
        Event::Said("Hello?".to_owned())
    } else {
        let no = |request| ApprovalResponse {
            request,
            shown: CardDigest::default(),
            answer: Answer::Reject { reason: None },
        };
        Event::Answered { responses: open.into_iter().map(no).collect(), text: None }
    };
    let effects = world.step_with(&mut probe, event);
    let goes_on = effects.iter().any(|effect| match effect {
        Effect::CallModel(_)
        | Effect::RecordDecision(_)
        | Effect::RunTool(_)
        | Effect::WithdrawApproval { .. } => true,
        Effect::Save
        | Effect::Ask(_)
        | Effect::Finished(_)
        | Effect::DroppedResponse(_)
        | Effect::Ignored(_) => false,
    });
    let failed = effects.iter().any(|it| matches!(it, Effect::Finished(RunEnd::Failed(_))));
    if goes_on && !failed { Ok(()) } else { Err(format!("the conversation is stuck: {effects:?}")) }
}

fn calls(message: &Message) -> impl Iterator<Item = &ToolCall> {
    let content = match &message.body {
        Body::Assistant(content) => content.as_slice(),
        Body::Person(_) | Body::Result(_) | Body::Note(_) => &[],
    };
    content.iter().filter_map(|it| match it {
        Content::Call(call) => Some(call),
        Content::Text(_) | Content::Opaque(_) => None,
    })
}
