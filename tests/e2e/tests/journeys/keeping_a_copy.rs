//! A copy of everything: saved by a press, and brought back after the browser was cleared.

use e2e::journey::journey;
use e2e::role::Role;

use crate::{ADD, DOZEN};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_browser_cleared_comes_back_from_a_copy_and_nothing_of_it_runs() {
    journey("copy", async |kitchen| {
        let page = kitchen.page();
        page.message(DOZEN).await;
        page.card(ADD).await.approve().await;
        page.settles().await;
        page.message("Add milk").await;
        page.card(ADD).await;
        page.go("Settings").await;
        let copy = kitchen.saved_by("Save a copy").await;
        page.says("The copy is saved").await;
        let name = copy.file_name().map(|it| it.display().to_string()).unwrap_or_default();
        assert!(name.starts_with("kitchen-assistant-2") && name.ends_with(".json"), "{name}");

        kitchen.clear_the_store().await;
        page.says("What was kept here is gone").await;
        page.choose_file(&copy).await;
        page.says("1 thing on the list").await;
        page.says("1 conversation, ").await;
        page.says("expires: it cannot be answered, and never runs.").await;
        page.list_becomes(&[]).await;

        page.press(Role::Button, "Bring it in").await;
        page.says("The copy is brought in").await;
        page.says("1 question expired").await;
        page.list_becomes(&["eggs 12"]).await;
        page.press(Role::Button, DOZEN).await;
        page.says("Question withdrawn").await;
        assert_eq!(page.waiting().await, Vec::<String>::new());
        page.go("Activity").await;
        page.says("Nothing has been decided yet").await;
        kitchen.close_the_tab_and_come_back().await;
        kitchen.page().list_becomes(&["eggs 12"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_was_changed_is_told_and_one_in_the_place_of_what_is_here_has_a_way_back() {
    journey("copy-replaces", async |kitchen| {
        let page = kitchen.page();
        page.add_by_hand("milk").await;
        page.go("Settings").await;
        let copy = kitchen.saved_by("Save a copy").await;
        let text = std::fs::read_to_string(&copy).expect("the copy can be read");
        let other = copy.with_file_name("changed.json");
        std::fs::write(&other, text.replace("milk", "silk")).expect("a file");
        page.choose_file(&other).await;
        page.says("This copy was changed after it was saved").await;
        page.list_becomes(&["milk"]).await;

        page.go("Kitchen").await;
        page.add_by_hand("bread").await;
        page.go("Settings").await;
        page.choose_file(&copy).await;
        page.press(Role::Button, "Replace what is here").await;
        page.says("What is here now goes: 2 things on the list").await;
        let before = kitchen.saved_by("Save a copy of what is here").await;
        page.press(Role::Button, "Replace it").await;
        page.says("The copy is brought in").await;
        page.list_becomes(&["milk"]).await;

        page.choose_file(&before).await;
        page.press(Role::Button, "Add to what is here").await;
        page.list_becomes(&["milk", "bread"]).await;
    })
    .await;
}
