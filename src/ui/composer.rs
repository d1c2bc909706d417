//! Where the person writes.

use leptos::prelude::*;
use view::card::Card;
use view::command::Command;

use crate::ui::focus::focus;
use crate::ui::kit::el::{Child, Here, button, div, form, p, textarea};
use crate::ui::kit::icon::icon;
use crate::ui::kit::react::{memo, on_change};
use crate::ui::presses::page_clock;
use crate::ui::{dispatch, screen};

/// The id of the field, for the one who asks for it by key.
pub(crate) const FIELD: &str = "message";

/// How long Send or Stop has to have been there before a press can be meant for it, in milliseconds.
const SETTLED_MS: f64 = 500.0;

/// What is being written. A context value: an example can be put there, and what was being written
/// on a card that is gone; it is not sent.
#[derive(Clone, Copy)]
pub(crate) struct Draft(pub(crate) RwSignal<String>);

impl Draft {
    /// Writes an example into the field and goes there.
    pub(crate) fn fill(self, example: &str) {
        self.0.set(example.to_owned());
        crate::ui::focus::focus_on(FIELD);
    }

    /// Adds what was being written elsewhere, below what is there.
    pub(crate) fn take(self, text: &str) {
        self.0.update(|draft| {
            if !draft.is_empty() {
                draft.push('\n');
            }
            draft.push_str(text);
        });
    }
}

/// The composer.
pub(crate) fn composer(draft: Draft, is_busy: Memo<bool>) -> AnyView {
    let (dispatch, screen) = (dispatch(), screen());
    let field = Here::new();
    let send = move || {
        let text = draft.0.get_untracked().trim().to_owned();
        if !text.is_empty() && !is_busy.get_untracked() {
            draft.0.set(String::new());
            dispatch.run(Command::Say(text));
        }
    };
    let rows = move || draft.0.with(|text| text.matches('\n').count().clamp(0, 7) + 1).to_string();
    let writing = textarea()
        .here(field)
        .attr("id", FIELD)
        .attr("rows", rows)
        .attr("aria-label", "Message")
        .attr("aria-describedby", "message-hint")
        .attr("placeholder", "Ask, or say something else")
        .attr("autocomplete", "off")
        .value(move || draft.0.get())
        .on("input", move |event| draft.0.set(event_target_value(&event)))
        .on_key(move |key| {
            if key.key() == "Enter" && !key.shift_key() && !key.is_composing() {
                key.prevent_default();
                if !key.repeat() {
                    send();
                }
            }
        });
    let stoppable = memo(move || screen.with(|view| view.status.can_stop()));
    let (became_at, pressed_at) = (RwSignal::new(f64::MIN), RwSignal::new(None));
    on_change(stoppable, move || became_at.set(page_clock()));
    // One button for both: what is focused stays, and a press counts for what it found.
    let press = button()
        .class(move || if stoppable.get() { "send stop" } else { "send" })
        .attr("type", "submit")
        .attr("aria-label", move || if stoppable.get() { "Stop" } else { "Send" })
        .on("pointerdown", move |event| pressed_at.set(Some(event.time_stamp())))
        .on("click", move |event| {
            let pressed_at = pressed_at.get_untracked().unwrap_or_else(|| event.time_stamp());
            let is_meant = pressed_at - became_at.get_untracked() >= SETTLED_MS;
            let stops = stoppable.get_untracked();
            if stops || !is_meant {
                event.prevent_default();
            }
            if stops && is_meant {
                dispatch.run(Command::Stop);
                if let Some(field) = field.get_untracked() {
                    focus(field);
                }
            }
        })
        .on("keydown", move |_| pressed_at.set(None))
        .child(move || icon(if stoppable.get() { "square" } else { "arrow-up" }));
    let hint = memo(move || screen.with(|view| hint(view.card.as_ref())));
    div()
        .class("composer")
        .child(
            form()
                .on("submit", move |event| {
                    event.prevent_default();
                    send();
                })
                .child(writing)
                .child(press),
        )
        .child(p().attr("id", "message-hint").child(move || hint.get()))
        .any()
}

fn hint(card: Option<&Card>) -> String {
    match card.map_or(0, |card| card.waiting().count()) {
        0 => "Nothing is changed before you have seen it.".to_owned(),
        1 => "Sending a message answers the open card with no.".to_owned(),
        open => format!("Sending a message answers the {open} open rows with no."),
    }
}
