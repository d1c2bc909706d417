//! Standing approvals: what was always allowed in this conversation, and how to take it back.

use leptos::prelude::*;
use view::View;
use view::command::Command;
use view::receipt::Receipt;
use view::standing::Given;

use crate::ui::focus::focus_on;
use crate::ui::kit::el::{
    Child, a, button, code, dd, div, dl, dt, h1, h2, header, li, p, pre, span, ul,
};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::memo;
use crate::ui::kit::time::{clock, date};
use crate::ui::page::Page;
use crate::ui::receipt::tone_class;
use crate::ui::{dispatch, screen};

/// The id of the page's heading.
const HEADING: &str = "standing";

/// The page of standing approvals.
pub(crate) fn standing() -> AnyView {
    let screen = screen();
    let key = |it: &Given| format!("{} {} {} ", it.id, it.uses, it.over);
    let shown = memo(move || screen.with(|view| view.standing_approvals.iter().map(key).collect()));
    if !screen.with_untracked(|view| view.has_engine) {
        dispatch().run(Command::LoadEngine);
    }
    let has_engine = memo(move || screen.with(|view| view.has_engine));
    let rows = move || {
        if !has_engine.get() {
            return ().any();
        }
        let is_empty = shown.with(String::is_empty);
        let rows = |view: &View| view.standing_approvals.iter().map(row).collect();
        (
            is_empty.then(nothing_yet),
            ul().class("rules").child(screen.with_untracked::<Vec<_>>(rows)),
        )
            .any()
    };
    let heading = h1().attr("id", HEADING).attr("tabindex", "-1").child("Standing approvals");
    div()
        .class("page narrow")
        .child(header().child(heading).child(p().child(
            "What you have said may happen without asking, in this conversation. Each ends by \
             itself, and each can be taken back now.",
        )))
        .child(rows)
        .any()
}

/// The way to the page from those that are about it too.
pub(crate) fn to_standing() -> AnyView {
    a().class("btn btn-s").attr("href", Page::Standing.address()).child("See them").any()
}

fn nothing_yet() -> AnyView {
    div()
        .class("empty")
        .child(h2().child("Everything is asked"))
        .child(p().child(
            "When a card waits, \u{201c}Ask less often\u{201d} below its buttons allows the same \
             thing, or everything of its kind, for a while.",
        ))
        .child(a().class("btn btn-s").attr("href", Page::Kitchen.address()).child("To the kitchen"))
        .any()
}

fn row(given: &Given) -> AnyView {
    let (dispatch, id) = (dispatch(), given.id.clone());
    let take_back = move |_| {
        dispatch.run(Command::Revoke(id.clone()));
        // The button goes away with its row.
        focus_on(HEADING);
    };
    let fact =
        |name: &'static str, value: String| div().child(dt().child(name)).child(dd().child(value));
    let until = given.until.map_or_else(
        || format!("after {} uses", given.uses_max),
        |until| format!("{}, or after {} uses", date(until), given.uses_max),
    );
    let label = if given.over.is_empty() { "Take back" } else { "Remove" };
    let over = (!given.over.is_empty())
        .then(|| p().class("may").child(small_icon("triangle-alert")).child(given.over));
    li().class("rule")
        .child(
            div().class("split").child(h2().child(given.scope.clone())).child(
                button()
                    .class("btn btn-s")
                    .attr("type", "button")
                    .attr("aria-label", format!("{label}: {}", given.scope))
                    .on("click", take_back)
                    .child(label),
            ),
        )
        .child(match &given.json {
            None => code().child(marked(&given.tool)),
            Some(json) => pre().class("json").child(marked(json)),
        })
        .child(over)
        .child(
            dl().child(fact("Since", format!("{}, {}", date(given.since), clock(given.since))))
                .child(fact("Used", format!("{} of {} times", given.uses, given.uses_max)))
                .child(fact("Ends", until)),
        )
        .child(tried(given.clone()))
        .any()
}

/// What it would have covered of what was asked before.
fn tried(given: Given) -> AnyView {
    let screen = screen();
    let is_open = RwSignal::new(false);
    let past = move || {
        is_open.get().then(|| {
            screen.with_untracked(|view| {
                let past: Vec<_> = given.among(&view.turns).map(past_call).collect();
                if past.is_empty() {
                    p().class("quiet").child("It would have covered nothing that was asked here.")
                } else {
                    ul().class("past").child(past)
                }
            })
        })
    };
    (
        button()
            .class("btn-quiet")
            .attr("type", "button")
            .attr("aria-expanded", move || is_open.get().to_string())
            .on("click", move |_| is_open.update(|it| *it = !*it))
            .child(move || small_icon(if is_open.get() { "chevron-up" } else { "chevron-down" }))
            .child("Try it on what was asked before"),
        past,
    )
        .any()
}

fn past_call(receipt: &Receipt) -> AnyView {
    let lines = receipt
        .lines
        .iter()
        .map(|line| span().child(marked(&line.name)).child(", ").child(marked(&line.now)));
    li().child(span().child(lines.collect::<Vec<_>>()))
        .child(
            span()
                .class(tone_class(receipt.allowed.tone))
                .child(marked(&receipt.allowed.words))
                .child(format!(", {}", clock(receipt.decided_at))),
        )
        .any()
}
