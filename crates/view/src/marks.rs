//! Text a model wrote, with everything the eye would miss turned into a label.

use std::fmt::Write as _;

/// Text in which invisible and deceptive characters are pieces of their own.
///
/// Nothing is removed: a character is either in a [`Piece::Text`] or named by a mark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marked(pub Vec<Piece>);

/// A piece of [`Marked`] text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// What can be read as it is.
    Text(String),
    /// A character that cannot be seen, or that moves others, by its name.
    Mark {
        /// As in "U+200B zero width space".
        label: String,
    },
    /// A line break.
    Break,
}

/// Blanks in a row from which on they are counted instead of shown.
const BLANKS_SHOWN_MAX: usize = 2;

impl Marked {
    /// Marks a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut pieces = Pieces::default();
        let last = text.trim_end_matches(' ').len();
        let mut before = None;
        let mut rest = text.char_indices().peekable();
        while let Some((at, character)) = rest.next() {
            if character == ' ' {
                let mut blanks = 1;
                while rest.next_if(|(_, next)| *next == ' ').is_some() {
                    blanks += 1;
                }
                if at == 0 || at >= last || blanks > BLANKS_SHOWN_MAX {
                    pieces.mark(if blanks == 1 {
                        "1 space".to_owned()
                    } else {
                        format!("{blanks} spaces")
                    });
                } else {
                    (0..blanks).for_each(|_| pieces.text(' '));
                }
            } else if character == '\n' {
                pieces.flush();
                pieces.done.push(Piece::Break);
            } else if let Some(name) = name_of_hidden(character)
                && !belongs(before, character, rest.peek().map(|(_, next)| *next))
            {
                pieces.mark(name);
                // What follows it belongs to nothing that is seen.
                before = None;
                continue;
            } else {
                pieces.text(character);
            }
            before = Some(character);
        }
        pieces.flush();
        Self(pieces.done)
    }

    /// Our own words, which need no marks.
    #[must_use]
    pub fn ours(text: &str) -> Self {
        Self(vec![Piece::Text(text.to_owned())])
    }

    /// This and then that.
    #[must_use]
    pub fn and(mut self, that: Self) -> Self {
        self.0.extend(that.0);
        self
    }

    /// One after the other, with our own words in between.
    #[must_use]
    pub fn joined(all: impl IntoIterator<Item = Self>, between: &str) -> Self {
        let mut all = all.into_iter();
        let first = all.next().unwrap_or_default();
        all.fold(first, |joined, next| joined.and(Self::ours(between)).and(next))
    }

    /// As it is read aloud: marks by their labels.
    #[must_use]
    pub fn spoken(&self) -> String {
        let mut spoken = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => spoken.push_str(text),
                Piece::Mark { label } => {
                    let _ = write!(spoken, " {label} ");
                }
                Piece::Break => spoken.push_str(" line break "),
            }
        }
        spoken
    }

    /// Whether something in it is marked.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Mark { .. }))
    }

    /// How many line breaks are in it.
    #[must_use]
    pub fn breaks(&self) -> usize {
        self.0.iter().filter(|piece| matches!(piece, Piece::Break)).count()
    }
}

#[derive(Default)]
struct Pieces {
    done: Vec<Piece>,
    open: String,
}

impl Pieces {
    fn text(&mut self, character: char) {
        self.open.push(character);
    }

    fn mark(&mut self, label: String) {
        self.flush();
        self.done.push(Piece::Mark { label });
    }

    fn flush(&mut self) {
        if !self.open.is_empty() {
            self.done.push(Piece::Text(std::mem::take(&mut self.open)));
        }
    }
}

/// The name of a character that cannot be seen or that moves others; `None` for what can be read.
fn name_of_hidden(character: char) -> Option<String> {
    let code = u32::from(character);
    let name = match code {
        0x09 => "tab",
        0x00..=0x1F | 0x7F => {
            let picture = if code == 0x7F { 0x2421 } else { 0x2400 + code };
            let picture = char::from_u32(picture).unwrap_or(char::REPLACEMENT_CHARACTER);
            return Some(format!("{picture} U+{code:04X}"));
        }
        0x80..=0x9F => "control",
        0x00A0 => "no-break space",
        0x00AD => "soft hyphen",
        0x034F => "grapheme joiner",
        0x061C | 0x200E | 0x200F => "direction mark",
        0x202A..=0x202E | 0x2066..=0x2069 => "direction change",
        0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x3164 | 0xFFA0 => "invisible filler",
        0x180B..=0x180F | 0xFE00..=0xFE0F | 0xE0100..=0xE01EF => "variation selector",
        0x200B => "zero width space",
        0x200C => "zero width non-joiner",
        0x200D => "zero width joiner",
        0x2028 | 0x2029 => "line separator",
        0x2060 => "word joiner",
        0x2061..=0x2065 | 0x206A..=0x206F => "invisible control",
        0x1680 | 0x2000..=0x200A | 0x202F | 0x205F | 0x3000 => "unusual space",
        0xFEFF => "byte order mark",
        0xFFF9..=0xFFFB => "annotation control",
        0xE000..=0xF8FF | 0xF0000..=0x10FFFF => "private use",
        0xE0000..=0xE007F => "invisible tag",
        _ => return None,
    };
    Some(format!("U+{code:04X} {name}"))
}

