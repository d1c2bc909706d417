//! Buttons that are used all over the page.

use leptos::prelude::*;

use crate::ui::kit::el::{Child, button, span};

/// A small button that does one thing.
pub(crate) fn small(label: &'static str, press: impl Fn() + 'static) -> AnyView {
    plain("btn btn-s", label, press)
}

/// A small button without an edge.
pub(crate) fn quiet(label: &'static str, press: impl Fn() + 'static) -> AnyView {
    plain("btn btn-text btn-s", label, press)
}

/// A button that looks like a link and belongs to the line it stands in; `of` says to which, to
/// those who do not see the line.
pub(crate) fn link(label: &'static str, of: &str, press: impl Fn() + 'static) -> AnyView {
    button()
        .class("link")
        .attr("type", "button")
        .on("click", move |_| press())
        .child(label)
        .child(span().class("sr").child(format!(" {of}")))
        .any()
}

fn plain(class: &'static str, label: &'static str, press: impl Fn() + 'static) -> AnyView {
    button().class(class).attr("type", "button").on("click", move |_| press()).child(label).any()
}
