//! Versions of the page that meet in one store.

use std::collections::BTreeMap;

use indexed_db_futures::database::Database;
use indexed_db_futures::prelude::*;
use kitchen::{ChangeId, Edit};
use serde_json::{Value, json};
use store::chain::{START, digest};
use store::error::StoreError;
use store::settings::Preferences;
use view::command::Command;
use view::scene::Storage;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::{everything, js, promised, rows};
use crate::page::{Page, eggs, proposes, says, yes};

fn milk() -> Command {
    Command::Edit(Edit::Add { item: "milk".to_owned(), quantity: String::new() })
}

#[wasm_bindgen_test]
async fn an_older_page_writes_nothing_into_any_table_of_a_newer_store_and_says_why() {
    const NAME: &str = "versions-newer";
    let mut page = Page::open(NAME, vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Done.").await;
    page.close();
    let newer = Database::open(NAME).with_version(3_u32).with_on_upgrade_needed(|_, db| {
        db.create_object_store("later").build()?;
        Ok(())
    });
    newer.await.unwrap().close();
    let kept = everything(NAME).await;
    assert!(kept.len() >= 10, "{kept:?}");

    let mut page = Page::open(NAME, vec![says("Hello."), proposes("6"), says("I could not.")]);
    let seen = page.until(|seen| seen.storage != Storage::Opening).await;
    assert_eq!(seen.storage, Storage::Unavailable(StoreError::Newer));
    page.ask(milk());
    page.ask(Command::Undo(ChangeId(1)));
    page.ask(Command::Prefer(Preferences { shortcuts: false, ..Preferences::default() }));
    page.ask(Command::Forget(card_conversation(&kept)));
    page.ask(Command::ExportRecords);
    page.ask(Command::ReadRecords);
    page.say("hello");
    page.reply("Hello.").await;
    page.say("six eggs");
    let seen = page.reply("I could not.").await;
    assert_eq!((seen.cards.len(), seen.executions()), (0, 0));
    page.answer(&card, yes());
    page.ask(Command::NewConversation);
    page.until(|seen| seen.texts.is_empty()).await;
    assert_eq!(everything(NAME).await, kept);
}

/// The conversation that is kept.
fn card_conversation(kept: &[String]) -> agent::id::SessionId {
    let row = kept.iter().find_map(|row| row.strip_prefix("sessions \"")).unwrap();
    agent::id::SessionId(row.split('"').next().unwrap().to_owned())
}

const OLD_TABLES: [&str; 7] =
    ["sessions", "messages", "records", "ledger", "household", "changes", "settings"];

/// What the first version kept of a page that put eggs on its list: what was said in a record stood
/// in the record itself, and there was no table for it.
async fn old_rows(name: &'static str) -> BTreeMap<&'static str, Vec<(String, String)>> {
    let mut page = Page::open(name, vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Done.").await;
    page.close();
    let said: Vec<Value> = parsed(&rows(name, "words").await);
    let (mut last, mut digests) = (START.to_owned(), BTreeMap::new());
    let mut old = BTreeMap::new();
    for table in OLD_TABLES {
        let mut kept = Vec::new();
        for mut row in parsed(&rows(name, table).await) {
            if table == "records" {
                let number = row["number"].as_u64().unwrap();
                let mut body: Value = serde_json::from_str(row["body"].as_str().unwrap()).unwrap();
                if let Some(words) = said.iter().find(|it| it["number"] == number) {
                    body["execution"]["result"] = words["text"].clone();
                }
                let body = body.to_string();
                last = digest(&last, number, &body);
                digests.insert(number, last.clone());
                (row["body"], row["digest"]) = (json!(body), json!(last));
            }
            if table == "ledger" {
                row["digest"] = json!(digests[&row["number"].as_u64().unwrap()]);
            }
            let key = match table {
                "sessions" => row["id"].clone(),
                "messages" => json!([row["session"], row["index"]]),
                "records" => row["number"].clone(),
                "changes" => row["id"].clone(),
                _ => row["name"].clone(),
            };
            kept.push((key.to_string(), row.to_string()));
        }
        old.insert(table, kept);
    }
    old
}

fn parsed(rows: &[String]) -> Vec<Value> {
    rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

/// Keeps these rows as the first version did.
async fn keep(name: &str, kept: &BTreeMap<&'static str, Vec<(String, String)>>) {
    let kept = serde_json::to_string(kept).unwrap();
    let code = format!(
        "return new Promise((done, failed) => {{
           const opening = indexedDB.open(name, 1);
           opening.onerror = () => failed(opening.error);
           opening.onupgradeneeded = () => {{
             for (const [table, rows] of Object.entries({kept})) {{
               const to = opening.result.createObjectStore(table);
               for (const [key, row] of rows) to.put(row, JSON.parse(key));
             }}
           }};
           opening.onsuccess = () => {{ opening.result.close(); done(); }};
         }});"
    );
    promised(js(name, &code)).await;
}

/// A page of the first version: it opens what is kept, and makes way as soon as it is asked to.
/// `then` is what it does once it is open, as `db`; it is told by `done` when that is over.
fn old_page(name: &str, then: &str) -> JsValue {
    let code = format!(
        "return new Promise((done) => {{
           const opening = indexedDB.open(name, 1);
           opening.onerror = () => done(opening.error.name);
           opening.onsuccess = () => {{
             const db = opening.result;
             db.onversionchange = () => db.close();
             {then}
           }};
         }});"
    );
    js(name, &code)
}

