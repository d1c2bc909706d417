//! The frame of the page: where one goes, the conversation, and the list beside it.

use leptos::ev;
use leptos::prelude::*;
use view::View;
use view::card::Card;
use view::command::Command;
use view::conversation::TurnBody;
use view::receipt::Receipt;
use wasm_bindgen::JsCast;

use crate::ui::approval_card;
use crate::ui::brand::{NAME, WAITING_NAME, brand, new_conversation};
use crate::ui::chat::chat;
use crate::ui::composer;
use crate::ui::conversations;
use crate::ui::focus::{self, Answered, focus_on};
use crate::ui::kit::el::{Child, a, aside, b, div, h1, main, nav, span};
use crate::ui::kit::icon::icon;
use crate::ui::kit::react::{effect, memo, on_change};
use crate::ui::later::page_beside;
use crate::ui::notice::elsewhere;
use crate::ui::page::{self, Page};
use crate::ui::presses::Presses;
use crate::ui::shopping_list::{self, shopping_list};
use crate::ui::{Dispatch, Screen, dispatch, screen};

pub use crate::ui::presses::Trust;

/// The whole page. Wants a [`crate::ui::Screen`] and a [`crate::ui::Dispatch`] as context values.
pub fn app() -> impl IntoView {
    let typed = first_paint();
    provide_context(StoredValue::new_local(Presses::watch()));
    provide_context(Answered::new());
    let page = page::current();
    let screen = screen();
    let prepare = preparing(dispatch(), screen);
    // By which attempt something waits, if it does: each new one raises the question again.
    let waiting = memo(move || screen.with(|view| view.card.as_ref().map_or(0, Card::attempt)));
    name_the_page(waiting);
    say_when_ready();
    keys();
    focus::keep_near();
    div()
        .class("frame")
        .attr("data-page", move || page.get().mark())
        .attr("data-waits", move || (waiting.get() > 0).then_some(""))
        .on("pointerdown", move |_| prepare())
        .on("focusin", move |_| prepare())
        .child(rail(page, waiting))
        .child(
            main()
                .class("main")
                .child(elsewhere(page))
                .child(move || match page.get() {
                    Page::Kitchen | Page::List => h1().class("sr").child(NAME).any(),
                    page @ (Page::Activity
                    | Page::Settings
                    | Page::Conversations
                    | Page::Standing) => page_beside(page),
                })
                .child(chat(typed))
                .child(shopping_list(page)),
        )
        .child(tabs(page, waiting))
        .child(spoken())
        .any()
}

/// Whoever reaches for the page is about to ask for something. If it cannot be made ready, that is
/// tried again for what they ask.
fn preparing(dispatch: Dispatch, screen: Screen) -> impl Fn() + Copy {
    let was_reached_for = RwSignal::new(false);
    move || {
        if !was_reached_for.get_untracked() && !screen.with_untracked(|view| view.has_engine) {
            was_reached_for.set(true);
            dispatch.run(Command::LoadEngine);
        }
    }
}

fn rail(page: RwSignal<Page>, waiting: Memo<usize>) -> AnyView {
    aside()
        .class("rail")
        .child(brand())
        .child(
            nav()
                .class("nav")
                .attr("aria-label", "Main")
                .child(way(page, Page::Kitchen, "shopping-basket", "Kitchen", Some(waiting)))
                .child(way(page, Page::Activity, "history", "Activity", None))
                .child(way(page, Page::Standing, "shield-check", "Standing approvals", None))
                .child(way(page, Page::Settings, "settings", "Settings", None)),
        )
        .child(new_conversation())
        .child(conversations::in_rail())
        .child(who_answers())
        .any()
}

fn tabs(page: RwSignal<Page>, waiting: Memo<usize>) -> AnyView {
    nav()
        .class("tabs")
        .attr("aria-label", "Tabs")
        .child(way(page, Page::Kitchen, "shopping-basket", "Kitchen", Some(waiting)))
        .child(way(page, Page::List, "list-checks", "List", None))
        .child(way(page, Page::Activity, "history", "Activity", None))
        .child(way(page, Page::Settings, "settings", "Settings", None))
        .any()
}

fn way(
    page: RwSignal<Page>,
    to: Page,
    picture: &'static str,
    name: &'static str,
    waiting: Option<Memo<usize>>,
) -> AnyView {
    let count = move || {
        let attempt = waiting.map_or(0, |waiting| waiting.get());
        (attempt > 0).then(|| {
            let again = (attempt > 1).then(|| format!(", try {attempt}"));
            let words = span().class("sr").child(" card waits").child(again);
            span().class("count").child("1").child(words)
        })
    };
    a().attr("href", to.address())
        .attr("title", name)
        .attr("aria-current", move || (page.get() == to).then_some("page"))
        .child(icon(picture))
        .child(span().class("way").child(name))
        .child(count)
        .any()
}

