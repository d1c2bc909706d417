//! The card: one question, whole, and the ways to answer it. Their places never move.

use agent::approval::{Answer, ApprovalResponse};
use agent::id::RequestId;
use leptos::prelude::*;
use view::View;
use view::card::{Argument, Card, Preview, Row};
use view::marks::Marked;
use view::time_left::TimeLeft;
use wasm_bindgen::JsCast;

use crate::ui::answer::{Answers, Draft, Open, no, opened, yes};
use crate::ui::arming::Arming;
use crate::ui::ask_less::ask_less;
use crate::ui::kit::el::{Child, Here, button, code, dd, div, dl, dt, h2, header, p, pre, span};
use crate::ui::kit::icon::{icon, small_icon};
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{effect, memo};
use crate::ui::kit::resize::on_resize;
use crate::ui::line::{Struck, line, notes};
use crate::ui::{Screen, batch, screen};

/// The id of the heading of what waits, for the one who asks for it by key.
pub(crate) const HEADING: &str = "waiting";
/// The id of the words that say why Approve does not work yet.
const ARMING: &str = "arming";
/// How near the end of the arguments counts as their end, in CSS pixels: what rounding may take.
const END_PX: i32 = 2;
/// What a card says whose arguments are longer than their frame.
const UNREAD: &str = "There is more of it below. Nothing is cut: read it to the end.";

/// What waits for the person, if anything does: one question, or the rows of a batch.
pub(crate) fn waiting_card() -> AnyView {
    let screen = screen();
    let shape = memo(move || screen.with(|view| view.card.as_ref().map(requests_of)));
    (move || {
        shape.with(Option::is_some).then(|| {
            let requests: Vec<_> = screen.with_untracked(|view| {
                let rows = view.card.iter().flat_map(|card| &card.rows);
                rows.map(|row| row.request.clone()).collect()
            });
            match requests.as_slice() {
                [request] => one(screen, request),
                requests => batch::rows(screen, requests),
            }
        })
    })
    .any()
}

/// The requests of a card, as one word: as long as it is the same, so is the card. One that is shown
/// alone is drawn whole at once, so what is shown of it belongs to the word.
fn requests_of(card: &Card) -> String {
    match card.rows.as_slice() {
        [row] => format!("{} {}", row.request, row.shown.0),
        rows => rows.iter().map(|row| format!("{} ", row.request)).collect(),
    }
}

/// Something of a row, as it is now.
pub(crate) fn of_row<T>(
    screen: Screen,
    request: &RequestId,
    part: impl FnOnce(&Row) -> T,
) -> Option<T> {
    screen.with_untracked(|view| view.card.as_ref()?.row(request).map(part))
}

/// What may change of a row while it waits.
pub(crate) fn state_of(screen: Screen, request: &RequestId) -> Memo<Option<String>> {
    let request = request.clone();
    memo(move || screen.with(|view| view.card.as_ref()?.row(&request).map(Row::state)))
}

/// The frame of a card, which folds on a phone. A card of one question names its request.
pub(crate) fn frame(
    screen: Screen,
    request: Option<&RequestId>,
    draft: Draft,
    inside: AnyView,
) -> AnyView {
    let (folded, is_one) = (RwSignal::new(false), request.is_some());
    let title = screen.with_untracked(|view| view.card.as_ref().map(|card| card.title.clone()));
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
                .child(move || if folded.get() { folded_bar(title.clone()) } else { grip() }),
        )
        .child(div().class("card-in").child(inside))
        .any()
}

fn grip() -> AnyView {
    span().class("sr").child("Fold the waiting card").any()
}

fn folded_bar(title: Option<String>) -> AnyView {
    (
        span().class("grab-dot").attr("aria-hidden", "true"),
        span().class("grab-words").child("1 card waits for you"),
        span().class("grab-title").child(title),
        icon("chevron-up"),
    )
        .any()
}

/// On a phone the card lies over the conversation, which ends above it: the style needs its height.
fn leave_room_for(card: &web_sys::Element) {
    let measured = card.clone();
    on_resize(&[card], move || {
        set_room(&format!("{}px", measured.client_height()));
    });
    on_cleanup(|| set_room("0px"));
}

fn set_room(height: &str) {
    let root = document().document_element();
    if let Some(root) = root.and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = root.style().set_property("--card-height", height);
    }
}

fn one(screen: Screen, request: &RequestId) -> AnyView {
    let arming = Arming::new();
    let draft = Draft::new();
    let (seen, unread) = (arming.seen(), RwSignal::new(false));
    let state = state_of(screen, request);
    let shown = request.clone();
    let (start, end, press) = (Here::new(), Here::new(), Here::new());
    effect(move || {
        if let (Some(start), Some(end), Some(press)) = (start.get(), end.get(), press.get()) {
            arming.watch(&start, &end, &press);
        }
    });
    arming.start_over_with(state);
    let question = (
        head(screen, start),
        move || {
            state.with(|_| of_row(screen, &shown, |row| (preview(row), warnings(&row.warnings))))
        },
        asked(screen, request, unread),
        why(screen),
        move || unread.get().then(|| p().class("why").child(UNREAD)),
    );
    let is_idle = {
        let request = request.clone();
        memo(move || {
            let row = |view: &View| view.card.as_ref()?.row(&request).map(Row::comes_to_nothing);
            screen.with(row) == Some(true)
        })
    };
    let answers = Answers::new();
    let respond = {
        let drawn = of_row(screen, request, |row| row.response(no(None)));
        move |answer: Answer| {
            if let Some(response) = drawn.clone() {
                draft.clear();
                answers.send(ApprovalResponse { answer, ..response });
            }
        }
    };
    let inside = (
        question,
        div().class("end").here(end),
        acts(respond.clone(), arming, draft, (unread, is_idle), press),
        opened(draft, move |reason| respond(no(reason))),
        ask_less(screen, draft, memo(move || seen.get() && !unread.get())),
    );
    frame(screen, Some(request), draft, inside.any())
}

