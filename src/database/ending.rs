//! Hears when a connection to the database ends though nobody here ended it.

use indexed_db_futures::database::Database as Browser;
use indexed_db_futures::internals::SystemRepr;
use js_sys::Reflect;
use store::opening::Ended;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

const EVENTS: [&str; 2] = ["versionchange", "close"];

/// Listens for as long as it lives, and closes the connection with itself.
#[derive(Debug)]
pub(super) struct Ending {
    connection: Browser,
    target: EventTarget,
    heard: Closure<dyn FnMut(Event)>,
}

impl Ending {
    /// Makes way for a newer version at once: the browser closes a connection once its running
    /// transactions are through, and lets no new ones begin.
    pub(super) fn listen(db: &Browser, tell: impl Fn(Ended) + 'static) -> Self {
        let connection = db.clone();
        let heard = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            connection.clone().close();
            let newer = Reflect::get(&event, &"newVersion".into());
            tell(Ended::of(newer.ok().and_then(|version| version.as_f64())));
        });
        let target: EventTarget = db.as_sys().clone().unchecked_into();
        for name in EVENTS {
            // This can only fail for what is no function.
            let _ = target.add_event_listener_with_callback(name, heard.as_ref().unchecked_ref());
        }
        Self { connection: db.clone(), target, heard }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.connection.clone().close();
        for name in EVENTS {
            let function = self.heard.as_ref().unchecked_ref();
            let _ = self.target.remove_event_listener_with_callback(name, function);
        }
    }
}
