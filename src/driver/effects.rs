//! What the loop asks for, carried out: the one `match` on [`Effect`].

use agent::approval::{Answer, ApprovalResponse, ApprovedCall, Outcome};
use agent::audit::AuditEvent;
use agent::effect::{Effect, RunEnd, RunError};
use agent::event::{Event, Recorded};
use agent::model::{ModelError, ModelErrorKind, ModelRequest};
use agent::tool::Reach;
use futures::future::{AbortHandle, Abortable};
use store::error::StoreError;
use store::household::{Kept, Ran};
use store::sessions::{Conversation, Trouble};
use view::scene::{Cause, Damage, StoreTask, Streaming};
use wasm_bindgen_futures::spawn_local;

use super::conversation::Role;
use super::tabs::TabMessage;
use super::{CallNumber, Driver, Input, Sent, engine, marker};

/// What follows an effect.
pub(super) enum Next {
    /// The next effect.
    Nothing,
    /// Something came of it.
    Event(Event),
    /// Another tab went on with the conversation meanwhile: the rest is not to be done.
    Overtaken,
}

impl Driver {
    /// Carries out one effect.
    pub(super) async fn carry_out(&mut self, effect: Effect) -> Next {
        match effect {
            Effect::Save => self.save().await,
            Effect::CallModel(request) => {
                self.call_model(request);
                Next::Nothing
            }
            // The card is drawn from the session itself, where the request is recorded.
            Effect::Ask(_) => Next::Nothing,
            Effect::RecordDecision(decision) => Next::Event(self.record(decision).await),
            Effect::RunTool(approved) => self.run_tool(&approved).await,
            Effect::WithdrawApproval { call, request } => {
                Next::Event(self.withdraw(call, &request).await)
            }
            Effect::Finished(end) => {
                self.finish(end);
                self.save().await
            }
            Effect::DroppedResponse(response) => {
                self.say_if_changed(&response);
                Next::Nothing
            }
            Effect::Ignored(_) => Next::Nothing,
        }
    }

    /// A yes to an open card does not count if the card is another one by now.
    fn say_if_changed(&mut self, response: &ApprovalResponse) {
        let card = self.session.open_requests().find(|card| card.id == response.request);
        let yes = matches!(response.answer, Answer::Approve { .. });
        if yes && card.is_some_and(|card| card.shown != response.shown) {
            self.report(Cause::CardChanged);
        }
    }

    /// A session that cannot be saved must not ask: nobody could answer for what is not kept.
    async fn save(&mut self) -> Next {
        if self.store.is_none() {
            return self.nobody_can_be_asked();
        }
        let mut saved = self.try_to_save().await;
        if saved == Err(StoreError::Unanswered) && self.reopen().await {
            saved = match self.kept_as_it_is().await {
                Ok(Some(kept)) => Ok(kept),
                Ok(None) => self.try_to_save().await,
                Err(error) => Err(error),
            };
        }
        match saved {
            Ok(conversation) => {
                self.session.mark_saved();
                self.is_kept = true;
                if self.revision == 0 {
                    marker::leave(&self.name);
                }
                self.revision += 1;
                self.tell(&TabMessage::Saved(conversation.id.clone(), self.revision));
                self.conversations.retain(|other| other.id != conversation.id);
                self.conversations.insert(0, conversation);
                if self.can_ask() { Next::Nothing } else { self.nobody_can_be_asked() }
            }
            Err(StoreError::Stale) => Next::Overtaken,
            Err(error) => {
                self.is_kept = false;
                self.store_failed(StoreTask::SaveConversation, error);
                self.nobody_can_be_asked()
            }
        }
    }

    /// Keeps the conversation as it stands, with nothing new in it.
    pub(super) async fn save_again(&mut self) {
        if matches!(self.role, Role::Follows) {
            return;
        }
        match self.save().await {
            Next::Nothing => {}
            Next::Event(event) => self.happen(event).await,
            Next::Overtaken => self.overtaken = true,
        }
    }

    async fn try_to_save(&mut self) -> Result<Conversation, StoreError> {
        let (trouble, now) = (self.trouble(), self.clock.now());
        let store = self.store.as_ref().ok_or(StoreError::Absent)?;
        store.save_session(&self.session, trouble.as_ref(), self.revision, now).await
    }

    /// The conversation, if it was saved just as it is though the browser has not said so.
    async fn kept_as_it_is(&self) -> Result<Option<Conversation>, StoreError> {
        match &self.store {
            Some(store) => store.kept_as(&self.session, self.revision).await,
            None => Ok(None),
        }
    }

