//! Threats to what is kept. The database is the simulation's, which fails at any request it is told to and lets its rows be tampered with.

#![allow(
    clippy::unwrap_used,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

mod asked;

use std::rc::Rc;

use agent::approval::{Answer, ApprovedCall, Outcome};
use agent::event::ToolOutcome;
use agent::id::SessionId;
use agent::time::Timestamp;
use kitchen::{Change, Edit, Household};
use simulation::database::{Fate, Memory, Plan, View, at_once};
use store::Store;
use store::chain::Broken;
use store::database::{Key, Table};
use store::error::StoreError;
use store::settings::Preferences;

use self::asked::Asked;

/// The rows of a table, as a stranger could change them.
type Rows = Vec<(Key, String)>;

const NOW: Timestamp = Timestamp(1_796_000_000_000);
const KEY: [u8; 32] = [7; 32];

fn open(memory: &Memory) -> Store<View<'_>> {
    Store::new(View::of(memory))
}

/// The household and its changes, all of which can be read.
fn home(store: &Store<View<'_>>) -> (Household, Vec<Change>) {
    let home = at_once(store.household(10)).unwrap();
    (home.household.unwrap(), home.changes.whole().unwrap())
}

/// A chain of so many decisions.
fn decided(memory: &Memory, count: u64) {
    let store = open(memory);
    for number in 0..count {
        let mut asked = Asked::eggs(&format!("{number}"));
        let no = asked.answer(Answer::Reject { reason: None });
        assert_eq!(at_once(store.record_decision(&no)).unwrap(), None);
    }
}

/// Changes the rows of a table.
fn tamper(memory: &Memory, table: Table, change: impl FnOnce(&mut Vec<(Key, String)>)) {
    let mut ledger = memory.ledger();
    let rows = ledger.iter_mut().find(|(of, _)| *of == table).map(|(_, rows)| rows).unwrap();
    let mut list: Vec<_> = rows.iter().map(|(key, row)| (key.clone(), row.to_string())).collect();
    change(&mut list);
    *rows = Rc::new(list.into_iter().map(|(key, row)| (key, row.into())).collect());
    memory.put_ledger_back(ledger);
}

/// Where the chain breaks, as the page finds when it opens the store and when it exports.
fn found(memory: &Memory) -> (Option<Broken>, Option<Broken>) {
    let store = open(memory);
    let opened = at_once(store.newest_records(500)).unwrap().broken;
    (opened, at_once(store.export_records(NOW)).unwrap().broken)
}

/// Past the last request of a transaction, it is the commit that fails.
const REQUESTS: u32 = 16;

#[test]
fn a_decision_that_cannot_be_written_has_no_effect_at_whatever_request_it_fails() {
    for requests in 0..REQUESTS {
        let memory = Memory::default();
        let store = open(&memory);
        let mut asked = Asked::eggs("c4");
        let yes = asked.yes();
        memory.plan(Plan { fate: Fate::Aborts, requests, ..Plan::default() });
        assert!(at_once(store.record_decision(&yes)).is_err());
        assert!(memory.struck());
        memory.plan(Plan::default());

        let call = asked.released(&yes);
        let ran = at_once(store.run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW));
        assert_eq!(ran.unwrap_err(), StoreError::NotApproved);
        assert_eq!(memory.commits(), 0);
        assert_eq!(home(&store), (Household::default(), vec![]));
    }
}

#[test]
fn an_execution_that_cannot_be_written_takes_its_effect_with_it_and_runs_once_later() {
    for requests in 0..REQUESTS {
        let memory = Memory::default();
        let store = open(&memory);
        let mut asked = Asked::eggs("c4");
        let yes = asked.yes();
        at_once(store.record_decision(&yes)).unwrap();
        let call = asked.released(&yes);
        let run = || at_once(store.run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW));
        memory.plan(Plan { fate: Fate::Aborts, requests, ..Plan::default() });
        assert!(run().is_err());
        memory.plan(Plan::default());
        assert_eq!(home(&store), (Household::default(), vec![]));
        assert_eq!(at_once(store.newest_records(10)).unwrap().entries.len(), 1);

        assert!(run().unwrap().execution.is_some());
        assert!(run().unwrap().execution.is_none());
        assert_eq!(home(&store).0.shopping.len(), 1);
        assert_eq!(found(&memory), (None, None));
    }
}