/// A change that an old page makes, as far as before it is committed.
const BEGINS_A_CHANGE: &str = "
    const tx = db.transaction('settings', 'readwrite', { durability: 'strict' });
    tx.objectStore('settings').put('{\"name\":\"mark\",\"body\":\"1\"}', 'mark');";

/// Whatever order two versions of the page meet in, nothing that the older one kept is lost, and
/// none waits for the other for ever: the runner's bound would end that.
#[wasm_bindgen_test]
async fn in_whatever_order_an_old_and_a_new_page_meet_nothing_is_lost() {
    let old = old_rows("versions-origin").await;
    for order in 0..6 {
        let name: &'static str = Box::leak(format!("versions-order-{order}").into_boxed_str());
        keep(name, &old).await;
        let before = everything(name).await;
        let mut marks = 0;
        let mut page = match order {
            // The old one rests.
            0 => {
                promised(old_page(name, "done();")).await;
                Page::open(name, vec![])
            }
            // The old one is in the middle of a change.
            1 => {
                promised(old_page(name, &format!("{BEGINS_A_CHANGE} done();"))).await;
                marks = 1;
                Page::open(name, vec![])
            }
            // The old one is in the middle of a commit.
            2 => {
                let commits = format!("{BEGINS_A_CHANGE} tx.commit(); done();");
                promised(old_page(name, &commits)).await;
                marks = 1;
                Page::open(name, vec![])
            }
            // Both open at once.
            3 => {
                let old = old_page(name, "done();");
                let page = Page::open(name, vec![]);
                promised(old).await;
                page
            }
            // The old one comes when the new one is open.
            4 => {
                let mut page = Page::open(name, vec![]);
                page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
                assert_eq!(promised(old_page(name, "done();")).await, "VersionError");
                page.close();
                Page::open(name, vec![])
            }
            // The old one comes back when the new one is gone.
            _ => {
                let mut page = Page::open(name, vec![]);
                page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
                page.close();
                assert_eq!(promised(old_page(name, "done();")).await, "VersionError");
                Page::open(name, vec![])
            }
        };
        let seen = page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
        assert_eq!((seen.list, seen.damage.len()), (eggs("12"), 0), "order {order}");
        assert!(seen.texts.contains(&"assistant: Done.".to_owned()), "order {order}");
        page.ask(Command::ExportRecords);
        let seen = page.until(|seen| seen.export.is_some()).await;
        assert!(!seen.broken && seen.records.len() == 2, "order {order}");
        let after = everything(name).await;
        let lost: Vec<_> = before.iter().filter(|row| !after.contains(row)).collect();
        assert_eq!(lost, Vec::<&String>::new(), "order {order}");
        let marked = after.iter().filter(|row| row.starts_with("settings \"mark\"")).count();
        assert_eq!(marked, marks, "order {order}");
        page.close();
    }
}