/// The head of a card: title, time left, tool, agent. Only the time changes while a card waits.
pub(crate) fn head(screen: Screen, start: Here) -> AnyView {
    let time =
        memo(move || screen.with(|view| Some(view.card.as_ref()?.time.as_ref()?.words.clone())));
    let (title, tool, agent) = screen.with_untracked(|view| {
        let card = view.card.as_ref();
        let tool = card.and_then(|card| card.tool.as_ref().map(marked));
        (
            card.map(|card| card.title.clone()),
            tool,
            card.map(|card| [card.agent, " agent"].concat()),
        )
    });
    header()
        .class("card-head")
        .here(start)
        .child(h2().attr("id", HEADING).attr("tabindex", "-1").child(title))
        .child(move || {
            time.with(|_| {
                screen.with_untracked(|view| view.card.as_ref()?.time.as_ref().map(time_left))
            })
        })
        .child(code().class("tool").child(tool))
        .child(span().class("who").child(agent))
        .any()
}

/// Why it is asked.
pub(crate) fn why(screen: Screen) -> AnyView {
    let why = screen.with_untracked(|view| view.card.as_ref().map(|card| card.why));
    p().class("why").child(why).any()
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
        Preview::Nothing => div()
            .class("effect")
            .child(p().child("This would change nothing."))
            .child(p().class("note").child(
                "A yes changes nothing, and the assistant hears so. A no counts as your no.",
            ))
            .any(),
        Preview::Fails(why) => {
            div()
                .class("effect fails")
                .child(p().child("This would fail, and change nothing: ").child(marked(why)))
                .child(p().class("note").child(
                    "A yes lets it fail, and the assistant hears why. A no counts as your no.",
                ))
                .any()
        }
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
fn asked(screen: Screen, request: &RequestId, unread: RwSignal<bool>) -> AnyView {
    let scroller = Here::new();
    let was_read = RwSignal::new(false);
    let look = move || {
        let Some(scroller) = scroller.get_untracked().filter(|it| it.client_height() > 0) else {
            return;
        };
        let left = scroller.scroll_height() - scroller.scroll_top() - scroller.client_height();
        if left <= END_PX {
            was_read.set(true);
        }
        unread.set(!was_read.get_untracked());
    };
    effect(move || {
        if let Some(scroller) = scroller.get() {
            on_resize(&[&scroller], look);
        }
    });
    // A recorded call does not change while it waits.
    let whole = of_row(screen, request, |row| {
        (list_of(&row.arguments), pre().class("json").child(marked(&row.json)))
    });
    div()
        .class(move || if unread.get() { "asked unread" } else { "asked" })
        .here(scroller)
        .attr("tabindex", move || unread.get().then_some("0"))
        .attr("role", "region")
        .attr("aria-label", "Arguments")
        .on("scroll", move |_| look())
        .child(whole)
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
    respond: impl Fn(Answer) + Clone + Send + 'static,
    arming: Arming,
    draft: Draft,
    is: (RwSignal<bool>, Memo<bool>),
    place: Here,
) -> AnyView {
    let reject = respond.clone();
    div()
        .class("acts")
        .here(place)
        .child(approve(respond, arming, is))
        .child(
            button()
                .class("btn")
                .attr("type", "button")
                .on("click", move |_| reject(no(None)))
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

/// The one filled button. It answers once, only when armed, and only to a person. Where a yes comes
/// to nothing it is not filled and says so; it stays, since the only other answer would count as the
/// person's no.
fn approve(
    respond: impl Fn(Answer) + Send + 'static,
    arming: Arming,
    (unread, is_idle): (RwSignal<bool>, Memo<bool>),
) -> AnyView {
    let armed = arming.armed();
    let ready = memo(move || armed.get() && !unread.get());
    let here = Here::new();
    let mut answered = false;
    let press = move || {
        if !unread.get_untracked() && !std::mem::replace(&mut answered, true) {
            respond(yes());
        }
    };
    arming
        .button(ready, press)
        .class(move || if is_idle.get() { "btn" } else { "btn btn-yes" })
        .here(here)
        .attr("aria-describedby", move || (!ready.get()).then_some(ARMING))
        .on("click", move |_| {
            if unread.get_untracked() {
                here.get_untracked().inspect(|button| scroll_on(button));
            }
        })
        .child(move || match (unread.get(), is_idle.get()) {
            (true, _) => "Read to the end",
            (false, true) => "Approve anyway",
            (false, false) => "Approve",
        })
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
