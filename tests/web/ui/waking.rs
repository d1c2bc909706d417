//! When a yes may be pressed, and what no press, key or script can do.

use agent::approval::{ApprovalResponse, CardDigest};
use serde_json::json;
use view::command::Command;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, dispatch_event, is_asleep, press, press_key};
use crate::response::yes;
use crate::scenes::{asking, dozen, question};

#[wasm_bindgen_test]
async fn approve_answers_once_and_only_when_it_is_awake() {
    let page = Page::open(asking(&[dozen()]));
    assert!(is_asleep(&page.button("Approve")));
    page.press("Approve");
    assert_eq!(page.commands(), []);
    page.until_awake("Approve").await;
    page.press("Approve");
    page.press("Approve");
    assert_eq!(page.commands(), [yes("dozen")]);
}

#[wasm_bindgen_test]
async fn a_card_that_stays_after_its_answer_answers_no_more() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    page.press("Approve");
    // As assistive technology presses, until long after all is quiet again.
    let presses = std::cell::Cell::new(0);
    page.until("it was pressed often", |page| {
        dispatch_event(&page.button("Approve"), "MouseEvent", "click", &[]);
        presses.set(presses.get() + 1);
        presses.get() > 40
    })
    .await;
    assert_eq!(page.commands(), [yes("dozen")]);
}

#[wasm_bindgen_test]
async fn no_script_can_approve() {
    let page = Page::open_as_it_is(asking(&[dozen()]));
    page.until_awake("Approve").await;
    let button = page.button("Approve");
    for _ in 0..50 {
        press(&button);
        dispatch_event(&button, "MouseEvent", "click", &[]);
        press_key(&button, "Enter", &[]);
    }
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn a_press_that_follows_another_at_once_does_not_approve() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    press_key(&page.find("#message"), "a", &[]);
    page.press("Approve");
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn a_key_that_is_held_down_does_not_approve() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    let button = page.button("Approve");
    press_key(&button, "Enter", &[("repeat", true.into())]);
    dispatch_event(&button, "MouseEvent", "click", &[]);
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn a_press_that_began_before_it_was_awake_does_not_approve() {
    let page = Page::open(asking(&[dozen()]));
    let button = page.button("Approve");
    dispatch_event(&button, "PointerEvent", "pointerdown", &[]);
    page.until_awake("Approve").await;
    dispatch_event(&button, "MouseEvent", "click", &[]);
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn a_card_that_changes_is_looked_at_anew() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    let other = asking(&[question("dozen", &json!({ "item": "milk", "quantity": "12" }))]);
    page.change(|view| view.card = other.card);
    page.until("Approve sleeps again", |page| is_asleep(&page.button("Approve"))).await;
    page.until_awake("Approve").await;
}

#[wasm_bindgen_test]
async fn a_card_that_is_asked_again_after_it_changed_is_answered_as_it_is_then() {
    for alone in [true, false] {
        let milk = || question("milk", &json!({ "item": "milk", "quantity": "1" }));
        let cards = if alone { vec![dozen()] } else { vec![dozen(), milk()] };
        let page = Page::open(asking(&cards));
        let name = if alone { "Approve" } else { "Yes, eggs, not on the list becomes 12" };
        page.until_awake(name).await;
        page.press(name);
        assert_eq!(page.commands(), [yes("dozen")]);
        let now = CardDigest("of the card as it is now".to_owned());
        page.change(|view| view.card.as_mut().unwrap().rows[0].shown = now.clone());
        page.until("it sleeps again", |page| is_asleep(&page.button(name))).await;
        page.until_awake(name).await;
        page.press(name);
        let Command::Answer(again) = yes("dozen") else { panic!("a yes is an answer") };
        let again = ApprovalResponse { shown: now, ..again };
        assert_eq!(page.commands(), [yes("dozen"), Command::Answer(again)]);
    }
}

#[wasm_bindgen_test]
async fn a_card_that_moves_is_looked_at_anew() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    page.press("Reply");
    page.until("Approve sleeps again", |page| is_asleep(&page.button("Approve"))).await;
    page.until_awake("Approve").await;
}

#[wasm_bindgen_test]
async fn a_card_that_is_come_back_to_is_looked_at_anew() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    let shown = web_sys::Event::new("pageshow").unwrap();
    web_sys::window().unwrap().dispatch_event(&shown).unwrap();
    page.until("Approve sleeps again", |page| is_asleep(&page.button("Approve"))).await;
    page.until_awake("Approve").await;
}

#[wasm_bindgen_test]
async fn long_arguments_are_read_to_their_end_before_a_yes() {
    let note = "Melt the butter, then wait. ".repeat(200);
    let arguments = json!({ "item": "soup", "quantity": "1", "note": note });
    let page = Page::open(asking(&[question("long", &arguments)]));
    page.until_unread().await;
    page.press("Read to the end");
    assert_eq!(page.commands(), []);
    let asked = page.find(".asked");
    page.until("it was turned", |_| asked.scroll_top() > 0).await;
    asked.set_scroll_top(asked.scroll_height());
    page.bring_up(".acts");
    page.until_awake("Approve anyway").await;
    page.press("Approve anyway");
    assert_eq!(page.commands(), [yes("long")]);
}
