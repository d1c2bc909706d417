//! The activity page: decisions and executions, apart, and what they come to.

mod chart;
mod export;
mod records;

use std::sync::Arc;

use agent::time::Timestamp;
use leptos::prelude::*;
use view::activity::alert::alerts;
use view::activity::calendar::{Calendar, DAYS, Day};
use view::activity::chart::charts;
use view::activity::figures::Figures;
use view::activity::history::History;
use view::command::Command;

use crate::ui::kit::el::{Child, a, div, h1, header, li, p, ul};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::react::{effect, memo};
use crate::ui::kit::time::{date, midnight};
use crate::ui::page::Page;
use crate::ui::{dispatch, screen};

/// The most records that are held for the figures' sake.
const HELD_MAX: usize = 10_000;

/// The activity page.
pub(crate) fn activity() -> AnyView {
    let screen = screen();
    let history = memo(move || screen.with(|view| Arc::clone(&view.history)));
    let today = memo(move || screen.with(|view| midnight(view.now, 0)));
    let calendar = memo(move || calendar(today.get()));
    read_as_far_as_the_figures_reach(history, calendar);
    let figures =
        memo(move || history.with(|history| calendar.with(|days| Figures::of(history, days))));
    let charts = memo(move || figures.with(|figures| calendar.with(|days| charts(figures, days))));
    let is_empty = memo(move || history.with(|history| history.held().len() == 0));
    div()
        .class("page")
        .child(
            header()
                .class("split")
                .child(div().child(h1().child("Activity")).child(p().child(
                    "Who allowed what, and what then happened. Two kinds of record, kept apart.",
                )))
                .child(
                    a().class("btn to-standing")
                        .attr("href", Page::Standing.address())
                        .child("Standing approvals"),
                )
                .child(export::export(is_empty)),
        )
        .child(move || (!is_empty.get()).then(|| (alarm(figures), chart::charts(charts))))
        .child(records::records(history, today))
        .any()
}

/// What a person should look into.
fn alarm(figures: Memo<Figures>) -> AnyView {
    let alerts = memo(move || figures.with(alerts));
    (move || {
        let alerts = alerts.get();
        (!alerts.is_empty()).then(|| {
            let alert = |words| li().child(small_icon("triangle-alert")).child(words);
            ul().class("alerts")
                .attr("aria-label", "To look into")
                .child(alerts.into_iter().map(alert).collect::<Vec<_>>())
        })
    })
    .any()
}

/// Reads older records, stretch by stretch, until the figures know all they are about.
fn read_as_far_as_the_figures_reach(history: Memo<Arc<History>>, calendar: Memo<Calendar>) {
    let dispatch = dispatch();
    // Each stretch that arrives begins earlier; while none does, nothing more is asked for.
    let start = memo(move || history.with(|it| (it.is_read(), it.start().number)));
    effect(move || {
        start.track();
        let since = calendar.with(Calendar::start);
        let wants_more = history.with_untracked(|history| {
            let reaches = history.reaches(since) || history.held().len() >= HELD_MAX;
            !history.is_read() || !reaches || !history.unknown_calls().is_empty()
        });
        if wants_more {
            dispatch.run(Command::ReadRecords);
        }
    });
}

fn calendar(today: Timestamp) -> Calendar {
    let days = (0..DAYS).rev().map(|days_ago| {
        let start = midnight(today, days_ago);
        Day { start, name: date(start) }
    });
    Calendar(days.collect())
}
