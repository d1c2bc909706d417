//! Going away with a card open and coming back: the same question, answered once.

use e2e::browser::Engine;
use e2e::journey::{journey, journey_in};
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

#[tokio::test(flavor = "multi_thread")]
async fn going_back_and_forward_wakes_no_card_that_was_answered_in_chromium() {
    go_back_and_forward(Engine::Chromium, "back_in_chromium").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn going_back_and_forward_wakes_no_card_that_was_answered_in_firefox() {
    go_back_and_forward(Engine::Firefox, "back_in_firefox").await;
}

/// The page is left with its card awake, and the card is answered in the page that comes after it.
async fn go_back_and_forward(engine: Engine, name: &str) {
    journey_in(engine, name, async |kitchen| {
        ask(kitchen).await;
        let page = kitchen.page();
        page.card(ADD).await.wakes().await;
        assert!(page.is_ever_awake().await, "a card that may be answered is seen to be awake");
        page.open(&format!("{}?later", kitchen.proxy.address())).await;
        page.card(ADD).await.approve().await;
        page.list_becomes(&["eggs 12"]).await;
        page.settles().await;

        for goes_back in [true, false, true] {
            if goes_back {
                page.goes_back().await
            } else {
                page.goes_forward().await
            }
            assert!(!page.is_ever_awake().await, "back: {goes_back}");
            assert_eq!(page.waiting().await, Vec::<String>::new(), "back: {goes_back}");
            page.list_becomes(&["eggs 12"]).await;
        }
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
