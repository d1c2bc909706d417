//! Tabs of one store: one drives, the others follow, and the store decides.

use agent::approval::{Answer, Outcome};
use kitchen_assistant::driver::Shown;
use view::command::Command;
use view::scene::{Cause, Storage};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::BroadcastChannel;

use crate::page::{Page, Seen, eggs, proposes, says, yes};

#[wasm_bindgen_test]
async fn a_second_tab_follows_the_first_and_takes_over_when_it_is_gone() {
    let mut first = Page::open("driver-tabs", vec![proposes("12")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-tabs", vec![says("Done.")]);
    assert_eq!(second.card().await, card);
    first.close();
    second.answer(&card, yes());
    assert_eq!(second.reply("Done.").await.list, eggs("12"));
}

#[wasm_bindgen_test]
async fn what_is_done_in_a_tab_that_follows_counts_once_and_shows_in_both() {
    let mut first = Page::open("driver-follow", vec![proposes("12"), says("Done."), says("Hi.")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-follow", vec![]);
    second.card().await;
    second.answer(&card, yes());
    first.answer(&card, yes());
    let here = first.reply("Done.").await;
    let there = second.reply("Done.").await;
    assert_eq!((here.list.clone(), here.executions()), (eggs("12"), 1));
    assert_eq!((there.list.clone(), there.executions()), (eggs("12"), 1));
    assert!(second.model.heard.borrow().is_empty(), "one tab talks to the model");
    second.say("hello");
    first.reply("Hi.").await;
    second.reply("Hi.").await;
}

#[wasm_bindgen_test]
async fn ten_clicks_in_each_of_two_tabs_and_one_after_a_reload_have_one_effect() {
    let mut first = Page::open("driver-clicks", vec![proposes("12"), says("Done.")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-clicks", vec![]);
    second.card().await;
    for _ in 0..10 {
        first.answer(&card, yes());
        second.answer(&card, yes());
    }
    first.reply("Done.").await;
    second.reply("Done.").await;
    first.close();
    second.close();

    let mut again = Page::open("driver-clicks", vec![]);
    again.answer(&card, yes());
    again.say("hello");
    let seen = again.until(|seen| seen.streaming).await;
    assert_eq!((seen.list.clone(), seen.executions(), seen.outcomes().len()), (eggs("12"), 1, 1));
}

#[wasm_bindgen_test]
async fn a_text_from_a_tab_that_follows_waits_until_the_model_has_answered() {
    let mut first = Page::open("driver-later", vec![]);
    first.say("one");
    first.until(|seen| seen.streaming).await;
    let mut second = Page::open("driver-later", vec![]);
    second.until(|seen| seen.texts == ["person: one"]).await;
    second.say("two");
    first.model.turns.borrow_mut().push_back(says("Two."));
    // The call that is under way stalls; stopping it ends it, and what was said meanwhile follows.
    first.ask(Command::Stop);
    let seen = first.reply("Two.").await;
    assert_eq!(seen.texts, ["person: two", "assistant: Two."]);
    let unsent =
        |cause: &Cause| matches!(cause, Cause::Model { unsent: Some(text), .. } if text == "one");
    assert!(seen.problems.iter().any(unsent), "{:?}", seen.problems);
}

#[wasm_bindgen_test]
async fn a_card_decided_in_another_tab_says_so() {
    let mut first = Page::open("driver-elsewhere", vec![proposes("12"), says("Done.")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-elsewhere", vec![]);
    second.card().await;
    first.answer(&card, yes());
    let here = first.reply("Done.").await;
    let there = second.reply("Done.").await;
    assert_eq!(here.decided_elsewhere, vec![]);
    assert_eq!(there.decided_elsewhere, vec![card.id]);
}

#[wasm_bindgen_test]
async fn a_change_by_hand_shows_in_every_tab() {
    let mut first = Page::open("driver-hands", vec![]);
    let mut second = Page::open("driver-hands", vec![]);
    second.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    let add = kitchen::Edit::Add { item: "eggs".to_owned(), quantity: "12".to_owned() };
    first.ask(Command::Edit(add));
    first.until(|seen| seen.list == eggs("12")).await;
    second.until(|seen| seen.list == eggs("12")).await;
}

#[wasm_bindgen_test]
async fn without_locks_two_tabs_still_decide_and_run_once() {
    let locks = js_sys::Object::new();
    js_sys::Reflect::set(&locks, &"value".into(), &wasm_bindgen::JsValue::UNDEFINED).unwrap();
    js_sys::Reflect::set(&locks, &"configurable".into(), &true.into()).unwrap();
    let navigator = web_sys::window().unwrap().navigator();
    js_sys::Object::define_property(&navigator, &"locks".into(), &locks);

    let turns = || vec![proposes("12"), says("Done.")];
    let mut first = Page::open("driver-no-locks", turns());
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-no-locks", vec![says("Done.")]);
    second.card().await;
    first.answer(&card, yes());
    second.answer(&card, Answer::Reject { reason: None });
    let here = first.reply("Done.").await;
    let there = second.reply("Done.").await;
    assert_eq!(here.outcomes().len(), 1);
    assert_eq!(here.outcomes(), there.outcomes());
    let said = |seen: &Seen| seen.texts.iter().filter(|it| *it == "person: eggs").count();
    assert_eq!((said(&here), said(&there)), (1, 1));
    let ran = usize::from(here.outcomes() == [Outcome::Approved]);
    assert_eq!((here.executions(), there.executions()), (ran, ran));
    assert_eq!(here.list, there.list);
    js_sys::Reflect::delete_property(&navigator, &"locks".into()).unwrap();
}

#[wasm_bindgen_test]
async fn what_comes_with_the_engine_is_shown_even_if_a_word_was_all_that_was_heard() {
    const NAME: &str = "driver-first-word";
    let mut page = Page::open(NAME, vec![]);
    let seen = page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    assert!(!seen.has_engine, "nothing was to be done yet");
    BroadcastChannel::new(NAME).unwrap().post_message(&"of a newer page".into()).unwrap();
    let seen = page.until(|seen| seen.has_engine).await;
    assert_eq!(seen.shown, Shown::Everything);
}
