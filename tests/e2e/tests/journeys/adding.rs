//! Adding something: nothing changes before the yes, and exactly what was shown changes with it.

use e2e::journey::journey;

use crate::{ADD, DOZEN};

#[tokio::test(flavor = "multi_thread")]
async fn an_approved_dozen_of_eggs_joins_milk_and_bread() {
    journey("an_approved_dozen", async |kitchen| {
        let page = kitchen.page();
        page.add_by_hand("milk").await;
        page.add_by_hand("bread").await;
        page.list_becomes(&["milk", "bread"]).await;

        page.message(DOZEN).await;
        let card = page.card(ADD).await;
        let text = card.text().await;
        for word in ["add_to_shopping_list", "eggs", "12"] {
            assert!(text.contains(word), "{word} is not on the card: {text}");
        }
        page.list_becomes(&["milk", "bread"]).await;

        card.approve().await;
        page.list_becomes(&["milk", "bread", "eggs 12"]).await;
        page.settles().await;
        assert_eq!(page.waiting().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_leaves_a_decision_and_an_execution() {
    journey("a_decision_and_an_execution", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        let card = page.card(ADD).await;
        card.approve().await;
        page.list_becomes(&["eggs 12"]).await;

        page.go("Activity").await;
        page.records_become(&["decision Allowed", "execution Ran"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clicks_on_approve_are_one_decision() {
    journey("two_clicks", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        page.card(ADD).await.approve_with_a_double_click().await;
        page.list_becomes(&["eggs 12"]).await;
        page.settles().await;

        page.go("Activity").await;
        page.records_become(&["decision Allowed", "execution Ran"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_added_can_be_taken_back() {
    journey("taken_back", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        page.card(ADD).await.approve().await;
        page.list_becomes(&["eggs 12"]).await;
        page.settles().await;
        page.undo("eggs").await;
        page.list_becomes(&[]).await;
    })
    .await;
}
