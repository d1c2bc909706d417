//! Copies of everything: what comes back of them, what does not, and what no file can do. The
//! database is the simulation's.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

#[path = "../threats/asked.rs"]
mod asked;
mod faults;
mod file;
mod hostile;
mod kitchen_here;
mod tabs;

use agent::approval::{Answer, Expired};
use agent::session::Activity;
use agent::time::Timestamp;
use simulation::database::{Memory, View, at_once};
use store::Store;
use store::backup::{Backup, Contents, How, Restored, read};
use store::settings::Preferences;

use self::asked::Asked;
use self::kitchen_here::{lived_in, meaning};

const NOW: Timestamp = Timestamp(1_796_000_000_000);
const LATER: Timestamp = Timestamp(1_796_000_600_000);
const KEY: [u8; 32] = [7; 32];

fn open(memory: &Memory) -> Store<View<'_>> {
    Store::new(View::of(memory))
}

fn copied(memory: &Memory) -> Backup {
    at_once(open(memory).back_up(NOW)).unwrap()
}

/// What a copy holds that holds everything.
#[track_caller]
fn contents(backup: &Backup) -> Contents {
    let contents = read(&backup.text).unwrap();
    assert_eq!((&backup.left_out, &contents.unreadable), (&vec![], &vec![]));
    contents
}

#[track_caller]
fn restored(memory: &Memory, contents: &Contents, how: How) -> Restored {
    at_once(open(memory).restore(contents, how, LATER)).unwrap()
}

#[test]
fn a_copy_that_is_brought_into_an_empty_browser_and_copied_again_means_the_same() {
    let (here, there) = (lived_in("here"), Memory::default());
    let first = contents(&copied(&here));
    let came = restored(&there, &first, How::Add);
    assert_eq!((came.conversations.len(), came.here_already, came.settings), (2, 0, true));
    assert_eq!(came.expired, Expired::default());
    let second = contents(&copied(&there));
    assert_eq!(meaning(&second), meaning(&first));

    // And once more, to where it came from: everything is there, and nothing is there twice.
    let mut back = second;
    back.household = None;
    let before = meaning(&contents(&copied(&here)));
    let came = restored(&here, &back, How::Add);
    assert_eq!((came.conversations.len(), came.here_already, came.settings), (0, 2, false));
    assert_eq!((came.records, came.gone), (0, vec![]));
    assert_eq!(meaning(&contents(&copied(&here))), before);
}

#[test]
fn a_copy_in_the_place_of_what_is_here_leaves_what_it_holds_and_the_records_of_this_place() {
    let (here, other) = (lived_in("here"), lived_in("other"));
    let first = contents(&copied(&other));
    let own = at_once(open(&here).all_records()).unwrap();
    let came = restored(&here, &first, How::Replace);
    assert_eq!((came.gone.len(), came.conversations.len(), came.settings), (2, 2, true));
    assert_eq!(at_once(open(&here).all_records()).unwrap(), own);
    assert_eq!(at_once(open(&here).newest_records(100)).unwrap().broken, None);

    let now = contents(&copied(&here));
    let (mut now, first) = (meaning(&now), meaning(&first));
    assert_eq!(now.chains.len(), 2);
    now.chains.retain(|chain| first.chains.contains(chain));
    assert_eq!(now, first);
}

#[test]
fn a_list_that_was_brought_in_can_be_taken_back() {
    for how in [How::Add, How::Replace] {
        let (here, other) = (lived_in("here"), lived_in("other"));
        let before = at_once(open(&here).household(10)).unwrap().household.unwrap();
        let came = restored(&here, &contents(&copied(&other)), how);
        let [change] = came.kept.changes.as_slice() else { panic!("one change") };
        let kept = at_once(open(&here).undo(change.id, LATER)).unwrap().unwrap();
        assert_eq!(kept.household.shopping, before.shopping);
    }
}

