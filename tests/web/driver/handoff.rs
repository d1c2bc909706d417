//! Two agents in one conversation: the kitchen's, and one that books tables.

use std::cell::Cell;
use std::rc::Rc;

use agent::approval::Answer;
use agent::event::ToolOutcome;
use agent::handoff::Agent;
use agent::model::{ModelError, ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::tool::{Access, ToolSpec};
use futures::FutureExt;
use kitchen_assistant::driver::{Clock, OutsideTool};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, says, yes};

const BOOKS: &str = "You book tables.";

/// What the restaurant was asked for.
#[derive(Clone, Default)]
struct Restaurant(Rc<Cell<u32>>);

impl Restaurant {
    fn page(&self, store: &'static str, turns: Vec<Result<ModelReply, ModelError>>) -> Page {
        Page::open_among(Clock::of_browser(), store, turns, vec![self.tool()], dining)
    }

    fn tool(&self) -> OutsideTool {
        let booked = Rc::clone(&self.0);
        OutsideTool {
            spec: ToolSpec {
                name: "book_table".to_owned(),
                description: String::new(),
                parameters: json!({"type": "object"}),
                version: "1".to_owned(),
                access: Access::AlwaysAsk,
            },
            attempt: Box::new(move |_, _| {
                booked.set(booked.get() + 1);
                let text = Some("Requested.".to_owned());
                std::future::ready(ToolOutcome::Returned { text, terminate: false }).boxed_local()
            }),
            check: None,
        }
    }
}

fn dining() -> Vec<Agent> {
    vec![Agent {
        name: "dining".to_owned(),
        does: "finds places and books tables".to_owned(),
        instructions: BOOKS.to_owned(),
        tools: vec!["book_table".to_owned()],
    }]
}

fn calls(calls: &[(&str, Value)]) -> Result<ModelReply, ModelError> {
    let call = |(number, (name, arguments)): (usize, &(&str, Value))| {
        ReplyContent::Call(ProposedCall {
            id: format!("toolu_{number}"),
            name: (*name).to_owned(),
            arguments: arguments.to_string(),
            provider_result: None,
        })
    };
    let content = calls.iter().enumerate().map(call).collect();
    Ok(ModelReply { content, stop: StopReason::ToolUse, usage: Usage::default() })
}

fn eggs() -> (&'static str, Value) {
    ("add_to_shopping_list", json!({"item": "eggs", "quantity": "12"}))
}

fn table() -> (&'static str, Value) {
    ("book_table", json!({"restaurant": "The Domain Kitchen", "people": 2}))
}

fn to_dining() -> (&'static str, Value) {
    ("handoff_to_dining", json!({"reason": "A table is to be booked."}))
}

/// Whether the dining agent was asked, and the tools it was offered, in each call of the model.
fn heard(page: &Page) -> Vec<(bool, Vec<String>)> {
    let names = |tools: &[ToolSpec]| tools.iter().map(|tool| tool.name.clone()).collect();
    let heard = page.model.heard.borrow();
    heard.iter().map(|it| (it.instructions == BOOKS, names(&it.tools))).collect()
}

#[wasm_bindgen_test]
async fn a_handoff_is_told_and_the_agent_it_went_to_is_there_after_a_reload() {
    let restaurant = Restaurant::default();
    let turns = vec![calls(&[to_dining()]), calls(&[table()])];
    let mut page = restaurant.page("driver-handoff", turns);
    page.say("Book The Domain Kitchen for two.");
    let seen = page.until(|seen| !seen.cards.is_empty()).await;
    assert_eq!(seen.who_asks, Some("Dining"));
    assert_eq!(seen.handed_over, ["Dining"]);
    let asked = heard(&page);
    assert_eq!(asked[1], (true, vec!["book_table".to_owned(), "handoff_to_kitchen".to_owned()]));
    assert!(!asked[0].0 && !asked[0].1.contains(&"book_table".to_owned()), "{asked:?}");
    assert!(asked[0].1.contains(&"handoff_to_dining".to_owned()), "{asked:?}");
    let card = seen.cards[0].clone();
    page.close();

    let mut page = restaurant.page("driver-handoff", vec![says("It was requested."), says("No.")]);
    let seen = page.until(|seen| !seen.cards.is_empty()).await;
    assert_eq!((&seen.cards[0], seen.who_asks), (&card, Some("Dining")));
    page.answer(&card, yes());
    page.answer(&card, yes());
    let seen = page.reply("It was requested.").await;
    assert_eq!((restaurant.0.get(), seen.executions()), (1, 1));
    page.say("Is it confirmed?");
    page.reply("No.").await;
    assert!(heard(&page).iter().all(|(dining, _)| *dining), "it stays in charge");
}

#[wasm_bindgen_test]
async fn a_handoff_beside_a_question_waits_over_a_reload_and_a_no_goes_with_it() {
    let restaurant = Restaurant::default();
    let turns = vec![calls(&[to_dining(), eggs()])];
    let mut page = restaurant.page("driver-handoff-beside", turns);
    page.say("Eggs, and a table for two.");
    let seen = page.until(|seen| !seen.cards.is_empty()).await;
    assert_eq!(seen.who_asks, Some("Kitchen"));
    assert!(seen.handed_over.is_empty());
    let card = seen.cards[0].clone();
    page.close();

    let turns = vec![calls(&[table()]), says("Nothing was booked.")];
    let mut page = restaurant.page("driver-handoff-beside", turns);
    page.until(|seen| !seen.cards.is_empty()).await;
    page.answer(&card, Answer::Reject { reason: None });
    let seen = page.reply("Nothing was booked.").await;
    assert_eq!(seen.handed_over, ["Dining"]);
    assert_eq!((restaurant.0.get(), seen.executions(), seen.list.len()), (0, 0, 0));
    assert!(seen.cards.is_empty() && heard(&page).iter().all(|(dining, _)| *dining));
}

#[wasm_bindgen_test]
async fn a_page_of_one_agent_offers_no_handoff_and_takes_none() {
    let turns = vec![calls(&[to_dining()]), says("There is nobody for that.")];
    let mut page = Page::open("driver-handoff-none", turns);
    page.say("Book a table.");
    let seen = page.reply("There is nobody for that.").await;
    assert!(seen.handed_over.is_empty());
    let not_found = "result: Error: Requested function \"handoff_to_dining\" not found.";
    assert!(seen.texts.contains(&not_found.to_owned()), "{:?}", seen.texts);
    let offered = heard(&page).into_iter().flat_map(|(_, tools)| tools);
    assert!(offered.into_iter().all(|tool| !tool.starts_with("handoff_to_")));
}
