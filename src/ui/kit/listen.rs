//! Hears of what happens anywhere on the page, before any control does.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{AddEventListenerOptions, Event};

/// Does something on every such event, for as long as the owner lives.
pub(crate) fn on_document(kind: &'static str, then: impl Fn(Event) + 'static) {
    let options = AddEventListenerOptions::new();
    options.set_capture(true);
    options.set_passive(true);
    let function: js_sys::Function =
        Closure::<dyn Fn(Event)>::new(then).into_js_value().unchecked_into();
    // Both can only fail for what is no function.
    let _ = document()
        .add_event_listener_with_callback_and_add_event_listener_options(kind, &function, &options);
    let function = StoredValue::new_local(function);
    on_cleanup(move || {
        function.with_value(|function| {
            let _ = document().remove_event_listener_with_callback_and_bool(kind, function, true);
        });
    });
}
