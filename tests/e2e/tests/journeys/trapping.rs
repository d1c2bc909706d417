//! Whatever the program is doing when it meets a fault: it is told, nothing more happens, and after a
//! reload everything is there, once, and goes on.
//!
//! The clock is what every act reads, so that is where the fault lies in wait: an error out of it
//! ends the program's own code where it stands, as a trap does, and nothing of it runs on.

use e2e::journey::{journey, journey_with};
use e2e::kitchen::Kitchen;
use e2e::page::Page;
use e2e::provider::{Answer, Protocol, Provider};
use e2e::role::Role;

use crate::{ADD, DOZEN, LESS};

/// When the fault is met.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// As soon as the act begins.
    AtOnce,
    /// Once it has written something.
    AfterAWrite,
}

const BOTH: [Moment; 2] = [Moment::AtOnce, Moment::AfterAWrite];

/// Lays the fault in the way of what happens next.
async fn lay(kitchen: &Kitchen, moment: Moment) {
    // A module whose only function is a trap: an error that a driver's script throws is muted.
    let lay = "const bytes = [0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,5,1,3,0,0,11]; \
        const module = new WebAssembly.Module(new Uint8Array(bytes)); \
        const { f: trap } = new WebAssembly.Instance(module).exports; \
        const { now } = Date; \
        const lay = () => { Date.now = () => { Date.now = now; trap(); }; };";
    let when = match moment {
        Moment::AtOnce => "lay();",
        Moment::AfterAWrite => {
            "const { transaction } = IDBDatabase.prototype; \
             IDBDatabase.prototype.transaction = function (...of) { \
                 if (of[1] === 'readwrite') lay(); return transaction.apply(this, of); };"
        }
    };
    let client = kitchen.browser().client();
    let laid = client.execute(&format!("{lay}{when}"), Vec::new()).await;
    assert!(laid.is_ok(), "{laid:?}");
}

/// A person prepares, does something that meets a fault, comes back and ends what they were at; once
/// for each moment.
async fn meets_a_fault(
    name: &str,
    moments: &[Moment],
    prepare: impl AsyncFn(&Page),
    act: impl AsyncFn(&Page),
    end: impl AsyncFn(&Page),
) {
    for moment in moments {
        journey(&format!("a_fault_{name}_{moment:?}"), async |kitchen| {
            let page = kitchen.page();
            // What acts is loaded with the first act.
            page.add_by_hand("salt").await;
            page.list_becomes(&["salt"]).await;
            prepare(&page).await;
            lay(kitchen, *moment).await;
            act(&page).await;
            stops_and_comes_back(kitchen).await;
            end(&page).await;
        })
        .await;
    }
}

/// The page tells that it has stopped, and why is in the browser's log; then it is opened again.
async fn stops_and_comes_back(kitchen: &Kitchen) {
    kitchen.page().named(Role::Heading, "Kitchen Assistant has stopped").await;
    let complaints = kitchen.browser().complaints().await;
    assert!(complaints.iter().any(|it| it.contains("RuntimeError")), "{complaints:?}");
    kitchen.visit().await;
    kitchen.page().is_ready().await;
}

/// Whether the question still waits: either it does, or the conversation says these words of it.
async fn is_still_asked(page: &Page, words: &str) -> bool {
    page.until("a question or what came of it", async |page| {
        if !page.waiting().await.is_empty() {
            return Some(true);
        }
        page.conversation().await.contains(words).then_some(false)
    })
    .await
}

async fn ask(page: &Page) {
    page.message(DOZEN).await;
    page.card(ADD).await.wakes().await;
}

async fn approve(page: &Page) {
    page.card(ADD).await.approve().await;
}

async fn has_eggs_once(page: &Page) {
    page.list_becomes(&["salt", "eggs 12"]).await;
    page.settles().await;
    page.go("Activity").await;
    page.records_become(&["decision Allowed", "execution Ran"]).await;
}

