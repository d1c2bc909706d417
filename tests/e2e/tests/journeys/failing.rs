//! What fails is said, and going on repeats nothing.

use e2e::journey::{journey, journey_with};
use e2e::provider::{Answer, Protocol, Provider};
use e2e::role::Role;
use serde_json::json;

use crate::{ADD, DOZEN};

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_whose_proxy_dies_is_said_to_be_broken_and_goes_on_when_tried_again() {
    let script = [Answer::Begins("You have two "), Answer::Says("You have two kinds of milk.")];
    let provider = Provider::start(script).await;
    journey_with(provider, "a_dead_proxy", async |kitchen| {
        let page = kitchen.page();
        page.choose(Protocol::Anthropic).await;
        page.message("What milk is there?").await;
        page.hears("You have two").await;

        kitchen.proxy.kill();
        page.hears("Nothing was changed").await;
        kitchen.proxy.restart();
        page.press(Role::Button, "Try again").await;
        page.hears("You have two kinds of milk.").await;
    })
    .await;
}

/// Each start has its own token; a page that is open learns it by itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_was_started_anew_is_asked_as_before() {
    let script = [Answer::Says("You have two kinds of milk."), Answer::Says("And no cheese.")];
    let provider = Provider::start(script).await;
    journey_with(provider, "a_proxy_started_anew", async |kitchen| {
        let page = kitchen.page();
        page.choose(Protocol::Anthropic).await;
        page.message("What milk is there?").await;
        page.hears("You have two kinds of milk.").await;
        page.settles().await;

        let before = kitchen.proxy.token();
        kitchen.proxy.kill();
        kitchen.proxy.restart();
        assert_ne!(kitchen.proxy.token(), before);
        page.message("And cheese?").await;
        page.hears("And no cheese.").await;
        page.settles().await;
        let said = page.conversation().await;
        assert!(said.contains("And cheese?") && !said.contains("Try again"), "{said}");
        assert_eq!(kitchen.provider.as_ref().map(|it| it.asked().len()), Some(2));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn trying_again_after_a_tool_ran_does_not_run_it_again() {
    let eggs = json!({ "item": "eggs", "quantity": "12" });
    let script = [
        Answer::Calls("add_to_shopping_list", vec![eggs]),
        Answer::Begins("They are "),
        Answer::Says("They are on the list."),
    ];
    let provider = Provider::start(script).await;
    journey_with(provider, "a_dead_proxy_after_a_tool", async |kitchen| {
        let page = kitchen.page();
        page.choose(Protocol::Anthropic).await;
        page.message(DOZEN).await;
        page.card(ADD).await.approve().await;
        page.list_becomes(&["eggs 12"]).await;
        page.hears("They are").await;

        kitchen.proxy.kill();
        page.hears("Done before that").await;
        kitchen.proxy.restart();
        page.press(Role::Button, "Try again").await;
        page.hears("They are on the list.").await;
        page.list_becomes(&["eggs 12"]).await;
        page.go("Activity").await;
        page.records_become(&["decision Allowed", "execution Ran"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_cannot_be_written_down_is_a_no() {
    journey("an_unwritable_decision", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        let card = page.card(ADD).await;
        page.break_the_store().await;
        card.approve().await;
        page.hears("could not be written down").await;
        page.list_becomes(&[]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_store_says_so_and_changes_nothing() {
    journey("no_store", async |kitchen| {
        kitchen.browser().deny_storage().await;
        kitchen.visit().await;
        let page = kitchen.page();
        page.says("does not let the page keep anything").await;
        page.message(DOZEN).await;
        page.settles().await;
        page.list_becomes(&[]).await;
    })
    .await;
}
