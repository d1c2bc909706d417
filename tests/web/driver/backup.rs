//! A copy of everything: saved, brought in, and what other tabs come to.

use std::sync::Arc;

use agent::approval::Outcome;
use store::backup::{How, read};
use view::backup::{BringIn, Told};
use view::command::Command;
use view::scene::Storage;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::{everything, js};
use crate::page::{Page, Seen, eggs, proposes, says, yes};

/// A copy of what the page keeps.
async fn copied(page: &mut Page) -> String {
    page.ask(Command::KeepCopy);
    let seen = page.until(|seen| seen.export.is_some()).await;
    page.ask(Command::Taken);
    page.until(|seen| seen.export.is_none()).await;
    seen.export.unwrap()
}

/// Brings a copy in, and gives what is told of that.
async fn brought_in(page: &mut Page, text: &str, how: How) -> (Seen, Told) {
    page.ask(Command::BringIn(Arc::new(BringIn { text: text.to_owned(), how })));
    let seen = page.until(|seen| seen.told.is_some()).await;
    page.ask(Command::Taken);
    let told = seen.told.clone().unwrap();
    (page.until(|seen| seen.told.is_none()).await, told)
}

fn done(told: &Told) -> Vec<String> {
    told.done.iter().map(|it| it.spoken()).collect()
}

#[wasm_bindgen_test]
async fn a_copy_is_brought_into_an_empty_browser_with_everything_in_it() {
    let mut page = Page::open("driver-copy-from", vec![proposes("12"), says("Done.")]);
    page.say("a dozen eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Done.").await;
    let text = copied(&mut page).await;
    page.close();

    let mut empty = Page::open("driver-copy-to", vec![]);
    let (seen, told) = brought_in(&mut empty, &text, How::Add).await;
    assert!(!told.is_fault, "{told:?}");
    assert_eq!(
        done(&told),
        ["1 thing is new on the list.", "1 conversation came in.", "2 records are kept apart."]
    );
    assert_eq!(
        (seen.list.clone(), seen.records.len(), seen.conversations.len()),
        (eggs("12"), 0, 1)
    );
    empty.ask(Command::Open(seen.conversations[0].id.clone()));
    let seen = empty.reply("Done.").await;
    assert_eq!((seen.texts.len(), seen.cards.len()), (3, 0));
    let again = copied(&mut empty).await;
    let (first, again) = (read(&text).unwrap(), read(&again).unwrap());
    assert_eq!(again.chains, first.chains);
    assert_eq!(
        again.conversations[0].session.messages(),
        first.conversations[0].session.messages()
    );
    empty.close();

    let mut later = Page::open("driver-copy-to", vec![]);
    let seen = later.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    assert_eq!((seen.list, seen.conversations.len()), (eggs("12"), 1));
}

#[wasm_bindgen_test]
async fn a_copy_beside_what_another_tab_drives_leaves_its_card_and_in_its_place_ends_it() {
    const NAME: &str = "driver-copy-tabs";
    let mut first = Page::open(NAME, vec![proposes("12"), says("Done."), proposes("1")]);
    first.say("a dozen eggs");
    let card = first.card().await;
    let mut second = Page::open(NAME, vec![]);
    second.card().await;
    let waiting = copied(&mut second).await;

    // Beside it: what is here already stays, and the card still counts, once.
    let (_, told) = brought_in(&mut second, &waiting, How::Add).await;
    assert_eq!(done(&told), ["1 conversation was here already and stays as it is."]);
    first.answer(&card, yes());
    let seen = first.reply("Done.").await;
    assert_eq!((seen.executions(), seen.list), (1, eggs("12")));

    // In its place: a card that waits by then is gone in both tabs, and no answer to it counts.
    first.say("one more");
    let card = first.card().await;
    second.until(|seen| seen.cards.iter().any(|it| it.id == card.id)).await;
    let (seen, told) = brought_in(&mut second, &waiting, How::Replace).await;
    assert!(!told.is_fault, "{told:?}");
    assert_eq!((seen.list.len(), seen.cards.len()), (0, 0));
    let seen = first.until(|seen| seen.cards.is_empty()).await;
    assert!(!seen.texts.contains(&"person: one more".to_owned()), "{:?}", seen.texts);
    first.answer(&card, yes());
    second.answer(&card, yes());
    first.model.turns.borrow_mut().push_back(says("Hello."));
    first.say("hello");
    let seen = first.reply("Hello.").await;
    assert_eq!((seen.list.len(), seen.executions()), (0, 1));
    assert_eq!(seen.outcomes(), [Outcome::Approved]);
}

#[wasm_bindgen_test]
async fn where_there_is_no_room_a_copy_is_saved_and_none_comes_in_by_halves() {
    const NAME: &str = "driver-copy-full";
    let mut page = Page::open(NAME, vec![proposes("6"), says("Six.")]);
    page.say("six eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.reply("Six.").await;
    let before = everything(NAME).await;
    js(
        NAME,
        "const put = IDBObjectStore.prototype.put;
         let left = 3;
         IDBObjectStore.prototype.put = function (row, key) {
           const mine = this.transaction.db.name === name;
           if (mine && left-- <= 0) throw new DOMException('no room', 'QuotaExceededError');
           return put.call(this, row, key);
         };",
    );
    let text = copied(&mut page).await;
    let (_, told) = brought_in(&mut page, &text, How::Replace).await;
    assert_eq!(told.happened, "There is no room for the copy");
    assert_eq!(everything(NAME).await, before);
    let (_, told) = brought_in(&mut page, &text.replace("eggs", "eggz"), How::Add).await;
    assert_eq!(told.happened, "This copy was changed after it was saved");
    assert_eq!(everything(NAME).await, before);
}
