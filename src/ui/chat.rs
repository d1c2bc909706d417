//! The conversation: what was said, what is being said, and what waits.

use std::sync::Arc;

use leptos::prelude::*;
use view::conversation::{Streamed, Turn, TurnBody};
use view::markdown;
use view::notice::Notice;

use crate::ui::brand::{brand, new_conversation};
use crate::ui::composer::{Draft, composer};
use crate::ui::conversations::to_all;
use crate::ui::follow::{follow, hold_what_is_read};
use crate::ui::kit::el::{Child, Draw, Here, button, div, each, h2, header, p, section, span};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::react::memo;
use crate::ui::kit::time::{day, day_number};
use crate::ui::later::what_waits;
use crate::ui::notice::notice;
use crate::ui::prose;
use crate::ui::receipt::receipt;
use crate::ui::{Screen, screen};

/// Turns that are drawn at once; earlier ones are drawn when they are asked for.
const TURNS_DRAWN: usize = 100;
/// The example that an empty conversation offers.
const EXAMPLE: &str = "We\u{2019}re out of eggs, put a dozen on the list";

/// The conversation, with the field to write in and what was typed there already.
pub(crate) fn chat(typed: String) -> AnyView {
    let screen = screen();
    let turns = memo(move || screen.with(|view| Arc::clone(&view.turns)));
    let standing = memo(move || screen.with(|view| view.notices.iter().map(said_of).collect()));
    let is_busy = memo(move || screen.with(|view| view.status.is_busy()));
    let draft = Draft(RwSignal::new(typed));
    provide_context(draft);
    let (talk, inside) = (Here::new(), Here::new());
    let follow = follow(talk, inside);
    let is_empty = memo(move || {
        screen.with(|view| view.is_ready && view.turns.is_empty() && view.streamed.is_none())
    });
    let log = div()
        .class("log")
        .attr("role", "log")
        .attr("aria-label", "Messages")
        .attr("aria-busy", move || is_busy.get().then_some("true"))
        .child(said(turns, talk))
        .child(being_said(screen));
    section()
        .class("kitchen")
        .attr("aria-label", "Conversation")
        .child(phone_head())
        .child(
            div().class("talk").here(talk).attr("tabindex", "0").child(
                div()
                    .class("talk-in")
                    .here(inside)
                    .child(move || is_empty.get().then(|| invitation(draft)))
                    .child(log)
                    .child(move || {
                        standing.with(|_: &String| {
                            screen.with_untracked(|view| {
                                view.notices.iter().map(notice).collect::<Vec<_>>()
                            })
                        })
                    })
                    .child(working(screen))
                    .child(what_waits()),
            ),
        )
        .child(follow)
        .child(composer(draft, is_busy))
        .any()
}

/// What the rail shows elsewhere.
fn phone_head() -> AnyView {
    header().class("phone-head").child(brand()).child(to_all()).child(new_conversation()).any()
}

fn said(turns: Memo<Arc<Vec<Turn>>>, talk: Here) -> AnyView {
    let drawn = RwSignal::new(TURNS_DRAWN);
    let lines = move || turns.with(|turns| lines(turns, drawn.get()));
    let more = memo(move || turns.with(|turns| turns.len() > drawn.get()));
    let earlier = move || {
        more.get().then(|| {
            button()
                .class("btn btn-s earlier")
                .attr("type", "button")
                .on("click", move |_| {
                    hold_what_is_read(talk);
                    drawn.update(|drawn| *drawn += TURNS_DRAWN);
                })
                .child("Earlier messages")
        })
    };
    (earlier, each(lines)).any()
}

/// The latest turns, and before the first of each day its name.
fn lines(turns: &[Turn], drawn: usize) -> Vec<(String, Draw)> {
    let mut lines: Vec<(String, Draw)> = Vec::new();
    let mut today = None;
    for turn in turns.iter().skip(turns.len().saturating_sub(drawn)) {
        let number = day_number(turn.at);
        if today != Some(number) && turn.at.0 > 0 {
            today = Some(number);
            let at = turn.at;
            let name = move || p().class("day").child(day(at)).any();
            lines.push((format!("d{number}"), Box::new(name)));
        }
        let shown = turn.clone();
        lines.push((turn.key.clone(), Box::new(move || drawn_turn(&shown))));
    }
    lines
}

fn drawn_turn(turn: &Turn) -> AnyView {
    match &turn.body {
        TurnBody::Person(text) => div()
            .class("me")
            .attr("dir", "auto")
            .child(span().class("sr").child("You: "))
            .child(text.clone())
            .any(),
        TurnBody::Assistant(text) => {
            div().class("says").child(prose::blocks(&markdown::parse(text))).any()
        }
        TurnBody::HandedOver(to) => p().class("day").child(["Handed over to ", to].concat()).any(),
        TurnBody::Receipt(it) => receipt(it),
        TurnBody::Notice(it) => notice(it),
    }
}

/// The reply that streams in. Blocks that are complete are laid out once; only the open end is
/// written to.
fn being_said(screen: Screen) -> AnyView {
    let is_there = memo(move || screen.with(|view| view.streamed.is_some()));
    let part = move |part: fn(&Streamed) -> &String| {
        memo(move || {
            screen.with(|view| view.streamed.as_ref().map(part).cloned().unwrap_or_default())
        })
    };
    (move || {
        is_there.get().then(|| {
            let (closed, open) = (part(|it| &it.closed), part(|it| &it.open));
            let pieces =
                move || closed.with(|closed| markdown::pieces(closed).map(piece).collect());
            div()
                .class("says")
                .child(each(pieces))
                .child(p().class("open-end").attr("dir", "auto").child(move || open.get()))
        })
    })
    .any()
}

/// What a notice that stands says: as long as it is the same, so is the notice.
fn said_of(notice: &Notice) -> String {
    format!("{} {} ", notice.happened, notice.done.spoken())
}

fn piece((at, markdown): (usize, &str)) -> (String, Draw) {
    let blocks = markdown::parse(markdown);
    (at.to_string(), Box::new(move || prose::blocks(&blocks)))
}

/// What is going on, once it has gone on for a moment.
fn working(screen: Screen) -> AnyView {
    let words = memo(move || screen.with(|view| view.status.words()));
    (move || {
        words.with(|words| {
            (!words.is_empty())
                .then(|| p().class("working").attr("role", "status").child(words.clone()))
        })
    })
    .any()
}

fn invitation(draft: Draft) -> AnyView {
    div()
        .class("empty")
        .child(h2().child("What is missing in the kitchen?"))
        .child(p().child(
            "Say it as you would to someone standing next to you. Nothing is changed before you \
             have seen it.",
        ))
        .child(
            button()
                .class("btn example")
                .attr("type", "button")
                .attr("aria-label", format!("Write: {EXAMPLE}"))
                .on("click", move |_| draft.fill(EXAMPLE))
                .child(small_icon("utensils"))
                .child(EXAMPLE),
        )
        .any()
}
