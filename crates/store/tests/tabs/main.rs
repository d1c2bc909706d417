//! Two tabs over one database, without any lock between them: whatever order their steps come in,
//! what counts is decided by the store's transactions.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

mod chance;
mod tab;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent::approval::{Answer, CardDigest};
use agent::event::Event;
use agent::id::RequestId;
use simulation::database::Memory;
use store::database::{Key, Table};

use chance::Chance;
use tab::{Card, Done, Tab};

const YES: Answer = Answer::Approve { always: None };

/// A stranger, such as an extension, changes the amount in what is kept of a conversation that waits.
/// (Who can do that after the answer could as well write the answer.)
fn tamper(memory: &Memory) {
    let mut own = memory.own(0);
    let sessions = own.iter_mut().find(|(table, _)| *table == Table::Sessions).unwrap();
    let rows = Rc::make_mut(&mut sessions.1);
    for row in rows.values_mut().filter(|row| row.contains(r#"\"open\":"#)) {
        let amount = |number: u8| format!(r#"quantity\":\"{number}"#);
        let (from, to) = if row.contains(&amount(1)) { (1, 2) } else { (2, 1) };
        *row = row.replace(&amount(from), &amount(to)).into();
    }
    memory.put_back(0, own);
}

/// What was clicked, and what was done of it.
#[derive(Default)]
struct Log {
    clicked: BTreeSet<(RequestId, CardDigest)>,
    /// Every effect, by the call it is of.
    effects: BTreeMap<String, Vec<Done>>,
}

impl Log {
    fn note(&mut self, done: Vec<Done>) {
        for done in done {
            self.effects.entry(done.call.clone()).or_default().push(done);
        }
    }

    fn count(&self) -> usize {
        self.effects.values().map(Vec::len).sum()
    }
}

#[test]
fn no_order_of_two_tabs_lets_a_stale_card_have_an_effect() {
    let mut chance = Chance(3);
    let (mut effects, mut stale_clicks, mut asked_again) = (0, 0, 0);
    for run in 0..1_000 {
        let memory = Memory::default();
        let mut tabs = [Tab::that_asks(&memory, 1), Tab::open(&memory, 2, 1)];
        let mut cards: Vec<Card> = Vec::new();
        let mut log = Log::default();
        for step in 0..60 {
            let at = chance.below(2);
            cards.extend(tabs[at].painted());
            match chance.below(8) {
                // Any card that was ever on a screen, however old.
                0 | 1 if !cards.is_empty() => {
                    let card = chance.one_of(&cards);
                    stale_clicks += u32::from(!tabs[at].shows(&card));
                    log.clicked.insert((card.id.clone(), card.shown.clone()));
                    tabs[at].tell(card.says(YES));
                }
                2 if chance.below(3) == 0 => tamper(&memory),
                3 if chance.below(5) == 0 => {
                    // The tab is loaded again, perhaps with another version of the program.
                    let version = 1 + chance.below(2);
                    tabs[at] = Tab::open(&memory, 10 + step * 2 + at, version);
                }
                _ => log.note(tabs[at].work(&memory)),
            }
            asked_again += tabs[at].asked_again();
        }
        for done in log.effects.values().flatten() {
            let clicked = (done.request.clone(), done.card.clone());
            assert!(log.clicked.contains(&clicked), "run {run}: {done:?} was never seen like that");
        }
        assert!(log.effects.values().all(|of| of.len() == 1), "run {run}: {:?}", log.effects);
        effects += log.count();
    }
    assert!(effects > 100, "only {effects} clicks had an effect");
    assert!(stale_clicks > 1_000, "only {stale_clicks} clicks were on a stale card");
    assert!(asked_again > 50, "only {asked_again} of them were asked again");
}

#[test]
fn one_approval_has_one_effect_in_two_tabs_that_are_clicked_ten_times_and_loaded_again() {
    let mut chance = Chance(4);
    for run in 0..1_000 {
        let memory = Memory::default();
        let mut tabs = [Tab::that_asks(&memory, 1), Tab::open(&memory, 2, 1)];
        let mut log = Log::default();
        let card = tabs[0].painted().remove(0);
        let mut clicks = 10;
        while clicks > 0 || tabs.iter().any(Tab::is_busy) {
            let at = chance.below(2);
            match chance.below(6) {
                0 | 1 if clicks > 0 => {
                    clicks -= 1;
                    tabs[at].tell(card.says(YES));
                }
                2 if chance.below(4) == 0 => tabs[at] = Tab::open(&memory, 20 + clicks, 1),
                _ => log.note(tabs[at].work(&memory)),
            }
        }
        // A click that was overtaken by the other tab is made once more, as a person would.
        let mut last = Tab::open(&memory, 40, 1);
        for card in last.painted() {
            last.tell(card.says(YES));
        }
        while last.is_busy() {
            log.note(last.work(&memory));
        }
        assert_eq!(log.count(), 1, "run {run}");
        assert_eq!(memory.own(0).len(), 2, "run {run}");
        let records = memory.ledger();
        let rows = |of| records.iter().find(|(table, _)| *table == of).unwrap().1.keys().count();
        assert_eq!(rows(Table::Records), 2, "run {run}: a decision and an execution");
        let last: Vec<&Key> = records[0].1.keys().collect();
        assert_eq!(last, [&Key::Number(1), &Key::Number(2)]);
    }
}

#[test]
fn a_card_whose_record_was_changed_is_asked_again_and_only_what_it_shows_now_runs() {
    let memory = Memory::default();
    let first = Tab::that_asks(&memory, 1);
    let card = first.painted().remove(0);
    tamper(&memory);
    let mut second = Tab::open(&memory, 2, 1);
    let settle = |tab: &mut Tab, event: Event| {
        tab.tell(event);
        let mut done = Vec::new();
        while tab.is_busy() {
            done.extend(tab.work(&memory));
        }
        done
    };
    assert_eq!(settle(&mut second, card.says(YES)), []);
    let again = second.painted().remove(0);
    assert_eq!(again.id, card.id);
    assert_ne!(again.shown, card.shown);
    let done = settle(&mut second, again.says(YES));
    assert_eq!(done.iter().map(|it| &it.card).collect::<Vec<_>>(), [&again.shown]);
}
