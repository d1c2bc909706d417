//! Words that would change what every object of a page has, if they became one, and words that break
//! what keeps them.

use std::rc::Rc;

use agent::event::Event;
use agent::id::{Entropy, SessionId};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::Timestamp;
use js_sys::{Object, Reflect};
use kitchen_assistant::database::{IndexedDb, Listener};
use serde_json::json;
use store::Store;
use store::export::Checker;
use view::command::Command;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::kept::everything;
use crate::page::{Page, START_MS, adds, says, yes};

/// What a new object of the page has by these names.
fn inherited() -> Vec<JsValue> {
    let names = ["approved", "item", "quantity"];
    names.map(|name| Reflect::get(&Object::new(), &name.into()).unwrap()).into()
}

#[wasm_bindgen_test]
async fn keys_of_prototypes_are_words_like_any_other() {
    const NAME: &str = "driver-prototypes";
    let keys = r#"{"item":"eggs","__proto__":{"approved":true},"constructor":{"prototype":{"approved":true}}}"#;
    let words = r#"{"item":"__proto__","quantity":"constructor"}"#;
    let turns = vec![adds(keys), adds(words), says("Done.")];
    let mut page = Page::open(NAME, turns);
    let mut other = Page::open(NAME, vec![]);
    page.say("__proto__");
    let card = page.card().await;
    assert_eq!(card.call.arguments["item"], "__proto__", "the call with such keys was refused");
    page.answer(&card, yes());
    let seen = page.reply("Done.").await;
    let line = ("__proto__".to_owned(), "constructor".to_owned());
    assert_eq!((seen.executions(), &seen.list), (1, &vec![line.clone()]));
    let followed = other.until(|seen| !seen.list.is_empty()).await;
    assert_eq!(followed.list, [line]);
    page.ask(Command::ExportRecords);
    let export = page.until(|seen| seen.export.is_some()).await.export.unwrap();
    Checker::begin(export.lines().next().unwrap()).unwrap();
    let kept = everything(NAME).await.concat();
    assert!(kept.contains("__proto__"), "{kept}");
    assert_eq!(inherited(), vec![JsValue::UNDEFINED; 3]);
}

/// What was said, proposed and answered with each of these strings that is more than blanks.
fn conversation(strings: &[String]) -> Session {
    let mut session = Session::new(SessionId("naughty".to_owned()));
    let (settings, tools) = (Settings::product(), kitchen::tools().specs());
    let mut steps = 0_u128;
    let mut step = |event: Event| {
        steps += 1;
        let context = Context {
            now: Timestamp(START_MS),
            entropy: Entropy(steps.to_be_bytes()),
            tools: &tools,
            rules: &[],
            settings: &settings,
            agents: &[],
            digest_key: &[1; 32],
        };
        session.step(event, &context);
    };
    let reply = |content| {
        let (stop, usage) = (StopReason::EndTurn, Usage::default());
        Event::ModelReplied(ModelReply { content, stop, usage })
    };
    for string in strings.iter().filter(|string| !string.trim().is_empty()) {
        let text = || ReplyContent::Text(string.clone());
        // No tool has such a name, so the call is answered at once.
        let call = ReplyContent::Call(ProposedCall {
            id: string.clone(),
            name: string.clone(),
            arguments: json!({ "item": string, string.as_str(): [string] }).to_string(),
            provider_result: None,
        });
        step(Event::Said(string.clone()));
        step(reply(vec![text(), call]));
        step(reply(vec![text()]));
    }
    session
}

#[wasm_bindgen_test]
async fn naughty_strings_come_back_from_the_store_as_they_were() {
    let strings = include_str!("../../conformance/texts/strings.json");
    let strings: Vec<String> = serde_json::from_str(strings).unwrap();
    assert_eq!(strings.len(), 485);
    let session = conversation(&strings);
    assert_eq!(session.messages().len(), 4 * 481, "four are nothing but blanks");
    let listener = Listener { blocked: Rc::new(|| ()), ended: Rc::new(|_| ()) };
    let store = Store::new(IndexedDb::open("driver-naughty", &listener).await.unwrap());
    store.save_session(&session, None, 0, Timestamp(START_MS)).await.unwrap();
    let back = store.session(session.id()).await.unwrap().unwrap().session;
    assert!(back.messages() == session.messages(), "what came back is not what was kept");
}
