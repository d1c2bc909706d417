//! Where the focus goes when the person asks for it, and after an answer, and when what has it
//! is taken away. It never moves by itself.

use agent::id::RequestId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::ui::kit::listen::on_document;
use crate::ui::kit::react::effect;
use crate::ui::screen;

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
            && document()
                .active_element()
                .is_none_or(|active| active.matches("body, .talk").unwrap_or_default())
    }
}

/// Keeps the focus near where it was when what has it is taken away: on what then has its id, or on
/// what was around it. Nothing that is pressed there changes anything else.
pub(crate) fn keep_near() {
    let screen = screen();
    let path = StoredValue::new_local(Vec::<Element>::new());
    on_document("focusin", move |event| {
        let mut here = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let mut new = Vec::new();
        while let Some(element) = here {
            here = element.parent_element();
            new.push(element);
        }
        path.set_value(new);
    });
    // Whatever else takes the focus for a reason does so before the next frame.
    effect(move || {
        screen.track();
        request_animation_frame(move || {
            path.try_with_value(|path| focus_near(path));
        });
    });
}

fn focus_near(path: &[Element]) {
    let is_lost = path.first().is_some_and(|it| !it.is_connected());
    if !is_lost || document().active_element().is_some_and(|it| it.tag_name() != "BODY") {
        return;
    }
    for was in path {
        // What is drawn anew has the same id.
        let is = document().get_element_by_id(&was.id()).or_else(|| Some(was.clone()));
        let Some(is) = is.filter(|it| it.is_connected()) else { continue };
        if is.matches("[tabindex], button, input, select").unwrap_or_default() {
            return focus(is);
        }
        if let Ok(Some(heading)) = is.query_selector(":scope > header [tabindex]") {
            return focus(heading);
        }
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
