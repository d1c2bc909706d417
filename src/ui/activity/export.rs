//! The button that saves all records as a file.

use std::sync::Arc;

use leptos::prelude::*;
use view::backup::Handed;
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
    let ready = memo(move || screen.with(|view| view.handed.as_ref().map(Arc::clone)));
    let download = StoredValue::new_local(Download::default());
    effect(move || {
        if let Some(Handed::Records(text)) = ready.get().as_deref() {
            let day = iso_date(screen.with_untracked(|view| view.now));
            let name = format!("kitchen-audit-{day}.jsonl");
            download.update_value(|download| download.save(&name, "application/x-ndjson", text));
            dispatch.run(Command::Taken);
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
