//! Versions of the page that meet in one store.

use indexed_db_futures::database::Database;
use indexed_db_futures::prelude::*;
use kitchen::{ChangeId, Edit};
use store::error::StoreError;
use store::settings::Preferences;
use view::command::Command;
use view::scene::Storage;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::everything;
use crate::page::{Page, proposes, says, yes};

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
