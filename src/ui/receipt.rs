//! What stays of a card in the conversation: the line, and the truths about it.

use crate::ui::kit::el::{Child, Here, a, bdi, button, code, dd, div, dl, dt, p, pre, span};
use crate::ui::kit::react::effect;
use leptos::prelude::*;
use view::command::Command;
use view::line::EffectLine;
use view::receipt::{Receipt, Sign, Tone, Truth, Undo};
use view::resolution::WayOn;

use crate::ui::dispatch;
use crate::ui::focus::{Answered, focus};
use crate::ui::kit::button::link;
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::time::clock;
use crate::ui::line::{Struck, line};
use crate::ui::page::Page;

/// A receipt.
pub(crate) fn receipt(receipt: &Receipt) -> AnyView {
    let open = RwSignal::new(false);
    let here = Here::new();
    let (answered, request) = (expect_context::<Answered>(), receipt.request.clone());
    effect(move || {
        if let Some(here) = here.get()
            && answered.is_owed_to(&request)
        {
            focus(here);
        }
    });
    let struck = if did_not_happen(receipt.sign) { Struck::Yes } else { Struck::No };
    let names: Vec<_> = receipt.lines.iter().map(|line| line.name.spoken()).collect();
    let names = names.join(", ");
    let details = receipt.clone();
    div()
        .class(format!("receipt {}", sign_class(receipt.sign)))
        .here(here)
        .attr("role", "group")
        .attr("aria-label", format!("Receipt: {names}"))
        .attr("tabindex", "-1")
        .child(
            span()
                .class("sign")
                .attr("aria-hidden", "true")
                .child(small_icon(sign_icon(receipt.sign))),
        )
        .child(receipt.lines.iter().map(|it: &EffectLine| line(it, struck)).collect::<Vec<_>>())
        .child(
            p().class("truths")
                .child(truth(&receipt.allowed, Some(clock(receipt.decided_at))))
                .child(truth(&receipt.ran, receipt.known_at.map(clock)))
                .child(receipt.ways.iter().map(|it| way_on(it, &names)).collect::<Vec<_>>())
                .child(receipt.claimed.as_ref().map(|claimed| truth(claimed, None)))
                .child(undo(receipt.undo, &names))
                .child((receipt.sign == Sign::RanByRule).then(see_the_rule))
                .child(
                    button()
                        .class("link")
                        .attr("type", "button")
                        .attr("aria-expanded", move || open.get().to_string())
                        .on("click", move |_| open.update(|it| *it = !*it))
                        .child(move || if open.get() { "Close details" } else { "Details" })
                        .child(span().class("sr").child(format!(" of {names}"))),
                ),
        )
        .child(move || open.get().then(|| details_of(&details)))
        .any()
}

fn did_not_happen(sign: Sign) -> bool {
    match sign {
        Sign::Failed | Sign::Denied | Sign::TimedOut | Sign::MovedOn | Sign::Closed => true,
        Sign::Ran | Sign::RanByRule | Sign::Running | Sign::Unknown => false,
    }
}

/// The class of a sign's shape.
pub(crate) fn sign_class(sign: Sign) -> &'static str {
    match sign {
        Sign::Ran | Sign::RanByRule => "is-done",
        Sign::Running | Sign::Unknown => "is-open",
        Sign::Failed | Sign::Denied => "is-no",
        Sign::TimedOut | Sign::MovedOn | Sign::Closed => "is-closed",
    }
}

/// The icon of a sign.
pub(crate) fn sign_icon(sign: Sign) -> &'static str {
    match sign {
        Sign::Ran => "check",
        Sign::RanByRule => "shield-check",
        Sign::Running | Sign::TimedOut => "hourglass",
        Sign::Failed => "circle-alert",
        Sign::Denied => "x",
        Sign::MovedOn => "message-square-reply",
        Sign::Closed => "circle-slash",
        Sign::Unknown => "circle-help",
    }
}

/// The class of a truth's weight.
pub(crate) fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Yes => "yes",
        Tone::No => "nay",
        Tone::Open => "may",
        Tone::Quiet => "",
    }
}

fn truth(truth: &Truth, at: Option<String>) -> AnyView {
    span()
        .class(tone_class(truth.tone))
        .child(span().child(marked(&truth.words)).child(at.map(|at| format!(", {at}"))))
        .any()
}

fn way_on(way: &WayOn, names: &str) -> AnyView {
    let (dispatch, wanted) = (dispatch(), way.wanted.clone());
    link(way.label, names, move || dispatch.run(Command::Resolve(wanted.clone())))
}

fn see_the_rule() -> AnyView {
    a().class("link").attr("href", Page::Standing.address()).child("See the rule").any()
}

fn undo(undo: Undo, names: &str) -> AnyView {
    let dispatch = dispatch();
    match undo {
        Undo::Nothing => ().any(),
        Undo::Done => span().child("Taken back").any(),
        Undo::Can(change) => link("Undo", names, move || dispatch.run(Command::Undo(change))),
    }
}

fn details_of(receipt: &Receipt) -> AnyView {
    let row =
        |name: &'static str, value: AnyView| div().child(dt().child(name)).child(dd().child(value));
    let arguments = receipt.arguments.iter().map(|argument| {
        div().child(dt().child(marked(&argument.name))).child(dd().child(marked(&argument.value)))
    });
    (
        dl().class("args")
            .child(row("tool", code().child(marked(&receipt.tool)).any()))
            .child(arguments.collect::<Vec<_>>())
            .child(receipt.told.as_ref().map(|told| row("result", marked(told))))
            .child(row("record", bdi().child(receipt.request.to_string()).any())),
        pre().class("json").child(marked(&receipt.json)),
    )
        .any()
}
