//! A conversation that comes from a copy: what was still to be answered or done in it expires, and
//! nothing of it goes on by itself.

use std::collections::BTreeMap;
use std::mem;

use crate::approval::{BatchCall, Expired, Known};
use crate::id::RequestId;
use crate::message::{Body, Message};
use crate::run::{Phase, Run};
use crate::session::Session;
use crate::time::Timestamp;
use crate::wording;

impl Session {
    /// The requests whose calls have no result yet.
    pub fn unsettled(&self) -> impl Iterator<Item = &RequestId> {
        self.batch().iter().filter_map(BatchCall::unsettled)
    }

    /// Ends what was still to be answered or done, as it is done to a conversation that comes from a
    /// copy: the copy may be old or forged, so no request of it can be answered, nothing it allowed
    /// runs, and nothing is allowed in advance. Where this place has a record of a request (`known`),
    /// that is what came of it. A text that waited its turn is in the transcript then; the model is
    /// called when the person says something, and not before.
    pub fn expire(&mut self, known: &BTreeMap<RequestId, Known>, now: Timestamp) -> Expired {
        let run = mem::take(&mut self.run);
        let mut expired = Expired { standing: run.standing.len(), ..Expired::default() };
        if let Phase::Batch(mut batch) = run.phase {
            let reasons = wording::reasons();
            for it in &mut batch.calls {
                let known = it.unsettled().and_then(|request| known.get(request));
                let ended = it.end_as_copied(known, &reasons, now);
                expired.waiting += ended.waiting;
                expired.allowed += ended.allowed;
                expired.unknown += ended.unknown;
            }
            let results = batch.into_results().into_iter().map(Body::Result);
            self.messages.extend(results.map(|body| Message { at: now, body, usage: None }));
        }
        let texts = run.texts.into_iter().map(Body::Person);
        self.messages.extend(texts.map(|body| Message { at: now, body, usage: None }));
        self.run = Run {
            superseded: run.superseded,
            resolutions: run.resolutions,
            notes: run.notes,
            ..Run::default()
        };
        self.saved = 0;
        self.attended = false;
        expired
    }
}
