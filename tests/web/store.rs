//! The store, in a real browser's IndexedDB: what it says is kept is kept, once or not at all.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use std::rc::Rc;

use agent::approval::{Always, Answer, ApprovalResponse, ApprovedCall, Outcome};
use agent::audit::AuditEvent;
use agent::effect::Effect;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::id::{Entropy, SessionId};
use agent::model::{
    ModelError, ModelErrorKind, ModelReply, ProposedCall, ReplyContent, StopReason, Usage,
};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use kitchen::{Change, Edit, Household};
use kitchen_assistant::database::{IndexedDb, Listener};
use store::Store;
use store::error::StoreError;
use store::records::Record;
use store::sessions::{Conversation, Saved, Trouble};
use store::settings::Preferences;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const NOW: Timestamp = Timestamp(1_796_000_000_000);
const KEY: [u8; 32] = [7; 32];

async fn connect(name: &str) -> Result<IndexedDb, StoreError> {
    let listener = Listener { blocked: Rc::new(|| ()), ended: Rc::new(|_| ()) };
    IndexedDb::open(name, &listener).await
}

async fn open(name: &str) -> Store<IndexedDb> {
    Store::new(connect(name).await.unwrap())
}

/// A conversation that has been asked for eggs, and what it asked of the driver since.
struct Asked {
    session: Session,
    steps: u8,
}

impl Asked {
    fn eggs(session: &str) -> Self {
        let mut asked = Self { session: Session::new(SessionId(session.to_owned())), steps: 0 };
        asked.step(Event::Said("We're out of eggs, put a dozen on the list.".to_owned()));
        asked.step(Event::ModelReplied(ModelReply {
            content: vec![ReplyContent::Call(ProposedCall {
                id: "toolu_1".to_owned(),
                name: "add_to_shopping_list".to_owned(),
                arguments: r#"{"item":"eggs","quantity":"12"}"#.to_owned(),
                provider_result: None,
            })],
            stop: StopReason::ToolUse,
            usage: Usage::default(),
        }));
        asked
    }

    fn step(&mut self, event: Event) -> Vec<Effect> {
        self.steps += 1;
        let mut entropy = [0; 16];
        for (byte, text) in entropy.iter_mut().zip(self.session.id().0.bytes()) {
            *byte = text ^ self.steps;
        }
        let context = Context {
            now: NOW,
            entropy: Entropy(entropy),
            tools: &kitchen::tools().specs(),
            rules: &[],
            settings: &Settings::product(),
            agents: &[kitchen::agent()],
            digest_key: &KEY,
        };
        self.session.step(event, &context)
    }

    /// What a restart makes of it, without any store between.
    fn restored(&self) -> Session {
        Session::restore(self.session.state(), self.session.messages().to_vec()).unwrap()
    }

    /// The decision the person's answer leads to.
    fn answer(&mut self, answer: Answer) -> AuditEvent {
        let card = self.session.open_requests().next().unwrap();
        let (request, shown) = (card.id.clone(), card.shown.clone());
        let response = ApprovalResponse { request, shown, answer };
        self.step(Event::Answered { responses: vec![response], text: None })
            .into_iter()
            .find_map(|effect| match effect {
                Effect::RecordDecision(decision) => Some(decision),
                _ => None,
            })
            .unwrap()
    }

    /// The call that is released once the decision is durable.
    fn released(&mut self, decision: &AuditEvent) -> ApprovedCall {
        let request = decision.request.clone();
        self.step(Event::DecisionRecorded { request, recorded: Recorded::Durable })
            .into_iter()
            .find_map(|effect| match effect {
                Effect::RunTool(call) => Some(call),
                _ => None,
            })
            .unwrap()
    }
}

fn no() -> Answer {
    Answer::Reject { reason: None }
}

fn yes() -> Answer {
    let always: Option<Always> = None;
    Answer::Approve { always }
}

/// The household and its changes, all of which can be read.
async fn home(store: &Store<IndexedDb>, limit: u32) -> (Household, Vec<Change>) {
    let home = store.household(limit).await.unwrap();
    (home.household.unwrap(), home.changes.whole().unwrap())
}

fn items(household: &Household) -> Vec<(String, String)> {
    household.shopping.iter().map(|line| (line.item.clone(), line.quantity.to_string())).collect()
}

fn one(item: &str, quantity: &str) -> Vec<(String, String)> {
    vec![(item.to_owned(), quantity.to_owned())]
}

