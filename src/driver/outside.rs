//! Calls whose effect is outside the household: one attempt each, noted before it is made, while the
//! inbox goes on; and what a person may do where nobody knows what came of one.

use agent::approval::ApprovedCall;
use agent::audit::ExecutionOutcome;
use agent::event::{Event, ToolOutcome};
use agent::id::{CallId, RequestId, SessionId};
use agent::message::ToolCall;
use agent::resolution::ResolutionStep;
use agent::tool::ToolSpec;
use agent::wording;
use futures::future::{AbortHandle, Abortable, Either, LocalBoxFuture, select};
use gloo_timers::future::TimeoutFuture;
use store::error::StoreError;
use store::outside::{Attempt, Begun};
use store::resolution::{Taken, Wanted};
use view::conversation::call_of;
use view::scene::StoreTask;
use wasm_bindgen_futures::spawn_local;

use super::conversation::Role;
use super::effects::Next;
use super::tabs::TabMessage;
use super::{Driver, Input, engine};

/// How long an answer from outside is waited for. Then it is unknown whether it was done.
const ANSWER_MS_MAX: u32 = 60_000;

/// Something that is done or asked outside, for a call, under a key.
pub type FarSide = Box<dyn Fn(&ToolCall, &RequestId) -> LocalBoxFuture<'static, ToolOutcome>>;

/// A tool whose effect is outside the household.
///
/// The far side knows a repetition by its key: it does a thing at most once under one, and then
/// answers as it did the first time. "Failed" says that nothing was done under the key, nor will be
/// by an attempt that is still on its way; whoever cannot promise that says "unknown".
pub struct OutsideTool {
    /// What it is called and takes.
    pub spec: ToolSpec,
    /// Does it.
    pub attempt: FarSide,
    /// Asks whether it was done, and does nothing; absent where the far side cannot be asked.
    pub check: Option<FarSide>,
}

/// An answer from outside that is waited for.
pub(super) struct Awaited {
    pub(super) request: RequestId,
    /// Leave for the attempt; none where it is only asked about.
    begun: Option<Begun>,
    /// The call that the loop waits for, if it does, and its conversation.
    first: Option<(SessionId, CallId)>,
    waiting: AbortHandle,
}

impl Driver {
    /// The same driver with tools whose effect is outside the household. The page has none yet.
    #[must_use]
    pub fn with_outside(mut self, tools: Vec<OutsideTool>) -> Self {
        self.outside = tools;
        self
    }

    /// Begins the one attempt of an approved call, unless it was begun before.
    pub(super) async fn attempt(&mut self, approved: &ApprovedCall) -> Next {
        let call = approved.call();
        let ends_it = |it: &Awaited| it.first.is_some() && approved.request() == Some(&it.request);
        if self.awaited.iter().any(ends_it) {
            // The conversation was left and come back to: the answer is still on its way. One to
            // what a person wanted about an unknown outcome would not end the call.
            return Next::Nothing;
        }
        let engine = engine::of(&mut self.engine, &self.outside, self.others);
        let attempt = match &self.store {
            Some(store) => {
                let (id, key, now) = (self.session.id(), &self.digest_key, self.clock.now());
                store.attempt(engine.tools(), approved, id, key, now).await
            }
            None => Err(StoreError::Absent),
        };
        let outcome = match attempt {
            Ok(Attempt::Begun(begun)) => {
                let first = Some((begun.session().clone(), call.id.clone()));
                self.make(call, begun, first);
                return Next::Nothing;
            }
            Ok(Attempt::Ended(outcome)) => {
                self.follow_records().await;
                self.tell(&TabMessage::Kept);
                outcome
            }
            Err(error) => self.not_carried_out(approved, error).await,
        };
        Next::Event(Event::ToolFinished { call: call.id.clone(), outcome })
    }

