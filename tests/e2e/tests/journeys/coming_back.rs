//! Going away with a card open and coming back: the same question, answered once.

use e2e::journey::journey;
use e2e::kitchen::Kitchen;

use crate::{ADD, DOZEN};

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_still_there_after_a_reload() {
    journey("a_reload", async |kitchen| {
        let request = ask(kitchen).await;
        kitchen.visit().await;
        answer_once(kitchen, &request).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_still_there_in_another_tab_once_its_own_is_closed() {
    journey("a_closed_tab", async |kitchen| {
        let request = ask(kitchen).await;
        kitchen.close_the_tab_and_come_back().await;
        answer_once(kitchen, &request).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_still_there_after_the_browser_was_killed() {
    journey("a_killed_browser", async |kitchen| {
        let request = ask(kitchen).await;
        kitchen.crash_and_come_back().await;
        answer_once(kitchen, &request).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_is_not_asked_again_after_the_browser_was_killed() {
    journey("a_killed_browser_after_the_answer", async |kitchen| {
        ask(kitchen).await;
        let page = kitchen.page();
        page.card(ADD).await.approve().await;
        page.list_becomes(&["eggs 12"]).await;
        kitchen.crash_and_come_back().await;

        let page = kitchen.page();
        page.list_becomes(&["eggs 12"]).await;
        page.settles().await;
        page.go("Activity").await;
        page.records_become(&["decision Allowed", "execution Ran"]).await;
    })
    .await;
}

async fn ask(kitchen: &Kitchen) -> String {
    let page = kitchen.page();
    page.message(DOZEN).await;
    page.card(ADD).await.request().to_owned()
}

async fn answer_once(kitchen: &Kitchen, request: &str) {
    let page = kitchen.page();
    let card = page.card(ADD).await;
    assert_eq!(card.request(), request);
    assert_eq!(page.waiting().await, [request]);
    page.list_becomes(&[]).await;

    card.approve().await;
    page.list_becomes(&["eggs 12"]).await;
    page.settles().await;
    page.go("Activity").await;
    page.records_become(&["decision Allowed", "execution Ran"]).await;
}
