//! Keeps the end of the conversation in sight for a reader who is there, and for no one else.

use leptos::ev;
use leptos::html::{Div, button, div};
use leptos::prelude::*;
use view::card::Card;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

use crate::ui::kit::icon::small_icon;

/// How far from the end a reader still counts as being there, in CSS pixels.
const NEAR_PX: i32 = 80;

/// Follows the end of what `inside` holds, and gives the bar that says that there is more below.
pub(crate) fn follow(
    talk: NodeRef<Div>,
    inside: NodeRef<Div>,
    card: Signal<Option<Card>>,
) -> AnyView {
    let near = RwSignal::new(true);
    let below = RwSignal::new(false);
    let pointer = StoredValue::new((-1.0, -1.0));
    let listening = window_event_listener(ev::pointermove, move |event| {
        if event.pointer_type() == "mouse" {
            pointer.set_value((f64::from(event.client_x()), f64::from(event.client_y())));
        }
    });
    on_cleanup(move || listening.remove());
    let is_card = Memo::new(move |_| card.with(|card| card.as_ref().map(|card| card.rows.len())));
    let drawn = StoredValue::new(None);
    let grown = move || {
        let Some(talk) = talk.get_untracked() else { return };
        let card_is_new = is_card.get_untracked().is_some() && drawn.get_value().is_none();
        drawn.set_value(is_card.get_untracked());
        let under_pointer = card_is_new && card_would_meet(&talk, pointer.get_value());
        if near.get_untracked() && !under_pointer {
            talk.set_scroll_top(talk.scroll_height());
        } else {
            near.set(is_near(&talk));
            below.set(!is_near(&talk));
        }
    };
    Effect::new(move |_| {
        let (Some(talk), Some(inside)) = (talk.get(), inside.get()) else { return };
        observe(&talk, &inside, grown);
        let scrolled = Closure::<dyn Fn()>::new({
            let talk = talk.clone();
            move || {
                near.set(is_near(&talk));
                if is_near(&talk) {
                    below.set(false);
                }
            }
        });
        let function: js_sys::Function = scrolled.into_js_value().unchecked_into();
        let _ = talk.add_event_listener_with_callback("scroll", &function);
    });
    let go = move |_| {
        below.set(false);
        near.set(true);
        if let Some(talk) = talk.get_untracked() {
            talk.set_scroll_top(talk.scroll_height());
        }
    };
    (move || {
        below.get().then(|| {
            div().class("below").child(
                button()
                    .class("btn btn-s")
                    .attr("type", "button")
                    .on(ev::click, go)
                    .child(move || {
                        if is_card.get().is_some() {
                            "1 card waits below"
                        } else {
                            "New words below"
                        }
                    })
                    .child(small_icon("arrow-down")),
            )
        })
    })
    .into_any()
}

fn is_near(talk: &Element) -> bool {
    talk.scroll_height() - talk.scroll_top() - talk.client_height() <= NEAR_PX
}

/// Whether a card that has just been added at the end would lie under the pointer, were the end
/// shown.
fn card_would_meet(talk: &Element, (x, y): (f64, f64)) -> bool {
    let Ok(Some(card)) = talk.query_selector(".card") else { return false };
    let (frame, card) = (talk.get_bounding_client_rect(), card.get_bounding_client_rect());
    (card.left()..=card.right()).contains(&x)
        && (frame.bottom() - card.height()..=frame.bottom()).contains(&y)
}

fn observe(talk: &Element, inside: &Element, grown: impl Fn() + 'static) {
    let resized = Closure::<dyn Fn()>::new(grown).into_js_value().unchecked_into();
    let Ok(observer) = ResizeObserver::new(&resized) else { return };
    observer.observe(talk);
    observer.observe(inside);
    let observer = StoredValue::new_local(observer);
    on_cleanup(move || observer.with_value(ResizeObserver::disconnect));
}
