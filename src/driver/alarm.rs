//! One timer, and whatever else may tell that time went by.
//!
//! Nothing depends on when a timer fires: browsers delay timers in hidden pages, stop them in frozen
//! ones and forget them in a sleep. Whoever wakes first lets the driver look at its clock.

use agent::settings::Wait;
use agent::time::Timestamp;
use futures::channel::mpsc::UnboundedSender;
use gloo_timers::callback::Timeout;
use js_sys::Reflect;
use view::time_left::TimeLeft;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, EventTarget};

use super::conversation::Role;
use super::{Driver, Input};

impl Driver {
    /// What is due takes effect, in the tab that drives; if nothing waits, nothing is due.
    pub(super) async fn look_at_the_clock(&mut self) {
        if self.somebody_is_asked() && matches!(self.role, Role::Drives(_)) {
            self.happen(agent::event::Event::TimePassed).await;
        }
    }

    pub(super) fn somebody_is_asked(&self) -> bool {
        self.session.open_requests().next().is_some()
    }

    pub(super) fn wait(&self) -> Wait {
        let usual = || self.engine.as_ref().map(|engine| engine.policy().wait());
        self.preferences.wait.or_else(usual).unwrap_or_default()
    }

    /// Brings up what can wait until the browser has done what cannot.
    pub(super) fn soon(&self, input: Input) {
        let inbox = self.inbox.clone();
        Timeout::new(0, move || tell(&inbox, input)).forget();
    }

    /// Sets the timer for when a wait ends, or is to be shown anew.
    pub(super) fn set_alarm(&mut self, now: Timestamp) {
        // Without the engine nothing is shown of a wait, and a timer would try to load it for ever.
        if self.engine.is_none() {
            return;
        }
        let deadlines = self.session.open_requests().filter_map(|request| request.deadline);
        // What is overdue is dealt with at once; in a tab that only follows, by the one that drives.
        let drives = matches!(self.role, Role::Drives(_));
        let due = deadlines.filter(|deadline| drives || *deadline > now);
        let next = due.map(|deadline| TimeLeft::next_change(now, deadline)).min();
        self.alarm = next.map(|next| {
            let inbox = self.inbox.clone();
            // At least a millisecond: a timer of the browser may fire a little early.
            let ms = u32::try_from(now.ms_until(next)).unwrap_or(u32::MAX).max(1);
            Timeout::new(ms, move || tell(&inbox, Input::TimePassed))
        });
    }
}

/// Listens, for as long as it lives, to what happens when a page comes back.
pub(super) struct Waking {
    targets: Vec<(EventTarget, &'static str)>,
    heard: Closure<dyn FnMut(Event)>,
}

impl Waking {
    /// A page that was hidden is shown, one that was left is come back to, one that was frozen goes
    /// on.
    pub(super) fn listen(inbox: UnboundedSender<Input>) -> Self {
        let heard = Closure::new(move |event: Event| {
            // A page that is shown for the first time was not away.
            let came_back = Reflect::get(&event, &"persisted".into());
            if came_back.is_ok_and(|it| it != JsValue::FALSE) {
                tell(&inbox, Input::Woken);
            }
        });
        let mut targets: Vec<(EventTarget, _)> = Vec::new();
        if let Some(window) = web_sys::window() {
            if let Some(document) = window.document() {
                targets.push((document.clone().into(), "visibilitychange"));
                targets.push((document.into(), "resume"));
            }
            targets.push((window.into(), "pageshow"));
        }
        for (target, name) in &targets {
            let function = heard.as_ref().unchecked_ref();
            // Where an event is not to be had, the timer and the others are.
            let _ = target.add_event_listener_with_callback(name, function);
        }
        Self { targets, heard }
    }
}

impl Drop for Waking {
    fn drop(&mut self) {
        for (target, name) in &self.targets {
            let function = self.heard.as_ref().unchecked_ref();
            let _ = target.remove_event_listener_with_callback(name, function);
        }
    }
}

fn tell(inbox: &UnboundedSender<Input>, input: Input) {
    // The driver holds the other end for as long as the page lives.
    let _ = inbox.unbounded_send(input);
}
