//! Saying no: the tool does not run, and the assistant is told.

use e2e::journey::journey;

use crate::{ADD, DOZEN};

#[tokio::test(flavor = "multi_thread")]
async fn after_a_no_nothing_has_changed_and_the_assistant_answers() {
    journey("a_no", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        page.card(ADD).await.reject().await;
        page.settles().await;
        page.hears("Did not run").await;
        page.list_becomes(&[]).await;

        page.go("Activity").await;
        page.records_become(&["decision Denied"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reason_of_a_no_reaches_the_assistant() {
    journey("a_no_with_a_reason", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        page.card(ADD).await.reject_with_reason("we have eggs in the cellar").await;
        page.settles().await;
        page.hears("we have eggs in the cellar").await;
        page.list_becomes(&[]).await;

        page.go("Activity").await;
        page.records_become(&["decision Denied"]).await;
    })
    .await;
}
