//! The page's name and the way to begin anew: in the rail, and above the conversation on a phone.

use leptos::prelude::*;
use view::command::Command;

use crate::ui::kit::el::{Child, button, div, span};
use crate::ui::kit::icon::icon;
use crate::ui::page::Page;
use crate::ui::{composer, dispatch, focus::focus_on};

/// The name of the page.
pub(crate) const NAME: &str = "Kitchen Assistant";
/// The same, in the browser's tab while a card waits.
pub(crate) const WAITING_NAME: &str = "(1) Kitchen Assistant";

/// The page's name.
pub(crate) fn brand() -> AnyView {
    div().class("brand").child(icon("utensils")).child(span().child(NAME)).any()
}

/// Begins a new conversation.
pub(crate) fn new_conversation() -> AnyView {
    let dispatch = dispatch();
    button()
        .class("btn-quiet new")
        .attr("type", "button")
        .attr("title", "New conversation")
        .on("click", move |_| {
            dispatch.run(Command::NewConversation);
            // A page that cannot be left for the kitchen still has its link to it.
            let _ = window().location().set_hash(Page::Kitchen.address());
            focus_on(composer::FIELD);
        })
        .child(icon("plus"))
        .child(span().class("way").child("New conversation"))
        .any()
}
