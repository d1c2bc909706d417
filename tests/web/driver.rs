//! The driver in a real browser: real store, real loop, real kitchen; only the model is scripted.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

#[path = "driver/storage.rs"]
mod storage;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use agent::approval::{Always, Answer, ApprovalRequest, ApprovalResponse, CardDigest, Outcome};
use agent::id::RequestId;
use agent::id::StandingApprovalId;
use agent::message::{Body, Content};
use agent::model::{
    ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest, ProposedCall, ReplyContent,
    StopReason, Usage,
};
use agent::settings::Wait;
use agent::time::{Reading, Timestamp};
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::{AbortHandle, Abortable, LocalBoxFuture};
use futures::{FutureExt, StreamExt};
use kitchen_assistant::driver::{Clock, Driver, Input, ModelClient, OnEvent, Shown};
use store::export::Checker;
use store::records::Record;
use store::sessions::Conversation;
use store::settings::Preferences;
use view::activity::history::Held;
use view::command::Command;
use view::scene::{Cause, Proxy, Scene, Storage};
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const START_MS: u64 = 1_796_000_000_000;
const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
/// One attempt to reach a person: the product's.
const ATTEMPT: u64 = 10 * MINUTE;

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
        mut on_event: OnEvent,
    ) -> LocalBoxFuture<'static, Result<ModelReply, ModelError>> {
        self.heard.borrow_mut().push(request.clone());
        let turn = self.turns.borrow_mut().pop_front();
        Box::pin(async move {
            let Some(turn) = turn else { return std::future::pending().await };
            for content in turn.iter().flat_map(|reply| &reply.content) {
                if let ReplyContent::Text(text) = content {
                    on_event(ModelEvent::Text(text.clone()));
                }
            }
            turn
        })
    }

    fn offers(&self) -> LocalBoxFuture<'static, Proxy> {
        Box::pin(std::future::ready(Proxy::Unreachable))
    }
}

/// What a test looks at of a scene.
#[derive(Debug, Clone)]
struct Seen {
    now: Timestamp,
    storage: Storage,
    streaming: bool,
    cards: Vec<ApprovalRequest>,
    always: Vec<StandingApprovalId>,
    list: Vec<(String, String)>,
    texts: Vec<String>,
    problems: Vec<Cause>,
    records: Vec<Record>,
    /// The items of the calls that records are about.
    words: Vec<String>,
    broken: bool,
    export: Option<String>,
    changes: Vec<kitchen::Change>,
    conversations: Vec<Conversation>,
    decided_elsewhere: Vec<RequestId>,
}

