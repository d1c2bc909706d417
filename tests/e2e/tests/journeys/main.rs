//! Journeys through the optimised page, served by the real proxy, in a real browser.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a panic is a failed test"
)]

mod adding;
mod always;
mod coming_back;
mod failing;
mod foreign_pages;
mod forgetting;
mod keeping_a_copy;
mod loading;
mod looking;
mod missing_parts;
mod policy;
mod providers;
mod refusing;
mod saying_something_else;
mod stopping;
mod trapping;

/// What a person types first in most journeys.
const DOZEN: &str = "We're out of eggs, put a dozen on the list.";
/// The title of the card that comes of it.
const ADD: &str = "Add to the shopping list";
/// What opens the ways to be asked less often.
const LESS: &str = "Ask less often";
/// The part of the page that acts.
const ENGINE: &str = "split_engine.wasm";
/// The part that shows what is beside the kitchen.
const PAGES: &str = "split_pages.wasm";
