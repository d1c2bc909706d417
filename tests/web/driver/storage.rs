//! What the browser's store may do: refuse, abort, end, be cleared, be of another version.

use agent::approval::Outcome;
use futures::FutureExt;
use indexed_db_futures::database::Database;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::TransactionMode;
use kitchen::Edit;
use store::error::StoreError;
use view::command::Command;
use view::scene::{Cause, Storage};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::{js, rows};
use crate::page::{Page, eggs, proposes, says, yes};

/// The durability of every transaction of this store that writes, as they begin.
fn spy(name: &str) {
    js(
        name,
        "const begin = IDBDatabase.prototype.transaction;
         self.durabilities = [];
         IDBDatabase.prototype.transaction = function (...args) {
           const tx = begin.apply(this, args);
           const mine = this.name === name && tx.mode === 'readwrite';
           if (mine) self.durabilities.push([...tx.objectStoreNames].join() + ' ' + tx.durability);
           return tx;
         };",
    );
}

#[wasm_bindgen_test]
async fn every_transaction_that_writes_is_strict() {
    const NAME: &str = "driver-strict";
    spy(NAME);
    let mut page = Page::open(NAME, vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    let seen = page.reply("Done.").await;
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::Approved], 1));
    let all: Vec<String> = js(NAME, "return self.durabilities")
        .unchecked_into::<js_sys::Array>()
        .iter()
        .map(|it| it.as_string().unwrap())
        .collect();
    // What waits, the decision, what was done, and the conversation around them.
    for tables in
        ["messages,sessions", "ledger,records,words", "changes,household,ledger,records,words"]
    {
        assert!(all.iter().any(|it| it.starts_with(&format!("{tables} "))), "{tables}: {all:?}");
    }
    assert!(all.iter().all(|it| it.ends_with(" strict")), "{all:?}");
}

/// Aborts one transaction that writes to this store, after so many went well.
fn abort_after(name: &str, count: u32) {
    js(
        name,
        &format!(
            "let left = {count};
             const commit = self.commits ??= IDBTransaction.prototype.commit;
             IDBTransaction.prototype.commit = function () {{
               const mine = this.db.name === name && this.mode === 'readwrite';
               if (mine && left-- === 0) {{ self.aborted = name; this.abort(); }}
               else commit.call(this);
             }};"
        ),
    );
}

fn was_aborted(name: &str) -> bool {
    js(name, "return self.aborted === name").is_truthy()
}

/// Whichever transaction is undone: what was asked for is there whole or not at all, and asking for
/// it again brings it about, once.
#[wasm_bindgen_test]
async fn whichever_transaction_is_aborted_nothing_is_half_done_and_trying_again_works() {
    let mut count = 0;
    loop {
        let name: &'static str = Box::leak(format!("driver-abort-{count}").into_boxed_str());
        abort_after(name, count);
        let mut page = Page::open(name, vec![proposes("12"), says("Done."), says("Done.")]);
        page.say("eggs");
        let mut seen = page.until(|seen| !seen.cards.is_empty() || seen.said("Done.")).await;
        for card in &seen.cards {
            page.answer(card, yes());
        }
        if !seen.said("Done.") {
            seen = page.reply("Done.").await;
        }
        assert!(seen.executions() <= 1);
        assert_eq!(seen.list, if seen.executions() == 1 { eggs("12") } else { vec![] }, "{count}");
        page.close();

        js(name, "IDBTransaction.prototype.commit = self.commits");

        // The conversation of before may go on with the model, which says nothing to it any more.
        let mut again = Page::open(name, vec![]);
        again.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
        again.ask(Command::NewConversation);
        again.until(|seen| seen.texts.is_empty()).await;
        again.model.turns.borrow_mut().extend([proposes("12"), says("Now.")]);
        again.say("eggs");
        let card = again.card().await;
        again.answer(&card, yes());
        let seen = again.reply("Now.").await;
        let dozens = seen.executions();
        assert!((1..=2).contains(&dozens), "{count}");
        assert_eq!(seen.list, eggs(&(12 * dozens).to_string()), "{count}");
        again.close();
        if !was_aborted(name) {
            break;
        }
        count += 1;
    }
    assert!(count >= 7, "only {count} transactions were tried");
}

