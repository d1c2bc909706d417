//! Every screen at every width, light and dark: axe-core finds nothing, and everything is in its place.

use e2e::axe;
use e2e::browser::Engine;
use e2e::kitchen::Kitchen;
use e2e::screens::Screen;

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_empty_kitchen() {
    check(Screen::Empty).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_a_waiting_card() {
    check(Screen::Waiting).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_box_for_a_reason() {
    check(Screen::Reason).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_box_for_a_reply() {
    check(Screen::Reply).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_several_waiting_cards() {
    check(Screen::Batch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_what_was_allowed_and_what_was_not() {
    check(Screen::Receipts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_a_failure() {
    check(Screen::NoProxy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_list_on_a_phone() {
    check(Screen::List).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_activity_before_anything_was_decided() {
    check(Screen::QuietActivity).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_activity() {
    check(Screen::Activity).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_a_failure_on_another_page() {
    check(Screen::Unkept).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_a_card_whose_yes_comes_to_nothing() {
    check(Screen::Idle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_ways_to_be_asked_less_often() {
    check(Screen::Less).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_ways_to_be_asked_less_often_about_many() {
    check(Screen::BatchLess).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_where_nothing_was_always_allowed() {
    check(Screen::NoStanding).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_what_was_always_allowed() {
    check(Screen::Standing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_the_conversations() {
    check(Screen::Conversations).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_settings() {
    check(Screen::Settings).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_what_a_copy_holds() {
    check(Screen::Copy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_in_what_goes_when_a_copy_takes_its_place() {
    check(Screen::CopyReplaces).await;
}

async fn check(screen: Screen) {
    let mut kitchen = Kitchen::open(Engine::Chromium).await;
    screen.open(&mut kitchen).await;
    let mut findings = Vec::new();
    for view in screen.views() {
        screen.show(view, &kitchen).await;
        let found = axe::findings(kitchen.browser().client()).await;
        findings.extend(found.into_iter().map(|it| format!("{view}: {it}")));
        findings.extend(view.misplaced(&kitchen).await);
    }
    assert!(findings.is_empty(), "{screen:?}\n{}", findings.join("\n"));
}
