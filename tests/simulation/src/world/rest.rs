//! What must hold of a tab that waits for somebody.

use agent::approval::{BatchCall, CallState};
use agent::effect::Effect;
use agent::event::Event;
use agent::session::{Activity, Context};
use agent::settings::OnNewMessage;
use agent::time::Timestamp;

use super::{Checked, World, entropy, lost, rules, stuck};
use crate::checker::DIGEST_KEY;
use crate::database::{Plan, Slot, at_once};
use crate::tab::Tab;
use crate::{person, twin};

impl World {
    /// Judges a tab, if it waits for somebody.
    pub(super) fn rests(&mut self, slot: Slot) -> Checked {
        let now = self.now(slot);
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        if !tab.is_quiet() {
            return Ok(());
        }
        let session = &tab.session;
        let newest = (!self.shared || tab.revision == self.latest) && tab.closed.is_none();
        if self.thorough && newest && !tab.unsaved && !session.messages().is_empty() {
            self.memory.plan(Plan::default());
            let kept = at_once(self.store(slot).session(session.id()));
            let kept = kept.map_err(|error| lost(error.to_string()))?.map(|saved| saved.session);
            if !kept.is_some_and(|kept| twin::same(&kept, session)) {
                return Err(lost("a quiet tab holds what is not kept".to_owned()));
            }
        }
        let under_way = |state: &CallState| match state {
            CallState::Recording { .. } | CallState::Withdrawing { .. } => true,
            CallState::Running(decision) => {
                !tab.awaits_end_of(decision.as_ref().map(|decision| &decision.request))
            }
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Approved(_)
            | CallState::Settled(_) => false,
        };
        // What another tab has left is taken up when its person goes on.
        let left = self.shared && session.activity() == Activity::Interrupted;
        let awaits = !tab.awaited.is_empty();
        let waits = |it: &&BatchCall| !left && under_way(it.state());
        if let Some(it) = session.batch().iter().find(waits) {
            return Err(stuck(format!("{:?} waits for what nobody does", it.state())));
        }
        match (session.activity(), &tab.calling) {
            (Activity::AwaitingModel, Some(_)) => Ok(()),
            (_, None) if awaits => Ok(()),
            (Activity::Idle | Activity::AwaitingPerson | Activity::Interrupted, None) => {
                if self.thorough { self.takes_the_next(tab, now) } else { Ok(()) }
            }
            (activity, calling) => Err(stuck(format!(
                "a quiet tab is {activity:?}, the call under way is {:?}",
                calling.as_ref().map(|calling| calling.number)
            ))),
        }
    }

    /// The next message, or the missing answer, gets things going.
    fn takes_the_next(&self, tab: &Tab, now: Timestamp) -> Checked {
        let mut probe = tab.session.clone();
        let open: Vec<_> = probe.open_requests().map(|it| person::no(&it.id, None)).collect();
        let answers = !open.is_empty() && tab.settings.on_new_message == OnNewMessage::Refuse;
        let event = if answers {
            Event::Answered { responses: open, text: None }
        } else {
            Event::Said("Hello?".to_owned())
        };
        let rules = rules(self.ruled);
        let context = Context {
            now,
            entropy: entropy(self.ids, self.steps, &probe),
            tools: &tab.program.specs,
            rules: &rules,
            settings: &tab.settings,
            agents: &tab.program.agents,
            digest_key: &DIGEST_KEY,
        };
        let effects = probe.step(event, &context);
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
        if goes_on { Ok(()) } else { Err(stuck(format!("the next message does: {effects:?}"))) }
    }
}
