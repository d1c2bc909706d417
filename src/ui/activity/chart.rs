//! A chart: a number, a drawing with one sentence as its name, and its numbers as a table.

use leptos::prelude::*;
use leptos::svg;
use view::activity::chart::{Bar, Chart, Drawing, HEIGHT, Ink, NamedBar, Table, WIDTH};

use crate::ui::kit::el::{
    Child, button, caption, code, div, h2, li, p, section, span, table, tbody, td, th, thead, tr,
    ul, wbr,
};
use crate::ui::kit::react::memo;

/// The charts, beside each other.
pub(super) fn charts(charts: Memo<Vec<Chart>>) -> AnyView {
    let count = charts.with_untracked(Vec::len);
    let one = |at| {
        let chart = memo(move || charts.with(|charts| charts.get(at).cloned()));
        let open = RwSignal::new(false);
        section()
            .class("chart")
            .attr("data-open", move || open.get().then_some(""))
            .child(move || chart.get().map(|chart| drawn(&chart)))
            .child(switch(open, chart))
            .child(move || open.get().then(|| chart.get().map(|it| as_table(&it))))
    };
    div().class("charts").child((0..count).map(one).collect::<Vec<_>>()).any()
}

fn switch(open: RwSignal<bool>, chart: Memo<Option<Chart>>) -> AnyView {
    let title = chart.with_untracked(|chart| chart.as_ref().map_or("", |chart| chart.title));
    button()
        .class("link")
        .attr("type", "button")
        .attr("aria-expanded", move || open.get().to_string())
        .on("click", move |_| open.update(|it| *it = !*it))
        .child("Show as table")
        .child(span().class("sr").child(format!(": {title}")))
        .any()
}

fn drawn(chart: &Chart) -> AnyView {
    let key = chart.key.iter().map(|(ink, name)| {
        span().child(span().class("ink").attr("data-ink", mark(*ink))).child(*name)
    });
    let drawing = match &chart.drawing {
        Drawing::Bars(bars) => standing(bars, chart.sentence.clone()),
        Drawing::Rows(rows) => lying(rows, chart.sentence.clone()),
    };
    (
        h2().child(chart.title),
        p().class("big").child(chart.figure.clone()),
        drawing,
        p().class("key").child(key.collect::<Vec<_>>()).child(chart.caption.clone()),
    )
        .any()
}

fn standing(bars: &[Bar], sentence: String) -> AnyView {
    let bar = |bar: &Bar| {
        svg::rect()
            .attr("data-ink", mark(bar.ink))
            .attr("x", bar.x)
            .attr("y", bar.y)
            .attr("width", bar.width)
            .attr("height", bar.height)
    };
    svg::svg()
        .attr("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
        .attr("preserveAspectRatio", "none")
        .attr("role", "img")
        .attr("aria-label", sentence)
        .child(bars.iter().map(bar).collect_view())
        .into_any()
}

fn lying(rows: &[NamedBar], sentence: String) -> AnyView {
    let bar =
        |ink, width| svg::rect().attr("data-ink", mark(ink)).attr("width", width).attr("height", 1);
    let row = |row: &NamedBar| {
        let drawing = svg::svg()
            .attr("viewBox", format!("0 0 {WIDTH} 1"))
            .attr("preserveAspectRatio", "none")
            .attr("aria-hidden", "true")
            .child(bar(Ink::Nothing, WIDTH))
            .child(bar(Ink::Denied, row.width))
            .into_any();
        // A long name goes on in the next line where a word of it ends.
        let words = row.name.split_inclusive('_').map(|word| (word.to_owned(), wbr()));
        li().child(code().child(words.collect::<Vec<_>>()))
            .child(span().child(row.count.to_string()))
            .child(drawing)
    };
    ul().class("named-bars")
        .attr("aria-label", sentence)
        .child(rows.iter().map(row).collect::<Vec<_>>())
        .any()
}

fn as_table(chart: &Chart) -> AnyView {
    let Table { head, rows } = &chart.table;
    let name = |name: &&'static str| th().attr("scope", "col").child(*name);
    let row = |row: &Vec<String>| {
        let mut fields = row.iter().cloned();
        let first = fields.next().map(|first| th().attr("scope", "row").child(first));
        tr().child(first).child(fields.map(|field| td().child(field)).collect::<Vec<_>>())
    };
    table()
        .class("numbers")
        .child(caption().child(chart.sentence.clone()))
        .child(thead().child(tr().child(head.iter().map(name).collect::<Vec<_>>())))
        .child(tbody().child(rows.iter().map(row).collect::<Vec<_>>()))
        .any()
}

fn mark(ink: Ink) -> &'static str {
    match ink {
        Ink::Allowed => "allowed",
        Ink::Denied => "denied",
        Ink::TimedOut => "timed-out",
        Ink::Other => "other",
        Ink::Nothing => "nothing",
    }
}
