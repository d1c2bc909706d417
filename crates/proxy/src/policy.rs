//! The header fields that keep the page in its bounds: what it may load, run and be put into.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

const FIXED: [(&str, &str); 7] = [
    ("x-frame-options", "DENY"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", NOTHING_PERMITTED),
];

/// The features a page can be without; this one is without all of them. A name Chromium does not
/// know would be an error in its console.
const NOTHING_PERMITTED: &str = "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), \
    clipboard-write=(), compute-pressure=(), display-capture=(), encrypted-media=(), \
    fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), identity-credentials-get=(), \
    idle-detection=(), keyboard-map=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), \
    otp-credentials=(), payment=(), picture-in-picture=(), publickey-credentials-create=(), \
    publickey-credentials-get=(), screen-wake-lock=(), serial=(), storage-access=(), sync-xhr=(), \
    usb=(), window-management=(), xr-spatial-tracking=()";

/// The policy of one built page.
#[derive(Debug, Clone)]
pub(crate) struct Policy(Option<HeaderValue>);

impl Policy {
    /// A policy under which the inline scripts of `index` run, and no others.
    pub(crate) fn of(index: &[u8]) -> Self {
        let hashes: String = inline_scripts(&String::from_utf8_lossy(index))
            .into_iter()
            .map(|script| format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script))))
            .collect();
        let text = format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self'; \
             img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'"
        );
        Self(HeaderValue::try_from(text).ok())
    }

    /// Puts every field on an answer.
    pub(crate) fn apply(&self, headers: &mut HeaderMap) {
        for (name, value) in FIXED {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(policy) = &self.0 {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
    }
}

/// The texts between `<script>` and `</script>`, as a browser hashes them: with its line ends.
fn inline_scripts(html: &str) -> Vec<String> {
    let lower = html.to_ascii_lowercase();
    let mut scripts = Vec::new();
    let mut at = 0;
    while let Some(start) = lower.get(at..).and_then(|rest| rest.find("<script")) {
        let start = at + start + "<script".len();
        let Some(tag_length) = lower.get(start..).and_then(tag_length) else { break };
        let body = start + tag_length;
        let Some(length) = lower.get(body..).and_then(|rest| rest.find("</script")) else { break };
        let tag = lower.get(start..body).unwrap_or_default();
        if !has_source(tag) {
            let text = html.get(body..body + length).unwrap_or_default();
            scripts.push(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
        at = body + length;
    }
    scripts
}

/// How far it is to the end of a tag, `>` included, where quotes may hide a `>`.
fn tag_length(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in rest.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), close) if open == close => quote = None,
            (Some(_) | None, _) => {}
        }
    }
    None
}

fn has_source(tag: &str) -> bool {
    let mut names = tag.split([' ', '\t', '\n', '\r', '/', '\x0c']);
    names.any(|name| name == "src" || name.starts_with("src="))
}

#[cfg(test)]
mod tests {
    use super::inline_scripts;

    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        assert_eq!(inline_scripts(html), expected);
    }

    #[test]
    fn inline_scripts_are_found_whole_and_others_are_not() {
        check("<p>no script</p>", &[]);
        check("<script>a()</script>", &["a()"]);
        check("<SCRIPT TYPE=\"module\" data-x='>'>\n b > c \n</Script>", &["\n b > c \n"]);
        check("<script src=\"/app.js\"></script><script defer src=/b.js></script>", &[]);
        check("<script data-src=1>x</script>", &["x"]);
        check("<script>one</script> <script type=module>two</script >", &["one", "two"]);
        check("<script>never closed", &[]);
    }

    #[test]
    fn line_ends_are_those_a_browser_sees() {
        check("<script>a\r\nb\rc</script>", &["a\nb\nc"]);
    }
}