    /// A call was not carried out now. Whether it was before is on record, or that it never will be;
    /// where that cannot be written either, nobody knows: another tab may have it, and a store.
    pub(super) async fn not_carried_out(
        &mut self,
        approved: &ApprovedCall,
        error: StoreError,
    ) -> ToolOutcome {
        let why = wording::not_done(&error.to_string());
        let outcome = match approved.request() {
            // What only reads changes nothing, anywhere.
            None => Ok(ToolOutcome::Failed { text: why }),
            Some(_) if error == StoreError::Unanswered => Err(StoreError::Unanswered),
            Some(request) => self.record_undone(approved.call(), request, why).await,
        };
        let outcome = outcome.unwrap_or(ToolOutcome::Unknown);
        match outcome {
            ToolOutcome::Unknown => self.store_failed(StoreTask::RecordOutcome, error),
            ToolOutcome::Failed { .. } => {
                self.store_failed(StoreTask::RunTool, error);
                self.follow_records().await;
                self.tell(&TabMessage::Kept);
            }
            ToolOutcome::Returned { .. } => self.follow_records().await,
        }
        outcome
    }

    /// Takes back the approval of a call that is not to run any more: it is told as not run, and no
    /// other tab may run it then. Where that cannot be written, nobody knows whether one will.
    pub(super) async fn withdraw(&mut self, call: ToolCall, request: &RequestId) -> Event {
        let why = || wording::TAKEN_BACK.to_owned();
        let mut withdrawn = self.record_undone(&call, request, why()).await;
        if withdrawn == Err(StoreError::Unanswered) && self.reopen().await {
            withdrawn = self.record_undone(&call, request, why()).await;
        }
        let outcome = withdrawn.unwrap_or_else(|error| {
            self.store_failed(StoreTask::RecordOutcome, error);
            ToolOutcome::Unknown
        });
        self.follow_records().await;
        self.tell(&TabMessage::Kept);
        Event::ApprovalWithdrawn { call: call.id, outcome }
    }

    async fn record_undone(
        &mut self,
        call: &ToolCall,
        request: &RequestId,
        why: String,
    ) -> Result<ToolOutcome, StoreError> {
        let now = self.clock.now();
        let store = self.store.as_ref().ok_or(StoreError::Absent)?;
        let (id, key) = (self.session.id(), &self.digest_key);
        store.not_carried_out(call, request, id, key, why, now).await
    }

    fn make(&mut self, call: &ToolCall, begun: Begun, first: Option<(SessionId, CallId)>) {
        let tool = self.outside.iter().find(|tool| tool.spec.name == call.name);
        let Some(answer) = tool.map(|tool| (tool.attempt)(call, begun.idempotency_key())) else {
            return;
        };
        self.wait_for(begun.idempotency_key().clone(), Some(begun), first, answer);
    }

    fn wait_for(
        &mut self,
        request: RequestId,
        begun: Option<Begun>,
        first: Option<(SessionId, CallId)>,
        answer: LocalBoxFuture<'static, ToolOutcome>,
    ) {
        let (waiting, registration) = AbortHandle::new_pair();
        let (inbox, id) = (self.inbox.clone(), request.clone());
        let answer = select(answer, TimeoutFuture::new(ANSWER_MS_MAX));
        spawn_local(async move {
            let outcome = match Abortable::new(answer, registration).await {
                Ok(Either::Left((outcome, _))) => outcome,
                Ok(Either::Right(_)) | Err(_) => ToolOutcome::Unknown,
            };
            let _ = inbox.unbounded_send(Input::Attempted(id, outcome));
        });
        self.awaited.push(Awaited { request, begun, first, waiting });
    }

    /// An answer from outside came, or is not waited for any longer.
    pub(super) async fn attempted(&mut self, request: &RequestId, outcome: ToolOutcome) {
        let at = self.awaited.iter().position(|it| it.request == *request);
        let (Some(at), Some(store)) = (at, &self.store) else { return };
        let Awaited { begun, first, .. } = self.awaited.remove(at);
        let now = self.clock.now();
        let recorded = match begun {
            Some(begun) => store.attempted(begun, outcome, now).await,
            None => store.answered(request, outcome, now).await.map(|_| ToolOutcome::Unknown),
        };
        let outcome = recorded.unwrap_or_else(|error| {
            self.store_failed(StoreTask::RecordOutcome, error);
            ToolOutcome::Unknown
        });
        self.follow_records().await;
        self.tell(&TabMessage::Kept);
        if !matches!(self.role, Role::Drives(_)) {
            return;
        }
        if let Some((session, call)) = first
            && session == *self.session.id()
        {
            self.happen(Event::ToolFinished { call, outcome }).await;
        }
        self.learn(request).await;
    }

