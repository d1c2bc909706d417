//! A conversation: what is asked, answered, kept, stopped, and gone on with.

use agent::approval::{Answer, ApprovalRequest, CardDigest, Outcome};
use agent::model::{ModelErrorKind, ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use store::error::StoreError;
use view::command::Command;
use view::scene::{Cause, Storage};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, eggs, fails, proposes, says, yes};

#[wasm_bindgen_test]
async fn what_is_approved_runs_once_and_is_on_the_list() {
    let mut page = Page::open("driver-approve", vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    page.answer(&card, yes());
    let seen = page.reply("Done.").await;
    assert_eq!(seen.list, eggs("12"));
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::Approved], 1));
}

#[wasm_bindgen_test]
async fn a_yes_to_something_else_than_the_card_shows_runs_nothing_and_says_so() {
    let mut page = Page::open("driver-stale-card", vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    let card = page.card().await;
    let other = CardDigest("of a card that asked for six".to_owned());
    page.answer(&ApprovalRequest { shown: other, ..card.clone() }, yes());
    let seen = page.until(|seen| seen.problems == [Cause::CardChanged]).await;
    assert_eq!(
        (seen.cards.clone(), seen.list.clone(), seen.records.len()),
        (vec![card], vec![], 0)
    );
    page.answer(&seen.cards[0], yes());
    assert_eq!(page.reply("Done.").await.list, eggs("12"));
}

#[wasm_bindgen_test]
async fn what_is_rejected_does_not_run_and_the_model_reads_the_reason() {
    let mut page = Page::open("driver-reject", vec![proposes("12"), says("What instead?")]);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, Answer::Reject { reason: Some("We have some.".to_owned()) });
    let seen = page.reply("What instead?").await;
    assert_eq!(seen.list, vec![]);
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::Denied], 0));
    let result = "result: Tool call invocation rejected. We have some.".to_owned();
    assert!(seen.texts.contains(&result), "{:?}", seen.texts);
}

#[wasm_bindgen_test]
async fn saying_something_else_closes_the_card_and_goes_to_the_model_in_one_turn() {
    let turns = vec![proposes("12"), proposes("6"), says("Six it is.")];
    let mut page = Page::open("driver-moved-on", turns);
    page.say("eggs");
    let first = page.card().await;
    page.say("Actually, make that six");
    let seen = page.until(|seen| seen.cards.iter().any(|card| card.id != first.id)).await;
    assert_eq!(seen.outcomes(), vec![Outcome::MovedOn]);
    assert_eq!(page.model.heard.borrow().len(), 2);
    page.answer(&seen.cards[0], yes());
    assert_eq!(page.reply("Six it is.").await.list, eggs("6"));
}

#[wasm_bindgen_test]
async fn a_text_said_before_its_person_saw_the_card_is_no_answer_to_it() {
    let mut page = Page::open("driver-unseen-card", vec![proposes("12"), says("Done.")]);
    page.say("eggs");
    page.say("thanks");
    let unseen = Cause::CardCame { unsent: "thanks".to_owned() };
    let seen = page.until(|seen| seen.problems == [unseen.clone()]).await;
    assert_eq!((seen.cards.len(), seen.records.len()), (1, 0));
    page.answer(&seen.cards[0], yes());
    assert_eq!(page.reply("Done.").await.outcomes(), [Outcome::Approved]);
}

#[wasm_bindgen_test]
async fn a_card_is_there_again_after_the_page_was_closed_and_its_answer_counts_once() {
    let mut page = Page::open("driver-return", vec![proposes("12")]);
    page.say("eggs");
    let card = page.card().await;
    page.close();

    let mut page = Page::open("driver-return", vec![says("Done.")]);
    let same = page.card().await;
    assert_eq!(same, card);
    page.answer(&same, yes());
    assert_eq!(page.reply("Done.").await.list, eggs("12"));
    page.close();

    let mut page = Page::open("driver-return", vec![]);
    page.answer(&same, yes());
    page.say("hello");
    let seen = page.until(|seen| seen.streaming).await;
    assert_eq!((seen.list.clone(), seen.executions()), (eggs("12"), 1));
}

#[wasm_bindgen_test]
async fn a_page_closed_while_the_model_was_asked_asks_it_again() {
    let mut page = Page::open("driver-resume", vec![]);
    page.say("eggs");
    page.until(|seen| seen.streaming).await;
    page.close();

    let mut page = Page::open("driver-resume", vec![proposes("12"), says("Done.")]);
    let card = page.card().await;
    page.answer(&card, yes());
    assert_eq!(page.reply("Done.").await.list, eggs("12"));
}

