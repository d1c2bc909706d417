//! "Always": offered quietly, said like a yes, and taken back.

use std::sync::Arc;

use agent::approval::{Always, Answer, Outcome};
use agent::id::{RequestId, StandingApprovalId};
use leptos::prelude::window;
use serde_json::json;
use view::command::Command;
use view::marks::Marked;
use view::standing::{Covers, Given, LessOften};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, is_asleep, press_key};
use crate::response::{answer, yes};
use crate::scenes::{NOW, asking, deciding, dozen, question};

const EXACTLY: &str = "Approve, and remember exactly this";

fn offer(request: &str, always: Always, settles: &[&str]) -> LessOften {
    let json = match always {
        Always::Tool => None,
        Always::ToolWithArguments => Some("{}".to_owned()),
    };
    LessOften {
        request: RequestId(request.to_owned()),
        always,
        until: json.as_ref().map(|_| NOW),
        settles: settles.iter().map(|name| Marked::of(name)).collect(),
        covers: Covers { tool: "add_to_shopping_list".to_owned(), json },
        uses: 50,
    }
}

fn offering(settles: &[&str]) -> Page {
    let mut view = asking(&[dozen()]);
    if let Some(card) = &mut view.card {
        card.less_often = vec![
            offer("dozen", Always::ToolWithArguments, &[]),
            offer("dozen", Always::Tool, settles),
        ];
    }
    Page::open(view)
}

#[wasm_bindgen_test]
async fn asking_less_often_is_folded_and_approve_means_once_whatever_is_open() {
    let page = offering(&[]);
    assert_eq!(page.count(".less-way"), 0);
    page.press("Ask less often");
    page.until("it is open", |page| page.count(".less-way") == 2).await;
    assert_eq!(page.commands(), []);
    page.until_awake("Approve").await;
    page.press("Approve");
    assert_eq!(page.commands(), [yes("dozen")]);
}

#[wasm_bindgen_test]
async fn always_is_a_yes_that_wakes_like_one_and_counts_once() {
    let page = offering(&[]);
    page.press("Ask less often");
    page.until("it is open", |page| page.count(".less-way") == 2).await;
    assert!(is_asleep(&page.button(EXACTLY)));
    page.press(EXACTLY);
    assert_eq!(page.commands(), []);
    page.until_awake(EXACTLY).await;
    page.press(EXACTLY);
    page.press(EXACTLY);
    let always = Some(Always::ToolWithArguments);
    assert_eq!(page.commands(), [answer("dozen", Answer::Approve { always })]);
}

#[wasm_bindgen_test]
async fn always_counts_for_nothing_before_long_arguments_were_read() {
    let note = "Melt the butter, then wait. ".repeat(200);
    let arguments = json!({ "item": "soup", "quantity": "1", "note": note });
    let mut view = asking(&[question("long", &arguments)]);
    if let Some(card) = &mut view.card {
        card.less_often = vec![offer("long", Always::Tool, &[])];
    }
    let page = Page::open(view);
    page.until_unread().await;
    page.press("Ask less often");
    let label = "Approve, and remember the tool";
    page.until("it is open", |page| page.count(".less-way") == 1).await;
    let asked = page.find(".asked");
    assert!(is_asleep(&page.button(label)));
    asked.set_scroll_top(asked.scroll_height());
    page.bring_up(".card-head");
    page.bring_up(".acts");
    page.until_awake("Approve anyway").await;
    page.bring_up(".less-way");
    page.until_awake(label).await;
}

#[wasm_bindgen_test]
async fn what_is_settled_as_well_is_named_before_the_press() {
    let page = offering(&["eggs", "milk", "bread"]);
    page.press("Ask less often");
    page.until("it is open", |page| page.count(".less-way") == 2).await;
    let words = page.find(".less").text_content().unwrap_or_default();
    assert!(words.contains("It says yes to all of these now: eggs, milk, bread."), "{words}");
    assert!(words.contains("up to 50 times"), "{words}");
    page.find(".less-way:last-child").scroll_into_view();
    page.until_awake("Approve all 3, and remember the tool").await;
    page.press("Approve all 3, and remember the tool");
    let always = Some(Always::Tool);
    assert_eq!(page.commands(), [answer("dozen", Answer::Approve { always })]);
}

#[wasm_bindgen_test]
async fn escape_folds_it_and_answers_nothing() {
    let page = offering(&[]);
    page.press("Ask less often");
    page.until("it is open", |page| page.count(".less-way") == 2).await;
    press_key(&page.button(EXACTLY), "Escape", &[]);
    page.until("it is folded", |page| page.count(".less-way") == 0).await;
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
fn a_card_that_may_not_be_remembered_offers_nothing() {
    let page = Page::open(asking(&[dozen()]));
    assert_eq!(page.count(".less"), 0);
}

fn given(json: Option<&str>) -> Given {
    Given {
        id: StandingApprovalId("given".to_owned()),
        scope: "The kitchen agent may add exactly this to the shopping list.".to_owned(),
        tool: Marked::of("add_to_shopping_list"),
        json: json.map(Marked::of),
        since: NOW,
        until: None,
        uses: 3,
        uses_max: 50,
        over: "",
        covers: Covers { tool: "add_to_shopping_list".to_owned(), json: json.map(str::to_owned) },
    }
}

async fn standing(given: &[Given]) -> Page {
    let milk = question("milk", &json!({ "item": "milk" })).answered(Outcome::Denied);
    let mut view = deciding(&[dozen().answered(Outcome::Approved), milk]);
    view.standing_approvals = Arc::new(given.to_vec());
    let page = Page::open(view);
    let _ = window().location().set_hash("#/standing");
    page.until("the page is there", |page| page.count("#standing") == 1).await;
    page
}

#[wasm_bindgen_test]
async fn where_nothing_was_always_allowed_the_page_says_how_it_is_done() {
    let page = standing(&[]).await;
    let words = page.find(".empty").text_content().unwrap_or_default();
    assert!(words.starts_with("Everything is asked"), "{words}");
    assert!(words.contains("Ask less often"), "{words}");
}

#[wasm_bindgen_test]
async fn what_was_always_allowed_can_be_taken_back() {
    let page = standing(&[given(None)]).await;
    let words = page.find(".rule").text_content().unwrap_or_default();
    assert!(words.contains("3 of 50 times"), "{words}");
    page.press("Take back: The kitchen agent may add exactly this to the shopping list.");
    let id = StandingApprovalId("given".to_owned());
    assert_eq!(page.commands(), [Command::Revoke(id)]);
    page.change(|view| view.standing_approvals = Arc::default());
    page.until("the row is gone", |page| page.count(".rule") == 0).await;
}

#[wasm_bindgen_test]
async fn what_was_always_allowed_is_tried_on_what_was_asked_before() {
    for (json, past) in [(None, 2), (Some(r#"{"item":"eggs","quantity":"12"}"#), 1)] {
        let page = standing(&[given(json)]).await;
        page.press("Try it on what was asked before");
        page.until("it was tried", |page| page.count(".past li") == past).await;
        let words = page.find(".past").text_content().unwrap_or_default();
        assert!(words.starts_with("eggs, 12Allowed by you"), "{words}");
    }
}

#[wasm_bindgen_test]
async fn what_no_longer_counts_is_told_and_can_be_removed() {
    let over = "Its time is over, so it no longer counts.";
    let page = standing(&[Given { over, ..given(None) }]).await;
    let words = page.find(".rule").text_content().unwrap_or_default();
    assert!(words.contains(over) && words.contains("Remove"), "{words}");
}