    /// Stops waiting for what the loop waits for: it may be done all the same. False if it waits for
    /// nothing outside.
    pub(super) async fn stop_waiting(&mut self) -> bool {
        let here = self.session.id();
        let waits = |it: &&Awaited| it.first.as_ref().is_some_and(|(session, _)| session == here);
        let stopped: Vec<_> =
            self.awaited.iter().filter(waits).map(|it| it.waiting.clone()).collect();
        if stopped.is_empty() {
            return false;
        }
        self.happen(Event::Cancelled).await;
        stopped.iter().for_each(AbortHandle::abort);
        true
    }

    /// Does what a person wants about an unknown outcome, once that is on record. While an answer is
    /// awaited nothing else is begun.
    pub(super) async fn resolve(&mut self, wanted: Wanted) {
        let request = wanted.request.clone();
        if self.awaited.iter().any(|it| it.request == request) {
            return;
        }
        if let Err(error) = self.try_to_resolve(wanted).await {
            self.store_failed(StoreTask::Resolve, error);
        }
        self.follow_records().await;
        self.tell(&TabMessage::Kept);
        self.learn(&request).await;
    }

    async fn try_to_resolve(&mut self, wanted: Wanted) -> Result<(), StoreError> {
        let store = self.store.as_ref().ok_or(StoreError::Absent)?;
        let now = self.clock.now();
        let call = self.call_called_unknown(&wanted.request);
        if wanted.step == ResolutionStep::TryAgain {
            let call = call.ok_or(StoreError::NotApproved)?;
            let engine = engine::of(&mut self.engine, &self.outside, self.others);
            let key = &self.digest_key;
            let again = store.try_again(engine.tools(), &call, &wanted, key, now).await?;
            if let (_, Some(begun)) = again {
                self.make(&call, begun, None);
            }
            return Ok(());
        }
        let asks = wanted.step == ResolutionStep::Check;
        let taken = store.resolve(&wanted, now).await?;
        if let (true, Some(call), Taken::Now(_)) = (asks, call, taken) {
            let tool = self.outside.iter().find(|tool| tool.spec.name == call.name);
            let check = tool.and_then(|tool| tool.check.as_ref());
            if let Some(answer) = check.map(|check| check(&call, &wanted.request)) {
                self.wait_for(wanted.request, None, None, answer);
            }
        }
        Ok(())
    }

    fn call_called_unknown(&self, request: &RequestId) -> Option<ToolCall> {
        let (_, id) = self.session.called_unknown().find(|(known, _)| *known == request)?;
        call_of(self.session.messages(), id).cloned()
    }

    /// Lets the conversation know the store's latest word on an outcome that was called unknown.
    async fn learn(&mut self, request: &RequestId) {
        let Some(store) = &self.store else { return };
        match store.resolution(request).await {
            Ok(Some(latest)) if self.session.resolution(request).as_ref() != Some(&latest) => {
                Box::pin(self.happen(Event::Resolved(latest))).await;
            }
            Ok(_) => {}
            Err(error) => self.store_failed(StoreTask::ReadOthers, error),
        }
    }

    /// What became known while nobody looked, or was on record before the page stopped.
    pub(super) async fn learn_what_is_known(&mut self) {
        let unknown = |request: &&RequestId| {
            self.session
                .resolution(request)
                .is_none_or(|it| it.event.step.outcome() == ExecutionOutcome::Unknown)
        };
        let asked = self.session.called_unknown().map(|(request, _)| request);
        let unknown: Vec<_> = asked.filter(unknown).cloned().collect();
        for request in unknown {
            self.learn(&request).await;
        }
    }
}