/// What a tab tells as undone, another tab or an older copy of the conversation may still have leave
/// to do.
#[test]
fn a_call_that_is_told_as_not_carried_out_is_carried_out_by_nobody_afterwards() {
    for requests in 0..REQUESTS {
        let memory = Memory::default();
        let store = open(&memory);
        let mut asked = Asked::eggs("undone");
        let yes = asked.yes();
        at_once(store.record_decision(&yes)).unwrap();
        let (call, id) = (asked.released(&yes), asked.session.id());
        let tell = || undone(&store, &call, id, "Nothing was changed.");
        memory.plan(Plan { fate: Fate::Aborts, requests, ..Plan::default() });
        assert!(tell().is_err(), "it counts as unknown");
        memory.plan(Plan::default());
        let told = ToolOutcome::Failed { text: "Nothing was changed.".to_owned() };
        assert_eq!(tell(), Ok(told.clone()));

        let ran = at_once(store.run(&kitchen::tools(), &call, id, &KEY, NOW)).unwrap();
        assert_eq!((ran.outcome, ran.execution), (told, None));
        assert_eq!(home(&store), (Household::default(), vec![]));
        assert_eq!(at_once(store.newest_records(10)).unwrap().entries.len(), 2);
    }
}

#[test]
fn a_call_that_was_carried_out_is_not_told_as_not_carried_out() {
    let memory = Memory::default();
    let store = open(&memory);
    let mut asked = Asked::eggs("done");
    let yes = asked.yes();
    at_once(store.record_decision(&yes)).unwrap();
    let (call, id) = (asked.released(&yes), asked.session.id());
    let ran = at_once(store.run(&kitchen::tools(), &call, id, &KEY, NOW)).unwrap();
    let told = undone(&store, &call, id, "It failed.");
    assert_eq!(told, Ok(ran.outcome));
}

fn undone(
    store: &Store<View<'_>>,
    approved: &ApprovedCall,
    id: &SessionId,
    why: &str,
) -> Result<ToolOutcome, StoreError> {
    let (call, request) = (approved.call(), approved.request().unwrap());
    at_once(store.not_carried_out(call, request, id, &KEY, why.to_owned(), NOW))
}

/// Something the store is asked to do, once or again.
type Asking<'a> = Box<dyn Fn(&Store<View<'_>>) -> Result<(), StoreError> + 'a>;

#[test]
fn whatever_is_aborted_at_whatever_request_leaves_no_trace_and_works_when_it_is_tried_again() {
    let tools = kitchen::tools();
    let mut asked = Asked::eggs("faults");
    let before_the_answer = asked.session.clone();
    let yes = asked.yes();
    let mut released = asked.clone();
    let call = released.released(&yes);
    let milk = || Edit::Add { item: "milk".to_owned(), quantity: "1 l".to_owned() };
    let id = SessionId("faults".to_owned());
    let done = |result: Result<Result<_, String>, StoreError>| {
        result.map(|kept: Result<_, _>| drop(kept.unwrap()))
    };
    let all: Vec<Asking<'_>> = vec![
        Box::new(|store| at_once(store.digest_key(KEY)).map(drop)),
        Box::new(|store| at_once(store.prefer(&Preferences::default()))),
        Box::new(|store| at_once(store.save_session(&before_the_answer, None, 0, NOW)).map(drop)),
        Box::new(|store| at_once(store.save_session(&asked.session, None, 1, NOW)).map(drop)),
        Box::new(|store| at_once(store.record_decision(&yes)).map(drop)),
        Box::new(|store| at_once(store.run(&tools, &call, &id, &KEY, NOW)).map(drop)),
        Box::new(|store| done(at_once(store.edit(milk(), NOW)))),
        Box::new(|store| done(at_once(store.undo(kitchen::ChangeId(2), NOW)))),
        Box::new(|store| at_once(store.forget_session(&id))),
    ];
    let memory = Memory::default();
    let store = open(&memory);
    for (number, asking) in all.iter().enumerate() {
        let before = memory.rows();
        let mut aborted = 0;
        for requests in 0..32 {
            memory.plan(Plan { fate: Fate::Aborts, requests, ..Plan::default() });
            assert!(asking(&store).is_err(), "{number}, aborted at {requests}");
            assert_eq!(memory.rows(), before, "{number}, aborted at {requests}");
            aborted += 1;
        }
        memory.plan(Plan::default());
        assert_eq!(asking(&store), Ok(()), "{number}, after {aborted} attempts");
        assert_ne!(memory.rows(), before, "{number}");
    }
}

