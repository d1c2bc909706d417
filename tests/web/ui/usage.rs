//! What the settings page says of what the conversation used.

use agent::model::Usage;
use view::command::Command;
use view::usage::{Price, Prices};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, dispatch_event};
use crate::scenes::{NOW, asking};

#[wasm_bindgen_test]
async fn a_price_that_is_entered_is_kept_and_told_in_money_and_what_is_no_price_is_not_taken() {
    let model = "anthropic/claude";
    let mut view = asking(&[]);
    let usage = Usage { model: model.to_owned(), input: 2_000, cached: 0, output: 100 };
    view.usage = vec![(NOW, usage)];
    let page = Page::open(view);
    let _ = leptos::prelude::window().location().set_hash("#/settings");
    page.until("the page is there", |page| page.count(".used") == 1).await;
    let said = |page: &Page| page.find(".used").text_content().unwrap_or_default();
    assert!(said(&page).contains("1 answer: 2,000 tokens read, 100 written."), "{}", said(&page));

    let field = "Dollars for a million tokens read by anthropic/claude";
    page.write(field, "three");
    dispatch_event(&page.field(field), "Event", "change", &[]);
    page.until("it says what is one", |page| said(page).contains("as in 0.25")).await;
    assert_eq!(page.commands(), []);

    page.write(field, "3");
    dispatch_event(&page.field(field), "Event", "change", &[]);
    let price = Price { read: 3_000_000, written: 0 };
    let kept = Prices::default().with(model, price).write();
    let commands = page.commands();
    let [Command::Prefer(preferred)] = &commands[..] else { panic!("{commands:?}") };
    assert_eq!(preferred.prices, kept);
    page.change(|view| std::sync::Arc::make_mut(&mut view.settings).preferences.prices = kept);
    page.until("it is told in money", |page| said(page).contains("$0.0060")).await;
}
