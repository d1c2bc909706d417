//! Icons, from the sprite in index.html. Words beside them say what they mean.

use leptos::prelude::*;
use leptos::svg;

use crate::ui::kit::el::{Child, span};

/// An icon of the sprite; its names are Lucide's.
pub(crate) fn icon(name: &'static str) -> AnyView {
    drawn(name, "i")
}

/// A smaller one, beside small words.
pub(crate) fn small_icon(name: &'static str) -> AnyView {
    drawn(name, "i i-s")
}

/// The arrow between what was and what is to be, read as "becomes".
pub(crate) fn becomes() -> AnyView {
    (drawn("arrow-right", "i arrow"), span().class("sr").child(" becomes ")).any()
}

fn drawn(name: &'static str, class: &'static str) -> AnyView {
    svg::svg()
        .attr("class", class)
        .attr("aria-hidden", "true")
        .child(svg::r#use().attr("href", format!("#i-{name}")))
        .into_any()
}
