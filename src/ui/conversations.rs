//! The conversations there are: the newest in the rail, all of them on a page of their own.

use std::sync::Arc;

use leptos::prelude::*;
use view::command::Command;
use view::conversations::Way;

use crate::ui::focus::focus_on;
use crate::ui::kit::button::{quiet, small};
use crate::ui::kit::el::{Child, a, button, div, h1, header, li, nav, p, span, ul};
use crate::ui::kit::icon::icon;
use crate::ui::kit::react::memo;
use crate::ui::page::Page;
use crate::ui::{dispatch, screen};

/// How many the rail has room for.
const IN_RAIL: usize = 8;
/// The id of the page's heading.
const HEADING: &str = "conversations";

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
            ways.with(|ways| {
                ul().child(
                    ways.iter().take(IN_RAIL).map(|it| li().child(way(it))).collect::<Vec<_>>(),
                )
            })
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
    let heading = h1().attr("id", HEADING).attr("tabindex", "-1").child("Conversations");
    div()
        .class("page narrow talks-page")
        .child(header().child(heading).child(p().child(
            "What waits in one goes on waiting there. The shopping list is the same in all.",
        )))
        .child(move || {
            ways.with(|ways| {
                if ways.is_empty() {
                    p().class("empty").child("Nothing has been said yet.").any()
                } else {
                    ul().child(ways.iter().map(kept).collect::<Vec<_>>()).any()
                }
            })
        })
        .any()
}

/// A conversation on the page, and the way to forget it: asked first, and below the row, so that a
/// second press in the same place only closes it again.
fn kept(talk: &Way) -> AnyView {
    let dispatch = dispatch();
    let (id, title, waits) = (talk.id.clone(), talk.title.clone(), talk.waiting > 0);
    let asks = RwSignal::new(false);
    let forget = move || {
        dispatch.run(Command::Forget(id.clone()));
        // The button goes away with its row.
        focus_on(HEADING);
    };
    let question = move || {
        asks.get().then(|| {
            let waits = waits.then_some(" What waits in it never runs.");
            div()
                .class("forget")
                .child(
                    p().child(
                        "What was said here is deleted for good. The shopping list stays as it \
                         is, and so do the records of what was decided, without their words.",
                    )
                    .child(waits),
                )
                .child(
                    div()
                        .class("tools")
                        .child(small("Forget this conversation", forget.clone()))
                        .child(quiet("Keep it", move || asks.set(false))),
                )
        })
    };
    li().child(way(talk))
        .child(
            button()
                .class("link")
                .attr("type", "button")
                .attr("aria-expanded", move || asks.get().to_string())
                .on("click", move |_| asks.update(|asks| *asks = !*asks))
                .child("Forget")
                .child(span().class("sr").child(format!(" {title}"))),
        )
        .child(question)
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
    button()
        .class("talk-way")
        .attr("type", "button")
        .attr("aria-current", way.is_open.then_some("true"))
        .on("click", open)
        .child(span().class("title").attr("dir", "auto").child(way.title.clone()))
        .child(waits)
        .any()
}
