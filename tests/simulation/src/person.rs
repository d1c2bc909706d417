//! The person: looks at what is open and does what people do, and what they should not.

use agent::approval::{Always, Answer, ApprovalResponse, CardDigest};
use agent::event::Event;
use agent::id::{RequestId, StandingApprovalId};
use agent::session::Session;

use crate::kind::{Dice, Kind};

/// What the person sees, and remembers.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Requests that are open.
    pub open: Vec<RequestId>,
    /// Requests that were open some time, here or elsewhere.
    pub seen: Vec<RequestId>,
    /// What the person said always to.
    pub standing: Vec<StandingApprovalId>,
    /// Whether something was left unfinished.
    pub interrupted: bool,
}

/// What the person does; often nothing.
pub fn act(dice: &mut Dice, sight: &Sight) -> Option<Event> {
    if dice.is_calm() {
        return calmly(dice, sight);
    }
    if dice.rolls(Kind::Cancels, 18) {
        return Some(Event::Cancelled);
    }
    if dice.rolls(Kind::BlankWordsTyped, 25) {
        return Some(Event::Said("  ".to_owned()));
    }
    if dice.rolls(Kind::Resumes, if sight.interrupted { 3 } else { 30 }) {
        return Some(Event::Resumed);
    }
    if let Some(id) = dice.pick(&sight.standing).cloned()
        && dice.rolls(Kind::Revokes, 4)
    {
        return Some(Event::Revoked(id));
    }
    if let Some(event) = nonsense(dice, sight) {
        return Some(event);
    }
    if sight.open.is_empty() {
        return dice.chance(2).then(|| Event::Said(words(dice)));
    }
    if dice.rolls(Kind::Types, 16) {
        let typed = ["yes", "N", "perhaps"];
        return Some(Event::Typed((*dice.pick(&typed).unwrap_or(&"perhaps")).to_owned()));
    }
    if dice.rolls(Kind::MovesOn, 9) {
        return Some(Event::Said(words(dice)));
    }
    dice.chance(2).then(|| answer(dice, &sight.open))
}

/// Everything open is answered, plainly; then a message is sent.
fn calmly(dice: &mut Dice, sight: &Sight) -> Option<Event> {
    if sight.open.is_empty() {
        return sight.interrupted.then_some(Event::Resumed);
    }
    let responses = sight
        .open
        .iter()
        .map(|id| if dice.chance(3) { no(id, None) } else { yes(id, None) })
        .collect();
    Some(Event::Answered { responses, text: None })
}

fn words(dice: &mut Dice) -> String {
    let texts = ["We are out of eggs.", "Actually, make that six.", "yes", "What is on the list?"];
    (*dice.pick(&texts).unwrap_or(&"yes")).to_owned()
}

/// A yes.
#[must_use]
pub fn yes(id: &RequestId, always: Option<Always>) -> ApprovalResponse {
    says(id, Answer::Approve { always })
}

/// A no.
#[must_use]
pub fn no(id: &RequestId, reason: Option<&str>) -> ApprovalResponse {
    says(id, Answer::Reject { reason: reason.map(str::to_owned) })
}

/// An answer. What its card showed is filled in by [`by_the_cards`].
#[must_use]
pub fn says(id: &RequestId, answer: Answer) -> ApprovalResponse {
    ApprovalResponse { request: id.clone(), shown: CardDigest::default(), answer }
}

/// What a card showed that is not the one that is open.
#[must_use]
pub fn of_another_card() -> CardDigest {
    CardDigest("another card".to_owned())
}

/// The event, with what the person was looking at in each answer that does not say it.
#[must_use]
pub fn by_the_cards(mut event: Event, session: &Session) -> Event {
    if let Event::Answered { responses, .. } = &mut event {
        for response in responses.iter_mut().filter(|it| it.shown == CardDigest::default()) {
            let card = session.open_requests().find(|card| card.id == response.request);
            response.shown = card.map(|card| card.shown.clone()).unwrap_or_default();
        }
    }
    event
}

/// Answers to what is not open, or is not what the person saw.
fn nonsense(dice: &mut Dice, sight: &Sight) -> Option<Event> {
    if let Some(id) = dice.pick(&sight.open)
        && dice.rolls(Kind::StaleCard, 16)
    {
        let response = ApprovalResponse { shown: of_another_card(), ..yes(id, None) };
        return Some(Event::Answered { responses: vec![response], text: None });
    }
    let stale = dice.pick(&sight.seen).cloned();
    let id = match stale {
        Some(id) if dice.rolls(Kind::StaleAnswer, 12) => id,
        Some(_) | None if dice.rolls(Kind::ForgedAnswer, 20) => {
            RequestId("0000000000forged0000000000".to_owned())
        }
        Some(_) | None => return None,
    };
    let response = if dice.chance(4) { no(&id, None) } else { yes(&id, None) };
    Some(Event::Answered { responses: vec![response], text: None })
}

fn answer(dice: &mut Dice, open: &[RequestId]) -> Event {
    let mut responses = Vec::new();
    let in_part = open.len() > 1 && dice.rolls(Kind::AnswersInPart, 3);
    for (index, id) in open.iter().enumerate() {
        if in_part && index != 0 {
            break;
        }
        responses.extend(say(dice, id));
    }
    let words = dice.rolls(Kind::WordsBesideAnswers, 10).then(|| words(dice));
    Event::Answered { responses, text: words }
}

fn say(dice: &mut Dice, id: &RequestId) -> Vec<ApprovalResponse> {
    if dice.rolls(Kind::Unclear, 15) {
        return vec![says(id, Answer::Unclear)];
    }
    if dice.rolls(Kind::SaysBoth, 15) {
        let (yes, no) = (yes(id, None), no(id, None));
        return if dice.chance(2) { vec![yes, no] } else { vec![no, yes] };
    }
    let always = if dice.is_habitual() { 2 } else { 5 };
    let one = if dice.rolls(Kind::Rejects, 5) {
        no(id, None)
    } else if dice.rolls(Kind::RejectsWithReason, 8) {
        no(id, Some("We have some."))
    } else if dice.rolls(Kind::ApprovesAlways, always) {
        let always = if dice.chance(2) { Always::Tool } else { Always::ToolWithArguments };
        yes(id, Some(always))
    } else {
        dice.meet(Kind::Approves);
        yes(id, None)
    };
    if dice.rolls(Kind::SaysTwice, 10) { vec![one.clone(), one] } else { vec![one] }
}
