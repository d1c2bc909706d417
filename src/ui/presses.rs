//! When keys and pointers were pressed, so that a press meant for something else answers nothing.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::PointerEvent;

use crate::ui::kit::listen::on_document;

/// Milliseconds without a press before a press can be an answer.
pub(crate) const QUIET_MS: f64 = 400.0;

/// Whether an event came from a person and not from a script. A context value: a browser test
/// cannot make a person's events, so it brings its own; the page asks the browser.
#[derive(Clone, Copy)]
pub struct Trust(pub fn(&web_sys::Event) -> bool);

impl Default for Trust {
    fn default() -> Self {
        Self(web_sys::Event::is_trusted)
    }
}

/// The page's clock, which the time stamps of events are of, in milliseconds.
pub(crate) fn page_clock() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

/// The latest presses, in milliseconds of the page's clock, and where the mouse points.
#[derive(Clone, Default)]
pub(crate) struct Presses(Rc<Latest>);

#[derive(Default)]
struct Latest {
    last: Cell<Option<f64>>,
    before: Cell<Option<f64>>,
    mouse: Cell<(i32, i32)>,
}

impl Presses {
    /// Watches every press on the page, before any control hears of it.
    pub(crate) fn watch() -> Self {
        let presses = Self::default();
        for kind in ["keydown", "pointerdown"] {
            let seen = presses.clone();
            on_document(kind, move |press| {
                seen.0.before.set(seen.0.last.replace(Some(press.time_stamp())));
            });
        }
        let seen = presses.clone();
        on_document("pointermove", move |event| {
            if let Some(event) = event.dyn_ref::<PointerEvent>()
                && event.pointer_type() == "mouse"
            {
                seen.0.mouse.set((event.client_x(), event.client_y()));
            }
        });
        presses
    }

    /// Where the mouse points, in CSS pixels of the window.
    pub(crate) fn mouse(&self) -> (i32, i32) {
        self.0.mouse.get()
    }

    /// Whether all was quiet before a press that has just been noted.
    pub(crate) fn were_quiet_before(&self, press: &web_sys::Event) -> bool {
        self.0.before.get().is_none_or(|before| press.time_stamp() - before >= QUIET_MS)
    }

    /// How long it is still until all was quiet for long enough.
    pub(crate) fn quiet_in_ms(&self, now: f64) -> f64 {
        self.0.last.get().map_or(0.0, |last| (last + QUIET_MS - now).max(0.0))
    }
}
