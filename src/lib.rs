//! The app: the only code that knows Leptos or a browser.

pub mod ui;
