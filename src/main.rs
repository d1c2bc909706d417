//! Mounts the page and starts its driver.

use std::pin::Pin;

use kitchen_assistant::driver::{Clock, Driver, HttpModelClient, Input, Shown};
use kitchen_assistant::ui::app::app;
use kitchen_assistant::ui::{Dispatch, Screen};
use leptos::mount::mount_to;
use leptos::prelude::*;
use view::View;
use view::scene::Scene;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

/// The name of the store and of the lock that goes with it.
const STORE: &str = "kitchen-assistant";

/// The element the page takes the place of; until then it shows the page's frame.
const ROOT: &str = "app";

fn main() {
    // In the optimised page a panic is a trap without words; src/stop.js tells of it either way.
    #[cfg(not(feature = "split"))]
    console_error_panic_hook::set_once();
    let view = RwSignal::new(View::default());
    let publish = move |scene: &Scene<'_>, shown| match shown {
        Shown::Everything => view.set(View::of(scene)),
        Shown::Words => view.update(|view| view.take_words(scene)),
    };
    let (driver, inbox, received) = Driver::new(HttpModelClient, Clock::of_browser(), publish);
    let Some(root) = document().get_element_by_id(ROOT) else { return };
    mount_to(root.unchecked_into(), move || {
        provide_context(Screen::from(view));
        provide_context(Dispatch::new(move |command| {
            // The driver holds the other end for as long as the page lives.
            let seen = view.with_untracked(View::questions);
            let _ = inbox.unbounded_send(Input::Command(command, seen));
        }));
        app()
    })
    .forget();
    // Both live as long as the page: nothing is ever taken apart, and needs no code for it.
    spawn_local(Pin::static_mut(Box::leak(Box::new(driver.run(STORE, received)))));
}
