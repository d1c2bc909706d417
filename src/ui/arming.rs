//! When Approve may be pressed: once the whole question has been on the screen for a moment, in a
//! page that is looked at, with nothing being pressed. Whatever moves or changes the question
//! starts the wait anew.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use gloo_timers::callback::Timeout;
use js_sys::Array;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{
    Element, Event, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit,
    KeyboardEvent, VisibilityState,
};

use crate::ui::kit::el::{El, button};
use crate::ui::kit::listen::on_document;
use crate::ui::kit::react::on_change;
use crate::ui::kit::resize::on_resize;
use crate::ui::presses::{Presses, QUIET_MS, Trust, page_clock};

/// How long a question is looked at before it can be allowed, in milliseconds.
const LOOK_MS: f64 = 600.0;
/// A move that starts the wait anew, in CSS pixels.
const MOVE_MIN_PX: f64 = 4.0;
/// The part of an element that must be visible: all of it, but for what rounding may take.
const VISIBLE_MIN: f64 = 0.98;

/// What is watched of a question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    End,
    Press,
}

/// Watches a question and the button that allows it.
#[derive(Clone, Copy)]
pub(crate) struct Arming(StoredValue<Rc<Watch>, LocalStorage>);

struct Watch {
    armed: RwSignal<bool>,
    presses: Presses,
    trust: Trust,
    start_seen: Cell<bool>,
    end_seen: Cell<bool>,
    /// Whether the start and the end were seen.
    seen: RwSignal<bool>,
    press_visible: Cell<bool>,
    top: Cell<f64>,
    parts: RefCell<Vec<(Element, Part)>>,
    wait: RefCell<Option<Timeout>>,
    observer: RefCell<Option<IntersectionObserver>>,
    focused_at: Cell<f64>,
    /// A press on the button that has not become a click yet, and whether it may.
    pressed: Cell<Option<bool>>,
}

impl Arming {
    pub(crate) fn new() -> Self {
        Self(StoredValue::new_local(Rc::new(Watch {
            armed: RwSignal::new(false),
            presses: expect_context::<StoredValue<Presses, LocalStorage>>().get_value(),
            trust: use_context::<Trust>().unwrap_or_default(),
            start_seen: Cell::new(false),
            end_seen: Cell::new(false),
            seen: RwSignal::new(false),
            press_visible: Cell::new(false),
            top: Cell::new(f64::MAX),
            parts: RefCell::default(),
            wait: RefCell::default(),
            observer: RefCell::default(),
            focused_at: Cell::new(f64::MIN),
            pressed: Cell::new(None),
        })))
    }

    /// Whether the button may be pressed.
    pub(crate) fn armed(self) -> Signal<bool> {
        self.0.with_value(|watch| watch.armed).into()
    }

    /// Whether the whole question was on the screen since it last changed.
    pub(crate) fn seen(self) -> RwSignal<bool> {
        self.0.with_value(|watch| watch.seen)
    }

    /// A button that is a yes: it sleeps until it is `ready`, and does what it does only when a
    /// person presses it then.
    pub(crate) fn button(self, ready: Memo<bool>, press: impl FnMut() + 'static) -> El {
        self.boxed_button(ready, Box::new(press))
    }

    fn boxed_button(self, ready: Memo<bool>, mut press: Box<dyn FnMut()>) -> El {
        button()
            .attr("type", "button")
            .attr("aria-disabled", move || (!ready.get()).then_some("true"))
            .on("pointerdown", move |event| self.note_press(&event))
            .on("keydown", move |event| self.note_press(&event))
            .on("focus", move |event| self.note_focus(&event))
            .on("click", move |event| {
                if self.allows(&event) {
                    press();
                }
            })
    }

    /// Begins to watch: where the question starts and ends, and where the button is.
    pub(crate) fn watch(self, start: &Element, end: &Element, press: &Element) {
        let watch = self.0.get_value();
        let parts = [(start, Part::Start), (end, Part::End), (press, Part::Press)];
        *watch.parts.borrow_mut() =
            parts.iter().map(|(element, part)| ((*element).clone(), *part)).collect();
        watch.observe();
        watch.follow_moves(press);
        let (hidden, came) = (Rc::downgrade(&watch), Rc::downgrade(&watch));
        let back = Rc::downgrade(&watch);
        let restart = |watch: &Weak<Watch>| {
            if let Some(watch) = watch.upgrade() {
                watch.restart();
            }
        };
        on_document("visibilitychange", move |_| restart(&hidden));
        let came = StoredValue::new_local(came);
        let on_came = window_event_listener(ev::focus, move |_| came.with_value(restart));
        on_cleanup(move || on_came.remove());
        // A page that was left and is come back to shows the question as it was then.
        let back = StoredValue::new_local(back);
        let on_back = window_event_listener(ev::pageshow, move |_| back.with_value(restart));
        on_cleanup(move || on_back.remove());
    }

    /// Whenever what the question would do changes, it is to be looked at anew.
    pub(crate) fn start_over_with(self, state: Memo<Option<String>>) {
        on_change(state, move || self.start_over());
    }

    fn start_over(self) {
        self.0.with_value(|watch| {
            watch.start_seen.set(false);
            watch.end_seen.set(false);
            watch.seen.set(false);
            watch.press_visible.set(false);
            watch.restart();
            watch.observe();
        });
    }

