//! Carries out the steps of a scenario, one by one.

use std::collections::HashMap;

use agent::approval::{Always, Answer, ApprovalResponse, BatchCall, CallState, CardDigest};
use agent::effect::RunEnd;
use agent::event::Event;
use agent::id::RequestId;

use super::expected::{self, Action, Piece, RequestRef, Response, Said, Step, WireAnswer};
use super::host::{self, Host};
use super::vector::{Mode, Vector};
use super::world::{Trace, World};
use super::{expect, invariants};

struct Player {
    world: World,
    /// The requests that were open when a conversation last had any.
    last_open: HashMap<String, Vec<RequestId>>,
    /// What the cards of these requests showed: recorded answers say nothing of it.
    shown: HashMap<RequestId, CardDigest>,
    /// The requests that were open after each step.
    open_after: Vec<Vec<RequestId>>,
    /// What each step let happen, to be repeated.
    happened: Vec<Option<Event>>,
    host: Host,
}

/// Runs a scenario in one mode.
///
/// # Errors
/// With the first step that went otherwise, and how.
pub(super) fn play(vector: &Vector, mode: Mode) -> Result<(), String> {
    let mut player = Player {
        world: World::new(vector, mode),
        last_open: HashMap::new(),
        shown: HashMap::new(),
        open_after: Vec::new(),
        happened: Vec::new(),
        host: Host::default(),
    };
    for (number, step) in vector.steps.iter().enumerate() {
        player.step(step, mode).map_err(|why| format!("step {number}: {why}"))?;
    }
    match player.world.unused_turns() {
        0 => Ok(()),
        unused => Err(format!("{unused} turns of the model were not used")),
    }
}

impl Player {
    fn step(&mut self, step: &Step, mode: Mode) -> Result<(), String> {
        let name = &step.conversation;
        self.world.trace = Trace::default();
        self.world.session(name);
        let event = self.act(name, &step.action)?;
        self.happened.push(event.clone());
        if let Some(event) = event {
            self.world.happen(name, event)?;
        }
        let open: Vec<_> =
            self.world.session(name).open_requests().map(|request| request.id.clone()).collect();
        if !open.is_empty() {
            self.last_open.insert(name.clone(), open.clone());
        }
        let cards = self.world.session(name).open_requests();
        self.shown.extend(cards.map(|card| (card.id.clone(), card.shown.clone())));
        self.open_after.push(open);
        let failed = matches!(self.world.trace.ended, Some(RunEnd::Failed(_)));
        self.host.respond(self.world.session(name), failed);
        expect::compare(&mut self.world, name, &step.expect, mode)?;
        if let Some(wire) = &step.expect.wire {
            host::compare(self.host.last(), wire)?;
        }
        invariants::at_rest(&mut self.world, name)
    }

    /// Does what is no event of the loop, and gives the event if there is one.
    fn act(&mut self, name: &str, action: &Action) -> Result<Option<Event>, String> {
        let before = |back: Option<usize>| back.and_then(|index| self.happened.get(index)).cloned();
        let world = &mut self.world;
        match action {
            Action { send: Some(text), .. } => Ok(Some(Event::Said(text.clone()))),
            Action { answer: Some(text), .. } => Ok(Some(Event::Typed(text.clone()))),
            Action { respond: Some(responses), text, .. } => {
                let responses =
                    responses.iter().map(|it| self.response(name, it)).collect::<Result<_, _>>()?;
                Ok(Some(Event::Answered { responses, text: text.clone() }))
            }
            Action { retry: Some(true), .. } => {
                before(self.happened.len().checked_sub(1)).ok_or("nothing to retry".to_owned())
            }
            Action { replay: Some(index), .. } => {
                before(Some(*index)).ok_or("nothing to replay".to_owned())
            }
            Action { resume: Some(true), .. } => Ok(Some(Event::Resumed)),
            Action { cancel: Some(true), .. } => Ok(Some(Event::Cancelled)),
            Action { inject: Some(messages), .. } => Ok(Some(self.injected(name, messages))),
            Action { reload: Some(true), .. } => world.reload().map(|()| None),
            Action { save_copy: Some(copy), .. } => world.save_copy(name, copy).map(|()| None),
            Action { restore_copy: Some(copy), .. } => {
                world.restore_copy(name, copy).map(|()| None)
            }
            Action { advance_clock_ms: Some(ms), .. } => {
                world.now = world.now.plus_ms(*ms);
                Ok(Some(Event::TimePassed))
            }
            Action { input_unavailable: Some(true), .. } => Ok(Some(Event::InputUnavailable)),
            Action { set_tools: Some(changes), .. } => {
                changes.iter().for_each(|change| world.change_tool(change));
                Ok(None)
            }
            Action { set_audit: Some(audit), .. } => {
                world.audit = *audit;
                Ok(None)
            }
            Action { wire_input: Some(answers), previous_response, .. } => {
                self.wired(name, answers, previous_response.as_deref().unwrap_or("last"))
            }
            _ => Err("the step has no action".to_owned()),
        }
    }