/// A no is a no, whether it was written down before the fault or is given again after it.
async fn has_no_eggs(page: &Page) {
    if is_still_asked(page, "Did not run").await {
        page.card(ADD).await.reject().await;
    }
    page.hears("Did not run").await;
    page.settles().await;
    page.list_becomes(&["salt"]).await;
    page.go("Activity").await;
    let records = page.records().await;
    let is_no = |it: &String| it.starts_with("decision") && !it.contains("Allowed");
    assert!(records.len() == 1 && records.iter().all(is_no), "{records:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_something_is_said() {
    meets_a_fault(
        "saying",
        &BOTH,
        async |_| {},
        async |page| page.message(DOZEN).await,
        async |page| {
            if !page.conversation().await.contains(DOZEN) {
                page.message(DOZEN).await;
            }
            approve(page).await;
            has_eggs_once(page).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_card_is_approved() {
    meets_a_fault("approving", &BOTH, ask, approve, async |page| {
        if is_still_asked(page, "Ran").await {
            approve(page).await;
        }
        has_eggs_once(page).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_card_is_rejected() {
    let reject = async |page: &Page| page.card(ADD).await.reject().await;
    meets_a_fault("rejecting", &BOTH, ask, reject, has_no_eggs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_card_is_rejected_with_a_reason() {
    let reject = async |page: &Page| page.card(ADD).await.reject_with_reason("enough").await;
    meets_a_fault("giving_a_reason", &[Moment::AfterAWrite], ask, reject, has_no_eggs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_something_else_is_replied_to_a_card() {
    let reply = async |page: &Page| page.card(ADD).await.reply("What is on the list?").await;
    meets_a_fault("replying", &[Moment::AfterAWrite], ask, reply, has_no_eggs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_something_is_always_allowed() {
    let remember = async |page: &Page| {
        page.press_awake("Approve, and remember the tool").await;
    };
    let open = async |page: &Page| {
        ask(page).await;
        page.press(Role::Button, LESS).await;
        page.says("Approve, and remember the tool").await;
    };
    meets_a_fault("always", &[Moment::AfterAWrite], open, remember, async |page| {
        if is_still_asked(page, "Ran").await {
            approve(page).await;
        }
        has_eggs_once(page).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_standing_approval_is_taken_back() {
    let take_back = "Take back: The kitchen agent may add anything, in any quantity, to the \
        shopping list.";
    let given = async |page: &Page| {
        ask(page).await;
        page.press(Role::Button, LESS).await;
        page.press_awake("Approve, and remember the tool").await;
        page.list_becomes(&["salt", "eggs 12"]).await;
        page.settles().await;
        page.go("Standing approvals").await;
        page.named(Role::Button, take_back).await;
    };
    let revoke = async |page: &Page| page.press(Role::Button, take_back).await;
    meets_a_fault("taking_back", &BOTH, given, revoke, async |page| {
        page.go("Kitchen").await;
        page.go("Standing approvals").await;
        let is_given = page.until("what is allowed", async |page| {
            let text = page.text().await;
            if text.contains("Everything is asked") {
                Some(false)
            } else {
                text.contains("Used").then_some(true)
            }
        });
        if is_given.await {
            page.press(Role::Button, take_back).await;
        }
        page.says("Everything is asked").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_line_is_added_by_hand() {
    let add = async |page: &Page| page.add_by_hand("milk").await;
    meets_a_fault(
        "adding",
        &BOTH,
        async |_| {},
        add,
        async |page| {
            if !page.text().await.contains("milk") {
                page.add_by_hand("milk").await;
            }
            page.list_becomes(&["salt", "milk"]).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_line_is_taken_off() {
    let off = "Take salt off the list";
    let remove = async |page: &Page| page.press(Role::Button, off).await;
    meets_a_fault(
        "removing",
        &BOTH,
        async |_| {},
        remove,
        async |page| {
            let is_there = page.until("a list", async |page| {
                let text = page.text().await;
                if text.contains("Nothing to buy") {
                    Some(false)
                } else {
                    text.contains("salt").then_some(true)
                }
            });
            if is_there.await {
                remove(page).await;
            }
            page.list_becomes(&[]).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_change_is_taken_back() {
    let undo = async |page: &Page| page.undo("salt").await;
    meets_a_fault(
        "undoing",
        &BOTH,
        async |_| {},
        undo,
        async |page| {
            let is_there = page.until("a list", async |page| {
                let text = page.text().await;
                if text.contains("Nothing to buy") {
                    Some(false)
                } else {
                    text.contains("salt").then_some(true)
                }
            });
            if is_there.await {
                undo(page).await;
            }
            page.list_becomes(&[]).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_another_conversation_is_opened() {
    let two = async |page: &Page| {
        ask(page).await;
        page.press(Role::Button, "New conversation").await;
        page.message("What is on the list?").await;
        page.hears("salt").await;
        page.settles().await;
    };
    let open = async |page: &Page| page.press(Role::Button, &format!("{DOZEN} 1 waits")).await;
    meets_a_fault("opening", &[Moment::AtOnce], two, open, async |page| {
        open(page).await;
        approve(page).await;
        has_eggs_once(page).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_conversation_is_forgotten() {
    let forget = format!("Forget {DOZEN}");
    let to_forget = async |page: &Page| {
        ask(page).await;
        page.go("Conversations").await;
        page.press(Role::Button, &forget).await;
        page.named(Role::Button, "Forget this conversation").await;
    };
    let act = async |page: &Page| page.press(Role::Button, "Forget this conversation").await;
    meets_a_fault("forgetting", &BOTH, to_forget, act, async |page| {
        page.go("Kitchen").await;
        page.go("Conversations").await;
        let is_there = page.until("the conversations", async |page| {
            let text = page.text().await;
            if text.contains("Nothing has been said yet.") {
                Some(false)
            } else {
                text.contains(DOZEN).then_some(true)
            }
        });
        if is_there.await {
            page.press(Role::Button, &forget).await;
            act(page).await;
        }
        page.says("Nothing has been said yet.").await;
        page.go("Kitchen").await;
        page.list_becomes(&["salt"]).await;
        assert_eq!(page.waiting().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_records_are_exported() {
    let decided = async |page: &Page| {
        ask(page).await;
        approve(page).await;
        has_eggs_once(page).await;
    };
    let export = async |page: &Page| page.press(Role::Button, "Export as JSON lines").await;
    meets_a_fault("exporting", &[Moment::AtOnce], decided, export, async |page| {
        page.go("Kitchen").await;
        has_eggs_once(page).await;
        page.says("Chain whole, 2 records checked").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_something_is_preferred() {
    let settings = async |page: &Page| page.go("Settings").await;
    let choose = async |page: &Page| page.press(Role::CheckBox, "Many things at once").await;
    meets_a_fault("preferring", &BOTH, settings, choose, async |page| {
        page.go("Kitchen").await;
        ask(page).await;
        approve(page).await;
        has_eggs_once(page).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_an_answer_is_stopped() {
    let script = [Answer::Begins("You have "), Answer::Says("You have two kinds of milk.")];
    let provider = Provider::start(script).await;
    journey_with(provider, "a_fault_stopping", async |kitchen| {
        let page = kitchen.page();
        page.choose(Protocol::Anthropic).await;
        page.message("What milk is there?").await;
        page.hears("You have").await;
        lay(kitchen, Moment::AtOnce).await;
        // A press counts once Stop has been there for a moment.
        page.until("a press that counts", async |page| {
            let press = "document.querySelector('[aria-label=Stop]')?.click()";
            let _ = kitchen.browser().client().execute(press, Vec::new()).await;
            page.text().await.contains("has stopped").then_some(())
        })
        .await;
        stops_and_comes_back(kitchen).await;
        page.hears("You have two kinds of milk.").await;
        let said = page.conversation().await;
        assert_eq!(said.matches("What milk is there?").count(), 1, "{said}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_something_is_tried_again() {
    journey("a_fault_trying_again", async |kitchen| {
        let page = kitchen.page();
        page.add_by_hand("salt").await;
        page.list_becomes(&["salt"]).await;
        kitchen.proxy.kill();
        page.message(DOZEN).await;
        page.hears("Your message was not answered").await;
        kitchen.proxy.restart();
        lay(kitchen, Moment::AtOnce).await;
        page.press(Role::Button, "Try again").await;
        stops_and_comes_back(kitchen).await;
        page.hears(DOZEN).await;
        if is_still_asked(&page, "Your message was not answered").await {
            return approve_and_check(&page).await;
        }
        page.press(Role::Button, "Try again").await;
        approve_and_check(&page).await;
    })
    .await;
}

async fn approve_and_check(page: &Page) {
    approve(page).await;
    has_eggs_once(page).await;
}
