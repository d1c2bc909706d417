//! The page opens with little; what acts, and the pages beside the kitchen, load when first needed.

use std::collections::BTreeSet;

use e2e::build::Build;
use e2e::journey::journey;
use e2e::kitchen::Kitchen;
use e2e::role::Role;
use e2e::until::until;

use crate::{ADD, DOZEN, ENGINE, PAGES};

#[tokio::test(flavor = "multi_thread")]
async fn opening_the_page_loads_no_part_of_it_that_acts() {
    journey("a_first_load", async |kitchen| {
        let page = kitchen.page();
        page.is_ready().await;
        let first = first_load();
        assert_eq!(without_icon(page.loaded().await), first, "with an empty store");

        page.message(DOZEN).await;
        page.card(ADD).await.approve().await;
        page.settles().await;
        kitchen.visit().await;
        page.list_becomes(&["eggs 12"]).await;
        page.is_ready().await;
        assert_eq!(
            without_icon(page.loaded().await),
            first,
            "with a list and an idle conversation"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_acts_loads_with_the_first_act_or_a_card_that_waits() {
    journey("the_engine_loads", async |kitchen| {
        let page = kitchen.page();
        page.add_by_hand("milk").await;
        page.list_becomes(&["milk"]).await;
        check_parts(kitchen, &[ENGINE]).await;

        page.message(DOZEN).await;
        page.card(ADD).await;
        kitchen.visit().await;
        page.card(ADD).await;
        check_parts(kitchen, &[ENGINE]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_beside_the_kitchen_loads_when_it_is_opened() {
    journey("pages_load", async |kitchen| {
        let page = kitchen.page();
        for name in ["Settings", "Conversations", "Activity"] {
            kitchen.visit().await;
            page.is_ready().await;
            check_parts(kitchen, &[]).await;
            page.go(name).await;
            page.named(Role::Heading, name).await;
            // Whoever presses something is about to act, so that is prepared too.
            check_parts(kitchen, &[ENGINE, PAGES]).await;
        }
    })
    .await;
}

/// What the browser is to load for the page as it opens: all but what is cut off.
fn first_load() -> BTreeSet<String> {
    without_icon(Build::another().names().into_iter().filter(|name| !is_part(name)).collect())
}

/// A browser without a window may or may not want one.
fn without_icon(mut names: BTreeSet<String>) -> BTreeSet<String> {
    names.remove("icon.svg");
    names
}

fn is_part(name: &str) -> bool {
    name.starts_with("split_") || name.starts_with("chunk_")
}

/// Waits until these parts are loaded, and no others. Chunks, which parts have in common, come too.
async fn check_parts(kitchen: &Kitchen, parts: &[&str]) {
    let page = kitchen.page();
    until(kitchen.browser().client(), &format!("the parts {parts:?}"), async || {
        let loaded = page.loaded().await;
        let loaded = loaded.iter().filter(|name| name.starts_with("split_"));
        loaded.eq(parts).then_some(())
    })
    .await;
}