#[test]
fn a_call_with_other_arguments_than_those_that_were_decided_on_does_not_run() {
    let memory = Memory::default();
    let store = open(&memory);
    let mut asked = Asked::eggs("changed");
    let yes = asked.yes();
    at_once(store.record_decision(&yes)).unwrap();
    // The same conversation, the same ids, and another amount: as if what is kept was changed.
    let mut other = Asked::new("changed", &yes.tool, r#"{"item":"eggs","quantity":"13"}"#);
    let call = other.yes();
    assert_eq!((&call.request, &call.call), (&yes.request, &yes.call));
    let call = other.released(&call);
    let ran = at_once(store.run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW));
    assert_eq!(ran.unwrap_err(), StoreError::NotApproved);
    assert_eq!(home(&store), (Household::default(), vec![]));
}

#[test]
fn any_record_that_was_changed_deleted_or_moved_is_found_on_opening_and_on_export() {
    const COUNT: usize = 60;
    let memory = Memory::default();
    decided(&memory, COUNT as u64);
    assert_eq!(found(&memory), (None, None));
    let whole = memory.ledger();
    let check = |change: &dyn Fn(&mut Rows)| {
        tamper(&memory, Table::Records, change);
        let (opened, exported) = found(&memory);
        assert!(opened.is_some() && opened == exported, "{opened:?} {exported:?}");
        memory.put_ledger_back(whole.clone());
    };
    for at in 0..COUNT {
        check(&|rows| rows[at].1 = rows[at].1.replace("denied", "approved"));
        check(&|rows| drop(rows.remove(at)));
        let other = (at + 7) % COUNT;
        check(&|rows| {
            let row = rows[at].1.clone();
            rows[at].1 = std::mem::replace(&mut rows[other].1, row);
        });
    }
    check(&|rows| rows.clear());
}

#[test]
fn a_stretch_of_older_records_is_held_against_what_follows_it() {
    let memory = Memory::default();
    decided(&memory, 40);
    let store = open(&memory);
    let newest = at_once(store.newest_records(10)).unwrap();
    assert_eq!((newest.broken, newest.entries.len(), newest.start.number), (None, 10, 30));
    let older = at_once(store.records_up_to(&newest.start, 20)).unwrap();
    assert_eq!((older.broken, older.entries.len(), older.start.number), (None, 20, 10));
    let oldest = at_once(store.records_up_to(&older.start, 20)).unwrap();
    assert_eq!((oldest.broken, oldest.entries.len(), oldest.start.number), (None, 10, 0));

    tamper(&memory, Table::Records, |rows| rows[24].1 = rows[24].1.replace("denied", "approved"));
    let newest = at_once(store.newest_records(10)).unwrap();
    assert_eq!(newest.broken, None);
    let older = at_once(store.records_up_to(&newest.start, 20)).unwrap();
    assert_eq!(older.broken, Some(Broken::Changed { number: 25 }));
}

#[test]
fn a_forged_end_of_the_records_is_found_and_nothing_is_written_over_what_is_there() {
    let memory = Memory::default();
    decided(&memory, 5);
    tamper(&memory, Table::Ledger, |rows| rows.retain(|(key, _)| *key != "head".into()));
    let cut = Some(Broken::Cut { expected: 0, found: 5 });
    assert_eq!(found(&memory), (cut.clone(), cut));
    let before = memory.ledger();
    let mut asked = Asked::eggs("later");
    let recorded = at_once(open(&memory).record_decision(&asked.yes()));
    assert!(matches!(recorded, Err(StoreError::Damaged { .. })), "{recorded:?}");
    assert_eq!(memory.ledger(), before);
}

#[test]
fn a_tab_that_follows_finds_that_what_it_holds_was_replaced() {
    let (memory, other) = (Memory::default(), Memory::default());
    decided(&memory, 5);
    let held = at_once(open(&memory).newest_records(500)).unwrap().end;
    let store = open(&other);
    for number in 0..7 {
        let mut asked = Asked::eggs(&format!("other {number}"));
        at_once(store.record_decision(&asked.yes())).unwrap();
    }
    memory.put_ledger_back(other.ledger());
    let newer = at_once(open(&memory).records_after(&held)).unwrap();
    assert_eq!(newer.broken, Some(Broken::Changed { number: 6 }));
}

