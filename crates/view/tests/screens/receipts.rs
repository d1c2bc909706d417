//! Receipts.

use agent::approval::{Basis, Outcome};
use agent::id::RequestId;
use agent::message::{Body, Content, Ending};
use kitchen::{Change, ChangeId, difference};
use view::conversation::{Turn, TurnBody, turns};
use view::receipt::{Sign, Undo};

use crate::transcript::{NOW, add, decision, household, message, result, said};

/// What the conversation says of one call that ended so.
#[track_caller]
fn check_receipt(outcome: Outcome, basis: Basis, ending: Ending, sign: Sign, words: &str) {
    let eggs = add("a", "eggs", "12");
    let messages = [
        said("eggs"),
        message(Body::Assistant(vec![Content::Call(eggs.clone())])),
        result(&eggs, ending, Some(decision(&eggs, outcome, basis))),
    ];
    let turns = turns(&messages, &[], &[], &[]);
    let Some(TurnBody::Receipt(receipt)) = turns.last().map(|turn| &turn.body) else {
        panic!("no receipt in {turns:?}")
    };
    assert_eq!((receipt.sign, receipt.announcement()), (sign, format!("eggs, 12. {words}")));
}

#[test]
fn a_receipt_tells_what_was_allowed_from_what_happened() {
    use Ending::{Failed, NotRun, Ran, Refused, Unknown};
    let person = Basis::Person;
    let own = Basis::Loop;
    for (outcome, basis, ending, sign, words) in [
        (Outcome::Approved, person, Ran, Sign::Ran, "Allowed by you. Ran."),
        (Outcome::Approved, Basis::Standing, Ran, Sign::RanByRule, "Allowed by your rule. Ran."),
        (
            Outcome::Approved,
            person,
            Failed,
            Sign::Failed,
            "Allowed by you. Failed, nothing changed.",
        ),
        (
            Outcome::Approved,
            person,
            Unknown,
            Sign::Unknown,
            "Allowed by you. May have run. Look before you ask for it again.",
        ),
        (Outcome::Denied, person, Refused, Sign::Denied, "Denied by you. Did not run."),
        (Outcome::TimedOut, own, Refused, Sign::TimedOut, "No answer in time. Did not run."),
        (Outcome::MovedOn, own, Refused, Sign::MovedOn, "You said something else. Did not run."),
        (
            Outcome::Sticky,
            own,
            Refused,
            Sign::Closed,
            "Not asked: you said no to this request. Did not run.",
        ),
        (
            Outcome::AuditFailed,
            own,
            Refused,
            Sign::Failed,
            "Could not be written down, so it counts as a no. Did not run.",
        ),
        (Outcome::Cancelled, own, Refused, Sign::Closed, "Question withdrawn. Did not run."),
        (
            Outcome::InputUnavailable,
            own,
            Refused,
            Sign::Closed,
            "Nobody could be asked. Did not run.",
        ),
        (
            Outcome::RoundsExhausted,
            own,
            NotRun,
            Sign::Closed,
            "Not asked: too many rounds of questions. Did not run.",
        ),
    ] {
        check_receipt(outcome, basis, ending, sign, words);
    }
}

#[test]
fn a_receipt_shows_what_changed_and_takes_it_back() {
    let eggs = add("a", "eggs", "12");
    let before = household(&[]);
    let after = household(&[("eggs", "12")]);
    let change = Change {
        id: ChangeId(7),
        at: NOW,
        request: Some(RequestId("request-a".to_owned())),
        lines: difference(&before, &after),
        undone: false,
    };
    let messages = [
        message(Body::Assistant(vec![Content::Call(eggs.clone())])),
        result(&eggs, Ending::Ran, Some(decision(&eggs, Outcome::Approved, Basis::Person))),
    ];
    let receipt_of = |change: Change| match turns(&messages, &[], &[change], &[]).pop() {
        Some(Turn { body: TurnBody::Receipt(receipt), .. }) => receipt,
        other => panic!("no receipt but {other:?}"),
    };
    let receipt = receipt_of(change.clone());
    assert_eq!(receipt.lines[0].spoken(), "eggs, not on the list becomes 12");
    assert_eq!(receipt.undo, Undo::Can(ChangeId(7)));
    assert_eq!(receipt_of(Change { undone: true, ..change }).undo, Undo::Done);
}
