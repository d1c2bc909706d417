//! Drives the built page as a person would: a real proxy, a real browser, controls found by their
//! role and name.
//!
//! Start at [`journey::journey`], which opens a [`kitchen::Kitchen`]; its [`page::Page`] has the
//! verbs. A journey that fails leaves a picture of the page in `target/e2e/`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "all of this runs inside tests, where a panic is a failed test"
)]

pub mod axe;
pub mod browser;
pub mod build;
pub mod card;
pub mod files;
pub mod foreign;
pub mod journey;
pub mod kills;
pub mod kitchen;
pub mod network;
pub mod page;
pub mod process;
pub mod provider;
pub mod proxy;
pub mod role;
pub mod screens;
pub mod until;