    /// A press on the button, before it becomes a click.
    fn note_press(self, press: &Event) {
        self.0.with_value(|watch| {
            let key = press.dyn_ref::<KeyboardEvent>();
            let settled = key.is_none() || press.time_stamp() - watch.focused_at.get() >= QUIET_MS;
            let may = watch.armed.get_untracked()
                && !key.is_some_and(KeyboardEvent::repeat)
                && settled
                && watch.presses.were_quiet_before(press);
            watch.pressed.set(Some(may));
        });
    }

    /// The focus came to the button.
    fn note_focus(self, focus: &Event) {
        self.0.with_value(|watch| watch.focused_at.set(focus.time_stamp()));
    }

    /// Whether a click on the button allows. It does if its press was good; a click without a
    /// press comes from assistive technology and is good if all was quiet.
    pub(crate) fn allows(self, click: &Event) -> bool {
        self.0.with_value(|watch| {
            let pressed = watch.pressed.take();
            let quiet = || watch.presses.quiet_in_ms(click.time_stamp()) <= 0.0;
            (watch.trust.0)(click) && pressed.unwrap_or_else(quiet) && watch.armed.get_untracked()
        })
    }
}

impl Watch {
    fn observe(self: &Rc<Self>) {
        let watch = Rc::downgrade(self);
        let seen = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            if let Some(watch) = watch.upgrade() {
                watch.take(&entries);
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_threshold(&Array::of2(&0.0.into(), &VISIBLE_MIN.into()));
        let function = seen.into_js_value().unchecked_into();
        let Ok(observer) = IntersectionObserver::new_with_options(&function, &options) else {
            return;
        };
        for (element, _) in &*self.parts.borrow() {
            observer.observe(element);
        }
        if let Some(earlier) = self.observer.replace(Some(observer)) {
            earlier.disconnect();
        }
    }

    fn take(self: &Rc<Self>, entries: &Array) {
        for entry in entries.iter() {
            let entry: IntersectionObserverEntry = entry.unchecked_into();
            let visible = entry.intersection_ratio() >= VISIBLE_MIN;
            let parts = self.parts.borrow();
            for (_, part) in parts.iter().filter(|(element, _)| *element == entry.target()) {
                match part {
                    Part::Start => self.start_seen.set(self.start_seen.get() || visible),
                    Part::End => self.end_seen.set(self.end_seen.get() || visible),
                    Part::Press => self.press_visible.set(visible),
                }
            }
        }
        if !self.seen.get_untracked() && self.start_seen.get() && self.end_seen.get() {
            self.seen.set(true);
        }
        self.restart();
    }

    /// What moves the button: something scrolls, or something around it grows.
    fn follow_moves(self: &Rc<Self>, press: &Element) {
        let moved = |watch: &Weak<Self>| {
            if let Some(watch) = watch.upgrade() {
                watch.look_for_move();
            }
        };
        let (scrolled, resized) = (Rc::downgrade(self), Rc::downgrade(self));
        on_document("scroll", move |_| moved(&scrolled));
        let around: Vec<_> =
            std::iter::successors(press.parent_element(), |it| it.parent_element()).collect();
        on_resize(&around.iter().collect::<Vec<_>>(), move || moved(&resized));
        let watch = StoredValue::new_local(Rc::clone(self));
        on_cleanup(move || {
            watch.with_value(|watch| {
                if let Some(observer) = watch.observer.take() {
                    observer.disconnect();
                }
                watch.wait.take();
            });
        });
    }

    fn look_for_move(self: &Rc<Self>) {
        if (self.press_top() - self.top.get()).abs() > MOVE_MIN_PX {
            self.restart();
        }
    }

    fn press_top(&self) -> f64 {
        let parts = self.parts.borrow();
        let press = parts.iter().find(|(_, part)| *part == Part::Press);
        press.map_or(f64::MAX, |(element, _)| element.get_bounding_client_rect().top())
    }

    fn restart(self: &Rc<Self>) {
        self.top.set(self.press_top());
        if self.armed.get_untracked() {
            self.armed.set(false);
        }
        self.wait_for(LOOK_MS);
    }

    fn wait_for(self: &Rc<Self>, ms: f64) {
        if !self.can_be_seen() {
            self.wait.take();
            return;
        }
        let watch = Rc::downgrade(self);
        let then = move || {
            if let Some(watch) = watch.upgrade() {
                watch.arm();
            }
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 1,000")]
        let timeout = Timeout::new(ms.ceil() as u32, then);
        self.wait.replace(Some(timeout));
    }

    fn arm(self: &Rc<Self>) {
        let now = page_clock();
        let left = self.presses.quiet_in_ms(now);
        if left > 0.0 {
            self.wait_for(left);
        } else if (self.press_top() - self.top.get()).abs() > MOVE_MIN_PX {
            self.restart();
        } else if self.can_be_seen() {
            self.armed.set(true);
        }
    }

    fn can_be_seen(&self) -> bool {
        self.seen.get_untracked()
            && self.press_visible.get()
            && document().visibility_state() == VisibilityState::Visible
            && !is_framed()
    }
}

/// Whether another page shows this one inside itself, where it could lay something over it.
fn is_framed() -> bool {
    let this = window();
    this.top().ok().flatten().is_none_or(|top| top != this)
}
