//! The card: one question, whole, and the ways to answer it. Their places never move.

use crate::ui::kit::el::{Child, Here, button, code, dd, div, dl, dt, h2, header, p, pre, span};
use crate::ui::kit::react::{effect, memo};
use agent::id::RequestId;
use leptos::prelude::*;
use view::card::{Argument, Card, Preview, Row, TimeLeft};
use view::marks::Marked;
use wasm_bindgen::JsCast;

use crate::ui::answer::{Answers, Draft, Open, opened};
use crate::ui::arming::Arming;
use crate::ui::batch;
use crate::ui::kit::icon::{icon, small_icon};
use crate::ui::kit::marked::marked;
use crate::ui::kit::resize::on_resize;
use crate::ui::line::{Struck, line, notes};

/// The id of the heading of what waits, for the one who asks for it by key.
pub(crate) const HEADING: &str = "waiting";
/// The id of the words that say why Approve does not work yet.
const ARMING: &str = "arming";
/// How near the end of the arguments counts as their end, in CSS pixels: what rounding may take.
const END_PX: i32 = 2;
/// What a card says whose arguments are longer than their frame.
const UNREAD: &str = "There is more of it below. Nothing is cut: read it to the end.";

/// What waits for the person, if anything does: one question, or the rows of a batch.
pub(crate) fn waiting_card(card: Signal<Option<Card>>) -> AnyView {
    let shape = memo(move || {
        card.with(|card| {
            let rows = card.as_ref().map(|card| card.rows.as_slice()).unwrap_or_default();
            rows.iter().map(|row| row.request.clone()).collect::<Vec<_>>()
        })
    });
    (move || match shape.get().as_slice() {
        [] => ().any(),
        [request] => one(card, request),
        rows => batch::rows(card, rows),
    })
    .any()
}

/// The frame of a card, which folds on a phone. A card of one question names its request.
pub(crate) fn frame(
    card: Signal<Option<Card>>,
    request: Option<&RequestId>,
    draft: Draft,
    inside: AnyView,
) -> AnyView {
    let (folded, is_one) = (RwSignal::new(false), request.is_some());
    let title = memo(move || card.with(|card| card.as_ref().map(|card| card.title.clone())));
    let here = Here::new();
    effect(move || {
        if let Some(here) = here.get() {
            leave_room_for(&here);
        }
    });
    div()
        .here(here)
        .class(move || match (is_one, folded.get()) {
            (true, false) => "card current",
            (true, true) => "card current folded",
            (false, false) => "card many",
            (false, true) => "card many folded",
        })
        .attr("data-request", request.map(ToString::to_string))
        .attr("role", "group")
        .attr("aria-labelledby", HEADING)
        .on_key(move |key| draft.on_key(key))
        .child(
            button()
                .class("grab")
                .attr("type", "button")
                .attr("aria-expanded", move || (!folded.get()).to_string())
                .on("click", move |_| folded.update(|it| *it = !*it))
                .child(move || if folded.get() { folded_bar(title) } else { grip() }),
        )
        .child(div().class("card-in").child(inside))
        .any()
}

fn grip() -> AnyView {
    span().class("sr").child("Fold the waiting card").any()
}

fn folded_bar(title: Memo<Option<String>>) -> AnyView {
    (
        span().class("grab-dot").attr("aria-hidden", "true"),
        span().class("grab-words").child("1 card waits for you"),
        span().class("grab-title").child(move || title.get()),
        icon("chevron-up"),
    )
        .any()
}

/// On a phone the card lies over the conversation, which ends above it: the style needs its height.
fn leave_room_for(card: &web_sys::Element) {
    let measured = card.clone();
    on_resize(&[card], move || {
        set_room(&format!("{}px", measured.get_bounding_client_rect().height()));
    });
    on_cleanup(|| set_room("0px"));
}

fn set_room(height: &str) {
    let root = document().document_element();
    if let Some(root) = root.and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = root.style().set_property("--card-height", height);
    }
}

fn one(card: Signal<Option<Card>>, request: &RequestId) -> AnyView {
    let arming = Arming::new();
    let draft = Draft::new();
    let unread = RwSignal::new(false);
    let row = memo(move || card.with(|card| card.as_ref()?.rows.first().cloned()));
    let (start, end, press) = (Here::new(), Here::new(), Here::new());
    effect(move || {
        if let (Some(start), Some(end), Some(press)) = (start.get(), end.get(), press.get()) {
            arming.watch(&start, &end, &press);
        }
    });
    arming.start_over_with(row);
    let question = (
        head(card, start),
        move || row.get().map(|row| preview(&row)),
        move || row.with(|row| row.as_ref().map(|row| warnings(&row.warnings))),
        asked(row, unread),
        p().class("why").child(card.with_untracked(|card| card.as_ref().map(|card| card.why))),
        move || unread.get().then(|| p().class("why").child(UNREAD)),
    );
    let inside = (
        question,
        div().class("end").here(end),
        acts(request, arming, draft, unread, press),
        opened(draft, {
            let request = request.clone();
            let answers = Answers::new();
            move |reason| answers.reject(&request, reason)
        }),
    );
    frame(card, Some(request), draft, inside.any())
}

/// The head of a card: title, time left, tool, agent. Only the time changes while a card waits.
pub(crate) fn head(card: Signal<Option<Card>>, start: Here) -> AnyView {
    let time = memo(move || card.with(|card| card.as_ref()?.time.clone()));
    let (title, tool, agent) = card.with_untracked(|card| {
        let card = card.as_ref();
        let tool = card.and_then(|card| card.tool.as_ref().map(marked));
        (card.map(|card| card.title.clone()), tool, card.map(|card| card.agent))
    });
    header()
        .class("card-head")
        .here(start)
        .child(h2().attr("id", HEADING).attr("tabindex", "-1").child(title))
        .child(move || time.get().map(|left| time_left(&left)))
        .child(code().class("tool").child(tool))
        .child(span().class("who").child(agent))
        .any()
}

