//! A notice: what happened, what was and was not done, what to do.

use leptos::prelude::*;
use view::notice::{Notice, NoticeKind};

use crate::ui::kit::button::{quiet, small};
use crate::ui::kit::el::{Child, Draw, div, each, h2, p};
use crate::ui::kit::icon::icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{effect, memo};
use crate::ui::page::Page;
use crate::ui::{dispatch, screen};

/// On the other pages, what went wrong since the conversation, where it is told, was on the screen.
pub(crate) fn elsewhere(page: RwSignal<Page>) -> AnyView {
    let screen = screen();
    let latest =
        memo(move || screen.with(|view| view.problems().last().map_or(0, |(number, _)| number)));
    let told = RwSignal::new(0);
    effect(move || {
        let latest = latest.get();
        if page.get() == Page::Kitchen {
            told.set(latest);
        }
    });
    let news = move || {
        let told = if page.get() == Page::Kitchen { latest.get() } else { told.get() };
        screen.with(|view| {
            let news = view.problems().filter(|(number, _)| *number > told);
            news.map(|(number, it)| {
                let it = it.clone();
                (number.to_string(), Box::new(move || notice(&it)) as Draw)
            })
            .collect()
        })
    };
    div().class("elsewhere").attr("role", "status").child(each(news)).any()
}

/// A notice.
pub(crate) fn notice(notice: &Notice) -> AnyView {
    let dispatch = dispatch();
    let buttons = notice.actions.iter().enumerate().map(|(at, action)| {
        let command = action.command.clone();
        let press = move || dispatch.run(command.clone());
        if at == 0 { small(action.label, press) } else { quiet(action.label, press) }
    });
    notice_with(notice, buttons.collect())
}

/// A notice with these buttons.
pub(crate) fn notice_with(notice: &Notice, buttons: Vec<AnyView>) -> AnyView {
    let (class, sign) = match notice.kind {
        NoticeKind::Fault => ("notice", "circle-alert"),
        NoticeKind::Wait => ("notice wait", "hourglass"),
    };
    let advice = (!notice.advice.is_empty()).then(|| p().child(notice.advice.clone()));
    div()
        .class(class)
        .attr("role", "group")
        .attr("aria-label", notice.happened.clone())
        .child(icon(sign))
        .child(h2().child(notice.happened.clone()))
        .child(p().child(marked(&notice.done)))
        .child(advice)
        .child(div().class("tools").child(buttons))
        .any()
}
