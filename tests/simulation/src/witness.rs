//! What the person was shown and said, as one line of a conversation's life knows it. It is kept
//! and restored with the conversation: what was said before a crash and never kept was never said.

use std::collections::{BTreeMap, BTreeSet};

use agent::approval::{Always, Answer, ApprovalRequest, ApprovalResponse, CallState, Outcome};
use agent::event::{Event, Recorded};
use agent::id::RequestId;
use agent::message::{Body, Message};
use agent::session::Session;
use agent::settings::{OnNewMessage, Settings};
use agent::time::Timestamp;

use crate::person;

/// What the person was shown and said.
#[derive(Debug, Clone, Default)]
pub struct Witness {
    /// Requests that were shown, as they were first shown.
    pub shown: BTreeMap<RequestId, ApprovalRequest>,
    /// The first thing that was said to each, silence after its last deadline included.
    pub said: BTreeMap<RequestId, Said>,
    /// How long each waits: the attempt, and when it ends.
    waits: BTreeMap<RequestId, (u32, Timestamp)>,
    /// Answers that were to hold always, and do not any more.
    pub revoked: BTreeSet<RequestId>,
    /// Prompts with a no in them, each by its place in the transcript.
    denied: BTreeSet<usize>,
    /// The rounds of questions of each prompt, each by the length of the transcript at its time.
    rounds: BTreeMap<usize, BTreeSet<usize>>,
}

/// What was said to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Yes, perhaps to later calls too.
    Yes(Option<Always>),
    /// No, in so many words.
    No,
    /// Nothing that allows it: other words, a cancel, silence.
    Otherwise,
}

/// The place of the prompt that is being served: how many texts of the person there are.
#[must_use]
pub fn prompt(messages: &[Message]) -> usize {
    messages.iter().filter(|it| matches!(it.body, Body::Person(_))).count()
}

impl Witness {
    /// Whether there was a no in this prompt.
    #[must_use]
    pub fn has_no_in(&self, prompt: usize) -> bool {
        self.denied.contains(&prompt)
    }

    /// Something happens, as the person means it, before the loop takes it.
    pub fn take(&mut self, event: &Event, session: &Session, settings: &Settings, now: Timestamp) {
        let prompt = prompt(session.messages());
        self.expire(settings, now, prompt);
        let open: Vec<RequestId> = session
            .open_requests()
            .map(|request| request.id.clone())
            .filter(|id| self.said.get(id) != Some(&Said::Otherwise))
            .collect();
        let refuses = settings.on_new_message == OnNewMessage::Refuse;
        match event {
            Event::Said(text) if !open.is_empty() && !refuses => {
                if text.trim().is_empty() {
                    self.close(&open, Said::No);
                    self.denied.insert(prompt);
                } else {
                    self.close_all();
                }
            }
            Event::Answered { responses, text } => {
                let answers = clear_answers(responses, &open);
                if refuses && open.iter().any(|id| !answers.contains_key(id)) {
                    return;
                }
                if answers.values().any(|said| *said == Said::No) {
                    self.denied.insert(prompt);
                }
                for (id, said) in answers {
                    self.said.entry(id).or_insert(said);
                }
                let words = text.as_ref().is_some_and(|text| !text.trim().is_empty());
                if words && !open.is_empty() && !refuses {
                    self.close_all();
                }
            }
            Event::Cancelled | Event::InputUnavailable if !open.is_empty() => {
                self.close_all();
                self.denied.insert(prompt);
            }
            Event::DecisionRecorded { request, recorded } => {
                self.recorded(request, recorded, session);
            }
            Event::Typed(text) if !open.is_empty() => match text.to_lowercase().as_str() {
                "yes" => self.close(&open, Said::Yes(None)),
                "n" => {
                    self.close(&open, Said::No);
                    self.denied.insert(prompt);
                }
                _ => self.use_up(&open, settings, now, prompt),
            },
            Event::Revoked(id) => {
                self.revoked.insert(RequestId(id.0.clone()));
            }
            Event::Said(_)
            | Event::Typed(_)
            | Event::Resumed
            | Event::Cancelled
            | Event::ModelReplied(_)
            | Event::ModelFailed(_)
            | Event::ToolFinished { .. }
            | Event::ApprovalWithdrawn { .. }
            | Event::Resolved(_)
            | Event::TimePassed
            | Event::InputUnavailable => {}
        }
    }