#[test]
fn what_waited_was_allowed_or_was_under_way_expires_and_is_told() {
    let memory = Memory::default();
    let save = |asked: &Asked| {
        at_once(open(&memory).save_session(&asked.session, None, 0, NOW)).unwrap();
    };
    let mut waits = Asked::eggs("waits");
    save(&waits);
    let mut runs = Asked::eggs("runs");
    let yes = runs.yes();
    runs.released(&yes);
    save(&runs);
    let mut always = Asked::eggs("always");
    always.always();
    save(&always);
    let there = Memory::default();
    let came = restored(&there, &contents(&copied(&memory)), How::Add);
    let expected = Expired { waiting: 1, unknown: 2, standing: 1, ..Expired::default() };
    assert_eq!(came.expired, expected);
    for conversation in at_once(open(&there).conversations()).unwrap().all {
        assert_eq!(conversation.waiting, 0);
        let saved = at_once(open(&there).session(&conversation.id)).unwrap().unwrap();
        assert_eq!(saved.session.activity(), Activity::Idle);
    }
    // Where it was copied everything waits as before.
    assert_eq!(waits.answer(Answer::Reject { reason: None }).session.0, "waits");
    let saved = at_once(open(&memory).session(waits.session.id())).unwrap().unwrap();
    assert_eq!(saved.session.activity(), Activity::AwaitingPerson);
}

#[test]
fn an_older_copy_brought_back_to_its_own_place_says_what_was_decided_and_done_since() {
    let memory = Memory::default();
    let store = open(&memory);
    let mut asked = Asked::eggs("since");
    at_once(store.save_session(&asked.session, None, 0, NOW)).unwrap();
    let backup = copied(&memory);
    let yes = asked.yes();
    at_once(store.record_decision(&yes)).unwrap();
    let call = asked.released(&yes);
    at_once(store.run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW)).unwrap();
    at_once(store.save_session(&asked.session, None, 1, NOW)).unwrap();

    let mut old = contents(&backup);
    old.household = None;
    let came = restored(&memory, &old, How::Replace);
    assert_eq!(came.expired, Expired::default());
    let saved = at_once(store.session(asked.session.id())).unwrap().unwrap();
    assert_eq!(saved.revision, 3, "a tab that has it open goes on from what came in");
    assert_eq!(file::endings(&saved.session), ["ran"]);
    assert_eq!(at_once(store.newest_records(10)).unwrap().entries.len(), 2);
}

#[test]
fn records_that_came_with_a_copy_hold_on_their_own_and_are_kept_once() {
    let (here, there) = (lived_in("here"), lived_in("there"));
    let short = contents(&copied(&here));
    let mut more = Asked::eggs("more");
    let no = more.answer(Answer::Reject { reason: None });
    at_once(open(&here).record_decision(&no)).unwrap();
    let long = contents(&copied(&here));
    let records = short.chains[0].rows.len();
    assert_eq!(restored(&there, &short, How::Add).records, records);
    assert_eq!(restored(&there, &short, How::Add).records, 0);
    assert_eq!(restored(&there, &long, How::Add).records, 1);
    assert_eq!(restored(&there, &short, How::Add).records, 0);
    let both = contents(&copied(&there));
    assert_eq!(both.chains.len(), 2);
    assert!(both.chains.iter().all(|chain| chain.check().is_ok()));
    assert!(both.chains.contains(&long.chains[0]));
    // They decide nothing here: the same request can still be answered, once.
    assert_eq!(at_once(open(&there).record_decision(&no)).unwrap(), None);
}

#[test]
fn settings_that_were_chosen_here_stay_unless_everything_is_replaced() {
    let other = Preferences { model: "other".to_owned(), ..Preferences::default() };
    let (here, there) = (Memory::default(), Memory::default());
    at_once(open(&here).prefer(&other)).unwrap();
    let copy = contents(&copied(&here));
    assert!(restored(&there, &copy, How::Add).settings);
    assert_eq!(at_once(open(&there).preferences()).unwrap(), other);
    at_once(open(&there).prefer(&Preferences::default())).unwrap();
    assert!(!restored(&there, &copy, How::Add).settings);
    assert!(restored(&there, &copy, How::Replace).settings);
    assert_eq!(at_once(open(&there).preferences()).unwrap(), other);
}

#[test]
fn no_key_is_in_a_copy() {
    let memory = lived_in("keys");
    at_once(open(&memory).digest_key([0xAB; 32])).unwrap();
    let text = copied(&memory).text;
    assert!(memory.rows().contains("171,171,171"));
    assert!(!text.contains("digest_key") && !text.contains("171,171"));
}