fn add(item: &str, quantity: &str) -> Edit {
    Edit::Add { item: item.to_owned(), quantity: quantity.to_owned() }
}

async fn records(store: &Store<IndexedDb>) -> Vec<Record> {
    let newest = store.newest_records(10).await.unwrap();
    assert_eq!(newest.broken, None);
    newest.entries.into_iter().map(|entry| entry.record.unwrap()).collect()
}

#[wasm_bindgen_test]
async fn a_request_is_decided_once_and_the_first_decision_counts() {
    let store = open("decided-once").await;
    let mut asked = Asked::eggs("decided-once");
    let yes = asked.answer(yes());
    assert_eq!(store.record_decision(&yes).await.unwrap(), None);

    let no = AuditEvent { outcome: Outcome::Denied, ..yes.clone() };
    assert_eq!(store.record_decision(&no).await.unwrap(), Some(yes.clone()));
    assert_eq!(records(&store).await, vec![Record::Decision(yes)]);
}

#[wasm_bindgen_test]
async fn a_call_without_a_decision_on_record_does_not_run() {
    let store = open("no-decision").await;
    let mut asked = Asked::eggs("no-decision");
    let decision = asked.answer(yes());
    let call = asked.released(&decision);
    let ran = store.run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW).await;
    assert_eq!(ran.unwrap_err(), StoreError::NotApproved);
    assert_eq!(home(&store, 10).await, (Household::default(), vec![]));
    assert_eq!(records(&store).await, vec![]);
}

#[wasm_bindgen_test]
async fn a_denied_request_does_not_run_even_if_a_call_is_released_for_it() {
    let store = open("denied").await;
    let mut asked = Asked::eggs("denied");
    let decision = asked.answer(yes());
    let call = asked.released(&decision);
    let denied = AuditEvent { outcome: Outcome::Denied, ..decision };
    store.record_decision(&denied).await.unwrap();
    let ran = store.run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW).await;
    assert_eq!(ran.unwrap_err(), StoreError::NotApproved);
    assert_eq!(items(&home(&store, 10).await.0), vec![]);
}

#[wasm_bindgen_test]
async fn an_approved_call_runs_once_however_often_it_is_asked_for() {
    let store = open("runs-once").await;
    let tools = kitchen::tools();
    let mut asked = Asked::eggs("runs-once");
    let decision = asked.answer(yes());
    store.record_decision(&decision).await.unwrap();
    let call = asked.released(&decision);

    let first = store.run(&tools, &call, asked.session.id(), &KEY, NOW).await.unwrap();
    let again = store.run(&tools, &call, asked.session.id(), &KEY, NOW).await.unwrap();
    assert_eq!(first.outcome, again.outcome);
    assert!(matches!(first.outcome, ToolOutcome::Returned { .. }), "{:?}", first.outcome);
    assert!(again.kept.is_none() && again.execution.is_none());

    let (household, changes) = home(&store, 10).await;
    assert_eq!(items(&household), one("eggs", "12"));
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].request.as_ref(), Some(&decision.request));
    let records = records(&store).await;
    assert_eq!(
        records,
        vec![Record::Decision(decision), Record::Execution(first.execution.unwrap())]
    );
}

#[wasm_bindgen_test]
async fn two_runs_of_one_request_at_the_same_time_have_one_effect() {
    let store = open("runs-at-once").await;
    let tools = kitchen::tools();
    let mut asked = Asked::eggs("runs-at-once");
    let decision = asked.answer(yes());
    store.record_decision(&decision).await.unwrap();
    let call = asked.released(&decision);
    let id = asked.session.id();
    let runs =
        futures::future::join_all((0..10).map(|_| store.run(&tools, &call, id, &KEY, NOW))).await;
    let effects = runs.into_iter().filter(|ran| ran.as_ref().unwrap().execution.is_some()).count();
    assert_eq!(effects, 1);
    assert_eq!(items(&home(&store, 10).await.0), one("eggs", "12"));
}

