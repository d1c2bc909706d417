//! The driver in a real browser: real store, real loop, real kitchen; only the model is scripted.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse, Outcome};
use agent::id::RequestId;
use agent::message::{Body, Content};
use agent::model::{
    ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest, ProposedCall, ReplyContent,
    StopReason, Usage,
};
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::{AbortHandle, Abortable};
use futures::{FutureExt, StreamExt};
use kitchen_assistant::driver::{Driver, Input, ModelClient};
use store::records::Record;
use store::sessions::Conversation;
use store::settings::Preferences;
use view::command::Command;
use view::scene::{Cause, Proxy, Scene, Storage};
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A model that says what it was told to say, in order; with nothing left to say it says nothing,
/// like a provider that stalls.
#[derive(Clone, Default)]
struct ScriptedModelClient {
    turns: Rc<RefCell<VecDeque<Result<ModelReply, ModelError>>>>,
    heard: Rc<RefCell<Vec<ModelRequest>>>,
}

impl ModelClient for ScriptedModelClient {
    fn call(
        &self,
        _preferences: &Preferences,
        request: &ModelRequest,
        mut on_event: impl FnMut(ModelEvent) + 'static,
    ) -> impl Future<Output = Result<ModelReply, ModelError>> + 'static {
        self.heard.borrow_mut().push(request.clone());
        let turn = self.turns.borrow_mut().pop_front();
        async move {
            let Some(turn) = turn else { return std::future::pending().await };
            for content in turn.iter().flat_map(|reply| &reply.content) {
                if let ReplyContent::Text(text) = content {
                    on_event(ModelEvent::Text(text.clone()));
                }
            }
            turn
        }
    }

    fn offers(&self) -> impl Future<Output = Proxy> + 'static {
        std::future::ready(Proxy::Unreachable)
    }
}

/// What a test looks at of a scene.
#[derive(Debug, Clone)]
struct Seen {
    storage: Storage,
    streaming: bool,
    cards: Vec<ApprovalRequest>,
    list: Vec<(String, String)>,
    texts: Vec<String>,
    problems: Vec<Cause>,
    records: Vec<Record>,
    changes: Vec<kitchen::Change>,
    conversations: Vec<Conversation>,
    decided_elsewhere: Vec<RequestId>,
}

impl Seen {
    fn of(scene: &Scene<'_>) -> Self {
        let texts = scene.session.messages().iter().flat_map(|message| match &message.body {
            Body::Person(text) => vec![format!("person: {text}")],
            Body::Assistant(content) => content
                .iter()
                .filter_map(|content| match content {
                    Content::Text(text) => Some(format!("assistant: {text}")),
                    Content::Call(_) | Content::Opaque(_) => None,
                })
                .collect(),
            Body::Result(result) => vec![format!("result: {}", result.text)],
        });
        Self {
            storage: scene.storage,
            streaming: scene.streaming.is_some(),
            cards: scene.session.open_requests().cloned().collect(),
            list: scene
                .household
                .shopping
                .iter()
                .map(|line| (line.item.clone(), line.quantity.clone()))
                .collect(),
            texts: texts.collect(),
            problems: scene.problems.iter().map(|problem| problem.cause.clone()).collect(),
            records: scene.records.to_vec(),
            changes: scene.changes.to_vec(),
            conversations: scene.conversations.to_vec(),
            decided_elsewhere: scene.decided_elsewhere.iter().cloned().collect(),
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.records
            .iter()
            .filter_map(|record| match record {
                Record::Decision(decision) => Some(decision.outcome),
                Record::Execution(_) => None,
            })
            .collect()
    }

    fn executions(&self) -> usize {
        self.records.iter().filter(|record| matches!(record, Record::Execution(_))).count()
    }
}

/// An open page without its screen.
struct Page {
    inbox: UnboundedSender<Input>,
    scenes: UnboundedReceiver<Seen>,
    model: ScriptedModelClient,
    closing: AbortHandle,
}

impl Page {
    fn open(store: &'static str, turns: Vec<Result<ModelReply, ModelError>>) -> Self {
        let model = ScriptedModelClient::default();
        model.turns.borrow_mut().extend(turns);
        let (sender, scenes) = unbounded();
        let publish = move |scene: &Scene<'_>| sender.unbounded_send(Seen::of(scene)).unwrap_or(());
        let (driver, inbox, received) = Driver::new(model.clone(), publish);
        let (closing, registration) = AbortHandle::new_pair();
        spawn_local(Abortable::new(driver.run(store, received), registration).map(|_| ()));
        Self { inbox, scenes, model, closing }
    }

    fn ask(&self, command: Command) {
        self.inbox.unbounded_send(Input::Command(command)).unwrap();
    }

    fn say(&self, text: &str) {
        self.ask(Command::Say(text.to_owned()));
    }

    fn answer(&self, card: &ApprovalRequest, answer: Answer) {
        self.ask(Command::Answer(ApprovalResponse { request: card.id.clone(), answer }));
    }

    /// The first scene of which this holds.
    async fn until(&mut self, holds: impl Fn(&Seen) -> bool) -> Seen {
        loop {
            let seen = self.scenes.next().await.expect("the driver runs");
            if holds(&seen) {
                return seen;
            }
        }
    }

    async fn card(&mut self) -> ApprovalRequest {
        let seen = self.until(|seen| !seen.cards.is_empty()).await;
        seen.cards[0].clone()
    }

    async fn reply(&mut self, text: &str) -> Seen {
        let text = format!("assistant: {text}");
        self.until(|seen| seen.texts.last() == Some(&text)).await
    }

