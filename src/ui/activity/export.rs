//! The button that saves all records as a file.

use std::sync::Arc;

use leptos::prelude::*;
use view::command::Command;

use crate::ui::kit::download::Download;
use crate::ui::kit::el::{Child, button};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::react::{effect, memo};
use crate::ui::kit::time::iso_date;
use crate::ui::{dispatch, screen};

/// The button. What the press asks for arrives a moment later and is saved then.
pub(super) fn export(is_empty: Memo<bool>) -> AnyView {
    let (screen, dispatch) = (screen(), dispatch());
    let ready = memo(move || screen.with(|view| view.export.as_ref().map(Arc::clone)));
    let download = StoredValue::new_local(Download::default());
    effect(move || {
        if let Some(export) = ready.get() {
            let day = iso_date(screen.with_untracked(|view| view.now));
            let name = format!("kitchen-audit-{day}.jsonl");
            download.update_value(|download| download.save(&name, &export.text));
            dispatch.run(Command::ExportSaved);
        }
    });
    let press = move |_| dispatch.run(Command::ExportRecords);
    (move || {
        (!is_empty.get()).then(|| {
            button()
                .class("btn")
                .attr("type", "button")
                .on("click", press)
                .child(small_icon("download"))
                .child("Export as JSON lines")
        })
    })
    .any()
}
