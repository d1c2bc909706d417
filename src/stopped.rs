//! Whether the page has stopped. `src/stop.js` stops it when the program in it fails: whatever was
//! under way is in the store, whole or not at all, and a reload goes on from there.

use leptos::prelude::document;

/// What marks the root of a page that has stopped.
pub const MARK: &str = "data-stopped";

/// Whether the page was stopped. Then nothing is taken or begun any more.
#[must_use]
pub fn is_stopped() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute(MARK))
}
