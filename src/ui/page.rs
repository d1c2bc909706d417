//! The pages, and how an address names them.

use leptos::prelude::*;

/// A page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// The conversation, and beside it the list.
    Kitchen,
    /// The list, where there is room for one thing only.
    List,
    /// Decisions and executions.
    Activity,
    /// Settings.
    Settings,
    /// All conversations.
    Conversations,
    /// What was always allowed.
    Standing,
}

impl Page {
    /// Its name in the frame's mark, for the style.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Kitchen => "kitchen",
            Self::List => "list",
            Self::Activity => "activity",
            Self::Settings => "settings",
            Self::Conversations => "conversations",
            Self::Standing => "standing",
        }
    }

    /// Its address.
    pub(crate) fn address(self) -> &'static str {
        match self {
            Self::Kitchen => "#/",
            Self::List => "#/list",
            Self::Activity => "#/activity",
            Self::Settings => "#/settings",
            Self::Conversations => "#/conversations",
            Self::Standing => "#/standing",
        }
    }

    fn of(address: &str) -> Self {
        match address {
            "#/list" => Self::List,
            "#/activity" => Self::Activity,
            "#/settings" => Self::Settings,
            "#/conversations" => Self::Conversations,
            "#/standing" => Self::Standing,
            _ => Self::Kitchen,
        }
    }
}

/// The page that the address names, kept up to date.
pub(crate) fn current() -> RwSignal<Page> {
    let read = || Page::of(&window().location().hash().unwrap_or_default());
    let page = RwSignal::new(read());
    let listening = window_event_listener(leptos::ev::hashchange, move |_| {
        let named = read();
        // The address may have changed twice before this is heard: a page is not drawn anew for that.
        if page.get_untracked() != named {
            page.set(named);
        }
    });
    on_cleanup(move || listening.remove());
    page
}
