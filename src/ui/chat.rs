//! The conversation: what was said, what is being said, and what waits.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use leptos::ev;
use leptos::html::{Div, button, div, h2, header, p, section, span};
use leptos::prelude::*;
use view::conversation::{Streamed, Turn, TurnBody};
use view::markdown;
use view::status::Status;

use crate::ui::approval_card::waiting_card;
use crate::ui::brand::{brand, new_conversation};
use crate::ui::composer::{Draft, composer};
use crate::ui::conversations::to_all;
use crate::ui::follow::follow;
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::time::{day, day_number};
use crate::ui::notice::notice;
use crate::ui::prose;
use crate::ui::receipt::receipt;
use crate::ui::screen;

/// Turns that are drawn at once; earlier ones are drawn when they are asked for.
const TURNS_DRAWN: usize = 100;
/// The example that an empty conversation offers.
const EXAMPLE: &str = "We\u{2019}re out of eggs, put a dozen on the list";

/// The conversation, with the field to write in and what was typed there already.
pub(crate) fn chat(typed: String) -> AnyView {
    let screen = screen();
    let turns = Memo::new(move |_| screen.with(|view| Arc::clone(&view.turns)));
    let streamed = Memo::new(move |_| screen.with(|view| view.streamed.clone()));
    let status = Memo::new(move |_| screen.with(|view| view.status));
    let card = Memo::new(move |_| screen.with(|view| view.card.clone()));
    let standing = Memo::new(move |_| screen.with(|view| view.standing.clone()));
    let draft = Draft(RwSignal::new(typed));
    let (talk, inside) = (NodeRef::<Div>::new(), NodeRef::<Div>::new());
    let follow = follow(talk, inside, card.into());
    let is_empty =
        Memo::new(move |_| turns.with(|turns| turns.is_empty()) && streamed.with(Option::is_none));
    let log = div()
        .class("log")
        .attr("role", "log")
        .attr("aria-label", "Messages")
        .attr("aria-busy", move || status.get().is_busy().then_some("true"))
        .child(said(turns))
        .child(being_said(streamed));
    section()
        .class("kitchen")
        .attr("aria-label", "Conversation")
        .child(phone_head())
        .child(
            div().class("talk").node_ref(talk).attr("tabindex", "0").child(
                div()
                    .class("talk-in")
                    .node_ref(inside)
                    .child(move || is_empty.get().then(|| invitation(draft)))
                    .child(log)
                    .child(move || standing.with(|all| all.iter().map(notice).collect_view()))
                    .child(working(status.into()))
                    .child(waiting_card(card.into())),
            ),
        )
        .child(follow)
        .child(composer(draft, card.into(), status.into()))
        .into_any()
}

/// What the rail shows elsewhere.
fn phone_head() -> AnyView {
    header().class("phone-head").child(brand()).child(to_all()).child(new_conversation()).into_any()
}

/// One line of the conversation: a turn, or the day that begins with it.
#[derive(Clone)]
enum Line {
    Day(String),
    Turn(Turn),
}

fn said(turns: Memo<Arc<Vec<Turn>>>) -> AnyView {
    let drawn = RwSignal::new(TURNS_DRAWN);
    let lines = move || {
        turns.with(|turns| {
            let from = turns.len().saturating_sub(drawn.get());
            let mut lines = Vec::new();
            let mut today = None;
            for turn in turns.iter().skip(from) {
                let number = day_number(turn.at);
                if today != Some(number) && turn.at.0 > 0 {
                    today = Some(number);
                    lines.push((format!("d{number}"), Line::Day(day(turn.at))));
                }
                lines.push((turn.key.clone(), Line::Turn(turn.clone())));
            }
            lines
        })
    };
    let more = Memo::new(move |_| turns.with(|turns| turns.len() > drawn.get()));
    let earlier = move || {
        more.get().then(|| {
            button()
                .class("btn btn-s earlier")
                .attr("type", "button")
                .on(ev::click, move |_| drawn.update(|drawn| *drawn += TURNS_DRAWN))
                .child("Earlier messages")
        })
    };
    let lines = For(ForProps::builder()
        .each(lines)
        .key(|(key, _)| key.clone())
        .children(|(_, line)| line_of(&line))
        .build());
    (earlier, lines).into_any()
}

fn line_of(line: &Line) -> AnyView {
    let turn = match line {
        Line::Day(day) => return p().class("day").child(day.clone()).into_any(),
        Line::Turn(turn) => turn,
    };
    match &turn.body {
        TurnBody::Person(text) => div()
            .class("me")
            .attr("dir", "auto")
            .child(span().class("sr").child("You: "))
            .child(text.clone())
            .into_any(),
        TurnBody::Assistant(text) => {
            div().class("says").child(prose::blocks(&markdown::parse(text))).into_any()
        }
        TurnBody::Receipt(it) => receipt(it),
        TurnBody::Notice(it) => notice(it),
    }
}

/// The reply that streams in. Blocks that are complete are laid out once; only the open end is
/// written to.
fn being_said(streamed: Memo<Option<Streamed>>) -> AnyView {
    let is_there = Memo::new(move |_| streamed.with(Option::is_some));
    (move || {
        is_there.get().then(|| {
            let closed = Memo::new(move |_| {
                streamed.with(|it| it.as_ref().map(|it| it.closed.clone())).unwrap_or_default()
            });
            let open = Memo::new(move |_| {
                streamed.with(|it| it.as_ref().map(|it| it.open.clone())).unwrap_or_default()
            });
            let blocks = move || {
                let blocks = closed.with(|closed| markdown::parse(closed));
                blocks
                    .into_iter()
                    .enumerate()
                    .map(|(at, it)| ((at, hash(&it)), it))
                    .collect::<Vec<_>>()
            };
            let blocks = For(ForProps::builder()
                .each(blocks)
                .key(|(key, _)| *key)
                .children(|(_, block)| prose::block(&block))
                .build());
            div()
                .class("says")
                .child(blocks)
                .child(p().class("open-end").attr("dir", "auto").child(move || open.get()))
        })
    })
    .into_any()
}

fn hash(block: &markdown::Block) -> u64 {
    let mut hasher = DefaultHasher::new();
    block.hash(&mut hasher);
    hasher.finish()
}

/// What is going on, once it has gone on for a moment.
fn working(status: Signal<Status>) -> AnyView {
    let words = Memo::new(move |_| status.with(|status| status.words()));
    (move || {
        words.with(|words| {
            (!words.is_empty())
                .then(|| p().class("working").attr("role", "status").child(words.clone()))
        })
    })
    .into_any()
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
                .on(ev::click, move |_| draft.fill(EXAMPLE))
                .child(small_icon("utensils"))
                .child(EXAMPLE),
        )
        .into_any()
}
