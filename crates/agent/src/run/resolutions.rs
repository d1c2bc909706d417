//! What becomes known of an outcome that was called unknown. The result in the transcript stays as
//! it was told; the model reads the news as a note, when it is called next.

use std::mem;

use crate::audit::ExecutionOutcome;
use crate::effect::Effect;
use crate::event::Event;
use crate::message::Body;
use crate::mistake::{Mistake, made};
use crate::resolution::Resolution;
use crate::session::{Context, Session};
use crate::wording;

impl Session {
    /// The store's latest word. One that is older than what is known here, or about nothing that was
    /// called unknown in this conversation, changes nothing.
    pub(super) fn resolved(&mut self, resolution: Resolution) -> Vec<Effect> {
        let Resolution { number, event } = &resolution;
        let here = event.session == self.id
            && self.called_unknown().any(|(id, call)| *id == event.request && *call == event.call);
        let earlier = self.resolution(&event.request);
        let is_old = earlier.as_ref().is_some_and(|earlier| earlier.number >= *number);
        let Some(kept) = serde_json::to_string(&resolution).ok().filter(|_| here && !is_old) else {
            return vec![Effect::Ignored(Event::Resolved(resolution))];
        };
        let before = earlier
            .as_ref()
            .map_or(ExecutionOutcome::Unknown, |earlier| earlier.event.step.outcome());
        if event.step.outcome() != before && !made(Mistake::NewsIsNotTold) {
            self.run.notes.push(wording::learned(event));
        }
        self.run.resolutions.retain(|(known, _)| *known != event.request);
        self.run.resolutions.push((event.request.clone(), kept));
        vec![Effect::Save]
    }

    /// Lets the notes reach the transcript: where the calls of a reply have their results.
    pub(super) fn add_notes(&mut self, context: &Context<'_>) {
        for note in mem::take(&mut self.run.notes) {
            self.add(Body::Note(note), context);
        }
    }
}
