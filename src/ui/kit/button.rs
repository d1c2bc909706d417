//! Buttons that are used all over the page.

use leptos::ev;
use leptos::html::button;
use leptos::prelude::*;

/// A small button that does one thing.
pub(crate) fn small(label: &'static str, press: impl Fn() + 'static) -> AnyView {
    plain("btn btn-s", label, press)
}

/// A small button without an edge.
pub(crate) fn quiet(label: &'static str, press: impl Fn() + 'static) -> AnyView {
    plain("btn btn-text btn-s", label, press)
}

/// A button that looks like a link and belongs to the line it stands in; `name` says to which.
pub(crate) fn link(label: &'static str, name: String, press: impl Fn() + 'static) -> AnyView {
    button()
        .class("link")
        .attr("type", "button")
        .attr("aria-label", name)
        .on(ev::click, move |_| press())
        .child(label)
        .into_any()
}

fn plain(class: &'static str, label: &'static str, press: impl Fn() + 'static) -> AnyView {
    button()
        .class(class)
        .attr("type", "button")
        .on(ev::click, move |_| press())
        .child(label)
        .into_any()
}
