//! The screens in a real browser: what is shown, what a press sends, and what never answers.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

#[path = "ui/answers.rs"]
mod answers;
#[path = "ui/composer.rs"]
mod composer;
#[path = "ui/frame.rs"]
mod frame;
#[path = "ui/list.rs"]
mod list;
#[path = "ui/page.rs"]
mod page;
#[path = "ui/response.rs"]
mod response;
#[path = "ui/scenes.rs"]
mod scenes;
#[path = "ui/standing.rs"]
mod standing;
#[path = "ui/usage.rs"]
mod usage;
#[path = "ui/waking.rs"]
mod waking;
#[path = "ui/words.rs"]
mod words;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
