//! The data for machines that a page carries: `<script type="application/ld+json">`.

use serde_json::Value;

use crate::html::{self, Piece};
use crate::text;

/// What there is of a page.
pub(crate) struct Page {
    /// Its own title.
    pub(crate) title: String,
    /// Each script that is JSON, in the order of the page.
    pub(crate) data: Vec<Value>,
}

/// Reads a page. A script that is no JSON is passed over; the others count.
pub(crate) fn read(html: &str) -> Page {
    let pieces = html::pieces(html);
    // What stands in a script or a title is one text.
    let texts = |fits: fn(&str, Option<&str>) -> bool| {
        pieces.windows(2).filter_map(move |pair| match pair {
            [Piece::Begins(name, kind), Piece::Text(text)] if fits(name, kind.as_deref()) => {
                Some(text.as_str())
            }
            _ => None,
        })
    };
    let is_data = |name: &str, kind: Option<&str>| {
        let kind = kind.map(|it| it.trim().to_lowercase());
        name == "script" && kind.is_some_and(|it| it.starts_with("application/ld+json"))
    };
    let title = texts(|name, _| name == "title").next().map(text::line).unwrap_or_default();
    Page { title, data: texts(is_data).filter_map(parse).collect() }
}

/// Parses a script. Pages write line breaks and other control characters into their strings as they
/// are, which JSON forbids and browsers' readers of it are not asked about: they are taken as what
/// they stand for. Nothing else is mended.
fn parse(script: &str) -> Option<Value> {
    let script = script.trim().trim_start_matches('\u{FEFF}').trim_end_matches(';');
    serde_json::from_str(script).or_else(|_| serde_json::from_str(&escape_controls(script))).ok()
}

fn escape_controls(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in script.chars() {
        match character {
            '\n' | '\r' if in_string => out.push_str("\\n"),
            _ if in_string && character.is_control() => out.push(' '),
            _ => out.push(character),
        }
        let quotes = character == '"' && !escaped;
        escaped = in_string && character == '\\' && !escaped;
        in_string ^= quotes;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_count_as_what_they_stand_for_inside_strings_only() {
        let value = parse("{\n\"a\": \"one\ntwo\tthree \\\" \\\\\" }").unwrap();
        assert_eq!(value["a"], "one\ntwo three \" \\");
    }

    #[test]
    fn what_is_no_json_is_not_mended() {
        for script in ["{\"a\":\"unterminated", "{'a':1}", "{\"a\":1,}", "<!-- {} -->"] {
            assert_eq!(parse(script), None, "{script}");
        }
    }
}
