//! The browser's promise not to clear the store on its own.

use js_sys::Promise;
use view::scene::Storage;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::StorageManager;

use super::{Driver, Input};

impl Driver {
    /// Asks for the promise once there is something to lose. Some browsers ask the person, who may
    /// take their time: nothing waits for the answer.
    pub(super) fn ask_for_persistence(&mut self) {
        if self.storage != (Storage::Open { persistent: false }) || self.asked_for_persistence {
            return;
        }
        self.asked_for_persistence = true;
        let inbox = self.inbox.clone();
        spawn_local(async move {
            let persistent = answer(StorageManager::persist).await;
            let _ = inbox.unbounded_send(Input::Persistence(persistent));
        });
    }
}

/// Whether the browser has promised already. This asks nobody.
pub(super) async fn is_promised() -> bool {
    answer(StorageManager::persisted).await
}

async fn answer(ask: fn(&StorageManager) -> Result<Promise, JsValue>) -> bool {
    let Some(window) = web_sys::window() else { return false };
    // Outside a secure context there is no storage manager at all.
    let storage = window.navigator().storage();
    if storage.is_undefined() {
        return false;
    }
    let Ok(promise) = ask(&storage) else { return false };
    JsFuture::from(promise).await.is_ok_and(|answer| answer.is_truthy())
}
