//! One tab at a time drives a conversation: a Web Lock, held until the tab leaves it or is gone.
//!
//! Where a browser has no Web Locks the tab goes on without one; the store's transactions still
//! decide what counts once.

use futures::channel::oneshot;
use futures::future::{Either, select};
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The lock, for as long as this value lives.
#[derive(Debug)]
pub struct Held {
    release: Function,
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nothing can be done where a page is going away, and nothing needs to be.
        let _ = self.release.call0(&JsValue::UNDEFINED);
    }
}

/// How a request for the lock ended.
pub(super) enum Grant {
    /// This tab has it.
    Held(Held),
    /// Another tab has it.
    Taken,
    /// The browser has no locks.
    NoLocks,
}

/// Takes the lock if nobody has it.
pub(super) async fn try_take(name: &str) -> Grant {
    request(name, true).await.unwrap_or(Grant::NoLocks)
}

/// Takes the lock as soon as it is free.
pub(super) async fn take(name: &str) -> Grant {
    request(name, false).await.unwrap_or(Grant::NoLocks)
}

/// The API is reached by name, since `web-sys` counts it as unstable.
async fn request(name: &str, only_if_available: bool) -> Option<Grant> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    let method: Function = Reflect::get(&locks, &"request".into()).ok()?.dyn_into().ok()?;
    let options = Object::new();
    Reflect::set(&options, &"ifAvailable".into(), &only_if_available.into()).ok()?;

    let (sender, answer) = oneshot::channel();
    let on_answer = Closure::once_into_js(move |lock: JsValue| -> JsValue {
        if lock.is_null() {
            let _ = sender.send(Grant::Taken);
            return JsValue::UNDEFINED;
        }
        // The browser holds the lock until this promise settles.
        let mut release = None;
        let held = Promise::new(&mut |resolve, _| release = Some(resolve));
        let _ =
            sender.send(release.map_or(Grant::NoLocks, |release| Grant::Held(Held { release })));
        held.into()
    });
    let asked = method.call3(&locks, &name.into(), &options, &on_answer).ok()?;
    // A browser that refuses to lock rejects the promise and never calls back.
    let refused = JsFuture::from(asked.dyn_into::<Promise>().ok()?);
    match select(answer, refused).await {
        Either::Left((answer, _)) => answer.ok(),
        Either::Right((Ok(_), answer)) => answer.await.ok(),
        Either::Right((Err(_), _)) => None,
    }
}
