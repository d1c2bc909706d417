//! The conversation, the card and the list: what a person is shown of hand-made calls and answers.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

mod card;
mod conversation;
mod list;
mod notices;
mod receipts;
mod transcript;
