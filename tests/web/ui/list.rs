//! The shopping list beside the conversation.

use std::sync::Arc;

use kitchen::{Edit, LineId};
use leptos::prelude::document;
use view::command::Command;
use view::list::List;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, focused, press};
use crate::scenes::{NOW, asking, dozen, household};

#[wasm_bindgen_test]
async fn the_list_is_changed_by_hand() {
    let page = Page::open(asking(&[]));
    press(&page.find("[role=checkbox][aria-label='milk is in the basket']"));
    page.press("Take bread off the list");
    page.write("Add an item", "eggs");
    page.write("Amount", "12");
    press(&page.button("Add to the list"));
    assert_eq!(
        page.commands(),
        [
            Command::Edit(Edit::Check { line: LineId(1), checked: true }),
            Command::Edit(Edit::Remove { line: LineId(2) }),
            Command::Edit(Edit::Add { item: "eggs".to_owned(), quantity: "12".to_owned() }),
        ]
    );
}

#[wasm_bindgen_test]
async fn the_focus_stays_on_the_box_that_is_ticked() {
    let page = Page::open(asking(&[]));
    page.watches().await;
    let tick = || page.find("[role=checkbox][aria-label='milk is in the basket']");
    tick().unchecked_ref::<web_sys::HtmlElement>().focus().unwrap();
    let before = tick();
    press(&before);
    page.change(|view| {
        for line in &mut Arc::make_mut(&mut view.list).lines {
            line.checked = true;
        }
    });
    page.until("it is drawn anew", |_| tick() != before).await;
    page.until("it has the focus", |_| document().active_element() == Some(tick())).await;
}

#[wasm_bindgen_test]
fn what_waits_is_pencilled_in_where_it_would_stand() {
    let page = Page::open(asking(&[dozen()]));
    assert_eq!(page.count(".item.pencil"), 1);
    let line = page.find(".item.pencil").text_content().unwrap();
    assert_eq!(line, "eggs12Waiting for your answer");
    assert_eq!(page.count(".list-line"), 2);
}

fn without_bread(view: &mut view::View) {
    let mut household = household();
    let before = household.clone();
    household.edit(Edit::Remove { line: LineId(2) }).unwrap();
    let lines = kitchen::difference(&before, &household);
    let id = kitchen::ChangeId(7);
    let change = kitchen::Change { id, at: NOW, request: None, lines, undone: false };
    view.list = Arc::new(List::of(&household, &[change], &[]));
}

#[wasm_bindgen_test]
async fn a_line_that_is_taken_off_keeps_its_place_its_undo_and_the_focus() {
    let page = Page::open(asking(&[]));
    page.watches().await;
    let off = page.button("Take bread off the list");
    off.unchecked_ref::<web_sys::HtmlElement>().focus().unwrap();
    let place = || page.find("#tick-1").get_bounding_client_rect().top();
    let before = place();
    press(&off);
    page.change(without_bread);
    page.until("the line has the focus", |_| focused() == "line-2").await;
    let moved = place() - before;
    // Browsers round the heights of letters.
    assert!(moved.abs() < 4.0, "moved by {moved}");
    page.press("Undo bread");
    assert_eq!(page.commands()[1..], [Command::Undo(kitchen::ChangeId(7))]);
    page.find("#message").dyn_into::<web_sys::HtmlElement>().unwrap().focus().unwrap();
    page.until("the list is as it is", |page| page.count(".off-list") == 0).await;
    assert_eq!(page.count(".gone"), 1);
}

#[wasm_bindgen_test]
async fn an_undo_below_the_list_leaves_the_focus_at_its_heading() {
    let mut view = asking(&[]);
    without_bread(&mut view);
    let page = Page::open(view);
    page.watches().await;
    let undo = page.button("Undo bread");
    undo.unchecked_ref::<web_sys::HtmlElement>().focus().unwrap();
    press(&undo);
    page.change(|view| view.list = asking(&[]).list);
    page.until("the heading has the focus", |_| focused() == "list").await;
}
