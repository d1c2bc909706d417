//! What the conversation used, on the settings page: tokens, and money where prices are known.

use agent::limits::TRANSCRIPT_BYTES_MAX;
use leptos::prelude::*;
use view::View;
use view::command::Command;
use view::settings::Preferences;
use view::usage::{Counted, Price, Prices, Used, amount, by_model, dollars, words};

use crate::ui::kit::el::{Child, b, code, details, div, input, label, li, p, span, summary, ul};
use crate::ui::kit::react::memo;
use crate::ui::kit::time::{clock, date};
use crate::ui::settings::group;
use crate::ui::{Dispatch, dispatch, screen};

/// What was used, by model, and by each answer.
pub(crate) fn usage() -> AnyView {
    let (dispatch, screen) = (dispatch(), screen());
    let counted = memo(move || screen.with(|view| view.usage.len()));
    let prices = memo(move || screen.with(|view| view.settings.preferences.prices.clone()));
    let inside = move || {
        let prices = Prices::read(&prices.get());
        if counted.get() == 0 {
            return div()
                .child(p().child("Nothing was counted yet. The built-in model uses no tokens."))
                .any();
        }
        screen.with_untracked(|view| shown(view, &prices, dispatch))
    };
    let most = format!(
        "The assistant is sent at most {} kB of a conversation each time, the newest of it.",
        TRANSCRIPT_BYTES_MAX / 1024
    );
    let inside = div().class("set used").child(p().child(most)).child(inside).any();
    group("What this conversation used", "", inside)
}

fn shown(view: &View, prices: &Prices, dispatch: Dispatch) -> AnyView {
    let models = by_model(&view.usage, prices);
    let preferences = &view.settings.preferences;
    (
        models.iter().map(|it| model(it, prices, preferences, dispatch)).collect::<Vec<_>>(),
        details()
            .child(summary().child("Each answer"))
            .child(ul().child(view.usage.iter().map(|it| answer(it, prices)).collect::<Vec<_>>())),
    )
        .any()
}

fn model(used: &Used, prices: &Prices, preferences: &Preferences, dispatch: Dispatch) -> AnyView {
    let of = |name: &'static str, chosen: u64, with: fn(Price, u64) -> Price| {
        let (model, price) = (used.model.clone(), used.price);
        let (prices, preferences) = (prices.clone(), preferences.clone());
        price_of(format!("{name} by {}", used.model), name, chosen, move |chosen| {
            let prices = prices.clone().with(&model, with(price, chosen)).write();
            dispatch.run(Command::Prefer(Preferences { prices, ..preferences.clone() }));
        })
    };
    div()
        .child(b().child(code().child(used.model.clone())))
        .child(p().child(used.words.clone()))
        .child(
            div()
                .class("prices")
                .child(span().child("$ for a million tokens"))
                .child(of("read", used.price.read, |price, read| Price { read, ..price }))
                .child(of("written", used.price.written, |price, written| Price {
                    written,
                    ..price
                })),
        )
        .any()
}

/// A field for an amount. What is no amount is not taken, and the field says so.
fn price_of(
    title: String,
    name: &'static str,
    chosen: u64,
    choose: impl Fn(u64) + 'static,
) -> AnyView {
    let is_wrong = RwSignal::new(false);
    let field = input()
        .class("field")
        .attr("type", "text")
        .attr("inputmode", "decimal")
        .attr("id", format!("price-{}", title.replace([' ', '/'], "-")))
        .attr("aria-label", format!("Dollars for a million tokens {title}"))
        .attr("aria-invalid", move || is_wrong.get().then_some("true"))
        .attr("placeholder", "0.00")
        .attr("value", (chosen > 0).then(|| dollars(chosen)))
        .on("change", move |event| match amount(&event_target_value(&event)) {
            Some(chosen) => choose(chosen),
            None => is_wrong.set(true),
        });
    let wrong = move || is_wrong.get().then(|| span().class("wrong").child("as in 0.25"));
    label().child(name).child(field).child(wrong).any()
}

fn answer((at, usage): &Counted, prices: &Prices) -> AnyView {
    li().child(span().child(format!("{}, {}", date(*at), clock(*at))))
        .child(span().child(words(usage, prices.of(&usage.model))))
        .any()
}
