//! What is written in the composer, and what is not.

use view::command::Command;
use view::status::Status;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, dispatch_event_at, focused, now, press_key};
use crate::scenes::{asking, dozen};

#[wasm_bindgen_test]
async fn what_is_typed_in_the_composer_answers_no_card() {
    let page = Page::open(asking(&[dozen()]));
    page.until_awake("Approve").await;
    for key in ["Enter", " ", "y"].repeat(100) {
        press_key(&page.find("#message"), key, &[]);
    }
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn enter_sends_and_shift_enter_does_not() {
    let page = Page::open(asking(&[]));
    page.write("Message", "Add milk");
    let field = page.find("#message");
    assert!(press_key(&field, "Enter", &[("shiftKey", true.into())]), "a new line begins");
    assert_eq!(page.commands(), []);
    assert!(!press_key(&field, "Enter", &[]));
    assert_eq!(page.commands(), [Command::Say("Add milk".to_owned())]);
    page.until("the field is empty", |page| page.message().is_empty()).await;
}

#[wasm_bindgen_test]
fn a_naughty_string_is_said_as_it_was_written() {
    let strings = include_str!("../../conformance/texts/strings.json");
    let strings: Vec<String> = serde_json::from_str(strings).unwrap();
    assert_eq!(strings.len(), 485);
    let page = Page::open(asking(&[]));
    for string in &strings {
        page.write("Message", string);
        press_key(&page.find("#message"), "Enter", &[]);
    }
    // Blanks around it say nothing, and blanks alone are no message.
    let said = strings.iter().map(|string| string.trim()).filter(|string| !string.is_empty());
    let said: Vec<_> = said.map(|string| Command::Say(string.to_owned())).collect();
    assert!(page.commands() == said);
}

#[wasm_bindgen_test]
fn a_message_is_kept_while_the_assistant_is_busy() {
    let page = Page::open(asking(&[]));
    page.change(|view| view.status = Status::Writing);
    page.write("Message", "And bread");
    press_key(&page.find("#message"), "Enter", &[]);
    assert_eq!(page.commands(), []);
    assert_eq!(page.message(), "And bread");
}

#[wasm_bindgen_test]
async fn what_goes_on_can_be_stopped() {
    let page = Page::open(asking(&[]));
    page.change(|view| view.status = Status::Thinking);
    page.until("Stop is there", |page| page.count("[aria-label=Stop]") == 1).await;
    page.press("Stop");
    assert_eq!(page.commands(), [Command::Stop]);
}

#[wasm_bindgen_test]
async fn the_example_is_written_and_not_sent() {
    let page = Page::open(asking(&[]));
    let example = "We\u{2019}re out of eggs, put a dozen on the list";
    page.press(&format!("Write: {example}"));
    page.until("it is written", |page| page.message() == example).await;
    assert_eq!(focused(), "message");
    assert_eq!(page.commands(), []);
}

/// A press on what is named so, at a time of the page's clock.
fn press_at(page: &Page, name: &str, at: f64) {
    let button = page.button(name);
    for kind in ["pointerdown", "pointerup", "click"] {
        dispatch_event_at(&button, kind, at);
    }
}

#[wasm_bindgen_test]
async fn a_second_press_on_send_stops_nothing() {
    let page = Page::open(asking(&[]));
    page.watches().await;
    page.write("Message", "Add milk");
    page.press("Send");
    assert_eq!(page.commands(), [Command::Say("Add milk".to_owned())]);
    let before = now();
    page.change(|view| view.status = Status::Thinking);
    page.until("Stop is there", |page| page.count("[aria-label=Stop]") == 1).await;
    press_at(&page, "Stop", before + 350.0);
    assert_eq!(page.commands().len(), 1);
    press_at(&page, "Stop", before + 60_000.0);
    assert_eq!(page.commands()[1..], [Command::Stop]);
}

#[wasm_bindgen_test]
async fn a_press_on_stop_that_comes_too_late_sends_no_draft() {
    let page = Page::open(asking(&[]));
    page.change(|view| view.status = Status::Writing);
    page.until("Stop is there", |page| page.count("[aria-label=Stop]") == 1).await;
    page.write("Message", "And bread");
    let before = now();
    page.change(|view| view.status = Status::Idle);
    page.until("Send is there", |page| page.count("[aria-label=Send]") == 1).await;
    press_at(&page, "Send", before + 100.0);
    assert_eq!(page.commands(), []);
    assert_eq!(page.message(), "And bread");
    press_at(&page, "Send", before + 60_000.0);
    assert_eq!(page.commands(), [Command::Say("And bread".to_owned())]);
}
