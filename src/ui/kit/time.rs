//! Times in words, in the person's time zone. The points in time come from the view.

use agent::time::Timestamp;
use js_sys::{Date, Object, Reflect};
use wasm_bindgen::JsValue;

/// The page's language, with hours from 0 to 24.
const LOCALE: &str = "en-GB";

/// As in "17:58".
pub(crate) fn clock(at: Timestamp) -> String {
    let options = options(&[("hour", "2-digit"), ("minute", "2-digit")]);
    String::from(date(at).to_locale_time_string_with_options(LOCALE, &options))
}

/// As in "Saturday 28 November".
pub(crate) fn day(at: Timestamp) -> String {
    let options = options(&[("weekday", "long"), ("day", "numeric"), ("month", "long")]);
    String::from(date(at).to_locale_date_string(LOCALE, &options))
}

/// A number that is the same for all times of one day.
pub(crate) fn day_number(at: Timestamp) -> u32 {
    let date = date(at);
    date.get_full_year() * 400 + date.get_month() * 32 + date.get_date()
}

#[expect(clippy::cast_precision_loss, reason = "dates of JavaScript are such numbers")]
fn date(at: Timestamp) -> Date {
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
