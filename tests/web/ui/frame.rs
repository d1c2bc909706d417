//! The frame of the page: its title, what is said aloud, the focus, the keys, the conversations.

use std::sync::Arc;

use agent::id::SessionId;
use leptos::prelude::document;
use view::command::Command;
use view::conversations::Way;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, focused, press_key};
use crate::scenes::{asking, dozen};

#[wasm_bindgen_test]
async fn what_waits_is_announced_with_its_arguments_and_named_in_the_title() {
    let page = Page::open(asking(&[]));
    let card = asking(&[dozen()]).card;
    page.change(|view| view.card = card);
    page.until("it is announced", |page| {
        page.find("[aria-live=polite]").text_content().is_some_and(|said| !said.is_empty())
    })
    .await;
    assert_eq!(
        page.find("[aria-live=polite]").text_content().unwrap(),
        "Waits for your answer: Add to the shopping list. item eggs, quantity 12. eggs, not on \
         the list becomes 12. 9 minutes left."
    );
    assert_eq!(document().title(), "(1) Kitchen Assistant");
    page.change(|view| view.card = None);
    page.until("the title is plain again", |_| document().title() == "Kitchen Assistant").await;
}

#[wasm_bindgen_test]
async fn a_question_that_is_asked_again_is_named_and_announced_again() {
    let page = Page::open(asking(&[dozen()]));
    let said = |page: &Page| page.find("[aria-live=polite]").text_content().unwrap_or_default();
    page.until("it is announced", |page| said(page).starts_with("Waits for your answer")).await;
    let time = |minutes: u64, attempt| {
        let deadline = crate::scenes::NOW.plus_ms(minutes * 60_000);
        Some(view::time_left::TimeLeft::of(crate::scenes::NOW, deadline, attempt, 3))
    };
    let card = |time| {
        move |view: &mut view::View| {
            if let Some(card) = &mut view.card {
                card.time = time;
            }
        }
    };
    page.change(card(time(5, 1)));
    let reminder = "Add to the shopping list: 5 minutes left.";
    page.until("the time is said", |page| said(page) == reminder).await;
    page.change(card(time(10, 2)));
    page.until("it is announced again", |page| {
        said(page).starts_with("Waits for your answer") && said(page).ends_with("10 minutes left.")
    })
    .await;
    assert_eq!(document().title(), "(1) Try 2 \u{b7} Kitchen Assistant");
    assert_eq!(page.find(".nav .count").text_content().unwrap(), "1 card waits, try 2");
}

#[wasm_bindgen_test]
async fn a_conversation_is_forgotten_only_after_a_second_press_elsewhere() {
    let mut view = asking(&[]);
    let id = SessionId("soup".to_owned());
    let talk = |waiting| Way { id: id.clone(), title: "Soup".to_owned(), waiting, is_open: true };
    view.conversations = Arc::new(vec![talk(1)]);
    let page = Page::open(view);
    let _ = leptos::prelude::window().location().set_hash("#/conversations");
    page.until("the page is there", |page| page.count(".talks-page li") == 1).await;
    page.press("Forget Soup");
    page.until("it asks first", |page| page.count(".forget") == 1).await;
    let asks = page.find(".forget").text_content().unwrap();
    assert!(asks.contains("The shopping list stays") && asks.contains("never runs"), "{asks}");
    page.press("Forget Soup");
    page.until("it is closed again", |page| page.count(".forget") == 0).await;
    assert_eq!(page.commands(), []);
    page.press("Forget Soup");
    page.until("it asks first", |page| page.count(".forget") == 1).await;
    page.press("Forget this conversation");
    assert_eq!(page.commands(), [Command::Forget(id)]);
}

#[wasm_bindgen_test]
fn a_new_card_takes_no_focus() {
    let page = Page::open(asking(&[]));
    page.write("Message", "Something");
    let field = page.find("#message");
    wasm_bindgen::JsCast::unchecked_ref::<web_sys::HtmlElement>(&*field).focus().unwrap();
    let card = asking(&[dozen()]).card;
    page.change(|view| view.card = card);
    assert_eq!(focused(), "message");
}

#[wasm_bindgen_test]
async fn keys_move_about_the_page_and_can_be_turned_off() {
    let page = Page::open(asking(&[dozen()]));
    let body: web_sys::Element = document().body().unwrap().into();
    let alt = |code: &str| vec![("altKey", JsValue::from(true)), ("code", JsValue::from(code))];
    for (key, extra, to) in
        [("j", alt("KeyJ"), "waiting"), ("l", alt("KeyL"), "list"), ("/", vec![], "message")]
    {
        press_key(&body, key, &extra);
        assert_eq!(focused(), to);
    }
    page.change(|view| {
        Arc::make_mut(&mut view.settings).preferences.shortcuts = false;
    });
    press_key(&body, "l", &alt("KeyL"));
    assert_eq!(focused(), "message");
    assert_eq!(page.commands(), []);
}

#[wasm_bindgen_test]
async fn what_is_still_being_opened_is_not_said_to_be_empty() {
    let page = Page::open(view::View::default());
    assert_eq!(page.find(".panel-head p").text_content().unwrap(), "Opening the list.");
    assert_eq!(page.count(".empty"), 0);
    page.change(|view| view.is_ready = true);
    page.until("both say so once they are open", |page| page.count(".empty") == 2).await;
}

/// An address that changed twice is heard of twice, with the second address both times.
#[wasm_bindgen_test]
async fn a_page_one_is_on_already_is_not_drawn_anew() {
    let page = Page::open(asking(&[]));
    let window = leptos::prelude::window();
    let _ = window.location().set_hash("#/settings");
    page.until("the page is there", |page| page.count("select") == 2).await;
    let drawn = page.find("select");
    let again = web_sys::Event::new("hashchange").expect("an event");
    let _ = window.dispatch_event(&again);
    page.watches().await;
    assert!(page.find("select") == drawn);
}

#[wasm_bindgen_test]
async fn the_focus_stays_on_what_is_changed_in_the_settings() {
    let page = Page::open(asking(&[]));
    let _ = leptos::prelude::window().location().set_hash("#/settings");
    page.until("the page is there", |page| page.count("select") == 2).await;
    for name in ["select[aria-label='Minutes a card waits']", "[role=switch]"] {
        let control = page.find(name);
        wasm_bindgen::JsCast::unchecked_ref::<web_sys::HtmlElement>(&control).focus().unwrap();
        page.change(|view| {
            let preferences = &mut Arc::make_mut(&mut view.settings).preferences;
            preferences.one_at_a_time = !preferences.one_at_a_time;
        });
        page.until("it is drawn anew", |page| page.find(name) != control).await;
        page.until("it has the focus", |page| document().active_element() == page.look_for(name))
            .await;
    }
}