/// Two connections, as two tabs have, that both have the card: yes in both, or yes in one and no in
/// the other, and whatever was allowed is run by both, five times.
#[wasm_bindgen_test]
async fn of_a_thousand_cards_that_two_tabs_answer_at_once_each_has_one_decision_and_its_effect() {
    let tabs = [open("thousand-cards").await, open("thousand-cards").await];
    let tools = kitchen::tools();
    let mut allowed = 0;
    for number in 0..1_000_u32 {
        let mut answers = [yes(), if number % 3 == 0 { no() } else { yes() }];
        answers.rotate_left((number % 2) as usize);
        let cards = answers.map(|answer| {
            let mut asked = Asked::eggs(&format!("{number:04} at once"));
            (asked.answer(answer), asked)
        });
        let recorded = tabs.iter().zip(&cards);
        let recorded = recorded.map(|(tab, (decision, _))| tab.record_decision(decision));
        let recorded = futures::future::join_all(recorded).await;
        let counted: Vec<_> = recorded.iter().map(|it| it.as_ref().unwrap().is_none()).collect();
        let first = counted.iter().position(|counted| *counted).unwrap();
        assert!(counted != [true, true], "{number}: two decisions");
        let (decision, _) = &cards[first];
        assert_eq!(recorded[1 - first].as_ref().unwrap().as_ref(), Some(decision));

        let is_allowed = decision.outcome == Outcome::Approved;
        allowed += u32::from(is_allowed);
        let [mut left, mut right] = cards;
        let calls = [&mut left, &mut right].map(|(decision, asked)| {
            (decision.outcome == Outcome::Approved).then(|| asked.released(decision))
        });
        let id = left.1.session.id();
        let runs = (0..10).filter_map(|at| {
            Some(tabs[at % 2].run(&tools, calls[at % 2].as_ref()?, id, &KEY, NOW))
        });
        let runs = futures::future::join_all(runs).await;
        let effects = runs.iter().filter(|ran| matches!(ran, Ok(ran) if ran.execution.is_some()));
        assert_eq!(effects.count(), usize::from(is_allowed), "{number}");
    }
    let (household, changes) = home(&tabs[0], 1_000).await;
    assert_eq!(items(&household), one("eggs", &(12 * allowed).to_string()));
    assert_eq!(changes.len(), allowed as usize);
}

#[wasm_bindgen_test]
async fn a_conversation_comes_back_as_it_was_saved() {
    let store = open("comes-back").await;
    let mut asked = Asked::eggs("comes-back");
    assert_eq!(store.session(asked.session.id()).await.unwrap(), None);
    store.save_session(&asked.session, None, 0, NOW).await.unwrap();
    asked.session.mark_saved();

    let again = open("comes-back").await;
    let back = again.session(asked.session.id()).await.unwrap().unwrap().session;
    assert_eq!(back, asked.restored());
    let before: Vec<_> = asked.session.open_requests().cloned().collect();
    assert_eq!(back.open_requests().cloned().collect::<Vec<_>>(), before);
}

#[wasm_bindgen_test]
async fn saving_again_writes_what_is_new_and_takes_away_what_was_taken_back() {
    let store = open("saves-new").await;
    let mut asked = Asked::eggs("saves-new");
    store.save_session(&asked.session, None, 0, NOW).await.unwrap();
    asked.session.mark_saved();
    assert_eq!(asked.session.unsaved_from(), asked.session.messages().len());

    let decision = asked.answer(Answer::Reject { reason: None });
    asked.step(Event::DecisionRecorded { request: decision.request, recorded: Recorded::Durable });
    assert!(asked.session.unsaved_from() < asked.session.messages().len());
    store.save_session(&asked.session, None, 1, Timestamp(NOW.0 + 1)).await.unwrap();
    asked.session.mark_saved();
    let saved = store.session(asked.session.id()).await.unwrap().unwrap();
    assert_eq!(saved, Saved { session: asked.restored(), trouble: None, revision: 2 });
}

#[wasm_bindgen_test]
async fn of_two_tabs_that_go_on_from_the_same_place_only_one_is_saved() {
    let store = open("stale").await;
    let asked = Asked::eggs("stale");
    store.save_session(&asked.session, None, 0, NOW).await.unwrap();
    let other = Asked::eggs("stale");
    let again = store.save_session(&other.session, None, 0, NOW).await;
    assert_eq!(again.unwrap_err(), StoreError::Stale);
    assert_eq!(store.session(asked.session.id()).await.unwrap().unwrap().revision, 1);
}

#[wasm_bindgen_test]
async fn a_failed_call_and_the_text_it_left_unsent_are_kept() {
    let store = open("trouble").await;
    let session = Session::new(SessionId("trouble".to_owned()));
    let error = ModelError { kind: ModelErrorKind::CutOff, message: "cut".to_owned() };
    let trouble = Trouble { error, unsent: Some("eggs, please".to_owned()) };
    let listed = store.save_session(&session, Some(&trouble), 0, NOW).await.unwrap();
    assert_eq!(listed.title, "eggs, please");
    let saved = store.session(session.id()).await.unwrap().unwrap();
    assert_eq!(saved.trouble, Some(trouble));
}

