//! "Always": what it settles is named before and shown after, it asks no more, and it is taken back.

use e2e::journey::journey;
use e2e::role::Role;

use crate::{ADD, LESS};

#[tokio::test(flavor = "multi_thread")]
async fn always_settles_what_it_names_asks_no_more_and_is_taken_back() {
    journey("always", async |kitchen| {
        let page = kitchen.page();
        page.message("Add milk, bread and butter").await;
        page.waits_for_cards(3).await;
        page.press(Role::Button, LESS).await;
        page.says("It says yes to all of these now: milk, bread, butter.").await;
        page.press_awake("Approve all 3, and remember the tool").await;
        page.list_becomes(&["milk", "bread", "butter"]).await;
        page.settles().await;
        let said = page.conversation().await;
        assert_eq!(said.matches("Allowed by your rule").count(), 2, "{said}");

        page.message("Add flour").await;
        page.list_becomes(&["milk", "bread", "butter", "flour"]).await;
        page.settles().await;

        page.go("Standing approvals").await;
        page.says("3 of 50 times").await;
        page.press(
            Role::Button,
            "Take back: The kitchen agent may add anything, in any quantity, to the shopping list.",
        )
        .await;
        page.says("Everything is asked").await;
        page.go("Kitchen").await;
        page.message("Add salt").await;
        page.card(ADD).await;
    })
    .await;
}
