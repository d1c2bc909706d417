//! A notice: what happened, what was and was not done, what to do.

use leptos::prelude::*;
use view::notice::{Notice, NoticeKind};

use crate::ui::dispatch;
use crate::ui::kit::button::{quiet, small};
use crate::ui::kit::el::{Child, div, h2, p};
use crate::ui::kit::icon::icon;
use crate::ui::kit::marked::marked;

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
