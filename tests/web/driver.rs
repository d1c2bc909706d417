//! The driver in a real browser: real store, real loop, real kitchen; only the model is scripted.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

#[path = "driver/backup.rs"]
mod backup;
#[path = "driver/conversation.rs"]
mod conversation;
#[path = "driver/damage.rs"]
mod damage;
#[path = "driver/handoff.rs"]
mod handoff;
#[path = "driver/hostile.rs"]
mod hostile;
#[path = "driver/kept.rs"]
mod kept;
#[path = "driver/outside.rs"]
mod outside;
#[path = "driver/page.rs"]
mod page;
#[path = "driver/records.rs"]
mod records;
#[path = "driver/storage.rs"]
mod storage;
#[path = "driver/tabs.rs"]
mod tabs;
#[path = "driver/unanswered.rs"]
mod unanswered;
#[path = "driver/versions.rs"]
mod versions;
#[path = "driver/waits.rs"]
mod waits;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