#[wasm_bindgen_test]
async fn a_text_the_model_never_answered_is_kept_and_can_be_sent_again() {
    let turns = vec![fails(ModelErrorKind::ProxyUnreachable), says("Hello.")];
    let mut page = Page::open("driver-unsent", turns);
    page.say("hello");
    let seen = page.until(|seen| !seen.problems.is_empty()).await;
    assert_eq!(seen.texts, Vec::<String>::new());
    assert!(
        matches!(&seen.problems[..], [Cause::Model { unsent: Some(text), .. }] if text == "hello")
    );
    page.ask(Command::Retry(Some(1)));
    let seen = page.reply("Hello.").await;
    assert_eq!(seen.texts, ["person: hello", "assistant: Hello."]);
    assert!(seen.problems.is_empty());
}

#[wasm_bindgen_test]
async fn of_two_texts_that_were_not_answered_the_one_that_is_tried_again_is_sent() {
    let busy = || fails(ModelErrorKind::Overloaded);
    let mut page = Page::open("driver-retry-one", vec![busy(), busy(), says("Bread it is.")]);
    page.say("bread");
    page.until(|seen| seen.problems.len() == 1).await;
    page.say("butter");
    page.until(|seen| seen.problems.len() == 2).await;
    page.ask(Command::Retry(Some(1)));
    let seen = page.reply("Bread it is.").await;
    assert_eq!(seen.texts, ["person: bread", "assistant: Bread it is."]);
    assert!(
        matches!(&seen.problems[..], [Cause::Model { unsent: Some(text), .. }] if text == "butter")
    );
}

#[wasm_bindgen_test]
async fn a_text_that_was_not_sent_is_there_again_after_the_page_was_closed() {
    let mut page = Page::open("driver-kept-unsent", vec![fails(ModelErrorKind::Overloaded)]);
    page.say("hello");
    let before =
        page.until(|seen| !seen.problems.is_empty() && !seen.conversations.is_empty()).await;
    page.close();

    let mut page = Page::open("driver-kept-unsent", vec![says("Hello.")]);
    let after = page.until(|seen| !seen.problems.is_empty()).await;
    assert_eq!(after.problems, before.problems);
    assert!(!after.streaming, "what failed is not tried again by itself");
    page.ask(Command::Retry(Some(after.numbers[0])));
    page.reply("Hello.").await;
}

#[wasm_bindgen_test]
async fn a_text_that_was_not_sent_is_there_again_though_another_was_sent_since() {
    const NAME: &str = "driver-unsent-since";
    let turns = vec![fails(ModelErrorKind::Overloaded), proposes("12")];
    let mut page = Page::open(NAME, turns);
    page.say("bread");
    page.until(|seen| !seen.problems.is_empty()).await;
    page.say("eggs");
    let card = page.card().await;
    page.close();

    let mut page = Page::open(NAME, vec![says("Done."), says("Bread.")]);
    let seen = page.until(|seen| !seen.problems.is_empty() && !seen.cards.is_empty()).await;
    assert!(
        matches!(&seen.problems[..], [Cause::Model { unsent: Some(text), .. }] if text == "bread")
    );
    page.answer(&card, yes());
    assert_eq!(page.reply("Done.").await.list, eggs("12"));
    page.ask(Command::Retry(Some(seen.numbers[0])));
    page.reply("Bread.").await;
}

#[wasm_bindgen_test]
async fn a_notice_that_was_closed_stays_closed() {
    const NAME: &str = "driver-closed-notice";
    let mut page = Page::open(NAME, vec![fails(ModelErrorKind::Overloaded)]);
    page.say("hello");
    let seen = page.until(|seen| !seen.problems.is_empty()).await;
    page.ask(Command::Dismiss(seen.numbers[0]));
    page.until(|seen| seen.problems.is_empty()).await;
    page.close();

    let mut page = Page::open(NAME, vec![]);
    let seen = page.until(|seen| !seen.conversations.is_empty()).await;
    assert_eq!(seen.problems, []);
}

#[wasm_bindgen_test]
async fn a_card_goes_on_waiting_in_its_conversation_while_another_is_open() {
    let turns = vec![proposes("12"), says("Hello."), says("Done.")];
    let mut page = Page::open("driver-conversations", turns);
    page.say("eggs");
    let card = page.card().await;
    page.ask(Command::NewConversation);
    page.say("hello");
    let seen = page.reply("Hello.").await;
    assert!(seen.cards.is_empty());
    let waiting: Vec<_> = seen.conversations.iter().map(|it| (&*it.title, it.waiting)).collect();
    assert_eq!(waiting, [("hello", 0), ("eggs", 1)]);

    page.ask(Command::Open(seen.conversations[1].id.clone()));
    assert_eq!(page.card().await, card);
    page.answer(&card, yes());
    assert_eq!(page.reply("Done.").await.list, eggs("12"));
}