fn item(held: &Held) -> Option<String> {
    Some(held.call.as_ref()?.arguments.get("item")?.as_str()?.to_owned())
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
            now: scene.now,
            storage: scene.storage,
            streaming: scene.streaming.is_some(),
            cards: scene.session.open_requests().cloned().collect(),
            always: scene.session.standing_approvals().iter().map(|it| it.id.clone()).collect(),
            list: scene
                .household
                .shopping
                .iter()
                .map(|line| (line.item.clone(), line.quantity.clone()))
                .collect(),
            texts: texts.collect(),
            problems: scene.problems.iter().map(|problem| problem.cause.clone()).collect(),
            words: scene.history.held().filter_map(item).collect(),
            broken: scene.history.broken().is_some(),
            export: scene.export.map(|export| export.text.clone()),
            records: scene.history.held().filter_map(|it| it.record().cloned()).collect(),
            changes: scene.changes.to_vec(),
            conversations: scene.conversations.to_vec(),
            decided_elsewhere: scene.decided_elsewhere.to_vec(),
        }
    }

    /// Whether the assistant said this.
    fn said(&self, text: &str) -> bool {
        self.texts.contains(&format!("assistant: {text}"))
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

/// Clocks that go at their own pace and jump when they are told to.
#[derive(Clone, Default)]
struct JumpingClock {
    wall_ms: Rc<Cell<i64>>,
    monotonic_ms: Rc<Cell<u64>>,
}

impl JumpingClock {
    fn clock(&self) -> Clock {
        let clock = self.clone();
        Clock::new(move || {
            let performance = web_sys::window().unwrap().performance().unwrap();
            let passed = performance.now() as u64;
            Reading {
                wall: Timestamp((START_MS + passed).saturating_add_signed(clock.wall_ms.get())),
                monotonic_ms: passed + clock.monotonic_ms.get(),
            }
        })
    }

    /// Both clocks go on by this.
    fn pass(&self, ms: u64) {
        self.set(i64::try_from(ms).unwrap());
        self.monotonic_ms.set(self.monotonic_ms.get() + ms);
    }

    /// The wall clock alone is set, or went on while the machine slept.
    fn set(&self, ms: i64) {
        self.wall_ms.set(self.wall_ms.get() + ms);
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
        Self::open_by(Clock::of_browser(), store, turns)
    }

    fn open_by(
        clock: Clock,
        store: &'static str,
        turns: Vec<Result<ModelReply, ModelError>>,
    ) -> Self {
        let model = ScriptedModelClient::default();
        model.turns.borrow_mut().extend(turns);
        let (sender, scenes) = unbounded();
        let publish =
            move |scene: &Scene<'_>, _: Shown| sender.unbounded_send(Seen::of(scene)).unwrap_or(());
        let (driver, inbox, received) = Driver::new(model.clone(), clock, publish);
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
        let (request, shown) = (card.id.clone(), card.shown.clone());
        self.ask(Command::Answer(ApprovalResponse { request, shown, answer }));
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
async fn ten_clicks_in_each_of_two_tabs_and_one_after_a_reload_have_one_effect() {
    let mut first = Page::open("driver-clicks", vec![proposes("12"), says("Done.")]);
    first.say("eggs");
    let card = first.card().await;
    let mut second = Page::open("driver-clicks", vec![]);
    second.card().await;
    for _ in 0..10 {
        first.answer(&card, yes());
        second.answer(&card, yes());
    }
    first.reply("Done.").await;
    second.reply("Done.").await;
    first.close();
    second.close();

    let mut again = Page::open("driver-clicks", vec![]);
    again.answer(&card, yes());
    again.say("hello");
    let seen = again.until(|seen| seen.streaming).await;
    assert_eq!((seen.list.clone(), seen.executions(), seen.outcomes().len()), (eggs("12"), 1, 1));
}

#[wasm_bindgen_test]
async fn a_text_from_a_tab_that_follows_waits_until_the_model_has_answered() {
    let mut first = Page::open("driver-later", vec![]);
    first.say("one");
    first.until(|seen| seen.streaming).await;
    let mut second = Page::open("driver-later", vec![]);
    second.until(|seen| seen.texts == ["person: one"]).await;
    second.say("two");
    first.model.turns.borrow_mut().push_back(says("Two."));
    // The call that is under way stalls; stopping it ends it, and what was said meanwhile follows.
    first.ask(Command::Stop);
    let seen = first.reply("Two.").await;
    assert_eq!(seen.texts, ["person: two", "assistant: Two."]);
    let unsent =
        |cause: &Cause| matches!(cause, Cause::Model { unsent: Some(text), .. } if text == "one");
    assert!(seen.problems.iter().any(unsent), "{:?}", seen.problems);
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
    page.ask(Command::Retry);
    page.reply("Hello.").await;
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
    let said = |seen: &Seen| seen.texts.iter().filter(|it| *it == "person: eggs").count();
    assert_eq!((said(&here), said(&there)), (1, 1));
    let ran = usize::from(here.outcomes() == [Outcome::Approved]);
    assert_eq!((here.executions(), there.executions()), (ran, ran));
    assert_eq!(here.list, there.list);
    js_sys::Reflect::delete_property(&navigator, &"locks".into()).unwrap();
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
    page.until(|seen| seen.storage == Storage::Unavailable).await;
    page.say("eggs");
    let seen = page.reply("I could not.").await;
    assert_eq!((seen.list.clone(), seen.cards.clone()), (vec![], vec![]));
    assert_eq!(seen.executions(), 0);
}

#[wasm_bindgen_test]
async fn the_timer_asks_again_and_after_the_last_attempt_silence_is_a_no() {
    let clock = JumpingClock::default();
    let turns = vec![proposes("12"), says("Nobody answered.")];
    let mut page = Page::open_by(clock.clock(), "driver-silence", turns);
    page.say("eggs");
    let first = page.card().await;
    assert_eq!(first.attempt, 1);
    for attempt in 2..=3 {
        clock.pass(ATTEMPT - 20);
        // Anything that is shown sets the timer anew; what is left of the attempt it runs down.
        page.ask(Command::CheckProxy);
        let seen = page.until(|seen| seen.cards.iter().any(|it| it.attempt == attempt)).await;
        assert_eq!(seen.cards[0].id, first.id);
    }
    clock.pass(ATTEMPT - 20);
    page.ask(Command::CheckProxy);
    let seen = page.reply("Nobody answered.").await;
    assert_eq!(seen.outcomes(), vec![Outcome::TimedOut]);
    assert_eq!((seen.list.clone(), seen.executions()), (vec![], 0));
}

#[wasm_bindgen_test]
async fn the_time_that_is_shown_is_never_older_than_what_is_said_of_it() {
    let clock = JumpingClock::default();
    let mut page = Page::open_by(clock.clock(), "driver-shown-time", vec![proposes("12")]);
    page.say("eggs");
    let card = page.card().await;
    let deadline = card.deadline.unwrap();
    // The first whole minute is nearly over: the timer shows the next one by itself.
    clock.pass(MINUTE - 20);
    page.ask(Command::CheckProxy);
    page.until(|seen| seen.now.ms_until(deadline) <= ATTEMPT - MINUTE).await;
}

#[wasm_bindgen_test]
async fn an_answer_after_a_sleep_is_too_late() {
    let clock = JumpingClock::default();
    let turns = vec![proposes("12"), says("Nobody answered.")];
    let mut page = Page::open_by(clock.clock(), "driver-sleep", turns);
    page.say("eggs");
    let card = page.card().await;
    clock.set(i64::try_from(8 * HOUR).unwrap());
    page.answer(&card, yes());
    let seen = page.reply("Nobody answered.").await;
    assert_eq!(seen.outcomes(), vec![Outcome::TimedOut]);
    assert_eq!((seen.list.clone(), seen.executions()), (vec![], 0));
}

#[wasm_bindgen_test]
async fn a_clock_set_back_does_not_hold_off_the_end_of_a_wait() {
    let clock = JumpingClock::default();
    let turns = vec![proposes("12"), says("Nobody answered.")];
    let mut page = Page::open_by(clock.clock(), "driver-set-back", turns);
    page.say("eggs");
    let card = page.card().await;
    clock.set(-i64::try_from(24 * HOUR).unwrap());
    clock.pass(3 * ATTEMPT);
    page.answer(&card, yes());
    let seen = page.reply("Nobody answered.").await;
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::TimedOut], 0));
}

