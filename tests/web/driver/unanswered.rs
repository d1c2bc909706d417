//! A browser that does not say whether it kept something: that is read once the store was opened
//! anew, and never guessed.

use agent::approval::Outcome;
use store::error::StoreError;
use view::scene::{Cause, Storage, StoreTask};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::{js, rows};
use crate::page::{Page, Seen, eggs, proposes, says, yes};

/// Leaves transactions that write to this store without an answer: those that `are` says, of which
/// it has the tables and how many began before. They are kept or undone. The time a browser has is
/// over as soon as it would have answered.
fn leave_unanswered(name: &str, are: &str, kept: bool) {
    js(
        name,
        &format!(
            "const timers = new Map();
             let last = 1e9;
             const [set, clear] = [self.setTimer ??= setTimeout, self.clearTimer ??= clearTimeout];
             self.setTimeout = (call, ms) => {{
               if (ms !== 30000) return set(call, ms);
               timers.set(++last, call);
               return last;
             }};
             self.clearTimeout = (timer) => timers.delete(timer) || clear(timer);
             const swallow = (event) => {{
               event.stopImmediatePropagation();
               if (event.type === 'error') return;
               const due = [...timers.values()];
               timers.clear();
               for (const call of due) call();
             }};
             let before = 0;
             self.unanswered = 0;
             const begin = self.beginTransaction ??= IDBDatabase.prototype.transaction;
             IDBDatabase.prototype.transaction = function (...args) {{
               const tx = begin.apply(this, args);
               if (this.name !== name || tx.mode !== 'readwrite') return tx;
               const tables = [...tx.objectStoreNames].join();
               if (!(({are})(before++, tables))) return tx;
               self.unanswered++;
               for (const type of ['complete', 'abort', 'error']) tx.addEventListener(type, swallow);
               if (!{kept}) tx.commit = () => tx.abort();
               return tx;
             }};"
        ),
    );
}

fn left_unanswered(name: &str) -> f64 {
    js(name, "return self.unanswered").as_f64().unwrap()
}

/// Says that eggs are to be bought, and yes to each card, to the end.
async fn buys_eggs(page: &mut Page) -> Seen {
    page.say("eggs");
    let seen = page.until(|seen| !seen.cards.is_empty() || seen.said("Done.")).await;
    for card in &seen.cards {
        page.answer(card, yes());
    }
    if seen.said("Done.") { seen } else { page.reply("Done.").await }
}

#[wasm_bindgen_test]
async fn whichever_transaction_is_left_unanswered_what_was_asked_for_happens_once() {
    for kept in [true, false] {
        let mut count = 0;
        loop {
            let name: &'static str =
                Box::leak(format!("unanswered-{kept}-{count}").into_boxed_str());
            let mut page = Page::open(name, vec![proposes("12"), says("Done.")]);
            page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
            leave_unanswered(name, &format!("(before) => before === {count}"), kept);
            let seen = buys_eggs(&mut page).await;
            assert_eq!(seen.problems, [], "{count}, kept: {kept}");
            assert_eq!((seen.list, seen.records.len()), (eggs("12"), 2), "{count}, kept: {kept}");
            assert_eq!(rows(name, "records").await.len(), 2, "{count}, kept: {kept}");
            page.close();
            if left_unanswered(name) == 0.0 {
                break;
            }
            count += 1;
        }
        assert!(count >= 6, "only {count} transactions were tried");
    }
}

#[wasm_bindgen_test]
async fn an_answer_that_is_left_unanswered_again_counts_as_a_no() {
    const NAME: &str = "unanswered-decision";
    let mut page = Page::open(NAME, vec![proposes("12"), says("Done.")]);
    page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    let records = "(before, tables) => tables === 'ledger,records,words'";
    leave_unanswered(NAME, records, false);
    let seen = buys_eggs(&mut page).await;
    assert_eq!((seen.list.len(), seen.records.len()), (0, 0));
    let tool = "add_to_shopping_list".to_owned();
    assert_eq!(seen.problems, [Cause::DecisionNotStored { tool, why: StoreError::Unanswered }]);
}

#[wasm_bindgen_test]
async fn what_ran_without_an_answer_is_not_said_to_be_undone() {
    const NAME: &str = "unanswered-run";
    let mut page = Page::open(NAME, vec![proposes("12"), says("Done.")]);
    page.until(|seen| matches!(seen.storage, Storage::Open { .. })).await;
    leave_unanswered(NAME, "(before, tables) => tables.startsWith('changes,household,')", false);
    let seen = buys_eggs(&mut page).await;
    assert_eq!((seen.list.len(), seen.outcomes()), (0, vec![Outcome::Approved]));
    let (task, why) = (StoreTask::RecordOutcome, StoreError::Unanswered);
    let unknown = Cause::Store { task, why };
    assert!(seen.problems.contains(&unknown), "{:?}", seen.problems);
}
