//! Effects outside the household, carried out as the page's driver does: an attempt that is noted, an
//! answer that comes or does not, and what a person does where nobody knows.

use std::cell::Cell;
use std::rc::Rc;

use agent::approval::ApprovedCall;
use agent::audit::ExecutionOutcome;
use agent::event::{Event, ToolOutcome};
use agent::id::{CallId, RequestId, SessionId};
use agent::message::{Body, ToolCall};
use agent::model::ModelRequest;
use agent::resolution::ResolutionStep;
use agent::wording;
use store::error::StoreError;
use store::outside::{Attempt, Begun};
use store::resolution::{Taken, Wanted};

use super::{Checked, World};
use crate::checker::{DIGEST_KEY, calls};
use crate::coverage;
use crate::database::{Plan, Slot, at_once};
use crate::tab::Awaited;
use crate::violation::{Rule, Violation};

impl World {
    /// Begins the one attempt of an approved call, unless it was begun before.
    pub(super) fn attempt(&mut self, slot: Slot, approved: &ApprovedCall, plan: Plan) -> Checked {
        let now = self.now(slot);
        self.memory.plan(plan);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        if tab.awaits_end_of(approved.request()) {
            return Ok(());
        }
        let (tools, id) = (Rc::clone(&tab.program.tools), tab.session.id().clone());
        let begun = at_once(self.store(slot).attempt(&tools, approved, &id, &DIGEST_KEY, now));
        if !self.survives(slot, "attempt", plan)? {
            return Ok(());
        }
        let call = approved.call().id.clone();
        let outcome = match begun {
            Ok(Attempt::Begun(begun)) => return self.send(slot, begun, Some((id, call))),
            Ok(Attempt::Ended(outcome)) => outcome,
            Err(error) => {
                let outcome = self.not_carried_out(slot, approved, &error);
                self.observe(slot)?;
                outcome
            }
        };
        self.finished(slot, call, outcome)
    }

    /// A call was not carried out now. Whether it was before is on record, or that it never will be;
    /// where that cannot be written either, nobody knows.
    pub(super) fn not_carried_out(
        &mut self,
        slot: Slot,
        approved: &ApprovedCall,
        error: &StoreError,
    ) -> ToolOutcome {
        if *error == StoreError::Unanswered {
            return ToolOutcome::Unknown;
        }
        self.memory.plan(Plan::default());
        let why = wording::not_done(&error.to_string());
        let told = approved.request().map(|it| self.record_undone(slot, approved.call(), it, why));
        told.and_then(Result::ok).unwrap_or(ToolOutcome::Unknown)
    }

    /// Takes back the approval of a call that is not to run any more.
    pub(super) fn withdraw(
        &mut self,
        slot: Slot,
        call: &ToolCall,
        request: &RequestId,
        plan: Plan,
    ) -> Checked {
        let why = || wording::TAKEN_BACK.to_owned();
        self.memory.plan(plan);
        let mut withdrawn = self.record_undone(slot, call, request, why());
        if withdrawn == Err(StoreError::Unanswered) && self.reopens(slot, plan)? {
            self.memory.plan(plan.second());
            withdrawn = self.record_undone(slot, call, request, why());
        }
        if !self.survives(slot, "withdraw", plan)? {
            return Ok(());
        }
        let outcome = withdrawn.unwrap_or(ToolOutcome::Unknown);
        self.coverage.meet(coverage::withdrawn(&outcome));
        let event = Event::ApprovalWithdrawn { call: call.id.clone(), outcome };
        let tab = self.tab(slot)?;
        tab.told.push(event.clone());
        tab.events.push_back(event);
        Ok(())
    }

