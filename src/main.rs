//! Mounts the page and starts its driver.

use kitchen_assistant::driver::{Clock, Driver, HttpModelClient, Input};
use kitchen_assistant::ui::app::app;
use kitchen_assistant::ui::{Dispatch, Screen};
use leptos::mount::mount_to;
use leptos::prelude::*;
use view::View;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

/// The name of the store and of the lock that goes with it.
const STORE: &str = "kitchen-assistant";

/// The element the page takes the place of; until then it shows the page's frame.
const ROOT: &str = "app";

fn main() {
    console_error_panic_hook::set_once();
    let view = RwSignal::new(View::default());
    let (driver, inbox, received) =
        Driver::new(HttpModelClient, Clock::of_browser(), move |scene| view.set(View::of(scene)));
    let Some(root) = document().get_element_by_id(ROOT) else { return };
    mount_to(root.unchecked_into(), move || {
        provide_context(Screen::from(view));
        provide_context(Dispatch::new(move |command| {
            // The driver holds the other end for as long as the page lives.
            let _ = inbox.unbounded_send(Input::Command(command));
        }));
        app()
    })
    .forget();
    spawn_local(driver.run(STORE, received));
}
