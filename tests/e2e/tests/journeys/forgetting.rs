//! A conversation that is forgotten is gone, with what waits in it.

use e2e::journey::journey;
use e2e::role::Role;

use crate::ADD;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_forgotten_does_not_come_back() {
    journey("forgotten", async |kitchen| {
        let page = kitchen.page();
        page.message("Add milk").await;
        page.card(ADD).await.approve().await;
        page.settles().await;
        page.message("Add bread").await;
        page.card(ADD).await;
        page.go("Conversations").await;
        page.press(Role::Button, "Forget Add milk").await;
        page.says("What waits in it never runs.").await;
        page.press(Role::Button, "Forget this conversation").await;
        page.says("Nothing has been said yet.").await;
        kitchen.close_the_tab_and_come_back().await;
        page.list_becomes(&["milk"]).await;
        assert_eq!(page.waiting().await, Vec::<String>::new());
        assert_eq!(page.conversation().await, "");
    })
    .await;
}
