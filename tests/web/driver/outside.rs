//! Effects outside the household: a mailbox that counts what it is sent, and may lose its answer.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::audit::ExecutionOutcome;
use agent::event::ToolOutcome;
use agent::id::RequestId;
use agent::message::Body;
use agent::model::{ModelError, ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::resolution::ResolutionStep;
use agent::tool::{Access, ToolSpec};
use futures::FutureExt;
use kitchen::Edit;
use kitchen_assistant::driver::{Clock, OutsideTool};
use serde_json::json;
use store::records::Record;
use store::resolution::Wanted;
use view::command::Command;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, Seen, says, yes};

/// The far side. It takes one letter under a key, however often it comes.
#[derive(Clone, Default)]
struct Mailbox {
    letters: Rc<RefCell<BTreeMap<RequestId, u32>>>,
    attempts: Rc<Cell<u32>>,
    answers: Rc<Cell<bool>>,
}

impl Mailbox {
    fn answering(answers: bool) -> Self {
        let mailbox = Self::default();
        mailbox.answers.set(answers);
        mailbox
    }

    fn tool(&self) -> OutsideTool {
        let posted =
            || ToolOutcome::Returned { text: Some("Posted.".to_owned()), terminate: false };
        let (attempted, checked) = (self.clone(), self.clone());
        OutsideTool {
            spec: ToolSpec {
                name: "send_letter".to_owned(),
                description: String::new(),
                parameters: json!({"type": "object"}),
                version: "1".to_owned(),
                access: Access::AlwaysAsk,
            },
            attempt: Box::new(move |_, key| {
                attempted.attempts.set(attempted.attempts.get() + 1);
                attempted.letters.borrow_mut().entry(key.clone()).or_insert(1);
                if attempted.answers.get() {
                    std::future::ready(posted()).boxed_local()
                } else {
                    std::future::pending().boxed_local()
                }
            }),
            check: Some(Box::new(move |_, key| {
                let done = checked.letters.borrow().contains_key(key);
                let not = ToolOutcome::Failed { text: "Not here.".to_owned() };
                std::future::ready(if done { posted() } else { not }).boxed_local()
            })),
        }
    }

    fn page(&self, store: &'static str, turns: Vec<Result<ModelReply, ModelError>>) -> Page {
        Page::open_with(Clock::of_browser(), store, turns, vec![self.tool()])
    }

    fn sent(&self) -> u32 {
        self.letters.borrow().values().sum()
    }
}

fn letter() -> Result<ModelReply, ModelError> {
    letters(&["the farm"])
}

fn letters(to: &[&str]) -> Result<ModelReply, ModelError> {
    let letter = |(number, to): (usize, &&str)| {
        ReplyContent::Call(ProposedCall {
            id: format!("toolu_{number}"),
            name: "send_letter".to_owned(),
            arguments: json!({ "to": to }).to_string(),
            provider_result: None,
        })
    };
    let content = to.iter().enumerate().map(letter).collect();
    Ok(ModelReply { content, stop: StopReason::ToolUse, usage: Usage::default() })
}

fn want(seen: &Seen, step: ResolutionStep) -> Command {
    let (request, latest) = &seen.unknown[0];
    let number = latest.as_ref().map_or(0, |latest| latest.number);
    Command::Resolve(Wanted { request: request.clone(), step, seen: number })
}

fn step(seen: &Seen) -> Option<ResolutionStep> {
    Some(seen.unknown.first()?.1.as_ref()?.event.step)
}

fn steps(seen: &Seen) -> Vec<ResolutionStep> {
    let step = |record: &Record| match record {
        Record::Resolution(event) => Some(event.step),
        Record::Decision(_) | Record::Execution(_) => None,
    };
    seen.records.iter().filter_map(step).collect()
}

/// A page on a conversation whose letter was sent, and whose answer never came.
async fn unknown(store: &'static str, mailbox: &Mailbox, says_then: &str) -> (Page, Seen) {
    let mut page = mailbox.page(store, vec![letter()]);
    page.say("Write to the farm.");
    let card = page.card().await;
    page.answer(&card, yes());
    page.until(|seen| seen.awaited).await;
    page.close();
    let mut page = mailbox.page(store, vec![says(says_then)]);
    let seen = page.reply(says_then).await;
    assert_eq!(seen.unknown.len(), 1);
    (page, seen)
}

#[wasm_bindgen_test]
async fn an_approved_call_is_attempted_once_outside_and_its_answer_is_recorded() {
    let mailbox = Mailbox::answering(true);
    let mut page = mailbox.page("driver-letter", vec![letter(), says("Sent.")]);
    page.say("Write to the farm.");
    let card = page.card().await;
    page.answer(&card, yes());
    page.answer(&card, yes());
    let seen = page.reply("Sent.").await;
    assert!(seen.texts.contains(&"result: Posted.".to_owned()), "{:?}", seen.texts);
    assert_eq!((mailbox.sent(), mailbox.attempts.get(), seen.executions()), (1, 1, 1));
}

