//! Hears of elements that grow or shrink.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Does something whenever one of the elements has another size, first once at the beginning, for
/// as long as the owner lives.
pub(crate) fn on_resize(elements: &[&Element], then: impl Fn() + 'static) {
    let function = Closure::<dyn Fn()>::new(then).into_js_value().unchecked_into();
    let Ok(observer) = ResizeObserver::new(&function) else { return };
    for element in elements {
        observer.observe(element);
    }
    let observer = StoredValue::new_local(observer);
    on_cleanup(move || observer.with_value(ResizeObserver::disconnect));
}
