//! What cannot be loaded: it is told, nothing runs, and nothing is lost. What a person has not seen
//! is not answered.

use e2e::build::Build;
use e2e::files;
use e2e::journey::journey;
use e2e::kitchen::Kitchen;
use e2e::role::Role;

use crate::{ADD, DOZEN, ENGINE};

const OTHER: &str = "Put milk on the list.";

#[tokio::test(flavor = "multi_thread")]
async fn without_the_proxy_a_text_is_kept_and_sent_once_when_it_is_back() {
    journey("no_engine", async |kitchen| {
        let page = kitchen.page();
        page.is_ready().await;
        kitchen.proxy.kill();
        page.message(DOZEN).await;
        page.hears("could not be loaded").await;
        page.hears("Your message was not sent").await;
        page.hears(DOZEN).await;
        page.go("Activity").await;
        page.says("This page could not be loaded").await;

        kitchen.proxy.restart();
        page.press(Role::Button, "Load it again").await;
        page.named(Role::Heading, "Activity").await;
        page.go("Kitchen").await;
        page.press(Role::Button, "Try again").await;
        page.card(ADD).await.approve().await;
        page.settles().await;
        page.list_becomes(&["eggs 12"]).await;
        let said = page.conversation().await;
        assert_eq!(said.matches(DOZEN).count(), 1, "{said}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_said_while_the_engine_loads_is_seen_at_once() {
    journey("a_slow_engine", async |kitchen| {
        let page = kitchen.page();
        page.is_ready().await;
        kitchen.proxy.hold();
        // Whatever is done first has the engine loaded, and is not all that is done meanwhile.
        page.add_by_hand("saffron").await;
        page.message(DOZEN).await;
        page.takes_turns(50).await;
        let said = page.conversation().await;
        kitchen.proxy.go_on();
        assert!(said.contains(DOZEN), "{said}");
        page.card(ADD).await.approve().await;
        page.list_becomes(&["saffron", "eggs 12"]).await;
        page.settles().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_told_on_the_page_where_it_was_asked_for() {
    journey("told_elsewhere", async |kitchen| {
        let build = Build::another().lacking(ENGINE);
        kitchen.proxy.serve(build.path());
        kitchen.visit().await;
        let page = kitchen.page();
        page.is_ready().await;
        page.go("Standing approvals").await;
        page.says("This page could not be loaded").await;
        page.go("Settings").await;
        page.press(Role::CheckBox, "Many things at once").await;
        page.says("what you asked for was not done").await;
        mend(kitchen, &build);
        page.press(Role::Button, "Try again").await;
        page.until("the choice counts", async |page| {
            (!page.text().await.contains("was not done")).then_some(())
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_takes_nothing_of_a_newer_build() {
    journey("a_newer_build", async |kitchen| {
        let page = kitchen.page();
        page.is_ready().await;
        let newer = Build::another();
        kitchen.proxy.serve(newer.path());
        page.message(DOZEN).await;
        page.hears("could not be loaded").await;
        page.hears("reload").await;
        page.list_becomes(&[]).await;

        kitchen.visit().await;
        page.message(DOZEN).await;
        page.card(ADD).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_came_broken_is_told_and_runs_nothing() {
    journey("a_broken_part", async |kitchen| {
        let broken = Build::another().cut(ENGINE);
        kitchen.proxy.serve(broken.path());
        let page = kitchen.page();
        kitchen.visit().await;
        page.is_ready().await;
        page.message(DOZEN).await;
        page.hears("could not be loaded").await;
        page.list_becomes(&[]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_could_not_be_loaded_is_still_there_to_be_answered_once() {
    journey("an_unloaded_card", async |kitchen| {
        let (request, build) = ask_and_reload_without_the_engine(kitchen).await;
        let page = kitchen.page();
        assert_eq!(page.waiting().await, Vec::<String>::new(), "a card without its engine");
        mend(kitchen, &build);
        page.press(Role::Button, "Load it again").await;
        let card = page.card(ADD).await;
        assert_eq!(card.request(), request);
        card.approve().await;
        page.list_becomes(&["eggs 12"]).await;
        page.settles().await;
        let said = page.conversation().await;
        assert!(!said.contains("could not be loaded"), "{said}");
        page.go("Activity").await;
        page.records_become(&["decision Allowed", "execution Ran"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_said_beside_a_card_that_nobody_saw_is_no_answer_to_it() {
    journey("a_text_beside_an_unseen_card", async |kitchen| {
        let (request, build) = ask_and_reload_without_the_engine(kitchen).await;
        let page = kitchen.page();
        let field = page.named(Role::TextBox, "Message").await;
        field.send_keys(OTHER).await.expect("the text is typed");
        mend(kitchen, &build);
        field.send_keys("\u{E007}").await.expect("the text is sent");
        is_no_answer(kitchen, &request).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_tried_again_beside_a_card_that_nobody_saw_is_no_answer_to_it() {
    journey("a_text_again_beside_an_unseen_card", async |kitchen| {
        let (request, build) = ask_and_reload_without_the_engine(kitchen).await;
        let page = kitchen.page();
        page.message(OTHER).await;
        page.hears("Your message was not sent").await;
        mend(kitchen, &build);
        page.press(Role::Button, "Try again").await;
        is_no_answer(kitchen, &request).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_cannot_load_the_engine_leaves_the_card_to_one_that_can() {
    journey("a_tab_gives_way", async |kitchen| {
        let (request, _build) = ask_and_reload_without_the_engine(kitchen).await;
        kitchen.proxy.serve(&files::page());
        kitchen.visit_in_another_tab().await;
        let page = kitchen.page();
        let card = page.card(ADD).await;
        assert_eq!(card.request(), request);
        card.approve().await;
        page.list_becomes(&["eggs 12"]).await;
        page.settles().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_not_there_is_not_asked_for_without_end() {
    journey("few_requests", async |kitchen| {
        // The card is long overdue.
        kitchen.browser().move_the_clock(86_400_000).await;
        let (_, build) = ask_and_reload_without_the_engine(kitchen).await;
        let page = kitchen.page();
        page.takes_turns(500).await;
        let log = kitchen.proxy.log();
        let asked = log.iter().filter(|line| line.contains(ENGINE)).count();
        assert_eq!(asked, 1, "{log:#?}");

        mend(kitchen, &build);
        page.press(Role::Button, "Load it again").await;
        page.hears("No answer in time").await;
        page.settles().await;
        page.list_becomes(&[]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_could_not_be_added_by_hand_is_named_and_added_when_tried_again() {
    journey("a_line_not_added", async |kitchen| {
        let build = Build::another().lacking(ENGINE);
        kitchen.proxy.serve(build.path());
        kitchen.visit().await;
        let page = kitchen.page();
        page.is_ready().await;
        page.add_by_hand("saffron").await;
        page.hears("This was not put on the list: saffron.").await;
        mend(kitchen, &build);
        page.press(Role::Button, "Try again").await;
        page.list_becomes(&["saffron"]).await;
    })
    .await;
}

/// A card waits, and the page that was opened again has nothing to show it with.
async fn ask_and_reload_without_the_engine(kitchen: &mut Kitchen) -> (String, Build) {
    let page = kitchen.page();
    page.message(DOZEN).await;
    let request = page.card(ADD).await.request().to_owned();
    let build = Build::another().lacking(ENGINE);
    kitchen.proxy.serve(build.path());
    kitchen.visit().await;
    page.hears("could not be loaded").await;
    (request, build)
}

/// What was lacking is there again.
fn mend(kitchen: &mut Kitchen, build: &Build) {
    build.mend(ENGINE);
    kitchen.proxy.serve(build.path());
}

/// The text is kept, and the card waits to be answered by whoever sees it now.
async fn is_no_answer(kitchen: &Kitchen, request: &str) {
    let page = kitchen.page();
    let card = page.card(ADD).await;
    assert_eq!(card.request(), request);
    page.hears("A question waits that you had not seen").await;
    card.approve().await;
    page.list_becomes(&["eggs 12"]).await;
    page.settles().await;
    page.press(Role::Button, "Send it now").await;
    page.card(ADD).await.approve().await;
    page.list_becomes(&["eggs 12", "milk"]).await;
    let said = page.conversation().await;
    assert_eq!(said.matches(OTHER).count(), 1, "{said}");
}