#[wasm_bindgen_test]
async fn conversations_are_listed_by_what_was_touched_last() {
    let store = open("latest").await;
    let (old, new) = (Asked::eggs("z-old"), Asked::eggs("a-new"));
    store.save_session(&old.session, None, 0, NOW).await.unwrap();
    store.save_session(&new.session, None, 0, Timestamp(NOW.0 + 1)).await.unwrap();
    let listed = |id: &str, at: u64| Conversation {
        id: SessionId(id.to_owned()),
        title: "We're out of eggs, put a dozen on the list.".to_owned(),
        waiting: 1,
        touched_at: Timestamp(at),
    };
    let expected = vec![listed("a-new", NOW.0 + 1), listed("z-old", NOW.0)];
    assert_eq!(store.conversations().await.unwrap().all, expected);
}

#[wasm_bindgen_test]
async fn a_change_by_hand_is_kept_and_can_be_taken_back() {
    let store = open("by-hand").await;
    store.edit(add("milk", "1 l"), NOW).await.unwrap().unwrap();
    let kept = store.edit(add("bread", ""), NOW).await.unwrap().unwrap();
    assert_eq!(kept.household.shopping.len(), 2);

    let undone = store.undo(kept.changes[0].id, NOW).await.unwrap().unwrap();
    assert_eq!(items(&undone.household), one("milk", "1 l"));
    let (household, changes) = home(&store, 10).await;
    assert_eq!(items(&household), one("milk", "1 l"));
    assert_eq!(
        changes.iter().map(|change| change.undone).collect::<Vec<_>>(),
        [false, true, false]
    );
}

#[wasm_bindgen_test]
async fn a_change_that_cannot_be_made_leaves_everything_as_it_was() {
    let store = open("cannot").await;
    store.edit(add("milk", "1 l"), NOW).await.unwrap().unwrap();
    let before = home(&store, 10).await;
    let line = kitchen::LineId(999);
    assert!(store.edit(Edit::Remove { line }, NOW).await.unwrap().is_err());
    assert!(store.undo(kitchen::ChangeId(999), NOW).await.unwrap().is_err());
    assert_eq!(home(&store, 10).await, before);
}

#[wasm_bindgen_test]
async fn only_the_newest_changes_are_brought_to_hand() {
    let store = open("newest").await;
    for n in 0..5 {
        store.edit(add(&format!("thing {n}"), ""), NOW).await.unwrap().unwrap();
    }
    let (household, changes) = home(&store, 2).await;
    assert_eq!(household.shopping.len(), 5);
    assert_eq!(changes.len(), 2);
}

#[wasm_bindgen_test]
async fn settings_and_the_digest_key_stay_the_same() {
    let store = open("settings").await;
    assert_eq!(store.preferences().await.unwrap(), Preferences::default());
    let chosen = Preferences { one_at_a_time: true, ..Preferences::default() };
    store.prefer(&chosen).await.unwrap();
    assert_eq!(store.digest_key([1; 32]).await.unwrap(), [1; 32]);

    let again = open("settings").await;
    assert_eq!(again.preferences().await.unwrap(), chosen);
    assert_eq!(again.digest_key([2; 32]).await.unwrap(), [1; 32]);
}

#[wasm_bindgen_test]
async fn a_store_of_a_newer_version_is_left_alone() {
    use indexed_db_futures::database::Database;
    let newer = Database::open("newer").with_version(99_u32).await.unwrap();
    newer.close();
    assert_eq!(connect("newer").await.unwrap_err(), StoreError::Newer);
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_is_said_to_be_damaged() {
    use indexed_db_futures::database::Database;
    use indexed_db_futures::prelude::*;
    use indexed_db_futures::transaction::TransactionMode;

    let store = open("damaged").await;
    let raw = Database::open("damaged").await.unwrap();
    let tx = raw.transaction("household").with_mode(TransactionMode::Readwrite).build().unwrap();
    let row = r#"{"name":"household","next_change":1,"body":"{"}"#;
    tx.object_store("household")
        .unwrap()
        .put(row)
        .with_key("household")
        .primitive()
        .unwrap()
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let error = store.household(10).await.unwrap().household.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { what: "the household", .. }), "{error:?}");
}
