//! The conversations there are: the newest in the rail, all of them on a page of their own.

use std::sync::Arc;

use crate::ui::kit::el::{Child, a, button, div, h1, header, li, nav, p, span, ul};
use crate::ui::kit::react::memo;
use leptos::prelude::*;
use view::command::Command;
use view::conversations::Way;

use crate::ui::kit::icon::icon;
use crate::ui::page::Page;
use crate::ui::{dispatch, screen};

/// How many the rail has room for.
const IN_RAIL: usize = 8;

fn ways() -> Memo<Arc<Vec<Way>>> {
    let screen = screen();
    memo(move || screen.with(|view| Arc::clone(&view.conversations)))
}

/// The newest ones, and the way to all of them.
pub(crate) fn in_rail() -> AnyView {
    let ways = ways();
    nav()
        .class("talks")
        .attr("aria-label", "Conversations")
        .child(to_all())
        .child(move || {
            ways.with(|ways| ul().child(ways.iter().take(IN_RAIL).map(way).collect::<Vec<_>>()))
        })
        .any()
}

/// The way to the page of all conversations.
pub(crate) fn to_all() -> AnyView {
    a().class("to-talks")
        .attr("href", Page::Conversations.address())
        .attr("title", "Conversations")
        .child(icon("messages-square"))
        .child(span().class("way").child("Conversations"))
        .any()
}

/// The page of all conversations.
pub(crate) fn conversations() -> AnyView {
    let ways = ways();
    div()
        .class("page narrow talks-page")
        .child(header().child(h1().child("Conversations")).child(p().child(
            "What waits in one goes on waiting there. The shopping list is the same in all.",
        )))
        .child(move || {
            ways.with(|ways| {
                if ways.is_empty() {
                    p().class("empty").child("Nothing has been said yet.").any()
                } else {
                    ul().child(ways.iter().map(way).collect::<Vec<_>>()).any()
                }
            })
        })
        .any()
}

fn way(way: &Way) -> AnyView {
    let dispatch = dispatch();
    let id = way.id.clone();
    let open = move |_| {
        dispatch.run(Command::Open(id.clone()));
        // A page that cannot be left for the kitchen still has its link to it.
        let _ = window().location().set_hash(Page::Kitchen.address());
    };
    let waits = (way.waiting > 0).then(|| {
        let verb = if way.waiting == 1 { "waits" } else { "wait" };
        span().class("waits").child(format!("{} {verb}", way.waiting))
    });
    li().child(
        button()
            .attr("type", "button")
            .attr("aria-current", way.is_open.then_some("true"))
            .on("click", open)
            .child(span().class("title").attr("dir", "auto").child(way.title.clone()))
            .child(waits),
    )
    .any()
}
