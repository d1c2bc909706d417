//! The card: one question, whole, and the ways to answer it. Their places never move.

use agent::id::RequestId;
use leptos::ev;
use leptos::html::{Button, Div, button, code, dd, div, dl, dt, h2, header, p, pre, span};
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
    let shape = Memo::new(move |_| {
        card.with(|card| {
            let rows = card.as_ref().map(|card| card.rows.as_slice()).unwrap_or_default();
            rows.iter().map(|row| row.request.clone()).collect::<Vec<_>>()
        })
    });
    (move || match shape.get().as_slice() {
        [] => ().into_any(),
        [request] => one(card, request),
        rows => batch::rows(card, rows),
    })
    .into_any()
}

/// The frame of a card, which folds on a phone. A card of one question names its request.
pub(crate) fn frame(
    card: Signal<Option<Card>>,
    request: Option<&RequestId>,
    draft: Draft,
    inside: AnyView,
) -> AnyView {
    let folded = RwSignal::new(false);
    let title = Memo::new(move |_| card.with(|card| card.as_ref().map(|card| card.title.clone())));
    let here = NodeRef::<Div>::new();
    Effect::new(move |_| {
        if let Some(here) = here.get() {
            leave_room_for(&here);
        }
    });
    div()
        .node_ref(here)
        .class(if request.is_some() { "card current" } else { "card many" })
        .class(("folded", folded))
        .attr("data-request", request.map(ToString::to_string))
        .attr("role", "group")
        .attr("aria-labelledby", HEADING)
        .on(ev::keydown, move |key| draft.on_key(&key))
        .child(
            button()
                .class("grab")
                .attr("type", "button")
                .attr("aria-expanded", move || (!folded.get()).to_string())
                .on(ev::click, move |_| folded.update(|it| *it = !*it))
                .child(move || if folded.get() { folded_bar(title) } else { grip() }),
        )
        .child(div().class("card-in").child(inside))
        .into_any()
}

fn grip() -> AnyView {
    span().class("sr").child("Fold the waiting card").into_any()
}

fn folded_bar(title: Memo<Option<String>>) -> AnyView {
    (
        span().class("grab-dot").attr("aria-hidden", "true"),
        span().class("grab-words").child("1 card waits for you"),
        span().class("grab-title").child(title),
        icon("chevron-up"),
    )
        .into_any()
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
    let row = Memo::new(move |_| card.with(|card| card.as_ref()?.rows.first().cloned()));
    let (start, end, press) =
        (NodeRef::<leptos::html::Header>::new(), NodeRef::<Div>::new(), NodeRef::<Div>::new());
    Effect::new(move |_| {
        if let (Some(start), Some(end), Some(press)) = (start.get(), end.get(), press.get()) {
            arming.watch(&start, &end, &press);
        }
    });
    Effect::watch(
        move || row.with(|row| row.as_ref().map(|row| row.preview.clone())),
        move |_, _, _| arming.start_over(),
        false,
    );
    let inside = (
        head(card, start),
        move || row.get().map(|row| effect(&row)),
        move || row.with(|row| row.as_ref().map(|row| warnings(&row.warnings))),
        asked(row, unread),
        p().class("why").child(move || card.with(|card| card.as_ref().map(|card| card.why))),
        move || unread.get().then(|| p().class("why").child(UNREAD)),
        div().class("end").node_ref(end),
        acts(request, arming, draft, unread, press),
        opened(draft, {
            let request = request.clone();
            let answers = Answers::new();
            move |reason| answers.reject(&request, reason)
        }),
    );
    frame(card, Some(request), draft, inside.into_any())
}

/// The head of a card: title, time left, tool, agent.
pub(crate) fn head(card: Signal<Option<Card>>, start: NodeRef<leptos::html::Header>) -> AnyView {
    let of = move |part: fn(&Card) -> Option<String>| {
        Memo::new(move |_| card.with(|card| card.as_ref().and_then(part)))
    };
    let title = of(|card| Some(card.title.clone()));
    let agent = of(|card| Some(card.agent.to_owned()));
    let tool = Memo::new(move |_| card.with(|card| card.as_ref()?.tool.clone()));
    let time = Memo::new(move |_| card.with(|card| card.as_ref()?.time.clone()));
    header()
        .class("card-head")
        .node_ref(start)
        .child(h2().attr("id", HEADING).attr("tabindex", "-1").child(title))
        .child(move || time.get().map(|left| time_left(&left)))
        .child(code().class("tool").child(move || tool.get().map(|tool: Marked| marked(&tool))))
        .child(span().class("who").child(agent))
        .into_any()
}

fn time_left(left: &TimeLeft) -> AnyView {
    span()
        .class(if left.soon { "time soon" } else { "time" })
        .child(small_icon("clock"))
        .child(left.words.clone())
        .into_any()
}

