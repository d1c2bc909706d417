//! What becomes of the page when the program in it fails: it stops. Whatever was under way is in the
//! store, whole or not at all, and a reload goes on from there.

use std::cell::Cell;
use std::panic;

use wasm_bindgen::JsValue;
use web_sys::{Document, Element};

/// The element the page takes the place of; until then it shows the page's frame.
pub const ROOT: &str = "app";

thread_local! {
    static STOPPED: Cell<bool> = const { Cell::new(false) };
}

/// Stops the page if anything in it panics.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        stop();
    }));
}

/// Stops the page: the driver takes nothing any more, and there is nothing left to press but what
/// loads the page again. What cannot be drawn is left out; the driver stops in any case.
pub fn stop() {
    STOPPED.set(true);
    let window = web_sys::window();
    let document = window.and_then(|window| window.document());
    let Some(document) = document else { return };
    if let Some(root) = document.get_element_by_id(ROOT) {
        root.set_text_content(None);
        let _ = say_so(&document, &root);
    }
}

/// Whether the page was stopped.
#[must_use]
pub fn is_stopped() -> bool {
    STOPPED.get()
}

fn say_so(document: &Document, root: &Element) -> Result<(), JsValue> {
    let add = |to: &Element, name: &str, words: &str| {
        let element = document.create_element(name)?;
        element.set_text_content(Some(words));
        to.append_child(&element)?;
        Ok::<_, JsValue>(element)
    };
    let notice = add(root, "main", "")?;
    notice.set_attribute("class", "notice")?;
    notice.set_attribute("role", "alert")?;
    add(&notice, "h2", "This page has stopped")?;
    add(
        &notice,
        "p",
        "Something in it failed, so it does nothing any more. What was kept is still there, and \
         nothing was done that you had not allowed.",
    )?;
    // A link works without the program; one without a target would not.
    add(&notice, "a", "Reload the page")?.set_attribute("href", "")
}
