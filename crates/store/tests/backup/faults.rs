//! What fails: files that were cut, changed or blown up, databases that stop, are full or damaged.

use kitchen::Edit;
use serde_json::{Value, json};
use simulation::database::{Fate, Memory, Plan, at_once};
use store::backup::{Fault, How, LINES_MAX, read};
use store::database::Table;
use store::error::StoreError;

use crate::asked::Asked;
use crate::file::{of, sealed, signed, with};
use crate::kitchen_here::{lived_in, meaning};
use crate::{LATER, NOW, contents, copied, open, restored};

#[test]
fn a_copy_that_was_cut_anywhere_is_told_and_nothing_of_it_is_read() {
    let text = copied(&lived_in("cut")).text;
    let bytes = text.as_bytes();
    let mut cuts = 0;
    for end in (0..bytes.len() - 2).step_by(97).chain(bytes.len() - 80..bytes.len() - 2) {
        let cut = String::from_utf8_lossy(&bytes[..end]);
        assert!(matches!(read(&cut), Err(Fault::Cut | Fault::Changed)), "cut at {end}");
        cuts += 1;
    }
    assert!(cuts > 100, "{cuts}");
    // Blanks at the end are nothing that was written.
    assert!(read(text.trim_end()).is_ok() && read(&format!("{text}\r\n\n")).is_ok());
}

#[test]
fn a_copy_in_which_a_byte_was_changed_is_told_and_nothing_of_it_is_read() {
    let text = copied(&lived_in("flipped")).text;
    for at in 0..text.len() - 1 {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1 << (at % 8);
        let changed = String::from_utf8_lossy(&bytes);
        assert!(read(&changed).is_err(), "flipped at {at}");
    }
}

#[test]
fn a_file_that_is_no_copy_of_this_version_is_told_as_what_it_is() {
    let memory = lived_in("other");
    let file = copied(&memory).text;
    let audit = at_once(open(&memory).export_records(NOW)).unwrap().text;
    let large = format!("{}{}", file, " ".repeat(64 << 20));
    let nested = format!("[{}{},", "[".repeat(100_000), "]".repeat(100_000));
    let depth = with(&file, "\"left_out\":[", &format!("\"left_out\":{nested}"));
    let cases = [
        ("", Fault::Cut),
        ("{\"form", Fault::Cut),
        ("[1,2,3]", Fault::NotACopy),
        (&audit, Fault::NotACopy),
        (&file.replace("\"version\":1", "\"version\":2"), Fault::Newer { found: 2 }),
        (&file.replace("\"version\":1", "\"version\":0"), Fault::NotACopy),
        (&file.replace("milk", "mill"), Fault::Changed),
        (&large, Fault::TooLarge),
        (&depth, Fault::TooDeep),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).unwrap_err(), expected);
    }
}

#[test]
fn what_is_given_twice_or_does_not_belong_there_is_no_copy() {
    let file = copied(&lived_in("strict")).text;
    for (text, other) in [
        ("\"household\":", "\"household\":null,\"household\":"),
        ("\"household\":", "\"format\":\"kitchen-assistant\",\"household\":"),
        ("\"household\":", "\"rules\":[],\"household\":"),
        ("\"household\":", "\"__proto__\":{\"approved\":true},\"household\":"),
        ("\"left_out\":[]", "\"left_out\":[]],[[\"\"]"),
        ("\"left_out\":[]", "\"left_out\":NaN"),
        ("\"exported_at\":", "\"exported_at\":-"),
        ("\"exported_at\":", "\"exported_at\":1e400,\"x\":"),
    ] {
        let read = read(&with(&file, text, other));
        assert!(matches!(read, Err(Fault::Unreadable(_))), "{other}: {read:?}");
    }
}

#[test]
fn ten_thousand_lines_come_in_and_more_are_told() {
    let mut parts: Value = serde_json::from_str(&copied(&Memory::default()).text).unwrap();
    let line = |number: usize| {
        let item = format!("thing {number}");
        json!({"id": number, "item": item, "quantity": "1", "note": "", "checked": false})
    };
    let lines: Vec<_> = (0..=LINES_MAX).map(line).collect();
    parts["household"] = json!({"shopping": lines});
    let what = Fault::TooMany { what: "things on the list", max: LINES_MAX };
    assert_eq!(read(&sealed(&parts)).unwrap_err(), what);
    parts["household"]["shopping"].as_array_mut().unwrap().pop();
    let memory = Memory::default();
    let (item, quantity) = ("Things 7".to_owned(), "2".to_owned());
    at_once(open(&memory).edit(Edit::Add { item, quantity }, NOW)).unwrap().unwrap();
    let came = restored(&memory, &read(&sealed(&parts)).unwrap(), How::Add);
    assert_eq!((came.list.added, came.list.merged), (LINES_MAX, 0));
    assert_eq!(came.kept.household.shopping.len(), LINES_MAX + 1);
}

