//! "Ask less often": what a yes can cover from then on, folded below the buttons of a card. Each way
//! is a yes of its own, and wakes like one; the Approve button means once, whatever is open.

use agent::approval::{Always, Answer};
use leptos::prelude::*;
use view::View;
use view::marks::Marked;
use view::standing::LessOften;

use crate::ui::Screen;
use crate::ui::answer::{Answers, Draft, Open};
use crate::ui::arming::Arming;
use crate::ui::kit::el::{Child, Here, b, button, div, p};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{effect, memo};
use crate::ui::kit::time::date;

/// The ways to be asked less often, if the card has any. `was_read` says whether its question was.
pub(crate) fn ask_less(screen: Screen, draft: Draft, was_read: Memo<bool>) -> AnyView {
    let is_offered = memo(move || screen.with(|view| !offers(view).is_empty()));
    let is_open = memo(move || draft.open.get() == Open::Less && is_offered.get());
    // As long as it is the same, so are the ways.
    let said = memo(move || match is_open.get() {
        true => screen.with(|view| offers(view).iter().map(|it| said(it, view)).collect()),
        false => String::new(),
    });
    let ways = move || {
        let is_folded = said.with(String::is_empty);
        let draw = |view: &View| offers(view).iter().map(|it| way(it, view, was_read)).collect();
        if is_folded { Vec::new() } else { screen.with_untracked(draw) }
    };
    let fold = move || {
        let sign = if is_open.get() { "chevron-up" } else { "chevron-down" };
        (small_icon(sign), "Ask less often")
    };
    (move || {
        is_offered.get().then(|| {
            let button = button()
                .class("btn-quiet")
                .attr("type", "button")
                .attr("aria-expanded", move || is_open.get().to_string())
                .on("click", move |_| draft.toggle(Open::Less))
                .child(fold);
            div().class("less").child(button).child(ways)
        })
    })
    .any()
}

fn offers(view: &View) -> &[LessOften] {
    view.card.as_ref().map_or(&[], |card| &card.less_often)
}

/// Everything that is said of a way.
fn said(offer: &LessOften, view: &View) -> String {
    let settles: String = offer.settles.iter().map(Marked::spoken).collect();
    format!("{}{}{settles}", offer.request, words(offer, view))
}

fn words(offer: &LessOften, view: &View) -> String {
    let (sentence, past) = (offer.sentence(offer.until.map(date)), offer.past(&view.turns));
    format!(" {sentence} {past}")
}

fn way(offer: &LessOften, view: &View, was_read: Memo<bool>) -> AnyView {
    let arming = Arming::new();
    let (whole, place) = (Here::new(), Here::new());
    effect(move || {
        if let (Some(whole), Some(place)) = (whole.get(), place.get()) {
            arming.watch(&whole, &whole, &place);
        }
    });
    let (title, remembered) = match offer.always {
        Always::Tool => ("Always for this tool.", "the tool"),
        Always::ToolWithArguments => ("Always for exactly this.", "exactly this"),
    };
    let count = offer.settles.len();
    let label = match count {
        0 => format!("Approve, and remember {remembered}"),
        _ => format!("Approve all {count}, and remember {remembered}"),
    };
    let settled = offer.settles.iter().enumerate();
    let settled: Vec<_> =
        settled.map(|(n, it)| (marked(it), if n + 1 == count { "." } else { ", " })).collect();
    let settled =
        (count > 0).then(|| p().child("It says yes to all of these now: ").child(settled));
    let armed = arming.armed();
    let answer = Answer::Approve { always: Some(offer.always) };
    let row = view.card.as_ref().and_then(|card| card.row(&offer.request));
    let mut response = row.map(|row| row.response(answer));
    let ready = memo(move || armed.get() && was_read.get());
    let answers = Answers::new();
    let press = move || {
        if ready.get_untracked()
            && let Some(response) = response.take()
        {
            answers.send(response);
        }
    };
    div()
        .class("less-way")
        .here(whole)
        .child(p().child(b().child(title)).child(words(offer, view)))
        .child(settled)
        .child(div().here(place).child(arming.button(ready, press).class("btn btn-s").child(label)))
        .any()
}
