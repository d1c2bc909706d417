//! The screens. They read one [`view::View`] and send [`view::command::Command`]s; they hold no
//! rules, and know neither the driver nor the store.
//!
//! Views are built with Leptos' builder functions and never with its macro: the macro puts fixed
//! markup in through a template's HTML, which the page's Trusted Types policy refuses.

pub mod app;

mod activity;
mod answer;
mod approval_card;
mod arming;
mod ask_less;
mod backup;
mod batch;
mod brand;
mod chat;
mod composer;
mod conversations;
mod focus;
mod follow;
mod kit;
mod later;
mod line;
mod notice;
mod page;
mod presses;
mod prose;
mod receipt;
mod settings;
mod shopping_list;
mod standing;
mod usage;

use leptos::callback::UnsyncCallback;
use leptos::prelude::*;
use view::View;
use view::command::Command;

/// What is on the screen. A context value.
pub type Screen = Signal<View>;

/// The one way from the page to the driver. A context value.
pub type Dispatch = UnsyncCallback<Command>;

fn screen() -> Screen {
    expect_context::<Screen>()
}

fn dispatch() -> Dispatch {
    expect_context::<Dispatch>()
}