#[test]
fn a_record_whose_body_was_lost_is_damaged_and_the_rest_is_fine() {
    let memory = Memory::default();
    decided(&memory, 20);
    tamper(&memory, Table::Records, |rows| rows[8].1 = r#"{"number":9}"#.to_owned());
    let newest = at_once(open(&memory).newest_records(500)).unwrap();
    let damaged: Vec<_> = newest.entries.iter().filter(|entry| entry.record.is_err()).collect();
    assert_eq!(newest.entries.len(), 20);
    assert_eq!(damaged.iter().map(|entry| entry.at.number).collect::<Vec<_>>(), [9]);
    assert_eq!(newest.broken, Some(Broken::Changed { number: 9 }));
    let mut asked = Asked::eggs("later");
    assert_eq!(at_once(open(&memory).record_decision(&asked.yes())).unwrap(), None);
}

/// The row asks that one message be shown as damaged inside its conversation. A call whose message
/// is lost would leave its result without a question, which no provider takes; so the conversation
/// is closed as damaged, its rows stay as they are, and every other conversation opens.
#[test]
fn a_conversation_with_a_message_that_was_lost_is_damaged_and_the_others_are_fine() {
    let memory = Memory::default();
    let store = open(&memory);
    for session in ["damaged", "fine"] {
        at_once(store.save_session(&Asked::eggs(session).session, None, 0, NOW)).unwrap();
    }
    let mut own = memory.own(0);
    let messages = own.iter_mut().find(|(table, _)| *table == Table::Messages).unwrap();
    let lost = Rc::make_mut(&mut messages.1).get_mut(&Key::Pair("damaged".to_owned(), 0)).unwrap();
    *lost = r#"{"session":"damaged","index":0,"body":""}"#.into();
    memory.put_back(0, own);
    let before = memory.rows();

    let damaged = at_once(store.session(&SessionId("damaged".to_owned())));
    assert!(matches!(damaged, Err(StoreError::Damaged { .. })), "{damaged:?}");
    assert!(at_once(store.session(&SessionId("fine".to_owned()))).unwrap().is_some());
    assert_eq!(at_once(store.conversations()).unwrap().all.len(), 2);
    assert_eq!(at_once(store.calls(&SessionId("damaged".to_owned()))).unwrap().len(), 1);
    assert_eq!(memory.rows(), before);
}

#[test]
fn what_was_said_in_a_conversation_is_gone_with_it_and_its_records_stay() {
    const SECRETS: [&str; 3] = ["hunter2", "passport", "diagnosis"];
    let memory = Memory::default();
    let store = open(&memory);

    // A secret in the arguments of a call that was denied, and one in the reason.
    let arguments = r#"{"item":"hunter2","quantity":"1"}"#;
    let mut denied = Asked::new("denied", "add_to_shopping_list", arguments);
    at_once(store.save_session(&denied.session, None, 0, NOW)).unwrap();
    let no = denied.answer(Answer::Reject { reason: Some("not my passport".to_owned()) });
    at_once(store.record_decision(&no)).unwrap();
    denied.recorded(&no);
    at_once(store.save_session(&denied.session, None, 1, NOW)).unwrap();

    // A secret in the words of a tool that failed.
    let arguments = r#"{"item":"diagnosis"}"#;
    let mut failed = Asked::new("failed", "remove_from_shopping_list", arguments);
    at_once(store.save_session(&failed.session, None, 0, NOW)).unwrap();
    let yes = failed.yes();
    at_once(store.record_decision(&yes)).unwrap();
    let call = failed.released(&yes);
    let ran = at_once(store.run(&kitchen::tools(), &call, failed.session.id(), &KEY, NOW)).unwrap();
    assert!(matches!(&ran.outcome, ToolOutcome::Failed { text } if text.contains("diagnosis")));

    let export = at_once(store.export_records(NOW)).unwrap();
    for secret in SECRETS {
        assert!(memory.rows().contains(secret), "{secret} was never kept");
        assert!(!export.text.contains(secret), "{secret} is in the export");
    }
    // As long as the conversation is there, a restart finds what came of its call.
    let again =
        at_once(store.run(&kitchen::tools(), &call, failed.session.id(), &KEY, NOW)).unwrap();
    assert_eq!(again.outcome, ran.outcome);

    for session in ["denied", "failed"] {
        at_once(store.forget_session(&SessionId(session.to_owned()))).unwrap();
    }
    for secret in SECRETS {
        assert!(!memory.rows().contains(secret), "{secret} is still kept");
    }
    let after = at_once(store.export_records(NOW)).unwrap();
    assert_eq!(after, export);
    assert_eq!((after.broken, after.records), (None, 3));
    let records = at_once(store.newest_records(10)).unwrap().entries;
    assert!(records.iter().all(|entry| entry.record.is_ok()));
    assert_eq!(at_once(store.conversations()).unwrap().all, vec![]);
    let again = Outcome::Denied;
    assert_eq!(at_once(store.record_decision(&no)).unwrap().unwrap().outcome, again);
}