/// What it would do, worked out on the household as it is now.
fn effect(row: &Row) -> AnyView {
    let remarks = row.remarks.iter().map(|it| span().child(marked(it))).collect_view();
    match &row.preview {
        Preview::Lines(lines) => div()
            .class("effect")
            .child(lines.iter().map(|it| line(it, Struck::No)).collect_view())
            .child(notes(lines))
            .child(p().class("note").child(remarks))
            .into_any(),
        Preview::Nothing => div()
            .class("effect")
            .child(p().class("note").child("This would change nothing."))
            .into_any(),
        Preview::Fails(why) => div()
            .class("effect fails")
            .child(p().child("This would fail, and change nothing: ").child(marked(why)))
            .into_any(),
    }
}

/// What must be known before a yes.
pub(crate) fn warnings(warnings: &[Marked]) -> AnyView {
    let each = warnings.iter().map(|warning| {
        p().class("warning").child(small_icon("triangle-alert")).child(marked(warning))
    });
    each.collect_view().into_any()
}

/// The arguments and their JSON, whole. Long ones scroll, and are to be read to their end.
fn asked(row: Memo<Option<Row>>, unread: RwSignal<bool>) -> AnyView {
    let scroller = NodeRef::<Div>::new();
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
    Effect::new(move |_| {
        if let Some(scroller) = scroller.get() {
            on_resize(&[&scroller], look);
        }
    });
    let arguments = Memo::new(move |_| row.with(|row| row.as_ref().map(|it| it.arguments.clone())));
    let json = Memo::new(move |_| row.with(|row| row.as_ref().map(|it| it.json.clone())));
    div()
        .class("asked")
        .class(("unread", unread))
        .node_ref(scroller)
        .attr("tabindex", move || unread.get().then_some("0"))
        .attr("role", "region")
        .attr("aria-label", "Arguments")
        .on(ev::scroll, move |_| look())
        .child(move || arguments.get().map(|it| list_of(&it)))
        .child(pre().class("json").child(move || json.get().map(|json: Marked| marked(&json))))
        .into_any()
}

fn list_of(arguments: &[Argument]) -> AnyView {
    let rows = arguments
        .iter()
        .map(|it| div().child(dt().child(marked(&it.name))).child(dd().child(marked(&it.value))))
        .collect_view();
    dl().class("args").child(rows).into_any()
}

fn acts(
    request: &RequestId,
    arming: Arming,
    draft: Draft,
    unread: RwSignal<bool>,
    place: NodeRef<Div>,
) -> AnyView {
    let no = request.clone();
    let answers = Answers::new();
    div()
        .class("acts")
        .node_ref(place)
        .child(approve(request, arming, unread))
        .child(
            button()
                .class("btn")
                .attr("type", "button")
                .on(ev::click, move |_| answers.reject(&no, None))
                .child("Reject"),
        )
        .child(opens(draft, Open::Reason, "Reject with a reason"))
        .child(opens(draft, Open::Reply, "Reply"))
        .into_any()
}

/// A button that opens something below.
pub(crate) fn opens(draft: Draft, what: Open, label: &'static str) -> AnyView {
    button()
        .class("btn btn-text")
        .attr("type", "button")
        .attr("aria-expanded", move || (draft.open.get() == what).to_string())
        .on(ev::click, move |_| draft.toggle(what))
        .child(label)
        .into_any()
}

/// The one filled button. It answers once, only when armed, and only to a person.
fn approve(request: &RequestId, arming: Arming, unread: RwSignal<bool>) -> AnyView {
    let armed = arming.armed();
    let ready = move || armed.get() && !unread.get();
    let request = request.clone();
    let answered = StoredValue::new(false);
    let answers = Answers::new();
    let here = NodeRef::<Button>::new();
    button()
        .class("btn btn-yes")
        .node_ref(here)
        .attr("type", "button")
        .attr("aria-disabled", move || (!ready()).then_some("true"))
        .attr("aria-describedby", move || (!ready()).then_some(ARMING))
        .on(ev::pointerdown, move |event| arming.note_press(&event))
        .on(ev::keydown, move |event| arming.note_press(&event))
        .on(ev::focus, move |event| arming.note_focus(&event))
        .on(ev::click, move |event| {
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
        .into_any()
}

/// Turns the arguments by one page.
fn scroll_on(button: &web_sys::Element) {
    let scroller = button.closest(".card-in").ok().flatten();
    let scroller = scroller.and_then(|card| card.query_selector(".asked").ok().flatten());
    if let Some(scroller) = scroller {
        scroller.set_scroll_top(scroller.scroll_top() + scroller.client_height() * 9 / 10);
    }
}
