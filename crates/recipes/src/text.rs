//! Text as a person reads it: entities decoded, tags dropped, blanks made one.

use crate::html::{self, Piece};

/// Elements that begin a new line.
const BLOCKS: [&str; 14] =
    ["br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "section"];
/// Elements whose text nobody reads.
const HIDDEN: [&str; 3] = ["script", "style", "template"];

/// All of it as one line.
pub(crate) fn line(text: &str) -> String {
    lines(text).join(" ")
}

/// Its lines, without the empty ones.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let plain = plain(text);
    let lines = plain.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The text without its markup, where it has any. Some pages escape what they have escaped before,
/// so what comes out is read once more.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..2 {
        if !text.contains(['<', '&']) {
            break;
        }
        text = without_markup(&text);
    }
    text.chars().filter(|it| !is_noise(*it)).collect()
}

fn without_markup(text: &str) -> String {
    let mut out = String::new();
    let mut is_hidden = false;
    for piece in html::pieces(text) {
        match piece {
            Piece::Text(text) if !is_hidden => out.push_str(&text),
            Piece::Text(_) => {}
            Piece::Begins(name, _) | Piece::Ends(name) if BLOCKS.contains(&name.as_str()) => {
                out.push('\n');
            }
            Piece::Begins(name, _) => is_hidden |= HIDDEN.contains(&name.as_str()),
            Piece::Ends(name) => is_hidden &= !HIDDEN.contains(&name.as_str()),
        }
    }
    out
}

/// Characters that stand for nothing a person sees, other than line breaks and tabs.
fn is_noise(character: char) -> bool {
    let shows = matches!(character, '\n' | '\r' | '\t');
    matches!(character, '\u{AD}' | '\u{200B}' | '\u{FEFF}') || character.is_control() && !shows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_entities_become_what_they_stand_for() {
        for (text, read) in [
            ("2 cups <a href=\"x\">rye  flour</a>", "2 cups rye flour"),
            ("l&#x27;orange &amp; &frac12;", "l'orange & ½"),
            ("d&amp;#39;ail", "d'ail"),
            ("salt & pepper", "salt & pepper"),
            ("1 < 2", "1 < 2"),
            (" a\u{a0}b\u{200b}\n", "a b"),
            ("<script>alert(1)</script>eggs", "eggs"),
        ] {
            assert_eq!(line(text), read);
        }
    }

    #[test]
    fn blocks_are_lines() {
        assert_eq!(
            lines("<ol><li>Stir.</li><li>Wait.<br>Serve.</li></ol>"),
            ["Stir.", "Wait.", "Serve."]
        );
        assert_eq!(lines("\r\nOne\r\n\r\n two \n"), ["One", "two"]);
    }
}