fn time_left(left: &TimeLeft) -> AnyView {
    span()
        .class(if left.soon { "time soon" } else { "time" })
        .child(small_icon("clock"))
        .child(left.words.clone())
        .any()
}

/// What it would do, worked out on the household as it is now.
fn preview(row: &Row) -> AnyView {
    let remarks = row.remarks.iter().map(|it| span().child(marked(it))).collect::<Vec<_>>();
    match &row.preview {
        Preview::Lines(lines) => div()
            .class("effect")
            .child(lines.iter().map(|it| line(it, Struck::No)).collect::<Vec<_>>())
            .child(notes(lines))
            .child(p().class("note").child(remarks))
            .any(),
        Preview::Nothing => {
            div().class("effect").child(p().class("note").child("This would change nothing.")).any()
        }
        Preview::Fails(why) => div()
            .class("effect fails")
            .child(p().child("This would fail, and change nothing: ").child(marked(why)))
            .any(),
    }
}

/// What must be known before a yes.
pub(crate) fn warnings(warnings: &[Marked]) -> AnyView {
    let each = warnings.iter().map(|warning| {
        p().class("warning").child(small_icon("triangle-alert")).child(marked(warning))
    });
    each.collect::<Vec<_>>().any()
}

/// The arguments and their JSON, whole. Long ones scroll, and are to be read to their end.
fn asked(row: Memo<Option<Row>>, unread: RwSignal<bool>) -> AnyView {
    let scroller = Here::new();
    let was_read = StoredValue::new(false);
    let look = move || {
        let Some(scroller) = scroller.get_untracked().filter(|it| it.client_height() > 0) else {
            return;
        };
        let left = scroller.scroll_height() - scroller.scroll_top() - scroller.client_height();
        if left <= END_PX {
            was_read.set_value(true);
        }
        unread.set(!was_read.get_value());
    };
    effect(move || {
        if let Some(scroller) = scroller.get() {
            on_resize(&[&scroller], look);
        }
    });
    // A recorded call does not change while it waits.
    let (arguments, json) = row.with_untracked(|row| {
        row.as_ref().map(|row| (list_of(&row.arguments), marked(&row.json))).unzip()
    });
    div()
        .class(move || if unread.get() { "asked unread" } else { "asked" })
        .here(scroller)
        .attr("tabindex", move || unread.get().then_some("0"))
        .attr("role", "region")
        .attr("aria-label", "Arguments")
        .on("scroll", move |_| look())
        .child(arguments)
        .child(pre().class("json").child(json))
        .any()
}

fn list_of(arguments: &[Argument]) -> AnyView {
    let rows = arguments
        .iter()
        .map(|it| div().child(dt().child(marked(&it.name))).child(dd().child(marked(&it.value))))
        .collect::<Vec<_>>();
    dl().class("args").child(rows).any()
}

fn acts(
    request: &RequestId,
    arming: Arming,
    draft: Draft,
    unread: RwSignal<bool>,
    place: Here,
) -> AnyView {
    let no = request.clone();
    let answers = Answers::new();
    div()
        .class("acts")
        .here(place)
        .child(approve(request, arming, unread))
        .child(
            button()
                .class("btn")
                .attr("type", "button")
                .on("click", move |_| answers.reject(&no, None))
                .child("Reject"),
        )
        .child(opens(draft, Open::Reason, "Reject with a reason"))
        .child(opens(draft, Open::Reply, "Reply"))
        .any()
}

/// A button that opens something below.
pub(crate) fn opens(draft: Draft, what: Open, label: &'static str) -> AnyView {
    button()
        .class("btn btn-text")
        .attr("type", "button")
        .attr("aria-expanded", move || (draft.open.get() == what).to_string())
        .on("click", move |_| draft.toggle(what))
        .child(label)
        .any()
}

/// The one filled button. It answers once, only when armed, and only to a person.
fn approve(request: &RequestId, arming: Arming, unread: RwSignal<bool>) -> AnyView {
    let armed = arming.armed();
    let ready = move || armed.get() && !unread.get();
    let request = request.clone();
    let answered = StoredValue::new(false);
    let answers = Answers::new();
    let here = Here::new();
    button()
        .class("btn btn-yes")
        .here(here)
        .attr("type", "button")
        .attr("aria-disabled", move || (!ready()).then_some("true"))
        .attr("aria-describedby", move || (!ready()).then_some(ARMING))
        .on("pointerdown", move |event| arming.note_press(&event))
        .on("keydown", move |event| arming.note_press(&event))
        .on("focus", move |event| arming.note_focus(&event))
        .on("click", move |event| {
            let allows = arming.allows(&event);
            if unread.get_untracked() {
                here.get_untracked().inspect(|button| scroll_on(button));
            } else if allows && !answered.get_value() {
                answered.set_value(true);
                answers.approve(&request);
            }
        })
        .child(move || if unread.get() { "Read to the end" } else { "Approve" })
        .child(
            span()
                .class("sr")
                .attr("id", ARMING)
                .attr("hidden", "")
                .child("Works once the whole card has been on the screen for a moment."),
        )
        .any()
}

/// Turns the arguments by one page.
fn scroll_on(button: &web_sys::Element) {
    let scroller = button.closest(".card-in").ok().flatten();
    let scroller = scroller.and_then(|card| card.query_selector(".asked").ok().flatten());
    if let Some(scroller) = scroller {
        scroller.set_scroll_top(scroller.scroll_top() + scroller.client_height() * 9 / 10);
    }
}
