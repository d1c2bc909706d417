//! Waits: the timer, sleeps, clocks that jump, pages that were closed.

use agent::approval::Outcome;
use agent::settings::Wait;
use store::settings::Preferences;
use view::command::Command;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{ATTEMPT, HOUR, JumpingClock, MINUTE, Page, proposes, says, yes};

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
