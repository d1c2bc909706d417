//! What a person is told of a copy: before anything of it is kept, and after.

#![allow(clippy::unwrap_used, reason = "a test stops where it is wrong")]

use agent::approval::Expired;
use agent::time::Timestamp;
use kitchen::Household;
use kitchen::shopping::{BroughtIn, LeftOut};
use store::backup::{Backup, Fault, Restored, digest};
use store::error::StoreError;
use store::household::Kept;
use view::backup::{Here, Look, Told, look};
use view::marks::Marked;

fn words(all: &[Marked]) -> Vec<String> {
    all.iter().map(Marked::spoken).collect()
}

/// A copy with these parts, as they are written.
fn file(household: &str, settings: &str, conversations: &str, left_out: &str) -> String {
    let text = format!(
        "{{\"format\":\"kitchen-assistant\",\"version\":1,\"exported_at\":1796000000000,\
         \"household\":{household},\"settings\":{settings},\"records\":[],\
         \"conversations\":[{conversations}],\"left_out\":[{left_out}],"
    );
    format!("{text}\"digest\":\"{}\"}}\n", digest(&text))
}

#[test]
fn a_file_says_what_it_holds_and_what_does_not_come_back_before_anything_is_changed() {
    let milk = r#"{"shopping":[{"id":1,"item":"milk","quantity":"","note":"","checked":false}]}"#;
    let settings = r#"{"provider":"anthropic\u202e","model":"m","one_at_a_time":false}"#;
    let said = r#"{"touched_at":1,"trouble":null,"state":{"version":3,"id":"s","messages":1,"run":
        {"phase":"idle","prompt":{"id":"","denied":false,"question_rounds":0,"covered_rounds":0,
        "failing_rounds":0},"rounds":0,"texts":[],"fresh":0,"standing":[],"superseded":[],
        "unrecorded":[]}},"messages":[{"at":1,"body":{"person":"Hello"}}]}"#;
    let Look { written, holds, changes, stays_out } =
        look(&file(milk, settings, said, "\"a change cannot be read\"")).unwrap();
    assert_eq!(written, Timestamp(1_796_000_000_000));
    assert_eq!(holds, ["1 thing on the list", "1 conversation, 1 message", "Settings"]);
    assert_eq!(
        words(&changes),
        ["Its settings say that this model answers: anthropic U+202E direction change , m."]
    );
    assert_eq!(words(&stays_out), ["When it was saved: a change cannot be read."]);

    let Look { holds, stays_out, .. } = look(&file("7", "null", "{},{},{},{},{},{}", "")).unwrap();
    assert_eq!(holds, ["Nothing"]);
    assert_eq!(stays_out.len(), 6, "{stays_out:?}");
    assert_eq!(words(&stays_out).last().unwrap(), "And 2 more.");
}

#[test]
fn whatever_is_wrong_with_a_file_is_said_and_that_nothing_was_changed() {
    let faults = [
        Fault::TooLarge,
        Fault::NotACopy,
        Fault::Newer { found: 2 },
        Fault::Cut,
        Fault::Changed,
        Fault::TooDeep,
        Fault::TooMany { what: "things on the list", max: 10_000 },
        Fault::Unreadable("a key is given twice".to_owned()),
    ];
    for fault in faults {
        let told = Told::fault(&fault);
        assert!(told.is_fault && !told.happened.is_empty(), "{told:?}");
        assert!(words(&told.done).join(" ").contains("nothing was changed"), "{told:?}");
    }
}

#[test]
fn what_goes_is_said_before_it_goes() {
    let here = Here { things: 2, conversations: 1, waiting: 1 };
    assert_eq!(
        here.goes(),
        "What is here now goes: 2 things on the list and 1 conversation, and your settings. A \
         question still waits in them: it is closed, and never runs."
    );
    assert!(Here::default().is_empty() && !here.is_empty());
}

#[test]
fn what_was_and_was_not_done_is_said() {
    let left_out = LeftOut { item: "a\u{7}".to_owned(), why: "Too long.".to_owned() };
    let restored = Restored {
        kept: Kept { household: Household::default(), changes: vec![] },
        list: BroughtIn { added: 2, merged: 1, left_out: vec![left_out] },
        conversations: vec![],
        here_already: 1,
        gone: vec![],
        expired: Expired { waiting: 1, allowed: 2, unknown: 1, standing: 1 },
        records: 3,
        settings: true,
    };
    assert_eq!(
        words(&Told::brought_in(&restored).done),
        [
            "2 things are new on the list.",
            "1 thing was added to what stood there already.",
            "1 conversation was here already and stays as it is.",
            "3 records are kept apart.",
            "The settings are those of the copy.",
            "1 question expired: it cannot be answered, and never runs.",
            "2 calls that were allowed and not done expired: they never run.",
            "1 call was under way when the copy was saved: it may have been done there. Look \
             before you ask for it again.",
            "1 thing you always allowed stays out: you are asked again.",
            "“a ␇ U+0007 ” stays out. Too long.",
        ]
    );
    for why in [StoreError::Full, StoreError::Absent, StoreError::Refused("no".to_owned())] {
        let told = Told::not_brought_in(&why);
        assert!(told.is_fault && words(&told.done).join(" ").contains("Nothing was changed."));
    }
    let unanswered = Told::not_brought_in(&StoreError::Unanswered);
    assert!(words(&unanswered.done).join(" ").contains("whole or not at all"));
}

#[test]
fn a_copy_that_is_not_whole_says_so_when_it_is_saved() {
    let left_out = vec!["a conversation cannot be read: EOF".to_owned()];
    let told = Told::copied(&Backup { text: String::new(), left_out });
    assert_eq!(words(&told.done)[1], "Not as it should be: a conversation cannot be read: EOF.");
}
