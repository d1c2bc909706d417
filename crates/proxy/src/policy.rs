//! The header fields that keep the page in its bounds: what it may load, run and be put into.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

const FIELDS: [(&str, &str); 8] = [
    ("content-security-policy", POLICY),
    ("x-frame-options", "DENY"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", NOTHING_PERMITTED),
];

/// The page's own files run, and nothing that stands in a page itself.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// The features a page can be without; this one is without all of them. A name Chromium does not
/// know would be an error in its console.
const NOTHING_PERMITTED: &str = "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), \
    clipboard-write=(), compute-pressure=(), display-capture=(), encrypted-media=(), \
    fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), identity-credentials-get=(), \
    idle-detection=(), keyboard-map=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), \
    otp-credentials=(), payment=(), picture-in-picture=(), publickey-credentials-create=(), \
    publickey-credentials-get=(), screen-wake-lock=(), serial=(), storage-access=(), sync-xhr=(), \
    usb=(), window-management=(), xr-spatial-tracking=()";

/// Puts every field on an answer.
pub(crate) fn apply(headers: &mut HeaderMap) {
    for (name, value) in FIELDS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}