/// There is no reserve that could be freed when a browser is full: what is deleted is only given
/// back when the browser cleans up, so the decision just fails closed.
#[wasm_bindgen_test]
async fn where_there_is_no_room_nothing_runs_and_what_is_kept_can_be_read_and_exported() {
    const NAME: &str = "driver-full";
    let mut page = Page::open(NAME, vec![proposes("6"), says("Six.")]);
    page.say("six eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Six.").await;
    page.model.turns.borrow_mut().extend([proposes("12"), says("It could not be kept.")]);
    page.say("twelve more");
    let card = page.card().await;
    js(
        NAME,
        "const put = IDBObjectStore.prototype.put;
         IDBObjectStore.prototype.put = function (row, key) {
           const mine = this.transaction.db.name === name;
           if (mine) throw new DOMException('no room', 'QuotaExceededError');
           return put.call(this, row, key);
         };",
    );
    page.answer(&card, yes());
    let seen = page.reply("It could not be kept.").await;
    assert_eq!((seen.list.clone(), seen.executions()), (eggs("6"), 1));
    let told = seen.problems.iter().any(|it| matches!(it, Cause::DecisionNotStored { .. }));
    assert!(told, "{:?}", seen.problems);
    page.close();

    let mut again = Page::open(NAME, vec![]);
    let seen = again.until(|seen| !seen.texts.is_empty()).await;
    assert!(seen.said("Six."), "{:?}", seen.texts);
    assert_eq!(seen.list, eggs("6"));
    again.ask(Command::ExportRecords);
    let seen = again.until(|seen| seen.export.is_some()).await;
    assert_eq!(seen.export.unwrap().lines().count(), 3, "the head, a decision and an execution");
}

/// Browsers find out that there is no room as late as when they commit.
#[wasm_bindgen_test]
async fn where_the_commit_finds_no_room_the_answer_is_a_no_and_the_room_is_named() {
    const NAME: &str = "driver-full-at-commit";
    let mut page = Page::open(NAME, vec![proposes("12"), says("It could not be kept.")]);
    page.say("eggs");
    let card = page.card().await;
    js(
        NAME,
        "const commit = IDBTransaction.prototype.commit;
         IDBTransaction.prototype.commit = function () {
           const mine = this.db.name === name && [...this.objectStoreNames].includes('ledger');
           if (!mine) return commit.call(this);
           const error = new DOMException('no room', 'QuotaExceededError');
           Object.defineProperty(this, 'error', { value: error });
           this.abort();
         };",
    );
    page.answer(&card, yes());
    let seen = page.reply("It could not be kept.").await;
    assert_eq!((seen.list.len(), seen.records.len()), (0, 0));
    let tool = "add_to_shopping_list".to_owned();
    assert_eq!(seen.problems, [Cause::DecisionNotStored { tool, why: StoreError::Full }]);
    assert_eq!(rows(NAME, "records").await, Vec::<String>::new());
}

/// Lets the next attempts to open this store fail, as browsers do.
fn fail_to_open(name: &str, times: u32, why: &str) {
    js(
        name,
        &format!(
            "let left = {times};
             const open = IDBFactory.prototype.open;
             IDBFactory.prototype.open = function (...args) {{
               if (args[0] !== name || left-- <= 0) return open.apply(this, args);
               const request = open.call(this, 'never-opened');
               const error = new DOMException('Internal error.', '{why}');
               Object.defineProperty(request, 'error', {{ value: error }});
               request.addEventListener('success', (event) => {{
                 event.stopImmediatePropagation();
                 request.result.close();
                 request.dispatchEvent(new Event('error'));
               }});
               return request;
             }};"
        ),
    );
}

#[wasm_bindgen_test]
async fn a_store_that_does_not_open_is_tried_three_times_more() {
    for times in 1..=3 {
        let name: &'static str = Box::leak(format!("driver-reopened-{times}").into_boxed_str());
        fail_to_open(name, times, "UnknownError");
        let mut page = Page::open(name, vec![]);
        let seen = page.until(|seen| seen.storage != Storage::Opening).await;
        assert_eq!(
            seen.storage,
            Storage::Open { persistent: false },
            "after {times} failures: {:?}",
            seen.problems
        );
        assert!(seen.problems.is_empty());
    }
    let name = "driver-never-opened";
    fail_to_open(name, 4, "InvalidStateError");
    let mut page = Page::open(name, vec![proposes("12"), says("I could not.")]);
    let seen = page.until(|seen| seen.storage != Storage::Opening).await;
    let Storage::Unavailable(StoreError::Refused(why)) = seen.storage else {
        panic!("{:?}", seen.storage)
    };
    assert!(why.contains("InvalidStateError"), "{why}");
    page.say("eggs");
    let seen = page.reply("I could not.").await;
    assert_eq!((seen.list, seen.cards, seen.records.len()), (vec![], vec![], 0));
}

