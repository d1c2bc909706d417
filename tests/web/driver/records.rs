//! Records, what was always allowed, and conversations that are forgotten.

use std::rc::Rc;

use agent::approval::{Always, Answer, Outcome};
use agent::audit::AuditEvent;
use agent::id::{RequestId, StandingApprovalId};
use kitchen_assistant::database::{IndexedDb, Listener};
use store::Store;
use store::export::Checker;
use store::records::Record;
use view::command::Command;
use view::scene::Storage;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::{damage, everything, rows};
use crate::page::{Page, adds, eggs, proposes, says, yes};

#[wasm_bindgen_test]
async fn records_are_followed_exported_and_read_back_as_far_as_one_asks() {
    let mut page = Page::open("driver-records", vec![proposes("12"), says("Done.")]);
    page.say("a dozen eggs");
    let card = page.card().await;
    page.answer(&card, Answer::Approve { always: None });
    let seen = page.reply("Done.").await;
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::Approved], 1));
    assert_eq!(seen.words, ["eggs", "eggs"]);

    page.ask(Command::ExportRecords);
    let seen = page.until(|seen| seen.export.is_some()).await;
    let text = seen.export.unwrap();
    let mut lines = text.lines();
    let mut checker = Checker::begin(lines.next().unwrap()).unwrap();
    lines.for_each(|line| checker.take(line).unwrap());
    let checked = checker.finish().unwrap();
    assert_eq!((checked.decisions, checked.executions), (1, 1));
    assert!(!text.contains("eggs"), "{text}");
    page.ask(Command::Taken);
    page.until(|seen| seen.export.is_none()).await;
    page.close();

    let mut again = Page::open("driver-records", Vec::new());
    let seen = again.until(|seen| seen.storage != Storage::Opening).await;
    assert_eq!(seen.records, Vec::new(), "records are read when something is to be done");
    again.ask(Command::ReadRecords);
    let seen = again.until(|seen| !seen.words.is_empty()).await;
    assert_eq!(seen.records.len(), 2);
    assert_eq!((seen.words, seen.broken), (vec!["eggs".to_owned(), "eggs".to_owned()], false));
}

#[wasm_bindgen_test]
async fn a_conversation_is_forgotten_in_every_tab_and_its_records_stay_without_words() {
    let turns = vec![proposes("12"), says("Done."), proposes("6")];
    let mut page = Page::open("driver-forget", turns);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Done.").await;
    page.say("more");
    page.card().await;
    let mut other = Page::open("driver-forget", vec![]);
    let seen = other.until(|seen| !seen.cards.is_empty()).await;
    let id = seen.conversations[0].id.clone();
    other.ask(Command::ReadRecords);
    other.until(|seen| !seen.words.is_empty()).await;
    other.ask(Command::Forget(id.clone()));
    for tab in [&mut page, &mut other] {
        let seen = tab.until(|seen| seen.texts.is_empty() && seen.words.is_empty()).await;
        assert!(seen.cards.is_empty() && seen.problems.is_empty(), "{seen:?}");
        assert_eq!((seen.executions(), seen.list), (1, eggs("12")));
        assert_eq!(seen.conversations, []);
    }
    page.close();
    other.close();
    let mut again = Page::open("driver-forget", vec![]);
    let seen = again.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    assert_eq!(seen.conversations, []);
    again.ask(Command::Open(id));
    again.ask(Command::ReadRecords);
    let seen = again.until(|seen| seen.records.len() == 2).await;
    assert_eq!((seen.texts, seen.words), (vec![], vec![]));
}

/// What was typed into it, what a model made of that and what came of it: as the browser keeps it,
/// not as the page shows it.
#[wasm_bindgen_test]
async fn of_a_conversation_that_was_forgotten_no_word_is_kept() {
    const NAME: &str = "driver-forget-words";
    let arguments = r#"{"item":"my secret is saffron","quantity":"saffron"}"#;
    let turns = vec![adds(arguments), says("No saffron then."), adds(arguments), adds("{saffron")];
    let mut page = Page::open(NAME, turns);
    page.say("my secret is saffron");
    let card = page.card().await;
    page.answer(&card, Answer::Reject { reason: Some("saffron is too dear".to_owned()) });
    page.reply("No saffron then.").await;
    page.say("saffron all the same");
    page.card().await;
    page.say("let it be, no saffron");
    page.until(|seen| seen.outcomes().len() == 2 && seen.cards.is_empty()).await;
    let kept = everything(NAME).await;
    assert!(kept.iter().filter(|row| row.contains("saffron")).count() >= 5, "{kept:?}");
    let id = page.until(|seen| !seen.conversations.is_empty()).await.conversations[0].id.clone();
    page.ask(Command::Forget(id));
    page.until(|seen| seen.texts.is_empty() && seen.conversations.is_empty()).await;
    page.close();
    let kept = everything(NAME).await;
    assert!(kept.iter().all(|row| !row.contains("saffron")), "{kept:?}");
    // That it was decided, and on what by its digest, is still on record.
    let records = rows(NAME, "records").await;
    assert!(records.len() == 2 && records[0].contains("arguments_digest"), "{records:?}");
}

#[wasm_bindgen_test]
async fn what_always_covers_is_taken_back_for_good_and_records_name_the_policy() {
    let turns = vec![proposes("12"), says("Done.")];
    let mut page = Page::open("driver-always", turns);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, Answer::Approve { always: Some(Always::Tool) });
    let seen = page.reply("Done.").await;
    assert_eq!(seen.always, [StandingApprovalId(card.id.0.clone())]);
    let Record::Decision(decision) = &seen.records[0] else { panic!("a decision comes first") };
    assert_eq!((decision.policy_version, &*decision.operator), (1, "household"));

    page.ask(Command::Revoke(seen.always[0].clone()));
    page.until(|seen| seen.always.is_empty()).await;
    page.close();
    let mut page = Page::open("driver-always", vec![proposes("6")]);
    page.say("six");
    assert!(page.until(|seen| !seen.cards.is_empty()).await.always.is_empty());
}

/// More records than are read at once, the oldest of which was changed.
#[wasm_bindgen_test]
async fn a_record_that_was_changed_long_ago_is_found_soon_after_the_page_begins_to_act() {
    const NAME: &str = "records-old";
    let mut page = Page::open(NAME, vec![proposes("12"), says("No.")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, Answer::Reject { reason: None });
    let seen = page.reply("No.").await;
    page.close();
    let [Record::Decision(decision)] = &seen.records[..] else { panic!("{:?}", seen.records) };
    let listener = Listener { blocked: Rc::new(|| ()), ended: Rc::new(|_| ()) };
    let store = Store::new(IndexedDb::open(NAME, &listener).await.unwrap());
    for number in 0..1_100 {
        let request = RequestId(format!("later {number}"));
        let later = AuditEvent { request, ..decision.clone() };
        assert_eq!(store.record_decision(&later).await.unwrap(), None);
    }

    let mut page = Page::open(NAME, vec![]);
    page.ask(Command::LoadEngine);
    let seen = page.until(|seen| seen.has_engine && !seen.records.is_empty()).await;
    assert!(!seen.broken && seen.records.len() == 500, "{}", seen.records.len());
    page.close();
    damage(NAME, "records", None).await;
    let mut page = Page::open(NAME, vec![]);
    page.ask(Command::LoadEngine);
    page.until(|seen| seen.broken).await;
}
