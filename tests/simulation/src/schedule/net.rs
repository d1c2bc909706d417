//! What a model's answer is and how it comes: as a value, or over a network as bytes.

use agent::event::Event;
use agent::model::{ModelError, ModelErrorKind, ReplyContent};
use wire::protocol::Protocol;
use wire::retry;

use super::{Checked, Schedule};
use crate::database::Slot;
use crate::kind::{Dice, Kind};
use crate::model::{self, Answer};
use crate::person::{self, Sight};
use crate::stream::PROTOCOLS;
use crate::tab::Calling;
use crate::way::{self, Answered};

/// Of so many seeds one has its replies come as bytes: to write and read those costs more than all
/// the rest of a seed.
const BY_BYTES: u32 = 4;

/// The protocol in which the replies of a seed come as bytes, if they do.
pub(super) fn draw(dice: &mut Dice) -> Option<Protocol> {
    if dice.chance(BY_BYTES) { dice.pick(&PROTOCOLS).copied() } else { None }
}

impl Schedule {
    /// What happens to a tab whose model answers.
    pub(super) fn awaits_model(&mut self, slot: Slot) -> Checked {
        let Some((number, begun)) = self.calling(slot).map(|it| (it.number, it.coming.is_some()))
        else {
            return Ok(());
        };
        if self.dice.rolls(Kind::Stops, 20) {
            if begun {
                self.dice.meet(Kind::NetStopped);
            }
            self.stopped.push((slot, number));
            let error = ModelError { kind: ModelErrorKind::Cancelled, message: String::new() };
            return self.world.model_ended(slot, number, Answer::Failure(error));
        }
        if self.dice.rolls(Kind::TalksOver, 20) {
            return self.world.tell(slot, Event::Said("And milk.".to_owned()));
        }
        if !self.dice.is_calm() && self.dice.chance(6) {
            let sight = Sight { seen: self.seen.clone(), ..Sight::default() };
            return match person::act(&mut self.dice, &sight) {
                Some(Event::Cancelled) | None => Ok(()),
                Some(event) => self.world.tell(slot, event),
            };
        }
        if begun { self.comes(slot) } else { self.answers(slot) }
    }

    fn calling(&mut self, slot: Slot) -> Option<&mut Calling> {
        self.world.tabs.get_mut(slot)?.as_mut()?.calling.as_mut()
    }

    /// The model answers: all at once, or its answer sets out.
    fn answers(&mut self, slot: Slot) -> Checked {
        let tab = self.world.tabs.get(slot).and_then(Option::as_ref);
        let Some(calling) = tab.and_then(|it| it.calling.as_ref()) else { return Ok(()) };
        let number = calling.number;
        let answer = model::answer(&mut self.dice, &calling.request);
        let (Some(protocol), Answer::Reply(reply, _)) = (self.protocol, &answer) else {
            return self.world.model_ended(slot, number, answer);
        };
        // No protocol here has calls that the provider ran and that are told as such.
        let provided = |it: &ReplyContent| match it {
            ReplyContent::Call(call) => call.provider_result.is_some(),
            ReplyContent::Text(_) | ReplyContent::Opaque(_) => false,
        };
        if reply.content.iter().any(provided) {
            return self.world.model_ended(slot, number, answer);
        }
        match way::send(&mut self.dice, protocol, reply) {
            Answered::Refused(error) => self.failed(slot, error, false),
            Answered::Comes(coming) => {
                self.world.tells(|| format!("{slot}   a reply comes in {}", coming.told()));
                if let Some(calling) = self.calling(slot) {
                    calling.coming = Some(coming);
                }
                Ok(())
            }
        }
    }

    /// Some more of a reply comes, or its end.
    fn comes(&mut self, slot: Slot) -> Checked {
        let tab = self.world.tabs.get_mut(slot).and_then(Option::as_mut);
        let Some(calling) = tab.and_then(|it| it.calling.as_mut()) else { return Ok(()) };
        let number = calling.number;
        let Some(coming) = &mut calling.coming else { return Ok(()) };
        for _ in 0..=self.dice.below(2 + coming.left()) {
            match coming.go_on()? {
                None => {}
                Some(Answer::Failure(error)) => {
                    let begun = coming.has_begun;
                    return self.failed(slot, error, begun);
                }
                Some(reply) => return self.world.model_ended(slot, number, reply),
            }
        }
        Ok(())
    }

    /// A call gave nothing. As in the page, a busy provider is asked again, if none of its reply had
    /// come.
    fn failed(&mut self, slot: Slot, error: ModelError, begun: bool) -> Checked {
        let Some(calling) = self.calling(slot) else { return Ok(()) };
        let number = calling.number;
        if !begun && retry::wait_ms(&error, calling.again).is_some() {
            (calling.again, calling.coming) = (calling.again + 1, None);
            self.dice.meet(Kind::NetAsksAgain);
            return Ok(());
        }
        self.world.model_ended(slot, number, Answer::Failure(error))
    }
}