    /// A client's answers by way of the host, as the items they are sent in.
    fn wired(
        &mut self,
        name: &str,
        answers: &[WireAnswer],
        previous: &str,
    ) -> Result<Option<Event>, String> {
        let answers = answers.iter().map(|answer| {
            let item = match &answer.item {
                RequestRef::Index(index) => self.host.item(None, *index),
                RequestRef::Named(text) => match step_and_index(text) {
                    Some((step, index)) => self.host.item(Some(step), index),
                    None => Some(text.as_str()),
                },
            };
            let item = item.ok_or(format!("no item is {:?}", answer.item))?;
            Ok((item.to_owned(), answer.approve, answer.reason.clone()))
        });
        let answers: Vec<_> = answers.collect::<Result<_, String>>()?;
        let last = self.host.last().and_then(|it| it.get("id")?.as_str());
        let previous = if previous == "last" { last.unwrap_or_default() } else { previous };
        let input = host::input(previous, &answers);
        match self.host.read(input, self.world.session(name)) {
            Ok(answers) => {
                let responses = answers.into_iter().map(|(request, answer)| {
                    let shown = self.shown.get(&request).cloned().unwrap_or_default();
                    ApprovalResponse { request, shown, answer }
                });
                Ok(Some(Event::Answered { responses: responses.collect(), text: None }))
            }
            Err(refusal) => {
                self.world.trace.refused = Some(refusal);
                Ok(None)
            }
        }
    }

    /// What is left of a caller's own messages. The loop has no way in for history, results or
    /// words that are not the person's: approvals are tried as answers, and if a request is open,
    /// going on is all that can be asked for.
    fn injected(&mut self, name: &str, messages: &[Said]) -> Event {
        if self.world.session(name).open_requests().next().is_some() {
            return Event::Resumed;
        }
        let approvals = messages.iter().flat_map(|message| &message.content).filter_map(|piece| {
            let Piece::Approval(approval) = piece else { return None };
            let answer = if approval.approve {
                Answer::Approve { always: None }
            } else {
                Answer::Reject { reason: None }
            };
            let (request, shown) = (RequestId(approval.call_id.clone()), CardDigest::default());
            Some(ApprovalResponse { request, shown, answer })
        });
        Event::Answered { responses: approvals.collect(), text: None }
    }

    fn response(&self, name: &str, response: &Response) -> Result<ApprovalResponse, String> {
        let owner = response.from.as_deref().unwrap_or(name);
        let request = match (&response.request, &response.request_id) {
            (Some(reference), None) => self.resolve(owner, reference)?,
            (None, Some(id)) => RequestId(id.clone()),
            (_, _) => return Err("an answer names its request once".to_owned()),
        };
        let always = response.always.map(|always| match always {
            expected::Always::Tool => Always::Tool,
            expected::Always::ToolWithArguments => Always::ToolWithArguments,
        });
        let answer = match response.approve.as_bool() {
            Some(true) => Answer::Approve { always },
            Some(false) => Answer::Reject { reason: response.reason.clone() },
            None => Answer::Unclear,
        };
        let shown = self.shown.get(&request).cloned().unwrap_or_default();
        Ok(ApprovalResponse { request, shown, answer })
    }

    fn resolve(&self, name: &str, reference: &RequestRef) -> Result<RequestId, String> {
        let found = match reference {
            RequestRef::Index(index) => self.last_open.get(name).and_then(|ids| ids.get(*index)),
            RequestRef::Named(text) => {
                if let Some(index) = text.strip_prefix("queued:") {
                    return self.queued(name, index).ok_or(format!("no request is {text}"));
                }
                step_and_index(text).and_then(|(step, index)| self.open_after.get(step)?.get(index))
            }
        };
        found.cloned().ok_or(format!("no request is {reference:?}"))
    }

    fn queued(&self, name: &str, index: &str) -> Option<RequestId> {
        let queued = |it: &BatchCall| match it.state() {
            CallState::Queued(request) => Some(request.id.clone()),
            CallState::Held
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => None,
        };
        let calls = self.world.sessions.get(name)?.batch();
        calls.iter().filter_map(queued).nth(index.parse().ok()?)
    }
}

/// The step and the index that `step:n/i` names.
fn step_and_index(text: &str) -> Option<(usize, usize)> {
    let (step, index) = text.strip_prefix("step:")?.split_once('/')?;
    Some((step.parse().ok()?, index.parse().ok()?))
}