    /// Gone in the middle of whatever it did.
    fn close(self) {
        self.closing.abort();
    }
}

fn says(text: &str) -> Result<ModelReply, ModelError> {
    Ok(ModelReply {
        content: vec![ReplyContent::Text(text.to_owned())],
        stop: StopReason::EndTurn,
        usage: Usage::default(),
    })
}

fn proposes(quantity: &str) -> Result<ModelReply, ModelError> {
    Ok(ModelReply {
        content: vec![ReplyContent::Call(ProposedCall {
            id: "toolu_1".to_owned(),
            name: "add_to_shopping_list".to_owned(),
            arguments: format!(r#"{{"item":"eggs","quantity":"{quantity}"}}"#),
            provider_result: None,
        })],
        stop: StopReason::ToolUse,
        usage: Usage::default(),
    })
}

fn fails(kind: ModelErrorKind) -> Result<ModelReply, ModelError> {
    Err(ModelError { kind, message: "as the script says".to_owned() })
}

fn yes() -> Answer {
    Answer::Approve { always: None }
}

fn eggs(quantity: &str) -> Vec<(String, String)> {
    vec![("eggs".to_owned(), quantity.to_owned())]
}

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
    page.ask(Command::Retry);
    let seen = page.reply("Hello.").await;
    assert_eq!(seen.texts, ["person: hello", "assistant: Hello."]);
    assert!(seen.problems.is_empty());
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
    page.ask(Command::Retry);
    page.reply("Hello.").await;
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
    page.ask(Command::Retry);
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
async fn a_second_tab_follows_the_first_and_takes_over_when_it_is_gone() {
    let mut first = Page::open("driver-tabs", vec![proposes("12")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-tabs", vec![says("Done.")]);
    assert_eq!(second.card().await, card);
    first.close();
    second.answer(&card, yes());
    assert_eq!(second.reply("Done.").await.list, eggs("12"));
}

#[wasm_bindgen_test]
async fn what_is_done_in_a_tab_that_follows_counts_once_and_shows_in_both() {
    let mut first = Page::open("driver-follow", vec![proposes("12"), says("Done."), says("Hi.")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-follow", vec![]);
    second.card().await;
    second.answer(&card, yes());
    first.answer(&card, yes());
    let here = first.reply("Done.").await;
    let there = second.reply("Done.").await;
    assert_eq!((here.list.clone(), here.executions()), (eggs("12"), 1));
    assert_eq!((there.list.clone(), there.executions()), (eggs("12"), 1));
    assert!(second.model.heard.borrow().is_empty(), "one tab talks to the model");
    second.say("hello");
    first.reply("Hi.").await;
    second.reply("Hi.").await;
}

#[wasm_bindgen_test]
async fn a_card_decided_in_another_tab_says_so() {
    let mut first = Page::open("driver-elsewhere", vec![proposes("12"), says("Done.")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-elsewhere", vec![]);
    second.card().await;
    first.answer(&card, yes());
    let here = first.reply("Done.").await;
    let there = second.reply("Done.").await;
    assert_eq!(here.decided_elsewhere, vec![]);
    assert_eq!(there.decided_elsewhere, vec![card.id]);
}

#[wasm_bindgen_test]
async fn a_change_by_hand_shows_in_every_tab() {
    let mut first = Page::open("driver-hands", vec![]);
    let mut second = Page::open("driver-hands", vec![]);
    second.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    let add = kitchen::Edit::Add { item: "eggs".to_owned(), quantity: "12".to_owned() };
    first.ask(Command::Edit(add));
    first.until(|seen| seen.list == eggs("12")).await;
    second.until(|seen| seen.list == eggs("12")).await;
}

#[wasm_bindgen_test]
async fn without_locks_two_tabs_still_decide_and_run_once() {
    let locks = js_sys::Object::new();
    js_sys::Reflect::set(&locks, &"value".into(), &wasm_bindgen::JsValue::UNDEFINED).unwrap();
    js_sys::Reflect::set(&locks, &"configurable".into(), &true.into()).unwrap();
    let navigator = web_sys::window().unwrap().navigator();
    js_sys::Object::define_property(&navigator, &"locks".into(), &locks);

    let turns = || vec![proposes("12"), says("Done.")];
    let mut first = Page::open("driver-no-locks", turns());
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-no-locks", vec![says("Done.")]);
    second.card().await;
    first.answer(&card, yes());
    second.answer(&card, Answer::Reject { reason: None });
    let here = first.reply("Done.").await;
    let there = second.reply("Done.").await;
    assert_eq!(here.outcomes().len(), 1);
    assert_eq!(here.outcomes(), there.outcomes());
    let ran = usize::from(here.outcomes() == [Outcome::Approved]);
    assert_eq!((here.executions(), there.executions()), (ran, ran));
    assert_eq!(here.list, there.list);
    js_sys::Reflect::delete_property(&navigator, &"locks".into()).unwrap();
}

#[wasm_bindgen_test]
async fn without_a_store_nothing_that_changes_something_runs_or_is_asked() {
    use indexed_db_futures::database::Database;
    Database::open("driver-no-store").with_version(99_u32).await.unwrap().close();
    let mut page = Page::open("driver-no-store", vec![proposes("12"), says("I could not.")]);
    page.until(|seen| seen.storage == Storage::Unavailable).await;
    page.say("eggs");
    let seen = page.reply("I could not.").await;
    assert_eq!((seen.list.clone(), seen.cards.clone()), (vec![], vec![]));
    assert_eq!(seen.executions(), 0);
}
