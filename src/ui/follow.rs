//! Keeps the end of the conversation in sight for a reader who is there, and for no one else.

use leptos::prelude::*;
use view::View;
use view::conversation::TurnBody;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Element;

use crate::ui::kit::el::{Child, Here, button, div};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::react::{effect, memo, on_change};
use crate::ui::kit::resize::on_resize;
use crate::ui::presses::Presses;
use crate::ui::screen;

/// How far from the end a reader still counts as being there, in CSS pixels.
const NEAR_PX: f64 = 80.0;
/// What stays free above a card, in CSS pixels.
const CARD_MARGIN_PX: f64 = 16.0;

/// Where the reader is.
#[derive(Clone, Copy)]
struct Reader {
    talk: Here,
    /// At the end, or so near that new words are to be followed.
    is_near: RwSignal<bool>,
    /// There is something below that the reader has not been shown.
    is_more: RwSignal<bool>,
    presses: StoredValue<Presses, LocalStorage>,
    has_card: Memo<bool>,
    /// Whether a card was there when the end was last looked at.
    had_card: RwSignal<bool>,
}

/// Follows the end of what `inside` holds, and gives the bar that says that there is more below.
pub(crate) fn follow(talk: Here, inside: Here) -> AnyView {
    let screen = screen();
    let reader = Reader {
        talk,
        is_near: RwSignal::new(true),
        is_more: RwSignal::new(false),
        presses: expect_context(),
        has_card: memo(move || screen.with(|view| view.card.is_some())),
        had_card: RwSignal::new(false),
    };
    let said = memo(move || screen.with(last_said));
    // Whoever writes wants to read what comes of it, wherever in the conversation they were.
    effect(move || {
        if said.get().is_some() {
            reader.is_near.set(true);
        }
    });
    // A card drawn anew leaves its place for a moment, in which a browser may scroll away from it.
    let drawn = memo(move || screen.with(card_drawn));
    on_change(drawn, move || request_animation_frame(move || reader.something_grew()));
    effect(move || {
        if let (Some(talk), Some(inside)) = (talk.get(), inside.get()) {
            reader.watch(&talk, &inside);
        }
    });
    (move || reader.is_more.get().then(|| bar(reader))).any()
}

/// Which turn the person's last words are.
fn last_said(view: &View) -> Option<String> {
    let person = view.turns.iter().rev().find(|turn| matches!(turn.body, TurnBody::Person(_)));
    person.map(|turn| turn.key.clone())
}

/// What the card shows, as one word.
fn card_drawn(view: &View) -> Option<String> {
    view.card.as_ref().map(|card| card.rows.iter().map(|row| row.shown.0.as_str()).collect())
}

fn bar(reader: Reader) -> AnyView {
    let words =
        move || if reader.has_card.get() { "1 card waits below" } else { "New words below" };
    let go = button()
        .class("btn btn-s")
        .attr("type", "button")
        .on("click", move |_| reader.go_to_end())
        .child(words)
        .child(small_icon("arrow-down"));
    div().class("below").child(go).any()
}

impl Reader {
    fn watch(self, talk: &Element, inside: &Element) {
        let scrolled = Closure::<dyn Fn()>::new(move || self.scrolled());
        let scrolled: js_sys::Function = scrolled.into_js_value().unchecked_into();
        // It can only fail for a name that is no event.
        let _ = talk.add_event_listener_with_callback("scroll", &scrolled);
        on_resize(&[talk, inside], move || self.something_grew());
    }

    fn scrolled(self) {
        let Some(talk) = self.talk.try_get_untracked().flatten() else { return };
        let is_near = below(&talk) <= NEAR_PX;
        self.is_near.set(is_near);
        if is_near {
            self.is_more.set(false);
        }
    }

    fn something_grew(self) {
        let Some(talk) = self.talk.try_get_untracked().flatten() else { return };
        let has_card = self.has_card.get_untracked();
        let card_is_new = has_card && !self.had_card.get_untracked();
        self.had_card.set(has_card);
        let mouse = self.presses.with_value(Presses::mouse);
        // What appears must not appear under the pointer.
        let would_meet = card_is_new && card_would_meet(&talk, mouse);
        if self.is_near.get_untracked() && !would_meet {
            show_end(&talk);
        } else {
            let is_near = below(&talk) <= NEAR_PX;
            self.is_near.set(is_near);
            self.is_more.set(!is_near);
        }
    }

    fn go_to_end(self) {
        self.is_more.set(false);
        self.is_near.set(true);
        if let Some(talk) = self.talk.get_untracked() {
            show_end(&talk);
        }
    }
}

/// What lies below the part that is seen.
fn below(talk: &Element) -> f64 {
    f64::from(talk.scroll_height() - talk.scroll_top() - talk.client_height())
}

/// What is read stays where it is while something is put above it.
pub(crate) fn hold_what_is_read(talk: Here) {
    let Some(talk) = talk.get_untracked() else { return };
    let to_end = talk.scroll_height() - talk.scroll_top();
    request_animation_frame(move || talk.set_scroll_top(talk.scroll_height() - to_end));
}

/// Shows the end; of a card that is taller than the window, its beginning. A reader who is further
/// down already, at the buttons of such a card, is not taken back.
fn show_end(talk: &Element) {
    let card = talk.query_selector(".card").ok().flatten();
    // On a phone the card lies over the conversation and moves no words.
    let card = card.filter(|card| {
        let style = window().get_computed_style(card).ok().flatten();
        style.is_some_and(|it| it.get_property_value("position").is_ok_and(|it| it != "absolute"))
    });
    let above_card = card.map(|card| {
        card.get_bounding_client_rect().top()
            - talk.get_bounding_client_rect().top()
            - CARD_MARGIN_PX
    });
    let by = above_card.map_or(below(talk), |above| above.min(below(talk)));
    talk.scroll_by_with_x_and_y(0.0, by.max(0.0));
}

/// Whether a card that has just been added at the end would lie under the pointer, were the end
/// shown.
fn card_would_meet(talk: &Element, (x, y): (i32, i32)) -> bool {
    let Ok(Some(card)) = talk.query_selector(".card") else { return false };
    let (x, y) = (f64::from(x), f64::from(y));
    let (frame, card) = (talk.get_bounding_client_rect(), card.get_bounding_client_rect());
    (card.left()..=card.right()).contains(&x)
        && (frame.bottom() - card.height()..=frame.bottom()).contains(&y)
}