#[wasm_bindgen_test]
async fn where_storage_is_blocked_one_can_talk_and_nothing_that_changes_something_runs() {
    let name = "driver-private";
    js(
        name,
        "const open = IDBFactory.prototype.open;
         IDBFactory.prototype.open = function (...args) {
           if (args[0] === name) throw new DOMException('Blocked.', 'SecurityError');
           return open.apply(this, args);
         };",
    );
    let turns = vec![says("Hello."), proposes("12"), says("I could not.")];
    let mut page = Page::open(name, turns);
    let seen = page.until(|seen| seen.storage != Storage::Opening).await;
    assert_eq!(seen.storage, Storage::Unavailable(StoreError::Absent));
    page.say("hello");
    page.reply("Hello.").await;
    page.say("eggs");
    let seen = page.reply("I could not.").await;
    assert_eq!((seen.list, seen.cards, seen.records.len()), (vec![], vec![], 0));
}

#[wasm_bindgen_test]
async fn a_store_that_was_cleared_between_visits_is_said_to_be_empty_once() {
    const NAME: &str = "driver-cleared";
    let mut page = Page::open(NAME, vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    page.card().await;
    page.close();
    js(NAME, "indexedDB.deleteDatabase(name)");

    for expected in [vec![Cause::Emptied], vec![]] {
        let mut page = Page::open(NAME, vec![]);
        let seen = page.until(|seen| seen.storage != Storage::Opening).await;
        assert!(matches!(seen.storage, Storage::Open { .. }), "{:?}", seen.storage);
        assert_eq!((seen.problems, seen.texts), (expected, Vec::<String>::new()));
        page.close();
    }
}

#[wasm_bindgen_test]
async fn a_store_that_held_a_list_made_by_hand_is_missed_too() {
    const NAME: &str = "driver-cleared-list";
    let mut page = Page::open(NAME, vec![]);
    page.ask(Command::Edit(Edit::Add { item: "salt".to_owned(), quantity: String::new() }));
    page.until(|seen| !seen.list.is_empty()).await;
    page.close();
    js(NAME, "indexedDB.deleteDatabase(name)");
    let mut page = Page::open(NAME, vec![]);
    page.until(|seen| seen.problems == [Cause::Emptied]).await;
}

#[wasm_bindgen_test]
async fn a_store_that_is_cleared_while_the_page_is_open_is_opened_anew() {
    const NAME: &str = "driver-cleared-open";
    let turns = vec![proposes("12"), says("Done."), proposes("6"), says("Done again.")];
    let mut page = Page::open(NAME, turns);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Done.").await;
    js(NAME, "indexedDB.deleteDatabase(name)");
    let seen = page.until(|seen| seen.problems.contains(&Cause::Emptied)).await;
    assert!(seen.cards.is_empty() && seen.texts.is_empty());
    page.say("six eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    let seen = page.reply("Done again.").await;
    assert_eq!(seen.list, eggs("6"));
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::Approved], 1));
    assert!(!seen.broken, "the records of what is gone are not missed in what is new");
}