#[wasm_bindgen_test]
async fn while_an_answer_is_awaited_the_page_goes_on_and_stop_leaves_it_unknown() {
    let mailbox = Mailbox::answering(false);
    let mut page = mailbox.page("driver-letter-stop", vec![letter()]);
    page.say("Write to the farm.");
    let card = page.card().await;
    page.answer(&card, yes());
    page.until(|seen| seen.awaited).await;
    page.ask(Command::Edit(Edit::Add { item: "milk".to_owned(), quantity: String::new() }));
    page.until(|seen| seen.awaited && seen.list.len() == 1).await;
    page.ask(Command::Stop);
    let seen = page.until(|seen| !seen.unknown.is_empty() && !seen.awaited).await;
    assert_eq!((step(&seen), seen.executions(), mailbox.sent()), (None, 0, 1));
    assert_eq!(seen.executions_that(ExecutionOutcome::Unknown), 1);
    assert_eq!(page.model.heard.borrow().len(), 1, "the run is over");
}

#[wasm_bindgen_test]
async fn stop_takes_back_what_was_approved_and_has_not_begun() {
    let mailbox = Mailbox::answering(false);
    let mut page = mailbox.page("driver-letters-stop", vec![letters(&["the farm", "the mill"])]);
    page.say("Write to both.");
    let cards = page.until(|seen| seen.cards.len() == 2).await.cards;
    cards.iter().for_each(|card| page.answer(card, yes()));
    page.until(|seen| seen.awaited).await;
    page.ask(Command::Stop);
    let seen = page.until(|seen| seen.texts.iter().any(|text| text.ends_with("not run."))).await;
    assert_eq!((seen.unknown.len(), mailbox.attempts.get()), (1, 1));
    assert_eq!(seen.executions_that(ExecutionOutcome::Failed), 1, "nobody may do it any more");
}

#[wasm_bindgen_test]
async fn a_page_that_goes_away_leaves_it_unknown_and_a_check_finds_out() {
    let mailbox = Mailbox::answering(false);
    let (mut page, seen) = unknown("driver-letter-check", &mailbox, "Perhaps.").await;
    assert_eq!(
        (mailbox.sent(), mailbox.attempts.get()),
        (1, 1),
        "nothing is tried again by itself"
    );
    page.ask(want(&seen, ResolutionStep::Check));
    let seen = page.until(|seen| step(seen) == Some(ResolutionStep::AnsweredDone)).await;
    assert_eq!(steps(&seen), [ResolutionStep::Check, ResolutionStep::AnsweredDone]);
    assert!(seen.texts.iter().all(|text| !text.starts_with("note:")), "it is told when it is next");

    page.model.turns.borrow_mut().push_back(says("It was."));
    page.say("Was it sent?");
    let seen = page.reply("It was.").await;
    let heard = page.model.heard.borrow();
    let messages = &heard.last().unwrap().messages;
    let notes = messages
        .iter()
        .filter(|it| matches!(&it.body, Body::Note(note) if note.contains("it was done")));
    assert_eq!(notes.count(), 1, "{:?}", seen.texts);
    assert_eq!(mailbox.sent(), 1);
}

#[wasm_bindgen_test]
async fn trying_again_uses_the_same_key_and_counts_once_in_two_tabs() {
    let mailbox = Mailbox::answering(false);
    let (mut page, seen) = unknown("driver-letter-again", &mailbox, "Perhaps.").await;
    let mut other = mailbox.page("driver-letter-again", vec![]);
    let there = other.until(|seen| !seen.unknown.is_empty()).await;
    for _ in 0..10 {
        page.ask(want(&seen, ResolutionStep::TryAgain));
        other.ask(want(&there, ResolutionStep::TryAgain));
        other.ask(want(&there, ResolutionStep::MarkedNotDone));
    }
    page.until(|seen| seen.awaited && step(seen) == Some(ResolutionStep::TryAgain)).await;
    other.until(|seen| step(seen) == Some(ResolutionStep::TryAgain)).await;
    page.close();

    // The answer was lost once more; now it comes.
    mailbox.answers.set(true);
    let seen = other.until(|seen| step(seen) == Some(ResolutionStep::TryAgain)).await;
    assert_eq!(steps(&seen).len(), 1);
    other.ask(want(&seen, ResolutionStep::TryAgain));
    let seen = other.until(|seen| step(seen) == Some(ResolutionStep::AnsweredDone)).await;
    let again = ResolutionStep::TryAgain;
    assert_eq!(steps(&seen), [again, again, ResolutionStep::AnsweredDone]);
    assert_eq!((mailbox.sent(), mailbox.attempts.get()), (1, 3));
}

#[wasm_bindgen_test]
async fn what_a_person_saw_is_on_record_once_and_is_there_after_the_page_was_closed() {
    let mailbox = Mailbox::answering(false);
    let (mut page, seen) = unknown("driver-letter-mark", &mailbox, "Perhaps.").await;
    page.ask(want(&seen, ResolutionStep::MarkedDone));
    page.ask(want(&seen, ResolutionStep::MarkedNotDone));
    page.until(|seen| step(seen) == Some(ResolutionStep::MarkedDone)).await;
    page.close();
    let mut page = mailbox.page("driver-letter-mark", vec![]);
    page.ask(Command::ReadRecords);
    let seen = page.until(|seen| !steps(seen).is_empty()).await;
    assert_eq!(
        (step(&seen), steps(&seen)),
        (Some(ResolutionStep::MarkedDone), vec![ResolutionStep::MarkedDone])
    );
    assert_eq!(mailbox.attempts.get(), 1);
}
