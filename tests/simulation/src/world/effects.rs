//! What a tab's loop asks for, carried out as the page's driver does.

use std::rc::Rc;

use agent::approval::{ApprovedCall, Decision, Outcome};
use agent::audit::AuditEvent;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::model::ModelRequest;
use agent::time::Timestamp;
use agent::tool::Reach;
use agent::wording;
use store::error::StoreError;
use store::household::Ran;
use store::sessions::Conversation;

use super::{Checked, World};
use crate::agents;
use crate::checker::DIGEST_KEY;
use crate::coverage;
use crate::database::{Fate, Plan, Slot, at_once};
use crate::mutant::{self, Mutant};
use crate::tab::{Calling, Work};
use crate::violation::Violation;

impl World {
    pub(super) fn carry_out(&mut self, slot: Slot, work: Work, plan: Plan) -> Checked {
        // A conversation is saved whatever else waits.
        if work.transaction().is_some_and(|kind| kind != "save") {
            self.lands()?;
        }
        match work {
            Work::Save => self.save(slot, plan),
            Work::CallModel(request) => self.call_model(slot, *request),
            Work::Record(event) => self.record(slot, &event, plan),
            Work::Run(approved) => self.run(slot, &approved, plan),
            Work::Withdraw(call, request) => self.withdraw(slot, &call, &request, plan),
            Work::Finish(end) => {
                self.coverage.meet(coverage::end(&end));
                let tab = self.tab(slot)?;
                tab.finish(end);
                tab.work.push_front(Work::Save);
                Ok(())
            }
            // The person looks once all is carried out.
            Work::Ask(_) | Work::Nothing => Ok(()),
        }
    }

    /// Counts what became of a transaction, and stops the program if it is to. Says whether it runs.
    pub(super) fn survives(
        &mut self,
        slot: Slot,
        kind: &'static str,
        plan: Plan,
    ) -> Result<bool, Violation> {
        self.requests = self.memory.requests();
        let fate = if self.memory.struck() { plan.fate } else { Fate::Commits };
        self.coverage.meet(coverage::transaction(kind, fate));
        self.tells(|| format!("{slot}   {kind}: {fate:?}"));
        if fate == Fate::UnansweredLate
            && let Some(Some(tab)) = self.tabs.get(slot)
        {
            self.late = Some((Rc::clone(&tab.program.specs), Rc::clone(&tab.settings)));
        }
        self.observe(slot)?;
        if fate.is_crash() {
            self.crash(slot);
        }
        Ok(!fate.is_crash())
    }

    /// A session that cannot be saved must not ask: nobody could answer for what is not kept. Nor may
    /// one that cannot show what a call would do.
    fn save(&mut self, slot: Slot, plan: Plan) -> Checked {
        let now = self.now(slot);
        self.memory.plan(plan);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        let before = self.memory.commits();
        let (store, session) = (self.store(slot), &tab.session);
        let mut saved = at_once(store.save_session(session, tab.stands_at(), tab.revision, now));
        if saved == Err(StoreError::Unanswered) && self.reopens(slot, plan)? {
            self.memory.plan(plan.second());
            saved = self.save_again(slot, now);
        }
        let saved = saved.map(drop);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        if self.memory.commits() > before {
            let key = (self.drawer(slot), tab.session.id().clone());
            self.witnesses.insert(key, tab.witness.clone());
            self.latest = tab.revision + 1;
        }
        if !self.survives(slot, "save", plan)? {
            return Ok(());
        }
        if saved == Err(StoreError::Stale) {
            return self.overtaken(slot);
        }
        let counts = self.mutant == Some(Mutant::CountsFailedSave);
        let tab = self.tab(slot)?;
        tab.unsaved = saved.is_err() && !counts;
        tab.revision += u64::from(saved.is_ok());
        if saved.is_ok() || counts {
            tab.session.mark_saved();
        }
        let asks = (saved.is_ok() || counts) && !tab.lacks_household;
        if !asks && tab.session.open_requests().next().is_some() {
            tab.events.push_back(Event::InputUnavailable);
        }
        Ok(())
    }

    /// What was saved though the browser has not said so is not saved again.
    fn save_again(&self, slot: Slot, now: Timestamp) -> Result<Conversation, StoreError> {
        let tab = self.tabs.get(slot).and_then(Option::as_ref).ok_or(StoreError::Absent)?;
        let (store, session) = (self.store(slot), &tab.session);
        match at_once(store.kept_as(session, tab.revision))? {
            Some(kept) => Ok(kept),
            None => at_once(store.save_session(session, tab.stands_at(), tab.revision, now)),
        }
    }

    fn call_model(&mut self, slot: Slot, request: ModelRequest) -> Checked {
        let request = mutant::twist_request(self.mutant, request);
        self.checker.request(&request, self.agent_gone)?;
        self.is_told(slot, &request)?;
        let tab = self.tab(slot)?;
        agents::asked(&request).clone_into(&mut tab.asked);
        tab.calls += 1;
        tab.calling = Some(Calling { number: tab.calls, request, coming: None, again: 0 });
        Ok(())
    }