fn who_answers() -> AnyView {
    let screen = screen();
    let name = memo(move || screen.with(|view| view.settings.answering().0.to_owned()));
    let about = memo(move || {
        screen.with(|view| format!("{}. Change it in settings.", view.settings.answering().1))
    });
    a().class("model")
        .attr("href", Page::Settings.address())
        .child(b().child(move || name.get()))
        .child(move || about.get())
        .any()
}

/// The name in the browser's tab says whether something waits, and that it is asked again: many
/// browsers mark a tab whose name changes.
fn name_the_page(waiting: Memo<usize>) {
    effect(move || {
        document().set_title(&match waiting.get() {
            0 => NAME.to_owned(),
            1 => WAITING_NAME.to_owned(),
            attempt => format!("(1) Try {attempt} \u{b7} {NAME}"),
        });
    });
}

/// What appears is said once, by those who hear the page: a question with its arguments, and what
/// came of it.
fn spoken() -> AnyView {
    let screen = screen();
    let words = RwSignal::new(String::new());
    let question = memo(move || screen.with(|view| view.card.as_ref().map(question_key)));
    let reminder = memo(move || screen.with(|view| view.card.as_ref()?.reminder()));
    let mut asked = None;
    effect(move || {
        let (asks, reminds) = (question.get(), reminder.get());
        if asks.is_some() && asks != asked {
            let said = screen.with_untracked(|view| view.card.as_ref().map(Card::announcement));
            words.set(said.unwrap_or_default());
        } else if let Some(reminds) = reminds {
            words.set(reminds);
        }
        asked = asks;
    });
    let outcome = memo(move || screen.with(|view| latest_receipt(view).map(|(key, _)| key)));
    on_change(outcome, move || {
        let said =
            screen.with_untracked(|view| latest_receipt(view).map(|(_, it)| it.announcement()));
        words.set(said.unwrap_or_default());
    });
    div().class("sr").attr("aria-live", "polite").child(move || words.get()).any()
}

/// What is asked now, and for which time, apart from the time that is left.
fn question_key(card: &Card) -> String {
    let first = card.waiting().next().map(|row| row.request.to_string());
    format!("{} {} {}", card.rows.len(), card.attempt(), first.unwrap_or_default())
}

fn latest_receipt(view: &View) -> Option<(String, &Receipt)> {
    view.turns.iter().rev().find_map(|turn| match &turn.body {
        TurnBody::Receipt(receipt) => Some((turn.key.clone(), &**receipt)),
        TurnBody::Person(_)
        | TurnBody::Assistant(_)
        | TurnBody::HandedOver(_)
        | TurnBody::Notice(_) => None,
    })
}

/// The keys that move about the page. None of them answers anything.
fn keys() {
    let screen = screen();
    let listening = window_event_listener(ev::keydown, move |key| {
        let on = screen.with_untracked(|view| view.settings.preferences.shortcuts);
        if !on || key.ctrl_key() || key.meta_key() || key.is_composing() {
            return;
        }
        let to = match (key.alt_key(), key.code().as_str()) {
            (true, "KeyJ") => approval_card::HEADING,
            (true, "KeyL") => shopping_list::HEADING,
            (false, _) if key.key() == "/" && !is_field(&key) => composer::FIELD,
            _ => return,
        };
        key.prevent_default();
        focus_on(to);
    });
    on_cleanup(move || listening.remove());
}

fn is_field(event: &web_sys::Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|it| matches!(it.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}

/// Takes away what index.html shows until the program runs, and gives what was typed there.
fn first_paint() -> String {
    let field = document().get_element_by_id(composer::FIELD);
    let field = field.and_then(|field| field.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
    let typed = field.map(|field| {
        let is_focused = document().active_element().is_some_and(|it| it == **field);
        if is_focused {
            request_animation_frame(|| focus_on(composer::FIELD));
        }
        field.value()
    });
    if let Some(place) = document().get_element_by_id("app") {
        place.set_text_content(None);
    }
    typed.unwrap_or_default()
}

/// Says on the page's root that it listens, once what the browser keeps has been read.
fn say_when_ready() {
    let screen = screen();
    let is_ready = memo(move || screen.with(|view| view.is_ready));
    effect(move || {
        if let (true, Some(root)) = (is_ready.get(), document().document_element()) {
            let _ = root.set_attribute("data-ready", "");
        }
    });
}