#[wasm_bindgen_test]
async fn a_page_that_wakes_looks_at_its_clock() {
    let window = web_sys::window().unwrap();
    let document = window.document().unwrap();
    let targets: [(&'static str, web_sys::EventTarget, &str); 3] = [
        ("driver-visible", document.clone().into(), "visibilitychange"),
        ("driver-resume-event", document.into(), "resume"),
        ("driver-pageshow", window.into(), "pageshow"),
    ];
    for (store, target, event) in targets {
        let clock = JumpingClock::default();
        let turns = vec![proposes("12"), says("Nobody answered.")];
        let mut page = Page::open_by(clock.clock(), store, turns);
        page.say("eggs");
        page.card().await;
        clock.set(i64::try_from(8 * HOUR).unwrap());
        target.dispatch_event(&web_sys::Event::new(event).unwrap()).unwrap();
        let seen = page.reply("Nobody answered.").await;
        assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::TimedOut], 0), "{event}");
        page.close();
    }
}

#[wasm_bindgen_test]
async fn a_wait_that_ended_while_the_page_was_closed_is_over() {
    let clock = JumpingClock::default();
    let mut page = Page::open_by(clock.clock(), "driver-closed-too-long", vec![proposes("12")]);
    page.say("eggs");
    let card = page.card().await;
    page.close();

    clock.pass(3 * ATTEMPT);
    let turns = vec![says("Nobody answered.")];
    let mut page = Page::open_by(clock.clock(), "driver-closed-too-long", turns);
    let seen = page.reply("Nobody answered.").await;
    assert_eq!((seen.outcomes(), seen.executions()), (vec![Outcome::TimedOut], 0));
    page.answer(&card, yes());
    page.say("hello");
    let seen = page.until(|seen| seen.streaming).await;
    assert_eq!((seen.list.clone(), seen.executions()), (vec![], 0));
}

#[wasm_bindgen_test]
async fn a_clock_set_back_while_the_page_was_closed_gives_one_attempt_at_most() {
    let clock = JumpingClock::default();
    let mut page = Page::open_by(clock.clock(), "driver-closed-set-back", vec![proposes("12")]);
    page.say("eggs");
    page.card().await;
    page.close();

    clock.set(-i64::try_from(24 * HOUR).unwrap());
    let mut page = Page::open_by(clock.clock(), "driver-closed-set-back", vec![]);
    let seen = page.until(|seen| !seen.cards.is_empty()).await;
    let left_ms = seen.now.ms_until(seen.cards[0].deadline.unwrap());
    assert!(left_ms <= ATTEMPT, "{left_ms} ms are left");
}

#[wasm_bindgen_test]
async fn another_wait_counts_for_the_next_card_and_a_shorter_one_at_once() {
    let mut page = Page::open("driver-other-wait", vec![proposes("12")]);
    page.say("eggs");
    let card = page.card().await;
    assert_eq!(card.requested_at.ms_until(card.deadline.unwrap()), ATTEMPT);
    let wait = Some(Wait::new(1, 1));
    page.ask(Command::Prefer(Preferences { wait, ..Preferences::default() }));
    let seen = page.until(|seen| seen.cards.iter().any(|it| it.deadline < card.deadline)).await;
    assert!(seen.now.ms_until(seen.cards[0].deadline.unwrap()) <= MINUTE);
}

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
    page.ask(Command::ExportSaved);
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
