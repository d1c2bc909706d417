//! A copy that is brought in while another tab is at work: nothing of that tab is lost that its
//! person was told of, and nothing runs that nobody may have run.

use simulation::database::{Memory, at_once};
use store::backup::How;
use store::error::StoreError;

use crate::asked::Asked;
use crate::kitchen_here::lived_in;
use crate::{KEY, LATER, NOW, contents, copied, open, restored};

#[test]
fn a_conversation_that_another_tab_goes_on_with_is_not_replaced_under_it() {
    let (memory, other) = (Memory::default(), lived_in("other"));
    let mut asked = Asked::eggs("open");
    at_once(open(&memory).save_session(&asked.session, None, 0, NOW)).unwrap();
    let copy = contents(&copied(&memory));

    // Brought in beside it, the tab goes on as if nothing had been.
    restored(&memory, &contents(&copied(&other)), How::Add);
    restored(&memory, &copy, How::Add);
    let yes = asked.yes();
    at_once(open(&memory).save_session(&asked.session, None, 1, NOW)).unwrap();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let call = asked.released(&yes);
    let run = || {
        at_once(open(&memory).run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW)).unwrap()
    };
    assert!(run().execution.is_some());
    assert_eq!(at_once(open(&memory).newest_records(10)).unwrap().broken, None);

    // In its place, the tab finds out when it saves, and nothing runs a second time.
    restored(&memory, &copy, How::Replace);
    let saved = at_once(open(&memory).save_session(&asked.session, None, 2, LATER));
    assert_eq!(saved.unwrap_err(), StoreError::Stale);
    assert!(run().execution.is_none());
    let gone = contents(&copied(&other));
    restored(&memory, &gone, How::Replace);
    let saved = at_once(open(&memory).save_session(&asked.session, None, 2, LATER));
    assert_eq!(saved.unwrap_err(), StoreError::Stale);
}

#[test]
fn what_a_tab_has_leave_to_run_does_not_run_once_an_older_copy_is_in_its_place() {
    let memory = Memory::default();
    let mut asked = Asked::eggs("leave");
    at_once(open(&memory).save_session(&asked.session, None, 0, NOW)).unwrap();
    let copy = contents(&copied(&memory));
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let call = asked.released(&yes);

    let came = restored(&memory, &copy, How::Replace);
    assert_eq!(came.expired.allowed, 1);
    let ran = at_once(open(&memory).run(&kitchen::tools(), &call, asked.session.id(), &KEY, NOW));
    let ran = ran.unwrap();
    assert!(ran.execution.is_none() && ran.kept.is_none());
    let home = at_once(open(&memory).household(10)).unwrap();
    assert_eq!(home.household.unwrap().shopping, []);
    assert_eq!(at_once(open(&memory).newest_records(10)).unwrap().broken, None);
}
