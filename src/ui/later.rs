//! Parts of the page that load when they are first shown.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use view::notice::Notice;

use crate::part::{NotLoaded, in_time, part};
use crate::ui::kit::button::small;
use crate::ui::kit::el::{Child, div, p};
use crate::ui::kit::react::memo;
use crate::ui::kit::style::adopt;
use crate::ui::notice::notice_with;
use crate::ui::page::Page;
use crate::ui::{activity, approval_card, conversations, screen, settings, standing};

part! { pages:
    /// What draws a page beside the kitchen.
    fn drawn_by(page: Page) -> fn() -> AnyView {
        {
            adopt(concat!(
                include_str!("../../style/activity.css"),
                include_str!("../../style/settings.css"),
                include_str!("../../style/backup.css"),
            ));
            match page {
                Page::Kitchen | Page::List | Page::Standing => || ().any(),
                Page::Activity => activity::activity,
                Page::Settings => settings::settings,
                Page::Conversations => conversations::conversations,
            }
        }
    }
}

// Where something is asked, the engine is there; and it alone knows what was allowed in advance.
part! { engine:
    /// What draws what was allowed in advance.
    fn standing_drawn_by() -> fn() -> AnyView {
        {
            adopt(include_str!("../../style/standing.css"));
            standing::standing
        }
    }

    /// What draws what waits for the person.
    fn card_drawn_by() -> fn() -> AnyView {
        {
            adopt(concat!(
                include_str!("../../style/approval_card.css"),
                include_str!("../../style/answer.css"),
                include_str!("../../style/ask_less.css"),
                include_str!("../../style/batch.css"),
            ));
            approval_card::waiting_card
        }
    }
}

/// A page beside the kitchen.
pub(crate) fn page_beside(page: Page) -> AnyView {
    match page {
        Page::Standing => later(|| Box::pin(standing_drawn_by())),
        Page::Kitchen | Page::List | Page::Activity | Page::Settings | Page::Conversations => {
            later(move || Box::pin(drawn_by(page)))
        }
    }
}

/// What waits for the person, if anything does.
pub(crate) fn what_waits() -> AnyView {
    let screen = screen();
    let waits = memo(move || screen.with(|view| view.card.is_some()));
    (move || waits.get().then(|| later(|| Box::pin(card_drawn_by())))).any()
}

type Loading = LocalBoxFuture<'static, Result<fn() -> AnyView, NotLoaded>>;

/// A part of the page, once what draws it is loaded; at once if it is there already.
fn later(load: impl Fn() -> Loading + Copy + Send + 'static) -> AnyView {
    let loaded = RwSignal::new(None);
    let begin = move || {
        let mut loading = load();
        loaded.set((&mut loading).now_or_never());
        if loaded.with_untracked(Option::is_none) {
            spawn_local(async move {
                // Whoever left meanwhile wants something else.
                let _ = loaded.try_set(Some(in_time(loading).await));
            });
        }
    };
    begin();
    (move || match loaded.get() {
        None => p().class("working").attr("role", "status").child("Loading \u{2026}").any(),
        Some(Ok(draw)) => draw(),
        Some(Err(NotLoaded)) => not_loaded(begin),
    })
    .any()
}

fn not_loaded(again: impl Fn() + 'static) -> AnyView {
    let again = small("Load it again", again);
    div().class("page").child(notice_with(&Notice::page_not_loaded(), vec![again])).any()
}
