//! Waits for a person: attempts, deadlines, and clocks that jump.

use agent::approval::Answer;
use agent::event::Event;
use agent::limits;
use agent::settings::{Settings, Wait};
use agent::time::Timestamp;

use crate::kitchen::{Kitchen, call, reply, said};

const YES: Answer = Answer::Approve { always: None };
const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// The product's wait: three attempts of ten minutes.
const WHOLE_WAIT: u64 = 30 * MINUTE;

#[test]
fn an_attempt_that_ends_raises_the_request_again_and_the_last_one_denies_it() {
    let mut kitchen = Kitchen::new();
    kitchen.settings.approval_timeout_ms = Some(1_000);
    kitchen.settings.approval_attempts = 3;
    kitchen.step(said("eggs"), &["save", "model"]);
    kitchen.step(reply(vec![call("c1", "add")]), &["save", "ask add"]);
    assert_eq!(kitchen.session.next_deadline(), Some(Timestamp(2_000)));
    kitchen.now = Timestamp(1_999);
    kitchen.step(Event::TimePassed, &[]);
    kitchen.now = Timestamp(2_500);
    kitchen.step(Event::TimePassed, &["save", "ask add"]);
    assert_eq!(kitchen.session.next_deadline(), Some(Timestamp(3_000)));
    assert_eq!(kitchen.session.open_requests().map(|it| it.attempt).collect::<Vec<_>>(), [2]);
    let late = kitchen.answer(0, YES);
    kitchen.now = Timestamp(4_000);
    kitchen.step(late, &["save", "record add TimedOut", "dropped"]);
    assert_eq!(kitchen.session.next_deadline(), None);
}

#[test]
fn a_wait_keeps_within_its_bounds_wherever_it_comes_from() {
    let product = Settings::product();
    assert_eq!(product.approval_attempts, 3);
    assert_eq!(product.approval_timeout_ms, Some(10 * MINUTE));
    for (attempts, minutes) in [(0, 0), (1, 1), (3, 10), (5, 60), (u32::MAX, u32::MAX)] {
        let wait = Wait::new(attempts, minutes);
        assert!(limits::ATTEMPTS.contains(&wait.attempts()), "{wait:?}");
        assert!(limits::ATTEMPT_MINUTES.contains(&wait.minutes()), "{wait:?}");
        let stored = format!(r#"{{"attempts":{attempts},"minutes":{minutes}}}"#);
        assert_eq!(serde_json::from_str::<Wait>(&stored).unwrap(), wait);
        let settings = Settings::product().waiting(wait);
        assert_eq!(settings.approval_timeout_ms, Some(u64::from(wait.minutes()) * MINUTE));
        assert_eq!(settings.approval_attempts, wait.attempts());
    }
}

/// Whether the wait is over `awake_ms` after the clock jumped.
fn is_over(jump_ms: i64, awake_ms: u64) -> bool {
    let mut kitchen = Kitchen::new();
    kitchen.now = Timestamp(10 * DAY);
    kitchen.act(said("eggs"));
    kitchen.act(reply(vec![call("c1", "add")]));
    kitchen.now = Timestamp(kitchen.now.0.saturating_add_signed(jump_ms));
    kitchen.act(Event::TimePassed);
    // Every minute, as a timer that is nothing to rely on would.
    for _ in 0..awake_ms / MINUTE {
        kitchen.now = kitchen.now.plus_ms(MINUTE);
        kitchen.act(Event::TimePassed);
    }
    let late = kitchen.answer(0, YES);
    kitchen.act(late);
    kitchen.last_recorded().outcome == agent::approval::Outcome::TimedOut
}

#[test]
fn no_jump_of_the_clock_makes_a_wait_longer_than_it_is() {
    let (hour, day) = (3_600_000_i64, 86_400_000_i64);
    for jump in [0, -hour, hour, -day, day, 8 * hour] {
        assert!(is_over(jump, WHOLE_WAIT), "after a jump of {jump} ms");
    }
}

#[test]
fn a_jump_forward_ends_a_wait_and_a_jump_back_does_not() {
    let (hour, day) = (3_600_000_i64, 86_400_000_i64);
    for jump in [hour, day, 8 * hour] {
        assert!(is_over(jump, 0), "after a jump of {jump} ms");
    }
    for jump in [0, -hour, -day] {
        assert!(!is_over(jump, WHOLE_WAIT - MINUTE), "after a jump of {jump} ms");
    }
}

#[test]
fn a_sleep_over_part_of_the_wait_leaves_the_rest_of_it() {
    let mut kitchen = Kitchen::asking(&["add"]);
    kitchen.now = kitchen.now.plus_ms(15 * MINUTE);
    kitchen.step(Event::TimePassed, &["save", "ask add"]);
    let request = kitchen.session.open_requests().next().unwrap();
    assert_eq!((request.attempt, request.deadline), (2, Some(Timestamp(1_000 + 20 * MINUTE))));
}

#[test]
fn a_clock_set_back_while_the_page_was_closed_gives_one_attempt_at_most() {
    let mut kitchen = Kitchen::new();
    kitchen.now = Timestamp(10 * DAY);
    kitchen.act(said("eggs"));
    kitchen.act(reply(vec![call("c1", "add")]));
    kitchen.restart();
    kitchen.now = Timestamp(9 * DAY);
    kitchen.step(Event::TimePassed, &["save"]);
    assert_eq!(kitchen.session.next_deadline(), Some(Timestamp(9 * DAY + 10 * MINUTE)));
    // It is kept, so that the next restart begins from there.
    kitchen.restart();
    kitchen.now = Timestamp(9 * DAY + 5 * MINUTE);
    kitchen.step(Event::TimePassed, &[]);
    assert_eq!(kitchen.session.next_deadline(), Some(Timestamp(9 * DAY + 10 * MINUTE)));
}

#[test]
fn a_wait_that_ended_while_the_page_was_closed_is_over_before_anybody_can_answer() {
    let mut kitchen = Kitchen::asking(&["add"]);
    kitchen.restart();
    kitchen.now = kitchen.now.plus_ms(WHOLE_WAIT);
    let late = kitchen.answer(0, YES);
    kitchen.step(late, &["save", "record add TimedOut", "dropped"]);
}

#[test]
fn a_question_from_before_waits_had_an_end_gets_one() {
    let mut kitchen = Kitchen::new();
    kitchen.settings.approval_timeout_ms = None;
    kitchen.act(said("eggs"));
    kitchen.act(reply(vec![call("c1", "add")]));
    assert_eq!(kitchen.session.next_deadline(), None);
    kitchen.restart();
    kitchen.settings = Settings::product();
    kitchen.step(Event::TimePassed, &["save"]);
    assert_eq!(kitchen.session.next_deadline(), Some(Timestamp(1_000 + 10 * MINUTE)));
}

#[test]
fn a_shorter_wait_counts_at_once_for_what_is_open() {
    let mut kitchen = Kitchen::asking(&["add"]);
    kitchen.settings = Settings::product().waiting(Wait::new(1, 1));
    kitchen.step(Event::TimePassed, &["save"]);
    kitchen.now = kitchen.now.plus_ms(MINUTE);
    kitchen.step(Event::TimePassed, &["save", "record add TimedOut"]);
}
