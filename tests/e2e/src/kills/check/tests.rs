//! What was kept of one yes and one line added by hand holds; whatever is then lost, doubled or made
//! up is found.

use agent::id::{RequestId, SessionId};
use agent::message::Message;
use agent::session::Session;
use kitchen::{ChangeId, difference};
use serde_json::json;
use store::chain;
use store::records::RecordRow;

use super::*;
use crate::kills::memory::{Answered, ByHand};

const TEXT: &str = "Add 3 bazabak";

fn call() -> ToolCall {
    let call = json!({ "id": "c1", "model_id": "m1", "name": "add_to_shopping_list",
        "arguments": { "item": "bazabak", "quantity": "3" } });
    serde_json::from_value(call).unwrap()
}

fn messages() -> Vec<Message> {
    let said = json!([
        { "at": 1, "body": { "person": TEXT } },
        { "at": 2, "body": { "assistant": [{ "call": call() }] } },
        { "at": 3, "body": { "result": { "call": "c1", "text": "Added.", "ending": "ran",
            "decision": { "request": "r1", "outcome": "approved", "basis": "person",
                "reason": null, "at": 3 } } } },
        { "at": 4, "body": { "assistant": [{ "text": "It is on the list." }] } },
    ]);
    serde_json::from_value(said).unwrap()
}

fn records() -> Vec<Record> {
    let decision = json!({ "decision": { "request": "r1", "session": "s1", "prompt": "p1",
        "call": "c1", "tool": "add_to_shopping_list", "arguments_digest": "", "outcome": "approved",
        "basis": "person", "attempts": 1, "requested_at": 2, "decided_at": 3 } });
    let execution = json!({ "execution": { "request": "r1", "session": "s1", "call": "c1",
        "tool": "add_to_shopping_list", "outcome": "ran", "at": 3 } });
    vec![serde_json::from_value(decision).unwrap(), serde_json::from_value(execution).unwrap()]
}

/// The rows of a table, each with its key.
fn table(rows: impl IntoIterator<Item = (Value, Value)>) -> Value {
    rows.into_iter().map(|(key, row)| json!([key, row.to_string()])).collect()
}

async fn kept() -> Kept {
    let (mut rows, mut before) = (Vec::new(), chain::START.to_owned());
    for (record, number) in records().iter().zip(1..) {
        let body = serde_json::to_string(record).unwrap();
        before = chain::digest(&before, number, &body);
        rows.push(RecordRow { number, body, digest: before.clone() });
    }
    let entry = |name: &str, row: &RecordRow| {
        (name.into(), json!({ "name": name, "number": row.number, "digest": row.digest }))
    };
    let ledger =
        [entry("decision/r1", &rows[0]), entry("execution/r1", &rows[1]), entry("head", &rows[1])];
    let mut state = json!(Session::new(SessionId("s1".to_owned())).state());
    state["messages"] = 4.into();
    let session = json!({ "id": "s1", "title": TEXT, "waiting": 0, "touched_at": 4,
        "state": state.to_string(), "trouble": null, "revision": 1 });
    let messages = messages().into_iter().zip(0..).map(|(message, index)| {
        let body = json!(message).to_string();
        (json!(["s1", index]), json!({ "session": "s1", "index": index, "body": body }))
    });
    let (mut household, mut changes) = (Household::default(), Vec::new());
    for (item, quantity, request) in [("bazabak", "3", Some("r1")), ("dazabak", "", None)] {
        let before = household.clone();
        household.add(item, quantity, "").unwrap();
        let id = ChangeId(changes.len() as u64 + 1);
        let request = request.map(|it| RequestId(it.to_owned()));
        let lines = difference(&before, &household);
        changes.push(Change { id, at: agent::time::Timestamp(3), request, lines, undone: false });
    }
    let list =
        json!({ "name": "household", "next_change": 3, "body": json!(household).to_string() });
    let changes = changes.iter().map(|change| {
        (json!(change.id), json!({ "id": change.id, "body": json!(change).to_string() }))
    });
    let copy = json!({
        "records": table(rows.iter().map(|row| (row.number.into(), json!(row)))),
        "ledger": table(ledger),
        "sessions": table([("s1".into(), session)]),
        "messages": table(messages),
        "household": table([("household".into(), list)]),
        "changes": table(changes),
    });
    Kept::of(&copy).await
}

struct All {
    kept: Kept,
    memory: Memory,
    seen: [Seen; 2],
}

async fn all() -> All {
    let kept = kept().await;
    let mut memory = Memory::default();
    memory.texts.insert(TEXT.to_owned(), Got::Taken);
    let yes = Answered { outcome: Outcome::Approved, got: Got::Taken };
    memory.answers.insert("r1".to_owned(), yes);
    memory.by_hand.insert("dazabak".to_owned(), ByHand { taken: 1, tried: None });
    memory.asked.insert("r1".to_owned());
    memory.rows.clone_from(&kept.rows);
    let seen = json!({ "ready": true, "busy": false, "loading": false, "waiting": [], "said": [TEXT], "undo": [],
        "list": ["bazabak 3", "dazabak"], "goes_on": false, "warns": false });
    let seen: Seen = serde_json::from_value(seen).unwrap();
    All { kept, memory, seen: [seen.clone(), seen] }
}

#[tokio::test]
async fn what_was_kept_holds() {
    let All { kept, memory, seen } = all().await;
    assert_eq!(of_rest(&kept, &memory, &seen), Vec::<String>::new());
}

#[tokio::test]
async fn whatever_is_lost_doubled_or_made_up_is_found() {
    type Spoil = fn(&mut All);
    let spoiled: [(&str, Spoil); 17] = [
        ("a record was changed", |all| all.kept.export = all.kept.export.replace("p1", "p2")),
        ("records were lost", |all| all.memory.rows.push(all.kept.rows[0].clone())),
        ("the ledger forgot a decision", |all| {
            all.kept.ledger.remove("decision/r1");
        }),
        ("an effect is missing", |all| {
            all.kept.changes.remove(0);
        }),
        ("an effect is there twice", |all| {
            let change = all.kept.changes[0].clone();
            all.kept.changes.push(change);
        }),
        ("an effect came before its record", |all| {
            all.kept.records.pop();
        }),
        ("another effect", |all| {
            all.kept.changes[0].lines[0].after.as_mut().unwrap().quantity = "6".to_owned();
        }),
        ("nothing took it back", |all| all.kept.changes[0].undone = true),
        ("a line came from nowhere", |all| {
            all.kept.household.add("milk", "", "").unwrap();
        }),
        ("nobody said yes", |all| {
            all.memory.answers.remove("r1");
        }),
        ("a yes was lost", |all| {
            let yes = all.memory.answers["r1"].clone();
            all.memory.answers.insert("r2".to_owned(), yes);
        }),
        ("nobody added it", |all| all.memory.by_hand.clear()),
        ("an edit was lost", |all| all.memory.by_hand.get_mut("dazabak").unwrap().taken = 2),
        ("a text was lost", |all| {
            all.memory.texts.insert("Hello".to_owned(), Got::Taken);
        }),
        ("a text is there that nobody said", |all| all.memory.texts.clear()),
        ("a question is gone", |all| {
            all.memory.asked.insert("r2".to_owned());
        }),
        ("a tab shows another list", |all| {
            all.seen[1].list.pop();
        }),
    ];
    for (name, spoil) in spoiled {
        let mut all = all().await;
        spoil(&mut all);
        assert_ne!(of_rest(&all.kept, &all.memory, &all.seen), Vec::<String>::new(), "{name}");
    }
}
