//! The records, line by line, and what is shown of them.

use std::sync::Arc;

use agent::time::Timestamp;
use leptos::prelude::*;
use view::activity::filter::{End, Filter};
use view::activity::history::History;
use view::activity::line::{ActivityLine, Detail, DetailValue, Lines};
use view::activity::{RecordKind, chain_in_words};
use view::command::Command;

use crate::ui::dispatch;
use crate::ui::kit::el::{
    Child, Draw, b, button, code, dd, div, dl, dt, each, h2, label, li, option, p, pre, select,
    small, span, time, ul,
};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{memo, on_change};
use crate::ui::kit::time::{clock, day, day_number, exact};
use crate::ui::receipt::{sign_icon, tone_class};

/// Records that are drawn at first, and with every press on more.
const STEP: usize = 100;

/// The records and what is shown of them.
pub(super) fn records(history: Memo<Arc<History>>, today: Memo<Timestamp>) -> AnyView {
    let filter = RwSignal::new(Filter::default());
    let limit = RwSignal::new(STEP);
    // Another choice begins at the top again.
    on_change(memo(move || filter.get()), move || limit.set(STEP));
    let lines = memo(move || history.with(|it| Lines::of(it, filter.get(), limit.get())));
    let is_empty = memo(move || history.with(|it| it.held().len() == 0));
    let fits = memo(move || lines.with(|it| !it.shown.is_empty()));
    (
        move || (!is_empty.get()).then(|| tools(filter, history)),
        move || match (is_empty.get(), fits.get()) {
            (true, _) => nothing(history),
            (false, false) => nothing_fits(filter),
            (false, true) => list(lines, today),
        },
        more(history, lines, limit),
    )
        .any()
}

fn tools(filter: RwSignal<Filter>, history: Memo<Arc<History>>) -> AnyView {
    let kind = |kind, name| {
        button()
            .class("pill")
            .attr("type", "button")
            .attr("aria-pressed", move || (filter.get().kind == kind).to_string())
            .on("click", move |_| filter.update(|it| *it = it.of_kind(kind)))
            .child(name)
    };
    div()
        .class("tools")
        .child(
            div()
                .class("tools")
                .attr("role", "group")
                .attr("aria-label", "Show")
                .child(kind(None, "All"))
                .child(kind(Some(RecordKind::Decision), "Decisions"))
                .child(kind(Some(RecordKind::Execution), "Executions"))
                .child(kind(Some(RecordKind::Resolution), "Follow-ups")),
        )
        .child(ends(filter))
        .child(chain(history))
        .any()
}

fn ends(filter: RwSignal<Filter>) -> AnyView {
    let choose = move |title: String| {
        let end = End::ALL.into_iter().find(|end| end.title() == title);
        filter.update(|it| it.end = end);
    };
    let offer = move |end: Option<End>| {
        let title = end.map_or("Any outcome", End::title);
        let chosen = filter.get().end == end;
        option().attr("value", title).flag("selected", chosen).child(title)
    };
    label()
        .class("choice")
        .child(span().class("sr").child("Outcome"))
        .child(
            select()
                .class("pill")
                .on("change", move |event| choose(event_target_value(&event)))
                .child(move || {
                    let ends = filter.get().ends().map(Some);
                    std::iter::once(None).chain(ends).map(offer).collect::<Vec<_>>()
                }),
        )
        .any()
}

/// Whether the records are still what was written.
fn chain(history: Memo<Arc<History>>) -> AnyView {
    let known = memo(move || history.with(|it| (it.broken().is_some(), chain_in_words(it))));
    (move || {
        let (is_broken, words) = known.get();
        let (class, icon) =
            if is_broken { ("chain nay", "triangle-alert") } else { ("chain yes", "link") };
        words.map(|words| p().class(class).child(small_icon(icon)).child(words))
    })
    .any()
}

