//! The activity page: decisions and executions, apart.

use std::sync::Arc;

use crate::ui::kit::el::{
    Child, b, button, code, dd, div, dl, dt, h1, h2, header, li, p, pre, section, small, span,
    time, ul,
};
use crate::ui::kit::react::memo;
use leptos::prelude::*;
use view::activity::{ActivityLine, RecordKind};

use crate::ui::kit::icon::small_icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::time::{clock, day, day_number};
use crate::ui::receipt::{sign_icon, tone_class};
use crate::ui::screen;

/// Records that are drawn at once.
const DRAWN: usize = 200;

/// The activity page.
pub(crate) fn activity() -> AnyView {
    let screen = screen();
    let lines = memo(move || screen.with(|view| Arc::clone(&view.activity)));
    let today = day_number(screen.with_untracked(|view| view.now));
    let kind = RwSignal::new(None);
    let shown = move || {
        lines.with(|lines| {
            let chosen =
                lines.iter().filter(|line| kind.get().is_none_or(|kind| line.kind == kind));
            let days = days(chosen.take(DRAWN), today);
            if days.is_empty() { nothing_yet() } else { days.into_iter().collect::<Vec<_>>().any() }
        })
    };
    div()
        .class("page")
        .child(header().child(h1().child("Activity")).child(
            p().child("Who allowed what, and what then happened. Two kinds of record, kept apart."),
        ))
        .child(
            div()
                .class("tools")
                .attr("role", "group")
                .attr("aria-label", "Show")
                .child(choice(kind, None, "All"))
                .child(choice(kind, Some(RecordKind::Decision), "Decisions"))
                .child(choice(kind, Some(RecordKind::Execution), "Executions")),
        )
        .child(shown)
        .any()
}

fn choice(
    kind: RwSignal<Option<RecordKind>>,
    this: Option<RecordKind>,
    label: &'static str,
) -> AnyView {
    button()
        .class("pill")
        .attr("type", "button")
        .attr("aria-pressed", move || (kind.get() == this).to_string())
        .on("click", move |_| kind.set(this))
        .child(label)
        .any()
}

fn nothing_yet() -> AnyView {
    div()
        .class("empty")
        .child(h2().child("Nothing has been decided yet"))
        .child(p().child(
            "Every yes and no of yours is written down here, and apart from it what then happened.",
        ))
        .any()
}

fn days<'a>(lines: impl Iterator<Item = &'a ActivityLine>, today: u32) -> Vec<AnyView> {
    let mut days: Vec<(u32, String, Vec<AnyView>)> = Vec::new();
    for line in lines {
        let number = day_number(line.at);
        match days.last_mut().filter(|(known, ..)| *known == number) {
            Some((_, _, records)) => records.push(record(line)),
            None => {
                let name = day(line.at);
                let name = if number == today { format!("Today, {name}") } else { name };
                days.push((number, name, vec![record(line)]));
            }
        }
    }
    let days = days.into_iter().map(|(_, name, records)| {
        section().class("records").child(h2().child(name)).child(ul().child(records)).any()
    });
    days.collect()
}

fn record(line: &ActivityLine) -> AnyView {
    let open = RwSignal::new(false);
    let about = match &line.about {
        Some(about) => marked(about),
        None => span().class("quiet").child(line.title).any(),
    };
    let name = line.about.as_ref().map_or_else(|| line.title.to_owned(), |about| about.spoken());
    let details = line.clone();
    li().class("rec")
        .child(time().child(clock(line.at)))
        .child(
            span().class("kind record").child(small().child(line.kind.title())).child(" ").child(
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
                .attr("aria-label", format!("Details of the {} on {name}", line.kind.title()))
                .on("click", move |_| open.update(|it| *it = !*it))
                .child(small_icon("chevron-down")),
        )
        .child(move || open.get().then(|| details_of(&details)))
        .any()
}

fn details_of(line: &ActivityLine) -> AnyView {
    let row =
        |name: &'static str, value: String| div().child(dt().child(name)).child(dd().child(value));
    div()
        .class("rec-details")
        .child(
            dl().class("args")
                .child(row("record", line.request.clone()))
                .child(line.digest.clone().map(|digest| row("digest", digest))),
        )
        .child(line.json.as_ref().map(|json| pre().class("json").child(marked(json))))
        .any()
}
