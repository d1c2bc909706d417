//! Saying something else while a card waits: the card is answered with no, the words are sent.

use e2e::journey::journey;
use e2e::kitchen::Kitchen;

use crate::{ADD, DOZEN};

const SIX: &str = "Actually, make that six";

#[tokio::test(flavor = "multi_thread")]
async fn a_message_while_a_card_waits_closes_it_and_asks_anew() {
    journey("make_that_six_in_the_composer", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        let card = page.card(ADD).await;
        page.message(SIX).await;
        approve_six(kitchen, card.request()).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_in_the_card_closes_it_and_asks_anew() {
    journey("make_that_six_in_the_card", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        let card = page.card(ADD).await;
        card.reply(SIX).await;
        approve_six(kitchen, card.request()).await;
    })
    .await;
}

async fn approve_six(kitchen: &Kitchen, first: &str) {
    let page = kitchen.page();
    let second = page.another_card(ADD, first).await;
    assert_eq!(page.waiting().await, [second.request()]);
    let text = second.text().await;
    assert!(text.contains("eggs") && text.contains('6') && !text.contains("12"), "{text}");
    page.list_becomes(&[]).await;

    second.approve().await;
    page.list_becomes(&["eggs 6"]).await;
    page.settles().await;
    page.go("Activity").await;
    page.records_become(&["decision Moved on", "decision Allowed", "execution Ran"]).await;
}