/// Whether a hidden character is part of ordinary writing where it stands: joiners and selectors
/// within emoji, joiners within scripts that are written with them, tags within a flag.
fn belongs(before: Option<char>, character: char, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    match u32::from(character) {
        0xFE0E | 0xFE0F => is_emoji(before) || matches!(before, '0'..='9' | '#' | '*'),
        0x200D => {
            let after = after.unwrap_or(' ');
            (is_emoji(before) || u32::from(before) == 0xFE0F) && is_emoji(after)
                || is_joining(before) && is_joining(after)
        }
        0x200C => is_joining(before) && after.is_some_and(is_joining),
        0xE0020..=0xE007F => {
            before == '\u{1F3F4}' || matches!(u32::from(before), 0xE0020..=0xE007E)
        }
        _ => false,
    }
}

fn is_emoji(character: char) -> bool {
    matches!(u32::from(character), 0x2190..=0x2BFF | 0x3030 | 0x303D | 0x1F000..=0x1FAFF)
}

/// Arabic and its neighbours, the Indic scripts: written with joiners.
fn is_joining(character: char) -> bool {
    matches!(u32::from(character), 0x0600..=0x08FF | 0x0900..=0x0DFF | 0x1000..=0x109F)
        && name_of_hidden(character).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Piece]) {
        assert_eq!(Marked::of(text).0, expected, "{text:?}");
    }

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn mark(label: &str) -> Piece {
        Piece::Mark { label: label.to_owned() }
    }

    #[test]
    fn what_can_be_read_stays_as_it_is() {
        for plain in ["crème fraîche", "豆腐", "חלב", "1 1/2 lb", "a  b", "می‌خواهم", "❤️", "👩‍🍳"]
        {
            check(plain, &[text(plain)]);
        }
    }

    #[test]
    fn every_control_character_has_a_mark_of_its_own() {
        for code in (0..=0x1F).chain(0x7F..=0x9F) {
            let character = char::from_u32(code).expect("a character");
            let marked = Marked::of(&format!("a{character}b"));
            assert_eq!(marked.0.len(), 3, "U+{code:04X}");
            assert_ne!(marked.0[1], text(&character.to_string()), "U+{code:04X}");
        }
    }

    #[test]
    fn direction_changes_and_zero_width_are_marked_in_every_place() {
        let hidden = "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\
                      \u{2067}\u{2068}\u{2069}\u{200B}\u{2060}\u{2064}\u{FEFF}\u{180E}\u{3164}\
                      \u{FFA0}\u{AD}";
        for character in hidden.chars() {
            for shape in ["xab", "axb", "abx"] {
                let marked = Marked::of(&shape.replace('x', &character.to_string()));
                assert_eq!(
                    marked.0.iter().filter(|piece| matches!(piece, Piece::Mark { .. })).count(),
                    1,
                    "{character:?} in {shape}"
                );
            }
        }
    }

    #[test]
    fn tags_and_selectors_are_marked_outside_a_flag_and_an_emoji() {
        for code in (0xE0000..=0xE007F).chain(0xFE00..=0xFE0F).chain(0xE0100..=0xE01EF) {
            let character = char::from_u32(code).expect("a character");
            assert!(Marked::of(&format!("a{character}b")).has_marks(), "U+{code:04X}");
        }
        let tags = Marked::of("milk\u{E0041}\u{E0042}\u{E0043}");
        assert!(tags.spoken().contains("U+E0043"), "each of a row is marked: {tags:?}");
        let wales = "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}";
        check(wales, &[text(wales)]);
    }

    #[test]
    fn blanks_are_counted_where_the_eye_cannot() {
        check("milk   rm", &[text("milk"), mark("3 spaces"), text("rm")]);
        check(" milk ", &[mark("1 space"), text("milk"), mark("1 space")]);
    }

    #[test]
    fn a_line_break_is_a_piece_and_a_name_is_read_aloud() {
        check("a\nb", &[text("a"), Piece::Break, text("b")]);
        assert_eq!(Marked::of("m\u{200B}").spoken(), "m U+200B zero width space ");
    }
}
