//! The chain of records: whatever is done to what was written is found, and where.

use store::chain::{Broken, Head, START, digest, verify};
use store::records::RecordRow;

fn written(count: u64) -> (Vec<RecordRow>, Head) {
    let mut head = Head { number: 0, digest: START.to_owned() };
    let rows = (1..=count)
        .map(|number| {
            let body = format!(r#"{{"n":{number}}}"#);
            let digest = digest(&head.digest, number, &body);
            head = Head { number, digest: digest.clone() };
            RecordRow { number, body, digest }
        })
        .collect();
    (rows, head)
}

#[test]
fn what_was_written_holds() {
    for count in [0, 1, 2, 1000] {
        let (rows, head) = written(count);
        assert_eq!(verify(&Head::default(), &rows, &head), Ok(()));
    }
}

#[test]
fn any_record_that_was_changed_is_found() {
    let (rows, head) = written(1000);
    for at in 0..rows.len() {
        let mut rows = rows.clone();
        rows[at].body.push(' ');
        let number = at as u64 + 1;
        assert_eq!(verify(&Head::default(), &rows, &head), Err(Broken::Changed { number }));
    }
}

#[test]
fn a_record_changed_with_its_own_digest_made_anew_is_found_at_the_next() {
    let (mut rows, head) = written(10);
    rows[4].body = r#"{"n":"other"}"#.to_owned();
    rows[4].digest = digest(&rows[3].digest, 5, &rows[4].body);
    assert_eq!(verify(&Head::default(), &rows, &head), Err(Broken::Changed { number: 6 }));
}

#[test]
fn a_chain_made_anew_from_a_change_on_is_found_at_its_end() {
    let (mut rows, head) = written(10);
    rows[4].body = r#"{"n":"other"}"#.to_owned();
    for at in 4..rows.len() {
        rows[at].digest = digest(&rows[at - 1].digest, at as u64 + 1, &rows[at].body);
    }
    assert_eq!(verify(&Head::default(), &rows, &head), Err(Broken::Changed { number: 10 }));
}

#[test]
fn any_record_that_was_taken_away_is_found() {
    let (rows, head) = written(100);
    for at in 0..rows.len() - 1 {
        let mut rows = rows.clone();
        rows.remove(at);
        let (expected, found) = (at as u64 + 1, at as u64 + 2);
        assert_eq!(
            verify(&Head::default(), &rows, &head),
            Err(Broken::Missing { expected, found })
        );
    }
    for left in 0..rows.len() {
        let cut = Broken::Cut { expected: 100, found: left as u64 };
        assert_eq!(verify(&Head::default(), &rows[..left], &head), Err(cut));
    }
}

#[test]
fn records_that_were_moved_are_found() {
    let (mut rows, head) = written(10);
    rows.swap(3, 7);
    assert_eq!(
        verify(&Head::default(), &rows, &head),
        Err(Broken::Missing { expected: 4, found: 8 })
    );
}

#[test]
fn a_stretch_holds_between_its_ends_and_nowhere_else() {
    let (rows, head) = written(10);
    let at =
        |number: usize| Head { number: number as u64, digest: rows[number - 1].digest.clone() };
    assert_eq!(verify(&at(4), &rows[4..], &head), Ok(()));
    assert_eq!(verify(&at(4), &rows[4..7], &at(7)), Ok(()));
    assert_eq!(verify(&at(3), &rows[4..], &head), Err(Broken::Missing { expected: 4, found: 5 }));
    let other = Head { number: 4, digest: rows[4].digest.clone() };
    assert_eq!(verify(&other, &rows[4..], &head), Err(Broken::Changed { number: 5 }));
}
