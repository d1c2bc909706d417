//! Times in words, in the person's time zone. The points in time come from the view.

use agent::time::Timestamp;
use js_sys::{Date, Object, Reflect};
use wasm_bindgen::JsValue;

/// The page's language, with hours from 0 to 24.
const LOCALE: &str = "en-GB";

/// As in "17:58".
pub(crate) fn clock(at: Timestamp) -> String {
    let options = options(&[("hour", "2-digit"), ("minute", "2-digit")]);
    String::from(js(at).to_locale_time_string_with_options(LOCALE, &options))
}

/// As in "Saturday 28 November".
pub(crate) fn day(at: Timestamp) -> String {
    let options = options(&[("weekday", "long"), ("day", "numeric"), ("month", "long")]);
    String::from(js(at).to_locale_date_string(LOCALE, &options))
}

/// As in "28 November".
pub(crate) fn date(at: Timestamp) -> String {
    let options = options(&[("day", "numeric"), ("month", "long")]);
    String::from(js(at).to_locale_date_string(LOCALE, &options))
}

/// As in "28 November 2026 at 17:58:03".
pub(crate) fn exact(at: Timestamp) -> String {
    let options = options(&[("dateStyle", "long"), ("timeStyle", "medium")]);
    String::from(js(at).to_locale_string(LOCALE, &options))
}

/// As in "2026-11-28".
pub(crate) fn iso_date(at: Timestamp) -> String {
    let date = js(at);
    format!("{}-{:02}-{:02}", date.get_full_year(), date.get_month() + 1, date.get_date())
}

/// When the day began that many days ago.
pub(crate) fn midnight(now: Timestamp, days_ago: usize) -> Timestamp {
    let today = js(now);
    let days_ago = i32::try_from(days_ago).unwrap_or(i32::MAX);
    let day = i32::try_from(today.get_date()).unwrap_or_default() - days_ago;
    // JavaScript counts on from the last month where a day is not in this one.
    let month = i32::try_from(today.get_month()).unwrap_or_default();
    let start = Date::new_with_year_month_day(today.get_full_year(), month, day).get_time();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole milliseconds since 1970 fit; a day before that reads as 1970"
    )]
    Timestamp(start as u64)
}

/// A number that is the same for all times of one day.
pub(crate) fn day_number(at: Timestamp) -> u32 {
    let date = js(at);
    date.get_full_year() * 400 + date.get_month() * 32 + date.get_date()
}

#[expect(clippy::cast_precision_loss, reason = "dates of JavaScript are such numbers")]
fn js(at: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(at.0 as f64))
}

fn options(entries: &[(&str, &str)]) -> JsValue {
    let options = Object::new();
    for (key, value) in entries {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&options, &JsValue::from_str(key), &JsValue::from_str(value));
    }
    options.into()
}