#[wasm_bindgen_test]
async fn a_tab_makes_way_for_a_newer_version_says_so_and_writes_nothing_any_more() {
    const NAME: &str = "driver-replaced";
    let mut page = Page::open(NAME, vec![proposes("12"), says("I could not.")]);
    page.say("eggs");
    let card = page.card().await;
    let newer = Database::open(NAME).with_version(3_u32).await.unwrap();
    let seen = page.until(|seen| seen.storage == Storage::Replaced).await;
    assert_eq!(seen.texts, ["person: eggs"], "what was there is there to be read");
    newer.close();
    let (sessions, messages) = (rows(NAME, "sessions").await, rows(NAME, "messages").await);
    assert_eq!((sessions.len(), messages.len()), (1, 2), "nothing was lost");

    page.answer(&card, yes());
    page.ask(Command::Edit(Edit::Add { item: "milk".to_owned(), quantity: String::new() }));
    page.say("And bread.");
    let seen = page.until(|seen| seen.said("I could not.") && seen.streaming).await;
    assert_eq!((seen.list, seen.records.len()), (vec![], 0));
    assert_eq!(rows(NAME, "sessions").await, sessions);
    assert_eq!(rows(NAME, "messages").await, messages);
    assert_eq!(rows(NAME, "records").await, Vec::<String>::new());
    page.close();

    // The old program, loaded once more, does not open what is newer.
    let mut page = Page::open(NAME, vec![]);
    let seen = page.until(|seen| seen.storage != Storage::Opening).await;
    assert_eq!(seen.storage, Storage::Unavailable(StoreError::Newer));
    assert_eq!(rows(NAME, "sessions").await, sessions);
}

#[wasm_bindgen_test]
async fn a_tab_waits_for_an_older_version_that_does_not_make_way_and_says_so() {
    const NAME: &str = "driver-blocked";
    let tables = ["sessions", "messages", "records", "ledger", "household", "changes", "settings"];
    let older = Database::open(NAME)
        .with_version(1_u32)
        .with_on_upgrade_needed(move |_, db| {
            for table in tables {
                db.create_object_store(table).build()?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let body = serde_json::to_string(&kitchen::Household::default()).unwrap();
    let row = serde_json::json!({"name": "household", "next_change": 1, "body": body}).to_string();
    let tx = older.transaction("household").with_mode(TransactionMode::Readwrite).build().unwrap();
    let table = tx.object_store("household").unwrap();
    table.put(row.clone()).with_key("household").primitive().unwrap().await.unwrap();
    drop(table);
    tx.commit().await.unwrap();

    let mut page = Page::open(NAME, vec![]);
    page.until(|seen| seen.storage == Storage::Blocked).await;
    older.close();
    page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    assert_eq!(rows(NAME, "household").await, [row], "what the older one kept is there");
}

#[wasm_bindgen_test]
async fn what_runs_when_a_newer_version_comes_runs_to_its_end() {
    const NAME: &str = "driver-replaced-meanwhile";
    let mut page = Page::open(NAME, vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    // Both are under way at once; whichever transaction has begun is not cut off.
    let newer = Database::open(NAME).with_version(3_u32).into_future();
    let (newer, _) =
        futures::join!(newer, page.until(|seen| seen.storage == Storage::Replaced).map(|_| ()));
    newer.unwrap().close();
    let (done, list) = (rows(NAME, "records").await, rows(NAME, "household").await);
    assert!(done.len() <= 2, "{done:?}");
    let ran = done.iter().any(|row| row.contains(r#"\"execution\""#));
    assert_eq!(list.iter().any(|row| row.contains("eggs")), ran, "{done:?} {list:?}");
}

#[wasm_bindgen_test]
async fn a_page_that_is_come_back_to_reads_again_before_anything_can_be_answered() {
    const NAME: &str = "driver-frozen";
    // A frozen page hears nothing of the others.
    js(
        NAME,
        "const post = BroadcastChannel.prototype.postMessage;
         BroadcastChannel.prototype.postMessage = function (message) {
           if (this.name !== name) post.call(this, message);
         };",
    );
    let window = web_sys::window().unwrap();
    for event in ["pageshow", "resume", "visibilitychange"] {
        let mut first = Page::open(NAME, vec![proposes("12"), says("Done.")]);
        first.ask(Command::NewConversation);
        first.say("eggs");
        let card = first.card().await;
        let mut frozen = Page::open(NAME, vec![]);
        assert_eq!(frozen.card().await, card);
        first.answer(&card, yes());
        let seen = first.reply("Done.").await;
        let target: web_sys::EventTarget = match event {
            "pageshow" => window.clone().into(),
            _ => window.document().unwrap().into(),
        };
        target.dispatch_event(&web_sys::Event::new(event).unwrap()).unwrap();
        let awake = frozen.until(|seen| seen.cards.is_empty()).await;
        assert_eq!((awake.texts, awake.list), (seen.texts, seen.list), "{event}");
        assert_eq!(awake.decided_elsewhere, [card.id], "{event}");
        first.close();
        frozen.close();
    }
}
