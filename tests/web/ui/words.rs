//! What a model wrote, as it is shown: whole, marked, and without power.

use serde_json::json;
use view::conversation::Streamed;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::Page;
use crate::scenes::{asking, dozen, question, saying};

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
async fn what_is_read_stays_where_it_is_when_earlier_messages_are_shown() {
    let messages: Vec<_> = (0..250)
        .map(|number| agent::message::Message {
            at: crate::scenes::NOW,
            body: agent::message::Body::Person(format!("Message {number}")),
            usage: None,
        })
        .collect();
    let turns = view::conversation::turns(&messages, &[], &[], &[]);
    let mut view = asking(&[]);
    view.turns = std::sync::Arc::new(turns);
    let page = Page::open(view);
    page.until("the end is shown", |page| page.find(".talk").scroll_top() > 0).await;
    page.bring_up(".earlier");
    let read = page.find(".me");
    let top = || read.get_bounding_client_rect().top();
    let before = top();
    page.press("Earlier messages");
    page.until("they are there", |page| page.count(".me") == 200).await;
    page.until("what is read is where it was", |_| (top() - before).abs() < 2.0).await;
}
