//! Where the focus goes when the person asks for it, and after an answer. It never moves by itself.

use agent::id::RequestId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The request that was answered last on this page, until its receipt has taken the focus; empty
/// if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Answered(RwSignal<String>);

impl Answered {
    pub(crate) fn new() -> Self {
        Self(RwSignal::new(String::new()))
    }

    pub(crate) fn note(self, request: &RequestId) {
        self.0.set(request.to_string());
    }

    /// Whether it is this one that the focus is owed to: nothing else has taken it meanwhile.
    pub(crate) fn is_owed_to(self, request: &RequestId) -> bool {
        self.0.with_untracked(|answered| *answered == request.0)
            && document().active_element().is_none_or(|active| active.tag_name() == "BODY")
    }
}

/// Puts the focus on the element of that id, if it is there.
pub(crate) fn focus_on(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        focus(element);
    }
}

/// Puts the focus on an element.
pub(crate) fn focus(element: impl JsCast) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}
