//! The settings page: who answers, how questions are shown, where data is kept.

use std::sync::Arc;

use agent::settings::Wait;
use leptos::prelude::*;
use view::command::Command;
use view::settings::{
    MINUTES, Offer, Preferences, Settings, attempts as attempts_offered, wait_in_words,
};

use crate::ui::backup::backup;
use crate::ui::kit::button::small;
use crate::ui::kit::el::{
    Child, b, button, code, div, h1, h2, header, input, label, li, option, p, section, select,
    span, ul,
};
use crate::ui::kit::react::memo;
use crate::ui::standing::to_standing;
use crate::ui::usage::usage;
use crate::ui::{Dispatch, dispatch, screen};

/// What the keys do.
const KEYS: [(&str, &str); 6] = [
    ("Alt J", "to the card that waits"),
    ("Alt L", "to the shopping list"),
    ("/", "to the message field"),
    ("Enter", "sends the message"),
    ("Shift Enter", "begins a new line"),
    ("Esc", "closes what is open below a card, and answers nothing"),
];

/// The settings page.
pub(crate) fn settings() -> AnyView {
    let screen = screen();
    let settings = memo(move || screen.with(|view| Arc::clone(&view.settings)));
    div()
        .class("page narrow")
        .child(header().child(h1().child("Settings")))
        .child(move || {
            let settings = settings.get();
            (who_answers(&settings), how_asked(&settings), data(&settings)).any()
        })
        .child(backup())
        .child(usage())
        .child(keys())
        .any()
}

/// A part of the page.
pub(crate) fn group(title: &'static str, lead: &'static str, inside: AnyView) -> AnyView {
    let lead = (!lead.is_empty()).then(|| p().class("lead").child(lead));
    section().class("group").child(h2().child(title)).child(lead).child(inside).any()
}

fn who_answers(settings: &Settings) -> AnyView {
    let dispatch = dispatch();
    let offers = settings.offers.iter().map(|it| offer(it, &settings.preferences, dispatch));
    let without = (!settings.without_offers.is_empty()).then(|| {
        div().class("set").child(div().child(p().child(settings.without_offers)).child(small(
            "Look again",
            move || {
                dispatch.run(Command::CheckProxy);
            },
        )))
    });
    let inside = (
        div()
            .class("models")
            .attr("role", "group")
            .attr("aria-label", "Who answers")
            .child(offers.collect::<Vec<_>>()),
        without,
        p().class("aside")
            .child("To use a language model, set its key where the page is started, as in ")
            .child(code().child("ANTHROPIC_API_KEY=\u{2026} ./run"))
            .child(
                ", and choose it here. The key stays with the proxy; this page never sees it. Ollama \
                 needs none.",
            ),
    );
    group("Who answers", "", inside.any())
}

fn offer(offer: &Offer, preferences: &Preferences, dispatch: Dispatch) -> AnyView {
    let choose = {
        let (preferences, name) = (preferences.clone(), offer.name.clone());
        move |model: String| {
            dispatch.run(Command::Prefer(Preferences {
                provider: name.clone(),
                model,
                ..preferences.clone()
            }));
        }
    };
    let first = offer.models.first().cloned().unwrap_or_default();
    let on_choose = choose.clone();
    let radio = input()
        .attr("type", "radio")
        .attr("name", "provider")
        .attr("id", id_of(&offer.name))
        .attr("aria-label", offer.title.clone())
        .attr("disabled", (!offer.is_ready).then_some(""))
        .flag("checked", offer.is_chosen)
        .on("change", move |_| on_choose(first.clone()));
    let has_it = !offer.is_chosen || offer.models.contains(&preferences.model);
    let models = (offer.is_chosen && (offer.models.len() > 1 || !has_it)).then(|| {
        let gone = (!has_it).then(|| {
            option()
                .attr("value", "")
                .attr("disabled", "")
                .flag("selected", true)
                .child(format!("{} (not there)", preferences.model))
        });
        let options = offer.models.iter().map(|model| {
            option()
                .attr("value", model.clone())
                .flag("selected", *model == preferences.model)
                .child(model.clone())
        });
        select()
            .class("field")
            .attr("id", id_of(&format!("Model of {}", offer.name)))
            .attr("aria-label", format!("Model of {}", offer.title))
            .on("change", move |event| choose(event_target_value(&event)))
            .child((gone, options.collect::<Vec<_>>()))
    });
    let one_model = (offer.models.len() == 1 && has_it)
        .then(|| code().child(offer.models.first().cloned().unwrap_or_default()));
    div()
        .class(if offer.is_chosen { "opt on" } else { "opt" })
        .child(label().child(radio).child(b().child(offer.title.clone())))
        .child(p().child(offer.about.clone()))
        .child(models)
        .child(one_model)
        .any()
}