    /// The failure the conversation stands at, or else the last that left a text unsent, for the next
    /// visit.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        let here = self.session.messages().len();
        self.problems.iter().rev().find_map(|problem| match &problem.cause {
            Cause::Model { error, unsent } if unsent.is_some() || problem.after >= here => {
                Some(Trouble { error: error.clone(), unsent: unsent.clone() })
            }
            Cause::Model { .. }
            | Cause::Run(_)
            | Cause::DecisionNotStored { .. }
            | Cause::CardChanged
            | Cause::Emptied
            | Cause::Store { .. }
            | Cause::NotLoaded { .. }
            | Cause::CardCame { .. }
            | Cause::Overtaken { .. }
            | Cause::Kitchen { .. } => None,
        })
    }

    /// Whether the conversation stands at a failure, and waits for the person to go on.
    pub(super) fn stands_at_a_failure(&self) -> bool {
        self.trouble().is_some_and(|trouble| trouble.unsent.is_none())
    }

    /// Whether what a call would do can be shown, and what is decided be written down.
    pub(super) fn can_ask(&self) -> bool {
        self.store.is_some() && !self.damage.iter().any(Damage::forbids_acting)
    }

    fn nobody_can_be_asked(&self) -> Next {
        let waits = self.session.open_requests().next().is_some();
        if waits { Next::Event(Event::InputUnavailable) } else { Next::Nothing }
    }

    async fn record(&mut self, decision: AuditEvent) -> Event {
        let request = decision.request.clone();
        let mut recorded = self.try_to_record(&decision).await;
        if recorded == Err(StoreError::Unanswered) && self.reopen().await {
            recorded = self.try_to_record(&decision).await;
        }
        let recorded = match recorded {
            Ok(None) => {
                self.follow_records().await;
                self.tell(&TabMessage::Kept);
                Recorded::Durable
            }
            Ok(Some(earlier)) => Recorded::Earlier(earlier.into_decision()),
            Err(why) => {
                if decision.outcome == Outcome::Approved {
                    self.report(Cause::DecisionNotStored { tool: decision.tool, why });
                }
                Recorded::Refused
            }
        };
        Event::DecisionRecorded { request, recorded }
    }

    /// Once recorded it is found again, however often this is tried.
    async fn try_to_record(&self, decision: &AuditEvent) -> Result<Option<AuditEvent>, StoreError> {
        match &self.store {
            // A yes within a conversation that could not be kept would run something that the next
            // visit knows nothing of, and might do again.
            Some(_) if !self.is_kept && decision.outcome == Outcome::Approved => {
                Err(StoreError::Absent)
            }
            Some(store) => match self.damaged_key() {
                Some(why) => Err(why),
                None => store.record_decision(decision).await,
            },
            None => Err(StoreError::Absent),
        }
    }

    /// Why the key of the digests cannot be read, if that is so: what is bound by another is bound
    /// by nothing.
    fn damaged_key(&self) -> Option<StoreError> {
        let damage = self.damage.iter().find(|it| it.task == StoreTask::ReadKey);
        damage.map(|it| it.why.clone())
    }

    async fn run_tool(&mut self, approved: &ApprovedCall) -> Next {
        let call = approved.call().id.clone();
        let engine = engine::of(&mut self.engine, &self.outside, self.others);
        // Of a tool that is another one by now, or gone, an attempt may have been begun before.
        if approved.request().is_some() && engine.tools().reach(approved) != Ok(Reach::World) {
            return self.attempt(approved).await;
        }
        let mut ran = self.try_to_run(approved).await;
        if matches!(ran, Err(StoreError::Unanswered)) && self.reopen().await {
            ran = self.try_to_run(approved).await;
        }
        let outcome = match ran {
            Ok(ran) => {
                if ran.execution.is_some() {
                    self.follow_records().await;
                    self.tell(&TabMessage::Kept);
                }
                if let Some(kept) = ran.kept {
                    self.keep(kept);
                }
                ran.outcome
            }
            Err(error) => self.not_carried_out(approved, error).await,
        };
        Next::Event(Event::ToolFinished { call, outcome })
    }

    /// What ran before is not run again, however often this is tried.
    async fn try_to_run(&mut self, approved: &ApprovedCall) -> Result<Ran, StoreError> {
        let engine = engine::of(&mut self.engine, &self.outside, self.others);
        let store = self.store.as_ref().ok_or(StoreError::Absent)?;
        let (id, key, now) = (self.session.id(), &self.digest_key, self.clock.now());
        store.run(engine.tools(), approved, id, key, now).await
    }

    /// The household as the store keeps it now.
    pub(super) fn keep(&mut self, kept: Kept) {
        self.household = kept.household;
        self.note_damage(StoreTask::ReadHousehold, None);
        self.ask_for_persistence();
        marker::leave(&self.name);
        for change in kept.changes {
            match self.changes.iter_mut().find(|known| known.id == change.id) {
                Some(known) => *known = change,
                None => self.changes.push(change),
            }
        }
    }

    fn call_model(&mut self, request: ModelRequest) {
        self.calls += 1;
        let number = CallNumber(self.calls);
        let (handle, registration) = AbortHandle::new_pair();
        self.call = Some((number, handle));
        self.streaming = Some(Streaming::default());
        let pieces = self.inbox.clone();
        let on_event = Box::new(move |event| {
            // The driver holds the other end for as long as the page lives.
            let _ = pieces.unbounded_send(Input::ModelEvent(number, event));
        });
        let reply = self.model.call(&self.preferences, &request, on_event);
        let inbox = self.inbox.clone();
        spawn_local(async move {
            if let Ok(ended) = Abortable::new(reply, registration).await {
                let _ = inbox.unbounded_send(Input::ModelEnded(number, ended));
            }
        });
    }

    fn finish(&mut self, end: RunEnd) {
        let sent = self.sent.take();
        match end {
            RunEnd::Replied { .. } | RunEnd::Cancelled | RunEnd::Terminated => {}
            RunEnd::Failed(RunError::Protocol { message }) => {
                let error = ModelError { kind: ModelErrorKind::Protocol, message };
                self.finish_failed(error, sent);
            }
            RunEnd::Failed(RunError::Model(error)) => self.finish_failed(error, sent),
            RunEnd::Failed(error) => self.report(Cause::Run(error)),
        }
    }

    /// If nothing came of a text, the loop took it back, and the page keeps it.
    fn finish_failed(&mut self, error: ModelError, sent: Option<Sent>) {
        let unsent = sent
            .filter(|sent| !self.was_said(&sent.said.text, sent.before))
            .map(|sent| sent.said.text);
        self.report(Cause::Model { error, unsent });
    }
}