#[wasm_bindgen_test]
async fn going_on_after_a_failure_never_repeats_an_effect() {
    let turns = vec![proposes("12"), fails(ModelErrorKind::CutOff), says("Done.")];
    let mut page = Page::open("driver-retry", turns);
    page.say("eggs");
    let card = page.card().await;
    page.answer(&card, yes());
    let seen = page.until(|seen| !seen.problems.is_empty()).await;
    assert_eq!(seen.list, eggs("12"));
    assert!(matches!(&seen.problems[..], [Cause::Model { unsent: None, .. }]));
    page.ask(Command::Retry(Some(1)));
    let seen = page.reply("Done.").await;
    assert_eq!((seen.list.clone(), seen.executions()), (eggs("12"), 1));
}

#[wasm_bindgen_test]
async fn stopping_leaves_a_conversation_that_can_go_on() {
    let mut page = Page::open("driver-stop", vec![]);
    page.say("hello");
    page.until(|seen| seen.streaming).await;
    page.ask(Command::Stop);
    let seen = page.until(|seen| !seen.streaming && !seen.problems.is_empty()).await;
    assert!(matches!(&seen.problems[..], [Cause::Model { unsent: Some(_), .. }]));
    page.model.turns.borrow_mut().push_back(says("Here."));
    page.say("still there?");
    page.reply("Here.").await;
}

#[wasm_bindgen_test]
async fn a_change_by_hand_can_be_taken_back() {
    let mut page = Page::open("driver-by-hand", vec![]);
    let add = kitchen::Edit::Add { item: "eggs".to_owned(), quantity: "12".to_owned() };
    page.ask(Command::Edit(add));
    let seen = page.until(|seen| seen.list == eggs("12")).await;
    page.ask(Command::Undo(seen.changes[0].id));
    let seen = page.until(|seen| seen.list.is_empty()).await;
    assert!(seen.changes[0].undone);
    page.ask(Command::Undo(seen.changes[0].id));
    let seen = page.until(|seen| !seen.problems.is_empty()).await;
    assert!(matches!(&seen.problems[..], [Cause::Kitchen { .. }]));
}

#[wasm_bindgen_test]
async fn a_reply_that_cannot_be_used_gives_the_text_back() {
    let twice = |id: &str, quantity: &str| {
        ReplyContent::Call(ProposedCall {
            id: id.to_owned(),
            name: "add_to_shopping_list".to_owned(),
            arguments: format!(r#"{{"item":"eggs","quantity":"{quantity}"}}"#),
            provider_result: None,
        })
    };
    let doubled = ModelReply {
        content: vec![twice("toolu_1", "12"), twice("toolu_1", "6")],
        stop: StopReason::ToolUse,
        usage: Usage::default(),
    };
    let mut page = Page::open("driver-protocol", vec![Ok(doubled), says("Hello.")]);
    page.say("eggs");
    let seen = page.until(|seen| !seen.problems.is_empty()).await;
    assert!(
        matches!(&seen.problems[..], [Cause::Model { unsent: Some(text), .. }] if text == "eggs")
    );
    page.ask(Command::Retry(Some(1)));
    page.reply("Hello.").await;
}

#[wasm_bindgen_test]
async fn a_yes_in_a_conversation_that_cannot_be_saved_runs_nothing() {
    let turns = vec![proposes("12"), says("It could not be kept.")];
    let mut page = Page::open("driver-unsaved", turns);
    page.say("eggs");
    let card = page.card().await;
    js_sys::Function::new_no_args(
        "const put = IDBObjectStore.prototype.put;
         IDBObjectStore.prototype.put = function (row, key) {
           const mine = this.transaction.db.name === 'driver-unsaved' && this.name === 'sessions';
           if (mine) throw new DOMException('no room', 'QuotaExceededError');
           return put.call(this, row, key);
         };",
    )
    .call0(&wasm_bindgen::JsValue::UNDEFINED)
    .unwrap();
    page.answer(&card, yes());
    let seen = page.reply("It could not be kept.").await;
    assert_eq!((seen.list.clone(), seen.executions()), (vec![], 0));
    let told = seen.problems.iter().any(|it| matches!(it, Cause::DecisionNotStored { .. }));
    assert!(told, "{:?}", seen.problems);
}

#[wasm_bindgen_test]
async fn without_a_store_nothing_that_changes_something_runs_or_is_asked() {
    use indexed_db_futures::database::Database;
    Database::open("driver-no-store").with_version(99_u32).await.unwrap().close();
    let mut page = Page::open("driver-no-store", vec![proposes("12"), says("I could not.")]);
    page.until(|seen| seen.storage == Storage::Unavailable(StoreError::Newer)).await;
    page.say("eggs");
    let seen = page.reply("I could not.").await;
    assert_eq!((seen.list.clone(), seen.cards.clone()), (vec![], vec![]));
    assert_eq!(seen.executions(), 0);
}