    fn record(&mut self, slot: Slot, event: &AuditEvent, plan: Plan) -> Checked {
        if self.mutant == Some(Mutant::ReleasesBeforeDurable) {
            self.tab(slot)?.unwritten.push(event.clone());
            return self.recorded(slot, event, Recorded::Durable);
        }
        self.memory.plan(plan);
        // A yes within a conversation that could not be kept would run something that the next
        // visit knows nothing of.
        let kept = !self.tab(slot)?.unsaved || event.outcome != Outcome::Approved;
        let record = |world: &Self| at_once(world.store(slot).record_decision(event));
        let mut recorded = if kept { record(self) } else { Err(StoreError::Absent) };
        if recorded == Err(StoreError::Unanswered) && self.reopens(slot, plan)? {
            self.memory.plan(plan.second());
            recorded = record(self);
        }
        if !self.survives(slot, "record", plan)? {
            return Ok(());
        }
        let recorded = match recorded {
            Ok(None) => Recorded::Durable,
            Ok(Some(earlier)) => Recorded::Earlier(Decision {
                request: earlier.request,
                outcome: earlier.outcome,
                basis: earlier.basis,
                reason: earlier.reason,
                at: earlier.decided_at,
            }),
            Err(_) if self.mutant == Some(Mutant::IgnoresRefusal) => Recorded::Durable,
            Err(StoreError::Unanswered) if self.mutant == Some(Mutant::TakesNoAnswerForDurable) => {
                Recorded::Durable
            }
            Err(_) => Recorded::Refused,
        };
        self.recorded(slot, event, recorded)
    }

    fn recorded(&mut self, slot: Slot, event: &AuditEvent, recorded: Recorded) -> Checked {
        self.coverage.meet(coverage::recorded(&recorded));
        if recorded == Recorded::Refused {
            self.checker.refused(&event.request);
        }
        let event = Event::DecisionRecorded { request: event.request.clone(), recorded };
        let tab = self.tab(slot)?;
        tab.told.push(event.clone());
        tab.events.push_back(event);
        Ok(())
    }

    fn run(&mut self, slot: Slot, approved: &ApprovedCall, plan: Plan) -> Checked {
        let now = self.now(slot);
        self.memory.plan(plan);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        let tools = Rc::clone(&tab.program.tools);
        if approved.request().is_some() && tools.reach(approved) != Ok(Reach::World) {
            return self.attempt(slot, approved, plan);
        }
        let session = tab.session.id().clone();
        let run = |world: &Self| {
            at_once(world.store(slot).run(&tools, approved, &session, &DIGEST_KEY, now))
        };
        let mut ran = run(self);
        let asks_again = self.mutant != Some(Mutant::TakesNoAnswerForUndone);
        let again = matches!(ran, Err(StoreError::Unanswered)) && asks_again;
        if again && self.reopens(slot, plan)? {
            self.memory.plan(plan.second());
            ran = run(self);
        }
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        let returned = |ran: &Ran| matches!(ran.outcome, ToolOutcome::Returned { .. });
        if approved.request().is_none() && ran.as_ref().is_ok_and(returned) {
            self.checker.reads(approved.call(), &tab.program.specs, &tab.settings.policy)?;
        }
        let kind = if approved.request().is_some() { "run" } else { "read" };
        if !self.survives(slot, kind, plan)? {
            return Ok(());
        }
        let outcome = match ran {
            Ok(Ran { outcome: ToolOutcome::Returned { text, .. }, .. }) if plan.terminates => {
                ToolOutcome::Returned { text, terminate: true }
            }
            Ok(ran) => ran.outcome,
            Err(error) => {
                let outcome = self.not_ran(slot, approved, &error);
                self.observe(slot)?;
                outcome
            }
        };
        let event = Event::ToolFinished { call: approved.call().id.clone(), outcome };
        let tab = self.tab(slot)?;
        tab.told.push(event.clone());
        tab.events.push_back(event);
        Ok(())
    }

    /// It did not run now. What only reads never changes anything.
    fn not_ran(&mut self, slot: Slot, approved: &ApprovedCall, error: &StoreError) -> ToolOutcome {
        if *error == StoreError::NotApproved {
            self.coverage.meet(("run", "not approved"));
        }
        let unanswered = *error == StoreError::Unanswered;
        let tells = match self.mutant {
            Some(Mutant::TakesNoAnswerForUndone) => unanswered,
            Some(Mutant::TellsUndoneOnly) => !unanswered,
            Some(_) | None => false,
        };
        if tells || approved.request().is_none() {
            return ToolOutcome::Failed { text: wording::not_done(&error.to_string()) };
        }
        if unanswered {
            return ToolOutcome::Unknown;
        }
        self.not_carried_out(slot, approved, error)
    }
}
