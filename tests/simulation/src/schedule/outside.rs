//! What the far side and the way to it do, and what a person does where nobody knows what came of
//! it.

use agent::audit::ExecutionOutcome;
use agent::event::ToolOutcome;
use agent::resolution::ResolutionStep;
use store::resolution::Wanted;

use super::{Checked, Schedule};
use crate::database::{Fate, Plan, Slot};
use crate::kind::Kind;
use crate::violation::Violation;
use crate::world::Reply;

impl Schedule {
    /// What happens outside while a tab rests, if something does now.
    pub(super) fn outside(&mut self, slot: Slot) -> Option<Checked> {
        let waits = self.world.tab(slot).is_ok_and(|it| !it.awaited.is_empty());
        if waits && self.dice.rolls(Kind::CrashAtRest, 8) {
            self.world.crash(slot);
            return Some(Ok(()));
        }
        let key = self.world.checker.far_side.next();
        if let Some(key) = key.filter(|_| self.dice.is_calm() || self.dice.chance(4)) {
            let refuses = self.dice.rolls(Kind::LetterRefused, 5);
            let waits = |slot: Slot| {
                let tab = self.world.tabs.get(slot).and_then(Option::as_ref);
                tab.is_some_and(|it| it.awaited.iter().any(|it| it.request == key))
            };
            let waiting = [0, 1].into_iter().find(|slot| waits(*slot));
            let answer = self.world.checker.far_side.take(&key, !refuses);
            let Some(waiting) = waiting else {
                self.dice.meet(Kind::LetterLate);
                return Some(Ok(()));
            };
            let lost = self.dice.rolls(Kind::LetterAnswerLost, 4);
            if !lost && !refuses {
                self.dice.meet(Kind::LetterDone);
            }
            let answer = if lost { ToolOutcome::Unknown } else { answer };
            let fate = self.fate_of(Kind::RunAborts);
            let closed = self.world.is_closed(waiting);
            let fate = if closed { Fate::Closed } else { fate };
            let plan = Plan { fate, ..Plan::default() };
            let plan = Plan { requests: self.up_to(12), ..plan };
            return Some(self.world.answered(waiting, &key, answer, plan));
        }
        match self.wants(slot) {
            Ok(wanted) => self.resolves(slot, wanted?),
            Err(violation) => Some(Err(violation)),
        }
    }

    /// What the person wants of an outcome that is unknown, if they see one.
    fn wants(&mut self, slot: Slot) -> Result<Option<Wanted>, Violation> {
        let session = &self.world.tab(slot)?.session;
        let open: Vec<_> = session
            .called_unknown()
            .map(|(request, _)| (request.clone(), session.resolution(request)))
            .filter(|(_, latest)| {
                latest
                    .as_ref()
                    .is_none_or(|it| it.event.step.outcome() == ExecutionOutcome::Unknown)
            })
            .collect();
        let Some((request, latest)) = self.dice.pick(&open).cloned() else { return Ok(None) };
        let ways = [
            (Kind::Checks, ResolutionStep::Check),
            (Kind::TriesAgain, ResolutionStep::TryAgain),
            (Kind::MarksDone, ResolutionStep::MarkedDone),
            (Kind::MarksNotDone, ResolutionStep::MarkedNotDone),
        ];
        let Some((kind, step)) = self.dice.pick(&ways).copied() else { return Ok(None) };
        let seen = latest.map_or(0, |latest| latest.number);
        Ok(self.dice.rolls(kind, 2).then_some(Wanted { request, step, seen }))
    }

    fn resolves(&mut self, slot: Slot, wanted: Wanted) -> Option<Checked> {
        let tells = !self.dice.rolls(Kind::CannotTell, 4);
        let far = if tells { Reply::Tells } else { Reply::CannotTell };
        let fate = self.fate_of(Kind::ResolveAborts);
        let fate = if self.world.is_closed(slot) { Fate::Closed } else { fate };
        let plan = Plan { fate, requests: self.up_to(12), ..Plan::default() };
        let twice = self.dice.rolls(Kind::PressesTwo, 3);
        let first = self.world.resolve(slot, &wanted, far, plan);
        if first.is_err() || !twice {
            return Some(first);
        }
        // The other press was for what was seen before the first came through.
        let done = wanted.step == ResolutionStep::MarkedDone;
        let step = if done { ResolutionStep::MarkedNotDone } else { ResolutionStep::MarkedDone };
        let other = Wanted { step, ..wanted };
        let slots = [1 - slot, slot];
        let there = |slot: &Slot| self.world.is_there(*slot);
        let Some(at) = slots.into_iter().find(there) else { return Some(Ok(())) };
        Some(self.world.resolve(at, &other, far, Plan::default()))
    }

    fn up_to(&mut self, most: usize) -> u32 {
        u32::try_from(self.dice.below(most)).unwrap_or(0)
    }

    fn fate_of(&mut self, aborts: Kind) -> Fate {
        if self.dice.rolls(aborts, 12) {
            Fate::Aborts
        } else if let Some(fate) = self.unkept(Some("outside"), 12) {
            fate
        } else if self.dice.rolls(Kind::CrashBefore, 5) {
            Fate::CrashBefore
        } else if self.dice.rolls(Kind::CrashInside, 5) {
            Fate::CrashInside
        } else if self.dice.rolls(Kind::CrashAfter, 5) {
            Fate::CrashAfter
        } else {
            Fate::Commits
        }
    }
}
