//! What must hold of a window that waits for somebody.

use agent::approval::{BatchCall, CallState};
use agent::effect::Effect;
use agent::event::Event;
use agent::session::{Activity, Context};
use agent::settings::OnNewMessage;
use agent::time::Timestamp;

use super::{Checked, World, entropy, lost, rules, stuck};
use crate::checker::DIGEST_KEY;
use crate::database::{Plan, Slot, at_once};
use crate::window::Window;
use crate::{person, twin};

impl World {
    /// Judges a window, if it waits for somebody.
    pub(super) fn rests(&mut self, slot: Slot) -> Checked {
        let now = self.now(slot);
        let Some(Some(window)) = self.windows.get(slot) else { return Ok(()) };
        if !window.is_quiet() {
            return Ok(());
        }
        let session = &window.session;
        let newest = !self.shared || window.revision == self.latest;
        if self.thorough && newest && !window.unsaved && !session.messages().is_empty() {
            self.memory.plan(Plan::default());
            let kept = at_once(self.store(slot).session(session.id()));
            let kept = kept.map_err(|error| lost(error.to_string()))?.map(|saved| saved.session);
            if !kept.is_some_and(|kept| twin::same(&kept, session)) {
                return Err(lost("a quiet window holds what is not kept".to_owned()));
            }
        }
        let under_way = |state: &CallState| {
            matches!(state, CallState::Recording { .. } | CallState::Running(_))
        };
        // What another window has left is taken up when its person goes on.
        let left = self.shared && session.activity() == Activity::Interrupted;
        let awaits = !window.awaited.is_empty();
        let waits = |it: &&BatchCall| !left && !awaits && under_way(it.state());
        if let Some(it) = session.batch().iter().find(waits) {
            return Err(stuck(format!("{:?} waits for what nobody does", it.state())));
        }
        match (session.activity(), &window.calling) {
            (Activity::AwaitingModel, Some(_)) => Ok(()),
            (_, None) if awaits => Ok(()),
            (Activity::Idle | Activity::AwaitingPerson | Activity::Interrupted, None) => {
                if self.thorough { self.takes_the_next(window, now) } else { Ok(()) }
            }
            (activity, calling) => Err(stuck(format!(
                "a quiet window is {activity:?}, the call under way is {:?}",
                calling.as_ref().map(|calling| calling.number)
            ))),
        }
    }

    /// The next message, or the missing answer, gets things going.
    fn takes_the_next(&self, window: &Window, now: Timestamp) -> Checked {
        let mut probe = window.session.clone();
        let open: Vec<_> = probe.open_requests().map(|it| person::no(&it.id, None)).collect();
        let answers = !open.is_empty() && window.settings.on_new_message == OnNewMessage::Refuse;
        let event = if answers {
            Event::Answered { responses: open, text: None }
        } else {
            Event::Said("Hello?".to_owned())
        };
        let rules = rules(self.ruled);
        let context = Context {
            now,
            entropy: entropy(self.ids, self.steps, &probe),
            tools: &window.program.specs,
            rules: &rules,
            settings: &window.settings,
            instructions: "",
            digest_key: &DIGEST_KEY,
        };
        let effects = probe.step(event, &context);
        let goes_on = effects.iter().any(|effect| match effect {
            Effect::CallModel(_) | Effect::RecordDecision(_) | Effect::RunTool(_) => true,
            Effect::Save
            | Effect::Ask(_)
            | Effect::Finished(_)
            | Effect::DroppedResponse(_)
            | Effect::Ignored(_) => false,
        });
        if goes_on { Ok(()) } else { Err(stuck(format!("the next message does: {effects:?}"))) }
    }
}
