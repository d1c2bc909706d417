//! Parts of the page that load when they are first shown.

use std::future::Future;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use view::notice::Notice;

use crate::part::{NotLoaded, part};
use crate::ui::kit::el::{Child, div};
use crate::ui::kit::react::memo;
use crate::ui::notice::notice;
use crate::ui::page::Page;
use crate::ui::{activity, approval_card, conversations, screen, settings, standing};

part! { pages:
    /// What draws a page beside the kitchen.
    fn drawn_by(page: Page) -> fn() -> AnyView {
        match page {
            Page::Kitchen | Page::List => || ().any(),
            Page::Activity => activity::activity,
            Page::Settings => settings::settings,
            Page::Conversations => conversations::conversations,
            Page::Standing => standing::standing,
        }
    }
}

// Where something is asked, the engine is there.
part! { engine:
    /// What draws what waits for the person.
    fn card_drawn_by() -> fn() -> AnyView { approval_card::waiting_card }
}

/// A page beside the kitchen.
pub(crate) fn page_beside(page: Page) -> AnyView {
    later(drawn_by(page), || div().class("page").child(notice(&Notice::page_not_loaded())).any())
}

/// What waits for the person, if anything does.
pub(crate) fn what_waits() -> AnyView {
    let screen = screen();
    let waits = memo(move || screen.with(|view| view.card.is_some()));
    (move || waits.get().then(|| later(card_drawn_by(), || notice(&Notice::page_not_loaded()))))
        .any()
}

/// A part of the page, once what draws it is loaded; at once if it is there already.
fn later(
    loading: impl Future<Output = Result<fn() -> AnyView, NotLoaded>> + 'static,
    failed: fn() -> AnyView,
) -> AnyView {
    let mut loading: LocalBoxFuture<'static, _> = Box::pin(loading);
    if let Some(loaded) = (&mut loading).now_or_never() {
        return loaded.unwrap_or(failed)();
    }
    let loaded: RwSignal<Option<fn() -> AnyView>> = RwSignal::new(None);
    spawn_local(async move {
        let draw = loading.await.unwrap_or(failed);
        // Whoever left meanwhile wants something else.
        let _ = loaded.try_set(Some(draw));
    });
    (move || loaded.get().map(|draw| draw())).any()
}