fn nothing(history: Memo<Arc<History>>) -> AnyView {
    let is_read = memo(move || history.with(|history| history.is_read()));
    let words = move |known, unknown| move || if is_read.get() { known } else { unknown };
    div()
        .class("empty")
        .child(h2().child(words("Nothing has been decided yet", "The records are not read yet")))
        .child(p().child(words(
            "Every yes and no of yours is written down here, and apart from it what then happened.",
            "If this stays, start the page with ./run in the project's folder if it was stopped, \
             then reload.",
        )))
        .any()
}

fn nothing_fits(filter: RwSignal<Filter>) -> AnyView {
    div()
        .class("empty")
        .child(h2().child("No record is like that"))
        .child(
            button()
                .class("btn btn-s")
                .attr("type", "button")
                .on("click", move |_| filter.set(Filter::default()))
                .child("Show all"),
        )
        .any()
}

fn more(history: Memo<Arc<History>>, lines: Memo<Lines>, limit: RwSignal<usize>) -> AnyView {
    let dispatch = dispatch();
    let hidden = memo(move || lines.with(|it| it.more));
    let unread = memo(move || history.with(|it| it.start().number));
    (move || {
        let (hidden, unread) = (hidden.get(), unread.get());
        (hidden > 0 || unread > 0).then(|| {
            let press = move |_| {
                limit.update(|it| *it += STEP);
                if hidden <= STEP && unread > 0 {
                    dispatch.run(Command::ReadRecords);
                }
            };
            button()
                .class("btn show-more")
                .attr("type", "button")
                .on("click", press)
                .child("Show more")
        })
    })
    .any()
}

fn list(lines: Memo<Lines>, today: Memo<Timestamp>) -> AnyView {
    let items = move || lines.with(|lines| items(&lines.shown, day_number(today.get())));
    ul().class("records").child(each(items)).any()
}

/// What stands in the list: records, and before the first of each day the day's name.
fn items(lines: &[ActivityLine], today: u32) -> Vec<(String, Draw)> {
    let mut items: Vec<(String, Draw)> = Vec::new();
    let mut last = None;
    for line in lines {
        // A record whose time cannot be read stands with those around it.
        if let Some(at) = line.at
            && let number = day_number(at)
            && last != Some(number)
        {
            let name = if number == today { format!("Today, {}", day(at)) } else { day(at) };
            let key = format!("{number} {name}");
            items.push((key, Box::new(|| li().class("day").child(h2().child(name)).any())));
            last = Some(number);
        }
        let drawn = line.clone();
        items.push((line.key.clone(), Box::new(|| record(drawn))));
    }
    items
}

fn record(line: ActivityLine) -> AnyView {
    let open = RwSignal::new(false);
    let about = match &line.about {
        Some(about) => marked(about),
        None => span().class("quiet").child(line.title).any(),
    };
    let name = line.about.as_ref().map_or_else(|| line.title.to_owned(), |about| about.spoken());
    let kind = line.kind.map_or("record", RecordKind::title);
    li().class("rec")
        .child(time().child(line.at.map(clock)))
        .child(
            span().class("kind record").child(small().child(kind)).child(" ").child(
                b().class(tone_class(line.tone))
                    .child(small_icon(sign_icon(line.sign)))
                    .child(line.word),
            ),
        )
        .child(span().class("what").child(about).child(code().child(marked(&line.tool))))
        .child(span().class("basis").child(marked(&line.basis)))
        .child(
            button()
                .class("more")
                .attr("type", "button")
                .attr("aria-expanded", move || open.get().to_string())
                .attr("aria-label", format!("Details of the {kind} on {name}"))
                .on("click", move |_| open.update(|it| *it = !*it))
                .child(small_icon("chevron-down")),
        )
        .child(move || open.get().then(|| details_of(&line)))
        .any()
}

fn details_of(line: &ActivityLine) -> AnyView {
    let row = |detail: &Detail| {
        let value = match &detail.value {
            DetailValue::Text(text) => marked(text),
            DetailValue::Time(at) => exact(*at).any(),
        };
        div().child(dt().child(detail.name)).child(dd().child(value))
    };
    div()
        .class("rec-details")
        .child(dl().class("args").child(line.details.iter().map(row).collect::<Vec<_>>()))
        .child(line.json.as_ref().map(|json| pre().class("json").child(marked(json))))
        .any()
}
