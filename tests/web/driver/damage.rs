//! One thing that is kept cannot be read: the rest can be used, it is left as it is and told in its
//! own words, and nothing is built on it.

use agent::approval::Outcome;
use agent::settings::Wait;
use store::error::StoreError;
use store::settings::Preferences;
use view::command::Command;
use view::scene::{Cause, Storage, StoreTask};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::{RUBBISH, damage, rows};
use crate::page::{Page, Seen, eggs, proposes, says, yes};

/// A page that has put eggs on the list, and before that said hello and chose a wait.
async fn used(name: &'static str) {
    let mut page = Page::open(name, vec![says("Hello."), proposes("12"), says("Done.")]);
    page.ask(Command::Prefer(Preferences {
        wait: Some(Wait::default()),
        ..Preferences::default()
    }));
    page.say("hello");
    page.reply("Hello.").await;
    page.ask(Command::NewConversation);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Done.").await;
    page.close();
}

/// A page of which a row is damaged, as it opens.
async fn damaged(name: &'static str, table: &str, key: Option<&str>) -> (Page, Seen) {
    used(name).await;
    damage(name, table, key).await;
    let mut page = Page::open(name, vec![proposes("6"), says("I could not.")]);
    let seen = page.until(|seen| seen.storage != Storage::Opening).await;
    assert!(matches!(seen.storage, Storage::Open { .. }), "{table}: {:?}", seen.problems);
    (page, seen)
}

fn milk() -> Command {
    Command::Edit(kitchen::Edit::Add { item: "milk".to_owned(), quantity: String::new() })
}

#[wasm_bindgen_test]
async fn whatever_row_is_damaged_the_rest_is_shown_and_can_be_exported() {
    let cases: [(&str, Option<&str>, &[StoreTask]); 9] = [
        ("household", None, &[StoreTask::ReadHousehold]),
        ("changes", None, &[StoreTask::ReadChanges]),
        ("settings", Some("preferences"), &[StoreTask::ReadSettings]),
        ("settings", Some("digest_key"), &[StoreTask::ReadKey]),
        ("sessions", None, &[StoreTask::ListConversations]),
        ("messages", None, &[]),
        ("records", None, &[]),
        ("ledger", Some("head"), &[]),
        ("words", None, &[StoreTask::ReadRecords]),
    ];
    for (number, (table, key, told)) in cases.into_iter().enumerate() {
        let name: &'static str = Box::leak(format!("damage-{number}").into_boxed_str());
        let (mut page, seen) = damaged(name, table, key).await;
        let list = if table == "household" { vec![] } else { eggs("12") };
        assert_eq!(seen.list, list, "{table}");
        assert_eq!(seen.changes.len(), usize::from(table != "changes"), "{table}");
        assert_eq!(seen.conversations.len(), if table == "sessions" { 1 } else { 2 }, "{table}");

        page.ask(Command::ExportRecords);
        let seen = page.until(|seen| seen.export.is_some()).await;
        assert_eq!(seen.damage, told, "{table} {key:?}");
        assert_eq!(seen.export.unwrap().lines().count(), 3, "{table}");
        let is_whole = !matches!(table, "records" | "ledger");
        assert_eq!(seen.broken, !is_whole, "{table}");
        assert_eq!(seen.records.len(), if table == "records" { 1 } else { 2 }, "{table}");

        // Whatever is done now, what is damaged stays as it is.
        page.ask(milk());
        page.ask(Command::NewConversation);
        page.say("six eggs");
        page.until(|seen| !seen.cards.is_empty() || seen.said("I could not.")).await;
        assert!(rows(name, table).await.contains(&RUBBISH.to_owned()), "{table} {key:?}");
        page.close();
    }
}

#[wasm_bindgen_test]
async fn while_the_household_cannot_be_read_nothing_is_asked_and_nothing_written_over_it() {
    const NAME: &str = "damage-household";
    let (mut page, _) = damaged(NAME, "household", None).await;
    page.ask(milk());
    let seen = page.until(|seen| !seen.problems.is_empty()).await;
    let [Cause::Store { task: StoreTask::ChangeList, why }] = &seen.problems[..] else {
        panic!("{:?}", seen.problems)
    };
    assert!(matches!(why, StoreError::Damaged { what: "the household", .. }), "{why:?}");
    let changes = rows(NAME, "changes").await;
    page.say("six eggs");
    let seen = page.until(|seen| seen.said("I could not.") || !seen.cards.is_empty()).await;
    assert_eq!((seen.cards.len(), seen.executions()), (0, 1));
    assert_eq!(seen.outcomes(), [Outcome::Approved, Outcome::InputUnavailable]);
    assert_eq!(rows(NAME, "household").await, [RUBBISH]);
    assert_eq!(rows(NAME, "changes").await, changes);
}

#[wasm_bindgen_test]
async fn without_the_key_of_its_digests_nothing_is_asked_or_written_into_the_record() {
    const NAME: &str = "damage-key";
    let (mut page, _) = damaged(NAME, "settings", Some("digest_key")).await;
    let records = rows(NAME, "records").await;
    page.say("six eggs");
    let seen = page.until(|seen| seen.said("I could not.") || !seen.cards.is_empty()).await;
    assert_eq!((seen.cards, seen.list), (vec![], eggs("12")));
    assert_eq!(rows(NAME, "records").await, records);
    page.ask(milk());
    page.until(|seen| seen.list.len() == 2).await;
}

#[wasm_bindgen_test]
async fn a_card_that_waited_counts_as_not_answered_once_its_answer_could_not_be_recorded() {
    for (name, table, key) in [
        ("damage-waiting-key", "settings", Some("digest_key")),
        ("damage-waiting-household", "household", None),
    ] {
        used(name).await;
        let mut page = Page::open(name, vec![proposes("6")]);
        page.say("six eggs");
        page.card().await;
        page.close();
        damage(name, table, key).await;
        let mut page = Page::open(name, vec![says("I could not.")]);
        let seen = page.until(|seen| seen.said("I could not.") || !seen.cards.is_empty()).await;
        assert_eq!((seen.cards.len(), seen.executions()), (0, 1), "{table}");
        page.close();
    }
}

#[wasm_bindgen_test]
async fn choosing_settings_again_replaces_those_that_cannot_be_read() {
    const NAME: &str = "damage-settings";
    let (mut page, _) = damaged(NAME, "settings", Some("preferences")).await;
    page.ask(Command::Prefer(Preferences { shortcuts: false, ..Preferences::default() }));
    page.until(|seen| seen.damage.is_empty()).await;
    assert!(!rows(NAME, "settings").await.contains(&RUBBISH.to_owned()));
}
