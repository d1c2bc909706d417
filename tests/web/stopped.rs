//! A page that has stopped: alone in its program, which does not go on from there.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use std::cell::Cell;
use std::future::{pending, ready};
use std::rc::Rc;

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse};
use agent::model::{
    ModelError, ModelReply, ModelRequest, ProposedCall, ReplyContent, StopReason, Usage,
};
use futures::StreamExt;
use futures::channel::mpsc::unbounded;
use futures::future::LocalBoxFuture;
use kitchen_assistant::database::{IndexedDb, Listener};
use kitchen_assistant::driver::{Clock, Driver, Input, ModelClient, OnEvent, Shown};
use kitchen_assistant::stopped;
use store::Store;
use store::settings::Preferences;
use view::command::Command;
use view::scene::{Proxy, Scene};
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const NAME: &str = "stopped";

/// A model that proposes a dozen eggs, once.
struct Once(Cell<bool>);

impl ModelClient for Once {
    fn call(
        &self,
        _preferences: &Preferences,
        _request: &ModelRequest,
        _on_event: OnEvent,
    ) -> LocalBoxFuture<'static, Result<ModelReply, ModelError>> {
        let first = !self.0.replace(true);
        Box::pin(async move {
            if !first {
                return pending().await;
            }
            Ok(ModelReply {
                content: vec![ReplyContent::Call(ProposedCall {
                    id: "toolu_1".to_owned(),
                    name: "add_to_shopping_list".to_owned(),
                    arguments: r#"{"item":"eggs","quantity":"12"}"#.to_owned(),
                    provider_result: None,
                })],
                stop: StopReason::ToolUse,
                usage: Usage::default(),
            })
        })
    }

    fn offers(&self, _chosen: &str) -> LocalBoxFuture<'static, Proxy> {
        Box::pin(ready(Proxy::Unreachable))
    }
}

#[wasm_bindgen_test]
async fn a_page_that_stopped_does_nothing_any_more_and_its_card_still_waits_in_the_store() {
    let (sender, mut cards) = unbounded();
    let publish = move |scene: &Scene<'_>, _: Shown| {
        let card: Option<ApprovalRequest> = scene.session.open_requests().next().cloned();
        let _ = sender.unbounded_send(card);
    };
    let (driver, inbox, received) =
        Driver::new(Once(Cell::new(false)), Clock::of_browser(), publish);
    spawn_local(driver.run(NAME, received));
    inbox.unbounded_send(Input::Command(Command::Say("eggs".to_owned()), Vec::new())).unwrap();
    let card = loop {
        if let Some(card) = cards.next().await.expect("the driver runs") {
            break card;
        }
    };

    let document = web_sys::window().unwrap().document().unwrap();
    document.document_element().unwrap().set_attribute(stopped::MARK, "").unwrap();
    let (request, shown) = (card.id.clone(), card.shown.clone());
    let answer = Answer::Approve { always: None };
    let yes = Command::Answer(ApprovalResponse { request, shown, answer });
    inbox.unbounded_send(Input::Command(yes, Vec::new())).unwrap();
    while cards.next().await.is_some() {}

    let listener = Listener { blocked: Rc::new(|| ()), ended: Rc::new(|_| ()) };
    let store = Store::new(IndexedDb::open(NAME, &listener).await.unwrap());
    assert!(store.newest_records(10).await.unwrap().entries.is_empty());
    let kept = store.conversations().await.unwrap().all;
    let saved = store.session(&kept.first().unwrap().id).await.unwrap().unwrap();
    assert_eq!(saved.session.open_requests().collect::<Vec<_>>(), [&card]);
}
