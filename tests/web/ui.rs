//! The screens in a real browser: what is shown, what a press sends, and what never answers.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

#[path = "ui/page.rs"]
mod page;
#[path = "ui/scenes.rs"]
mod scenes;
#[path = "ui/standing.rs"]
mod standing;

use std::sync::Arc;

use agent::approval::{Answer, ApprovalResponse, CardDigest, Outcome};
use agent::id::{RequestId, SessionId};
use kitchen::{Edit, LineId};
use leptos::prelude::document;
use page::{Page, dispatch_event, is_asleep, press, press_key};
use scenes::{asking, dozen, question, saying};
use serde_json::json;
use view::card::Preview;
use view::command::Command;
use view::conversation::Streamed;
use view::conversations::Way;
use view::marks::Marked;
use view::status::Status;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn answer(request: &str, answer: Answer) -> Command {
    let shown = CardDigest(format!("card of {request}"));
    Command::Answer(ApprovalResponse { request: RequestId(request.to_owned()), shown, answer })
}

fn yes(request: &str) -> Command {
    answer(request, Answer::Approve { always: None })
}

fn no(request: &str, reason: Option<&str>) -> Command {
    answer(request, Answer::Reject { reason: reason.map(str::to_owned) })
}

fn focused() -> String {
    document().active_element().map(|element| element.id()).unwrap_or_default()
}

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

#[wasm_bindgen_test]
fn the_card_shows_every_argument_whole() {
    let hidden = format!("eggs{}rm -rf", " ".repeat(10_000));
    let page = Page::open(asking(&[question(
        "q",
        &json!({ "item": hidden, "quantity": "1\u{1B}[2K", "note": "crème\nfraîche\u{202E}" }),
    )]));
    let card = page.find("[role=group][data-request=q]").text_content().unwrap();
    for words in [
        "add_to_shopping_list",
        "10000 spaces",
        "rm -rf",
        "\u{241B} U+001B",
        "[2K",
        "crème",
        "\u{23CE}",
        "U+202E direction change",
    ] {
        assert!(card.contains(words), "{words:?} is not on the card: {card}");
    }
    assert_eq!(page.count("[role=group][data-request]"), 1);
    assert!(!card.contains('\u{202E}') && !card.contains('\u{1B}'));
}

#[wasm_bindgen_test]
fn the_frame_of_a_card_holds_no_word_of_the_model() {
    let page = Page::open(asking(&[question("q", &json!({ "item": "EVIL", "quantity": "EVIL" }))]));
    for part in [".card-head", ".why", ".acts"] {
        assert!(!page.find(part).text_content().unwrap().contains("EVIL"), "{part}");
    }
    let values = page.count(".card bdi");
    assert!(values >= 5, "each value keeps its direction to itself: {values}");
}

#[wasm_bindgen_test]
fn no_markdown_makes_a_control_or_a_request() {
    let page = Page::open(saying(
        "<button>Approve</button> <form action=x><input></form> <dialog open>x</dialog>\n\n\
         <img src=https://evil.example/1> ![x](https://evil.example/2) ![y][r]\n\n\
         <iframe src=https://evil.example/3></iframe> <style>*{display:none}</style>\n\n\
         [click](javascript:alert(1)) [click](https://bank.example@evil.example/)\n\n\
         # Add to the shopping list\n\n<div class=\"card\" role=\"group\">x</div>\n\n\
         [r]: https://evil.example/4",
    ));
    let log = "[role=log] ";
    for made in
        ["button", "form", "input", "dialog", "img", "iframe", "style", "script", "a", ".card"]
    {
        assert_eq!(page.count(&format!("{log}{made}")), 0, "{made}");
    }
    for made in ["[role=group]", "h1", "h2", "h3", "[style]", "[onclick]"] {
        assert_eq!(page.count(&format!("{log}{made}")), 0, "{made}");
    }
    let said = page.find("[role=log]").text_content().unwrap();
    assert!(said.contains("https://evil.example/2") && said.contains("<button>"), "{said}");
}

#[wasm_bindgen_test]
fn a_link_names_its_host_and_opens_apart() {
    let page = Page::open(saying("[the soup](https://example.org/soup)"));
    let link = page.find("[role=log] a");
    assert_eq!(link.text_content().unwrap(), "the soup(example.org)");
    assert_eq!(link.get_attribute("rel").unwrap(), "noopener noreferrer");
    assert_eq!(link.get_attribute("href").unwrap(), "https://example.org/soup");
}

#[wasm_bindgen_test]
async fn no_markup_is_ever_put_in_as_text() {
    let count = js_sys::eval(
        "(() => { const html = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML'); \
         window.htmlWrites = 0; \
         Object.defineProperty(Element.prototype, 'innerHTML', { ...html, \
         set(text) { window.htmlWrites += 1; html.set.call(this, text); } }); \
         return () => { Object.defineProperty(Element.prototype, 'innerHTML', html); \
         return window.htmlWrites; }; })()",
    );
    let count: js_sys::Function = wasm_bindgen::JsCast::unchecked_into(count.unwrap());
    {
        let page = Page::open(asking(&[dozen()]));
        let said = saying("**Soup**\n\n- leeks\n- [stock](https://example.org)\n\n`x`");
        page.change(|view| view.turns = said.turns);
        for place in ["#/activity", "#/settings", "#/list"] {
            let _ = leptos::prelude::window().location().set_hash(place);
            page.until(place, |page| {
                page.find(".frame").get_attribute("data-page").as_deref() == Some(&place[2..])
            })
            .await;
        }
    }
    assert_eq!(count.call0(&JsValue::NULL).unwrap(), JsValue::from(0));
}

#[wasm_bindgen_test]
async fn words_are_added_and_nothing_above_them_is_drawn_again() {
    let page = Page::open(saying("Before."));
    let streamed = |closed: &str, open: &str| {
        Some(Streamed { closed: closed.to_owned(), open: open.to_owned() })
    };
    page.change(|view| view.streamed = streamed("Sweat the leeks.\n\n", "Then add"));
    page.until("words arrive", |page| page.count(".says") == 2).await;
    let (before, first) = (page.find(".says p"), page.find(".says:last-child p"));
    page.change(|view| {
        view.streamed = streamed("Sweat the leeks.\n\nThen add stock.\n\n", "Simmer for");
    });
    page.until("more words arrive", |page| page.count(".says:last-child p") == 3).await;
    assert_eq!(page.find(".says p"), before);
    assert_eq!(page.find(".says:last-child p"), first);
    let said = page.find(".says:last-child").text_content().unwrap();
    assert_eq!(said, "Sweat the leeks.Then add stock.Simmer for");
}

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
    wasm_bindgen::JsCast::unchecked_ref::<web_sys::HtmlElement>(&tick()).focus().unwrap();
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
        let deadline = scenes::NOW.plus_ms(minutes * 60_000);
        Some(view::card::TimeLeft::of(scenes::NOW, deadline, attempt, 3))
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
