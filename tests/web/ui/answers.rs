//! What the buttons of a card and of its rows answer.

use agent::approval::Outcome;
use serde_json::json;
use view::card::Preview;
use view::command::Command;
use view::marks::Marked;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, is_asleep, press_key};
use crate::response::{no, yes};
use crate::scenes::{asking, dozen, question};

#[wasm_bindgen_test]
async fn a_yes_that_comes_to_nothing_says_so_and_stays_a_yes() {
    for preview in [Preview::Nothing, Preview::Fails(Marked::of("caviar is not on the list"))] {
        let page = Page::open(asking(&[dozen()]));
        page.until_awake("Approve").await;
        page.change(|view| {
            for row in view.card.iter_mut().flat_map(|card| &mut card.rows) {
                row.preview = preview.clone();
            }
        });
        page.until("it is named for what it is", |page| page.count(".btn-yes") == 0).await;
        assert!(is_asleep(&page.button("Approve anyway")));
        let said = page.find(".effect").text_content().unwrap();
        assert!(said.contains("A no counts as your no."), "{said}");
        page.until_awake("Approve anyway").await;
        page.press("Approve anyway");
        assert_eq!(page.commands(), [yes("dozen")]);
    }
}

#[wasm_bindgen_test]
async fn a_yes_to_all_leaves_out_what_fails_and_what_must_be_known_first() {
    let row = |id: &str, item: &str| question(id, &json!({ "item": item, "quantity": "2" }));
    let mut view = asking(&[row("a", "leeks"), row("b", "limes"), row("c", "eggs")]);
    for row in view.card.iter_mut().flat_map(|card| &mut card.rows) {
        match row.request.0.as_str() {
            "a" => row.preview = Preview::Fails(Marked::of("no")),
            "b" => row.warnings = vec![Marked::of("Looks like lirnes, but is not.")],
            _ => {}
        }
    }
    let page = Page::open(view);
    page.until_awake("Yes to other 1").await;
    page.press("Yes to other 1");
    assert_eq!(page.commands(), [yes("c")]);
}

#[wasm_bindgen_test]
fn reject_says_no_at_once() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reject");
    assert_eq!(page.commands(), [no("dozen", None)]);
}

#[wasm_bindgen_test]
async fn a_reason_goes_with_the_no() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reject with a reason");
    page.until("a reason can be given", |page| page.count("[aria-label=Reason]") == 1).await;
    page.write("Reason", "we have eggs in the cellar");
    page.press("Reject, and say this");
    assert_eq!(page.commands(), [no("dozen", Some("we have eggs in the cellar"))]);
}

#[wasm_bindgen_test]
async fn what_was_being_written_on_a_card_that_is_gone_is_where_messages_are_written() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reply");
    page.until("a reply can be given", |page| page.count("[aria-label='Your reply']") == 1).await;
    page.write("Your reply", "make it six, and some ");
    page.change(|view| view.card = None);
    page.until("the card is gone", |page| page.count(".card") == 0).await;
    page.until("it is kept", |page| page.message() == "make it six, and some").await;
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn what_was_written_for_an_answer_that_was_given_is_not_kept() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reject with a reason");
    page.until("a reason can be given", |page| page.count("[aria-label=Reason]") == 1).await;
    page.write("Reason", "we have eggs in the cellar");
    page.press("Reject");
    page.change(|view| view.card = None);
    page.until("the card is gone", |page| page.count(".card") == 0).await;
    page.watches().await;
    assert_eq!(page.message(), "");
}

#[wasm_bindgen_test]
async fn a_reason_is_one_tap_away() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reject with a reason");
    page.until("reasons are there", |page| page.count(".pill") > 0).await;
    page.press("Reject: Not this week");
    assert_eq!(page.commands(), [no("dozen", Some("Not this week"))]);
}

#[wasm_bindgen_test]
async fn a_reply_is_a_message() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reply");
    page.until("a reply can be given", |page| page.count("[aria-label='Your reply']") == 1).await;
    page.write("Your reply", "Actually, make that six");
    page.press("Send, and answer no");
    assert_eq!(page.commands(), [Command::Say("Actually, make that six".to_owned())]);
}

#[wasm_bindgen_test]
async fn what_opens_to_be_written_in_has_the_focus() {
    let page = Page::open(asking(&[dozen()]));
    for (button, field) in [("Reply", "Your reply"), ("Reject with a reason", "Reason")] {
        page.press(button);
        page.until(field, |page| page.count(&format!("[aria-label='{field}']:focus")) == 1).await;
    }
}

#[wasm_bindgen_test]
async fn escape_closes_keeps_the_words_and_answers_nothing() {
    let page = Page::open(asking(&[dozen()]));
    page.press("Reply");
    page.until("a reply can be given", |page| page.count("[aria-label='Your reply']") == 1).await;
    page.write("Your reply", "six");
    press_key(&page.field("Your reply"), "Escape", &[]);
    page.until("it is closed", |page| page.count("[aria-label='Your reply']") == 0).await;
    page.press("Reply");
    page.until("it is open", |page| page.count("[aria-label='Your reply']") == 1).await;
    page.press("Send, and answer no");
    assert_eq!(page.commands(), [Command::Say("six".to_owned())]);
}

#[wasm_bindgen_test]
async fn every_row_of_a_batch_has_its_own_yes_and_no() {
    let row = |id: &str, item: &str| question(id, &json!({ "item": item, "quantity": "2" }));
    let done = row("a", "leeks").answered(Outcome::Approved);
    let page = Page::open(asking(&[done, row("b", "limes"), row("c", "eggs")]));
    assert_eq!(page.count("[role=group][data-request]"), 2);
    page.until_awake("Yes, limes, not on the list becomes 2").await;
    page.press("Yes, limes, not on the list becomes 2");
    page.press("No, eggs, not on the list becomes 2");
    assert_eq!(page.commands(), [yes("b"), no("c", None)]);
}

#[wasm_bindgen_test]
async fn a_yes_to_all_leaves_out_what_hides_something() {
    let row = |id: &str, item: &str| question(id, &json!({ "item": item, "quantity": "2" }));
    let page = Page::open(asking(&[row("a", "leeks"), row("b", "m\u{200B}ilk"), row("c", "eggs")]));
    page.until_awake("Yes to other 2").await;
    page.press("Yes to other 2");
    assert_eq!(page.commands(), [yes("a"), yes("c")]);
    page.press("No to all 3");
    assert_eq!(page.commands().len(), 5);
}
