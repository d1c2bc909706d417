//! The pieces of a line: words, code, strong and struck words, links.

use super::Inline;

/// Nesting from which on marks are words: deeper than any text for people.
const DEPTH_MAX: usize = 16;

/// Reads a paragraph; its lines are parted by line breaks.
pub(super) fn read(text: &str) -> Vec<Inline> {
    let mut reader = Reader { text, at: 0, hopeless: Vec::new(), done: Vec::new() };
    reader.run(0);
    reader.done
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Marks that are not closed again in this text. They are looked for once and not once each, so
    /// that reading takes no longer than the text is long.
    hopeless: Vec<&'static str>,
    done: Vec<Inline>,
}

/// Marks that come in pairs, longest first.
const PAIRS: [&str; 5] = ["**", "__", "~~", "*", "_"];

impl<'a> Reader<'a> {
    fn run(&mut self, depth: usize) {
        while let Some(next) = self.rest().chars().next() {
            let taken = match next {
                '\\' => self.escape(),
                '`' => self.code(),
                '\n' => self.line_break(),
                '!' => self.image(),
                '[' if depth < DEPTH_MAX => self.link(depth),
                '<' => self.address(),
                '&' => self.entity(),
                '*' | '_' | '~' if depth < DEPTH_MAX => self.pair(depth),
                _ => false,
            };
            if !taken {
                self.words(next.encode_utf8(&mut [0; 4]));
                self.at += next.len_utf8();
            }
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn words(&mut self, words: &str) {
        if let Some(Inline::Text(text)) = self.done.last_mut() {
            text.push_str(words);
        } else {
            self.done.push(Inline::Text(words.to_owned()));
        }
    }

    fn escape(&mut self) -> bool {
        let Some(next) = self.rest().chars().nth(1) else { return false };
        if next == '\n' {
            self.done.push(Inline::Break);
        } else if next.is_ascii_punctuation() {
            self.words(next.encode_utf8(&mut [0; 4]));
        } else {
            return false;
        }
        self.at += 1 + next.len_utf8();
        true
    }

    /// A line that ends with two blanks breaks; any other goes on.
    fn line_break(&mut self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        if before.ends_with("  ") {
            if let Some(Inline::Text(text)) = self.done.last_mut() {
                text.truncate(text.trim_end().len());
            }
            self.done.push(Inline::Break);
        } else {
            self.words(" ");
        }
        self.at += 1;
        true
    }

    fn code(&mut self) -> bool {
        let rest = self.rest();
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let Some((fence, after)) = rest.split_at_checked(ticks) else { return false };
        let mut from = 0;
        while let Some(found) = after.get(from..).and_then(|it| it.find(fence)) {
            let (start, end) = (from + found, from + found + ticks);
            let longer = after.get(end..).unwrap_or_default();
            let more = longer.len() - longer.trim_start_matches('`').len();
            if more == 0 {
                let code = after.get(..start).unwrap_or_default().replace('\n', " ");
                self.done.push(Inline::Code(code.trim().to_owned()));
                self.at += ticks + end;
                return true;
            }
            from = end + more;
        }
        self.words(fence);
        self.at += ticks;
        true
    }

    /// Whether the sign that closes a mark comes at all.
    fn may_close(&mut self, mark: &'static str, closes: char, after: &str) -> bool {
        if self.hopeless.contains(&mark) {
            return false;
        }
        let may = after.contains(closes);
        if !may {
            self.hopeless.push(mark);
        }
        may
    }

    fn image(&mut self) -> bool {
        let Some(after) = self.rest().strip_prefix("![") else { return false };
        if !self.may_close("[", ']', after) {
            return false;
        }
        let Some((words, url, len)) = bracketed(after) else { return false };
        self.words(&format!("{words} ({url})"));
        self.at += 2 + len;
        true
    }

    fn link(&mut self, depth: usize) -> bool {
        let Some(after) = self.rest().strip_prefix('[') else { return false };
        if !self.may_close("[", ']', after) {
            return false;
        }
        let Some((words, url, len)) = bracketed(after) else { return false };
        let words = inside(words, depth);
        self.push_link(url, words);
        self.at += 1 + len;
        true
    }

    fn address(&mut self) -> bool {
        let rest = self.rest();
        if !rest.starts_with("<https://") {
            return false;
        }
        let url = rest.get(1..).and_then(|it| Some(it.split_once('>')?.0));
        let Some(url) = url.filter(|url| super::host_of(url).is_some()) else { return false };
        self.push_link(url, vec![Inline::Text(url.to_owned())]);
        self.at += url.len() + 2;
        true
    }

    fn push_link(&mut self, url: &str, words: Vec<Inline>) {
        if let Some(host) = super::host_of(url) {
            let (url, host) = (url.to_owned(), host.to_owned());
            self.done.push(Inline::Link { url, host, words });
        } else {
            for word in words {
                match word {
                    Inline::Text(text) => self.words(&text),
                    Inline::Code(_)
                    | Inline::Strong(_)
                    | Inline::Struck(_)
                    | Inline::Link { .. }
                    | Inline::Break => self.done.push(word),
                }
            }
            self.words(&format!(" ({url})"));
        }
    }

    fn entity(&mut self) -> bool {
        const ENTITIES: [(&str, &str); 5] =
            [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'")];
        let rest = self.rest();
        let Some((name, sign)) = ENTITIES.iter().find(|(name, _)| rest.starts_with(name)) else {
            return false;
        };
        self.words(sign);
        self.at += name.len();
        true
    }

    fn pair(&mut self, depth: usize) -> bool {
        let rest = self.rest();
        let Some(mark) = PAIRS.into_iter().find(|mark| rest.starts_with(mark)) else {
            return false;
        };
        let before = self.text.get(..self.at).unwrap_or_default().chars().next_back();
        let after = rest.get(mark.len()..).unwrap_or_default();
        let opens = after.chars().next().is_some_and(|it| !it.is_whitespace())
            && (!mark.starts_with('_') || !before.is_some_and(char::is_alphanumeric));
        let end = if opens && !self.hopeless.contains(&mark) { closing(after, mark) } else { None };
        let Some(end) = end else {
            if opens {
                self.hopeless.push(mark);
            }
            self.words(mark);
            self.at += mark.len();
            return true;
        };
        let inner = inside(after.get(..end).unwrap_or_default(), depth);
        self.done.push(if mark == "~~" { Inline::Struck(inner) } else { Inline::Strong(inner) });
        self.at += 2 * mark.len() + end;
        true
    }
}

fn inside(text: &str, depth: usize) -> Vec<Inline> {
    let mut reader = Reader { text, at: 0, hopeless: Vec::new(), done: Vec::new() };
    reader.run(depth + 1);
    reader.done
}

/// Where a pair of marks closes again: after a word, and not as a part of a longer mark.
fn closing(text: &str, mark: &str) -> Option<usize> {
    let sign = mark.chars().next()?;
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find(mark) {
        let at = from + found;
        let before = text.get(..at)?.chars().next_back();
        let after = text.get(at + mark.len()..)?.chars().next();
        let closes = before.is_some_and(|it| !it.is_whitespace() && it != '\\')
            && (sign != '_' || !after.is_some_and(char::is_alphanumeric));
        if mark.len() == 1 && after == Some(sign) {
            from = at + 2;
        } else if closes {
            return Some(at);
        } else {
            from = at + mark.len();
        }
    }
    None
}

/// The words and the address after an opening bracket, and how long both are with their signs.
fn bracketed(after: &str) -> Option<(&str, &str, usize)> {
    let words = balanced(after, '[', ']')?;
    let target = after.get(words.len() + 1..)?.strip_prefix('(')?;
    let (url, end) = if let Some(pointed) = target.strip_prefix('<') {
        let url = pointed.get(..pointed.find('>')?)?;
        let title = balanced(pointed.get(url.len() + 1..)?, '(', ')')?;
        (url, 1 + url.len() + 1 + title.len())
    } else {
        let inside = balanced(target, '(', ')')?;
        (inside.split_whitespace().next().unwrap_or_default(), inside.len())
    };
    Some((words, url, words.len() + 1 + 1 + end + 1))
}

/// What stands before the sign that closes, where others of its kind open and close in between.
fn balanced(text: &str, opens: char, closes: char) -> Option<&str> {
    let mut depth = 1_u32;
    for (at, sign) in text.char_indices().take(BRACKETED_MAX) {
        if sign == opens {
            depth += 1;
        } else if sign == closes {
            depth -= 1;
        }
        if depth == 0 {
            return text.get(..at);
        }
    }
    None
}

/// How far the end of a bracket is looked for, in characters.
const BRACKETED_MAX: usize = 1_000;
