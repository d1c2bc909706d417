//! What becomes known of an outcome that was called unknown. The result in the transcript stays as
//! it was told; the model reads the news as a note, when it is called next.

use std::mem;

use crate::audit::ExecutionOutcome;
use crate::effect::Effect;
use crate::event::Event;
use crate::message::Body;
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
        let known = self.run.resolutions.iter().position(|it| it.event.request == event.request);
        let earlier = known.and_then(|at| self.run.resolutions.get_mut(at));
        if !here || earlier.as_ref().is_some_and(|earlier| earlier.number >= *number) {
            return vec![Effect::Ignored(Event::Resolved(resolution))];
        }
        let before = earlier
            .as_ref()
            .map_or(ExecutionOutcome::Unknown, |earlier| earlier.event.step.outcome());
        if event.step.outcome() != before {
            self.run.notes.push(wording::learned(event));
        }
        match earlier {
            Some(earlier) => *earlier = resolution,
            None => self.run.resolutions.push(resolution),
        }
        vec![Effect::Save]
    }

    /// Lets the notes reach the transcript: where the calls of a reply have their results.
    pub(super) fn add_notes(&mut self, context: &Context<'_>) {
        for note in mem::take(&mut self.run.notes) {
            self.add(Body::Note(note), context);
        }
    }
}
