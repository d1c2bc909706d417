//! The page keeps its content security policy, Trusted Types included, in both browsers.

use e2e::browser::Engine;
use e2e::journey::journey_in;
use e2e::kitchen::Kitchen;

use crate::{ADD, DOZEN};

#[tokio::test(flavor = "multi_thread")]
async fn chromium_finds_nothing_against_the_policy() {
    journey_in(Engine::Chromium, "policy_in_chromium", async |kitchen| walk(kitchen).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn firefox_finds_nothing_against_the_policy() {
    journey_in(Engine::Firefox, "policy_in_firefox", async |kitchen| walk(kitchen).await).await;
}

/// Sees every screen and every kind of answer. The journey's end asks the browser what it noted.
async fn walk(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message(DOZEN).await;
    page.card(ADD).await.approve().await;
    page.settles().await;
    page.message("Add butter").await;
    page.card(ADD).await.reject_with_reason("not now").await;
    page.settles().await;
    for screen in ["Activity", "Settings", "Kitchen"] {
        page.go(screen).await;
    }
    page.list_becomes(&["eggs 12"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_lets_no_markup_in() {
    markup_is_stopped(Engine::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn firefox_lets_no_markup_in() {
    markup_is_stopped(Engine::Firefox).await;
}

/// Also shows that the browser's complaints are heard, which every journey's end relies on.
async fn markup_is_stopped(engine: Engine) {
    let kitchen = Kitchen::open(engine).await;
    let inject =
        "try { document.body.innerHTML = '<b>no</b>' } catch (error) { return error.name }";
    let met = kitchen.browser().client().execute(inject, Vec::new()).await;
    assert_eq!(met.ok(), Some("TypeError".into()));
    let complaints = kitchen.browser().complaints().await;
    assert!(complaints.iter().any(|it| it.contains("require-trusted-types-for")), "{complaints:?}");
}