#[test]
fn a_part_that_cannot_be_read_stays_out_is_named_and_the_rest_comes_in() {
    let file = copied(&lived_in("parts")).text;
    let huge = "x".repeat(5 << 20);
    for (text, other, named) in [
        ("\"shopping\":", "\"shopping\":1,\"shop\":", "the list"),
        ("\"provider\":", "\"provider\":1,\"p\":", "the settings"),
        ("\"provider\":\"", &format!("\"provider\":\"{huge}"), "the settings"),
        ("So it is.", &huge, "a conversation"),
        ("\"phase\":", "\"phase\":\"idle\",\"phase\":", "a conversation"),
        ("\"version\":3", "\"version\":999", "a conversation"),
        ("\"messages\":4", "\"messages\":5", "a conversation"),
        ("\"id\":\"parts-ran\"", "\"id\":\"../parts/ran\"", "a conversation"),
        ("\\\"tool\\\":\\\"add", "\\\"tool\\\":\\\"sub", "the records"),
    ] {
        let contents = read(&with(&file, text, other)).unwrap();
        let [why] = contents.unreadable.as_slice() else { panic!("{:?}", contents.unreadable) };
        assert!(why.starts_with(named), "{why}");
        let memory = Memory::default();
        let came = restored(&memory, &contents, How::Add);
        let parts = usize::from(came.list.added > 0) + usize::from(came.settings);
        let rest = parts + usize::from(came.records > 0) + came.conversations.len();
        assert_eq!(rest, 4, "{named}");
    }
}

#[test]
fn wherever_bringing_in_stops_everything_is_as_it_was_or_as_it_is_to_be() {
    let copy = contents(&copied(&lived_in("other")));
    for how in [How::Add, How::Replace] {
        let done = lived_in("here");
        restored(&done, &copy, how);
        let after = done.rows();
        let requests = done.requests();
        assert!(requests > 20, "{requests}");
        for fate in [Fate::Aborts, Fate::Full, Fate::UnansweredUndone] {
            let here = lived_in("here");
            let before = here.rows();
            for requests in 0..=requests {
                here.plan(Plan { fate, requests, ..Plan::default() });
                assert!(at_once(open(&here).restore(&copy, how, LATER)).is_err());
                assert_eq!(here.rows(), before, "{fate:?} at {requests}");
            }
            here.plan(Plan::default());
            restored(&here, &copy, how);
            assert_eq!(here.rows(), after);
        }
        for fate in [Fate::CrashAfter, Fate::UnansweredKept] {
            let here = lived_in("here");
            here.plan(Plan { fate, ..Plan::default() });
            assert!(at_once(open(&here).restore(&copy, how, LATER)).is_err());
            assert_eq!(here.rows(), after, "{fate:?}");
        }
    }
}

#[test]
fn a_full_disk_keeps_nothing_from_being_copied() {
    let memory = lived_in("full");
    let whole = copied(&memory);
    for fate in [Fate::Full, Fate::FullAtCommit] {
        memory.plan(Plan { fate, ..Plan::default() });
        assert_eq!(at_once(open(&memory).back_up(NOW)), Ok(whole.clone()));
        let copy = contents(&whole);
        let full = at_once(open(&memory).restore(&copy, How::Add, LATER));
        assert_eq!(full.unwrap_err(), StoreError::Full);
    }
    memory.plan(Plan::default());
    assert_eq!(copied(&memory), whole);
}

#[test]
fn whatever_row_is_damaged_the_rest_is_in_the_copy_which_says_what_is_not() {
    let whole = contents(&copied(&lived_in("damage")));
    let tables = [
        (Table::Household, 1),
        (Table::Sessions, 2),
        (Table::Messages, 8),
        (Table::Settings, 1),
        (Table::Records, 3),
        (Table::Ledger, 1),
    ];
    for (table, rows) in tables {
        for row in 0..rows {
            let memory = lived_in("damage");
            let row = if table == Table::Ledger { 3 } else { row };
            memory.damage(0, table, row);
            let backup = copied(&memory);
            assert!(!backup.left_out.is_empty(), "{table:?} {row}");
            let copy = read(&backup.text).unwrap();
            assert_eq!(copy.left_out, backup.left_out);
            let all = meaning(&whole);
            let is_there = [
                copy.household.is_some(),
                copy.settings.is_some(),
                copy.chains == whole.chains,
                copy.conversations.len() == whole.conversations.len(),
            ];
            let missing = is_there.iter().filter(|it| !**it).count();
            assert!(missing <= 1, "{table:?} {row}: {:?}", backup.left_out);
            assert!(copy.conversations.len() >= whole.conversations.len() - 1);
            if missing == 0 {
                assert_eq!(meaning(&copy), all);
            }
        }
    }
}

#[test]
fn a_copy_that_was_never_read_by_this_program_is_read_without_end_or_panic() {
    let parts = of(&Asked::eggs("values"));
    for value in [json!(null), json!(0), json!(""), json!([]), json!({}), json!([{}]), json!([[]])]
    {
        for name in ["household", "settings", "records", "conversations", "left_out", "exported_at"]
        {
            let mut parts = parts.clone();
            parts[name] = value.clone();
            let _ = read(&sealed(&parts));
        }
    }
    let _ = read(&signed("{\"format\":\"kitchen-assistant\",\"version\":1,"));
    let _ = read(&signed(""));
}