fn how_asked(settings: &Settings) -> AnyView {
    let (preferences, wait) = (&settings.preferences, settings.wait);
    let one = preferences.clone();
    let keys = preferences.clone();
    let (minutes, attempts) = (preferences.clone(), preferences.clone());
    let inside = div()
        .class("set")
        .child(switch(
            "Many things at once",
            "Show them as rows of one card. Off: one card after the other.",
            !preferences.one_at_a_time,
            move |on| Preferences { one_at_a_time: !on, ..one.clone() },
        ))
        .child(number(
            "Minutes a card waits",
            "Then it asks again. Sleep counts, and so does a closed page.",
            (MINUTES.into_iter(), wait.minutes()),
            move |chosen| Preferences {
                wait: Some(Wait::new(wait.attempts(), chosen)),
                ..minutes.clone()
            },
        ))
        .child(number(
            "How often it asks",
            wait_in_words(wait),
            (attempts_offered(), wait.attempts()),
            move |chosen| Preferences {
                wait: Some(Wait::new(chosen, wait.minutes())),
                ..attempts.clone()
            },
        ))
        .child(
            div()
                .child(b().child("Standing approvals"))
                .child(p().child("What you have said may happen without asking."))
                .child(to_standing()),
        )
        .child(switch(
            "Keys move about the page",
            "No single key ever answers a card.",
            preferences.shortcuts,
            move |on| Preferences { shortcuts: on, ..keys.clone() },
        ));
    group("How you are asked", "No answer is a no.", inside.any())
}

/// The focus finds a control by it when the page is drawn anew.
fn id_of(title: &str) -> String {
    format!("set-{}", title.replace(' ', "-"))
}

fn switch(
    title: &'static str,
    about: &'static str,
    on: bool,
    then: impl Fn(bool) -> Preferences + 'static,
) -> AnyView {
    let dispatch = dispatch();
    div()
        .child(b().child(title))
        .child(p().child(about))
        .child(
            button()
                .class("switch")
                .attr("type", "button")
                .attr("role", "switch")
                .attr("id", id_of(title))
                .attr("aria-checked", on.to_string())
                .attr("aria-label", title)
                .on("click", move |_| dispatch.run(Command::Prefer(then(!on)))),
        )
        .any()
}

/// One of some numbers, with the one that is chosen.
fn number(
    title: &'static str,
    about: impl Into<String>,
    (offered, chosen): (impl Iterator<Item = u32>, u32),
    then: impl Fn(u32) -> Preferences + 'static,
) -> AnyView {
    let dispatch = dispatch();
    let options = offered.map(|it| {
        option().attr("value", it.to_string()).flag("selected", it == chosen).child(it.to_string())
    });
    let choose = move |event| {
        if let Ok(chosen) = event_target_value(&event).parse() {
            dispatch.run(Command::Prefer(then(chosen)));
        }
    };
    div()
        .child(b().child(title))
        .child(p().child(about.into()))
        .child(
            select()
                .class("field")
                .attr("id", id_of(title))
                .attr("aria-label", title)
                .on("change", choose)
                .child(options.collect::<Vec<_>>()),
        )
        .any()
}

fn data(settings: &Settings) -> AnyView {
    let inside = div().class("set").child(div().child(p().child(settings.kept)));
    group("Where your data is kept", "", inside.any())
}

fn keys() -> AnyView {
    let rows =
        KEYS.iter().map(|(key, does)| li().child(code().child(*key)).child(span().child(*does)));
    group("Keys", "", ul().class("keys").child(rows.collect::<Vec<_>>()).any())
}