    /// The store's word on a decision reaches the loop.
    fn recorded(&mut self, request: &RequestId, recorded: &Recorded, session: &Session) {
        let waits = session.batch().iter().find_map(|it| match it.state() {
            CallState::Recording { decision, .. } if decision.request == *request => Some(decision),
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Approved(_)
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => None,
        });
        let Some(decision) = waits else { return };
        let no = |outcome: Outcome| !matches!(outcome, Outcome::Approved | Outcome::MovedOn);
        let denied = match recorded {
            Recorded::Durable => no(decision.outcome),
            Recorded::Earlier(earlier) => no(earlier.outcome),
            Recorded::Refused => decision.outcome != Outcome::MovedOn,
        };
        if denied {
            self.denied.insert(prompt(session.messages()));
        }
    }

    /// How many rounds of questions there were in this prompt.
    #[must_use]
    pub fn rounds_in(&self, prompt: usize) -> usize {
        self.rounds.get(&prompt).map_or(0, BTreeSet::len)
    }

    /// A question is shown.
    pub fn show(&mut self, request: &ApprovalRequest, messages: &[Message]) {
        self.rounds.entry(prompt(messages)).or_default().insert(messages.len());
        let deadline = request.deadline.unwrap_or(Timestamp(u64::MAX));
        self.shown.entry(request.id.clone()).or_insert_with(|| {
            self.waits.insert(request.id.clone(), (1, deadline));
            request.clone()
        });
    }

    /// A question is decided, by whomever: nobody waits for an answer any more.
    pub fn settle(&mut self, request: &RequestId) {
        self.waits.remove(request);
    }

    /// Requests whose last attempt is over were answered by silence. No attempt ends further away
    /// than one whole attempt from now, whatever the clock said before a restart.
    fn expire(&mut self, settings: &Settings, now: Timestamp, prompt: usize) {
        let Some(length) = settings.approval_timeout_ms else { return };
        for (id, (attempt, deadline)) in &mut self.waits {
            *deadline = (*deadline).min(now.plus_ms(length));
            while *deadline <= now && *attempt < settings.approval_attempts {
                *attempt += 1;
                *deadline = deadline.plus_ms(length);
            }
            if *deadline <= now && !self.said.contains_key(id) {
                self.said.insert(id.clone(), Said::Otherwise);
                self.denied.insert(prompt);
            }
        }
    }

    /// Words that are neither yes nor no end an attempt.
    fn use_up(&mut self, ids: &[RequestId], settings: &Settings, now: Timestamp, prompt: usize) {
        for id in ids {
            let Some((attempt, deadline)) = self.waits.get_mut(id) else { continue };
            if *attempt < settings.approval_attempts {
                *attempt += 1;
                let length = settings.approval_timeout_ms;
                *deadline = length.map_or(Timestamp(u64::MAX), |length| now.plus_ms(length));
            } else {
                self.said.entry(id.clone()).or_insert(Said::Otherwise);
                self.denied.insert(prompt);
            }
        }
    }

    fn close(&mut self, ids: &[RequestId], said: Said) {
        for id in ids {
            self.said.entry(id.clone()).or_insert(said);
        }
    }

    fn close_all(&mut self) {
        for id in self.shown.keys() {
            self.said.entry(id.clone()).or_insert(Said::Otherwise);
        }
    }
}

/// The first clear answer to each open request; a no beats a yes.
fn clear_answers(responses: &[ApprovalResponse], open: &[RequestId]) -> BTreeMap<RequestId, Said> {
    let mut answers = BTreeMap::new();
    for ApprovalResponse { request, shown, answer } in responses {
        let said = match answer {
            Answer::Approve { .. } if *shown == person::of_another_card() => continue,
            Answer::Approve { always } => Said::Yes(*always),
            Answer::Reject { .. } => Said::No,
            Answer::Unclear => continue,
        };
        if !open.contains(request) {
            continue;
        }
        let counted = answers.entry(request.clone()).or_insert(said);
        if said == Said::No {
            *counted = said;
        }
    }
    answers
}
