//! The only reader of the browser's clock.

use agent::time::Timestamp;

/// The time now.
pub(super) fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    let ms = js_sys::Date::now();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole milliseconds since 1970 fit; a clock before that reads as 1970"
    )]
    Timestamp(ms as u64)
}
