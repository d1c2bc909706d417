//! The shopping list beside the conversation.

use std::sync::Arc;

use kitchen::{Edit, LineId};
use leptos::prelude::document;
use view::command::Command;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, press};
use crate::scenes::{asking, dozen};

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

#[wasm_bindgen_test]
async fn a_line_that_is_taken_off_leaves_the_focus_among_the_lines() {
    let page = Page::open(asking(&[]));
    page.watches().await;
    let off = page.button("Take bread off the list");
    off.unchecked_ref::<web_sys::HtmlElement>().focus().unwrap();
    press(&off);
    page.change(|view| {
        Arc::make_mut(&mut view.list).lines.retain(|line| line.line != Some(LineId(2)));
    });
    page.until("the lines have the focus", |page| {
        document().active_element() == page.look_for(".panel-in")
    })
    .await;
}