    fn record_undone(
        &mut self,
        slot: Slot,
        call: &ToolCall,
        request: &RequestId,
        why: String,
    ) -> Result<ToolOutcome, StoreError> {
        let now = self.now(slot);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Err(StoreError::Absent) };
        let id = tab.session.id();
        at_once(self.store(slot).not_carried_out(call, request, id, &DIGEST_KEY, why, now))
    }

    fn finished(&mut self, slot: Slot, call: CallId, outcome: ToolOutcome) -> Checked {
        let event = Event::ToolFinished { call, outcome };
        let tab = self.tab(slot)?;
        tab.told.push(event.clone());
        tab.events.push_back(event);
        Ok(())
    }

    fn send(&mut self, slot: Slot, begun: Begun, first: Option<(SessionId, CallId)>) -> Checked {
        let request = begun.idempotency_key().clone();
        self.checker.sends(&request)?;
        self.tells(|| format!("{slot}   sends a letter under {request}"));
        let begun = Rc::new(Cell::new(Some(begun)));
        self.tab(slot)?.awaited.push(Awaited { request, begun, first });
        Ok(())
    }

    /// The answer comes to the tab that waits for it, or it is not waited for any longer.
    ///
    /// # Errors
    /// What does not hold.
    pub fn answered(
        &mut self,
        slot: Slot,
        key: &RequestId,
        outcome: ToolOutcome,
        plan: Plan,
    ) -> Checked {
        self.lands()?;
        let now = self.now(slot);
        let tab = self.tab(slot)?;
        let Some(at) = tab.awaited.iter().position(|it| it.request == *key) else {
            return Ok(());
        };
        let Awaited { begun, first, .. } = tab.awaited.remove(at);
        let Some(begun) = begun.take() else { return Ok(()) };
        self.memory.plan(plan);
        let recorded = at_once(self.store(slot).attempted(begun, outcome, now));
        if !self.survives(slot, "outcome", plan)? {
            return Ok(());
        }
        let here = self.tab(slot)?.session.id().clone();
        if let Some((_, call)) = first.filter(|(session, _)| *session == here) {
            self.finished(slot, call, recorded.unwrap_or(ToolOutcome::Unknown))?;
        }
        self.learn(slot, key)
    }

    /// A person does something about an unknown outcome. While an answer is awaited nothing is begun.
    ///
    /// # Errors
    /// What does not hold.
    pub fn resolve(&mut self, slot: Slot, wanted: &Wanted, far: Reply, plan: Plan) -> Checked {
        self.lands()?;
        let now = self.now(slot);
        let request = &wanted.request;
        let tab = self.tab(slot)?;
        if tab.awaited.iter().any(|it| it.request == *request) {
            return Ok(());
        }
        self.tells(|| format!("{slot} wants {:?} of {request}", wanted.step));
        self.memory.plan(plan);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        let (tools, session) = (Rc::clone(&tab.program.tools), &tab.session);
        let call = session.called_unknown().find(|(known, _)| *known == request);
        let call = call.and_then(|(_, id)| {
            session.messages().iter().flat_map(calls).find(|call| call.id == *id).cloned()
        });
        let again = wanted.step == ResolutionStep::TryAgain;
        let taken = match call {
            Some(call) if again => {
                at_once(self.store(slot).try_again(&tools, &call, wanted, &DIGEST_KEY, now))
            }
            _ => at_once(self.store(slot).resolve(wanted, now)).map(|taken| (taken, None)),
        };
        if !self.survives(slot, "resolve", plan)? {
            return Ok(());
        }
        match taken {
            Ok((_, Some(begun))) => self.send(slot, begun, None)?,
            Ok((Taken::Now(_), None)) if wanted.step == ResolutionStep::Check => {
                let outcome = match far {
                    Reply::Tells => self.checker.far_side.ask(request),
                    Reply::CannotTell => ToolOutcome::Unknown,
                };
                self.memory.plan(Plan::default());
                // What cannot be recorded is not known.
                let _ = at_once(self.store(slot).answered(request, outcome, now));
                self.observe(slot)?;
            }
            Ok((Taken::Now(_) | Taken::Not(_), None)) | Err(_) => {}
        }
        self.learn(slot, request)
    }

    /// Lets a conversation know the store's latest word on an outcome that was called unknown.
    fn learn(&mut self, slot: Slot, request: &RequestId) -> Checked {
        self.lands()?;
        self.memory.plan(Plan::default());
        if self.is_closed(slot) {
            return Ok(());
        }
        let latest = match at_once(self.store(slot).resolution(request)) {
            Ok(latest) => latest,
            // It stays unknown.
            Err(error) if error.is_damage() && self.memory.is_any_spoilt() => return Ok(()),
            Err(error) => return Err(super::lost(error.to_string())),
        };
        let tab = self.tab(slot)?;
        if let Some(latest) = latest
            && tab.session.resolution(request).as_ref() != Some(&latest)
        {
            tab.events.push_back(Event::Resolved(latest));
        }
        Ok(())
    }

    /// What became known while nobody looked.
    pub(super) fn learn_what_is_known(&mut self, slot: Slot) -> Checked {
        let session = &self.tab(slot)?.session;
        let asked: Vec<_> = session.called_unknown().map(|(request, _)| request.clone()).collect();
        asked.iter().try_for_each(|request| self.learn(slot, request))
    }

    /// What became known of an outcome is told to the model before it answers again.
    pub(super) fn is_told(&mut self, slot: Slot, request: &ModelRequest) -> Checked {
        let session = &self.tab(slot)?.session;
        for (unknown, _) in session.called_unknown() {
            let Some(known) = session.resolution(unknown) else { continue };
            let told = |body: &Body| match body {
                Body::Note(note) => *note == wording::learned(&known.event),
                Body::Person(_) | Body::Assistant(_) | Body::Result(_) => false,
            };
            if known.event.step.outcome() != ExecutionOutcome::Unknown
                && !request.messages.iter().any(|message| told(&message.body))
            {
                let why = format!("the model is not told of {:?}", known.event);
                return Err(Violation { rule: Rule::TrueResult, why });
            }
        }
        Ok(())
    }
}

/// What the far side says when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Whether it was done.
    Tells,
    /// Nothing that helps.
    CannotTell,
}
