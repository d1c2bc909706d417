//! The blocks of a text, line by line.

use super::{Block, is_fence};
use crate::markdown::inlines;

/// Nesting from which on quotes and lists are words: deeper than any text for people.
const DEPTH_MAX: usize = 16;

/// Reads lines.
pub(super) fn read(lines: &[&str], depth: usize) -> Vec<Block> {
    let mut reader = Reader { lines, at: 0, depth, done: Vec::new() };
    while reader.at < lines.len() {
        reader.block();
    }
    reader.done
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
    depth: usize,
    done: Vec<Block>,
}

/// What begins an item of a list.
struct Marker {
    /// The number of a numbered one.
    number: Option<u64>,
    /// How far its words are in, in bytes.
    width: usize,
}

impl<'a> Reader<'a> {
    fn block(&mut self) {
        let Some(line) = self.lines.get(self.at) else { return };
        let words = line.trim();
        if words.is_empty() {
            self.at += 1;
        } else if is_fence(words) {
            self.code(words);
        } else if let Some(title) = heading(words) {
            self.at += 1;
            self.done.push(Block::Heading(inlines::read(title)));
        } else if is_rule(words) {
            self.at += 1;
            self.done.push(Block::Rule);
        } else if words.starts_with('>') && self.depth < DEPTH_MAX {
            self.quote();
        } else if let Some(marker) = marker(line).filter(|_| self.depth < DEPTH_MAX) {
            self.list(&marker);
        } else if self.is_table() {
            self.table();
        } else {
            self.paragraph();
        }
    }

    /// The lines from here on that a condition holds for.
    fn take_while(&mut self, holds: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let taken: Vec<_> = rest.iter().copied().take_while(|line| holds(line)).collect();
        self.at += taken.len();
        taken
    }

    fn code(&mut self, opening: &str) {
        let sign = opening.get(..3).unwrap_or_default().to_owned();
        self.at += 1;
        let lines = self.take_while(|line| !line.trim().starts_with(&sign));
        self.at += 1;
        self.done.push(Block::Code(lines.join("\n")));
    }

    fn quote(&mut self) {
        let lines = self.take_while(|line| line.trim_start().starts_with('>'));
        let inner: Vec<_> = lines
            .iter()
            .map(|line| line.trim_start().trim_start_matches('>'))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        self.done.push(Block::Quote(read(&inner, self.depth + 1)));
    }

    fn list(&mut self, first: &Marker) {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get(self.at) {
            let Some(marker) = marker(line) else { break };
            if marker.number.is_some() != first.number.is_some() || is_rule(line.trim()) {
                break;
            }
            items.push(self.item(&marker));
        }
        self.done.push(Block::List(first.number, items));
    }

    /// An item: its first line, and the lines that are as far in or go on at once.
    fn item(&mut self, marker: &Marker) -> Vec<Block> {
        let first = self.lines.get(self.at).copied().unwrap_or_default();
        let mut inner = vec![first.get(marker.width..).unwrap_or_default()];
        self.at += 1;
        while let Some(line) = self.lines.get(self.at) {
            let is_in = indent(line) >= marker.width.min(2) && !line.trim().is_empty();
            let goes_on = self.lines.get(self.at + 1).is_some_and(|next| {
                line.trim().is_empty() && !next.trim().is_empty() && indent(next) >= 2
            });
            if is_in {
                inner.push(line.get(indent(line).min(marker.width)..).unwrap_or_default());
            } else if goes_on {
                inner.push("");
            } else if line.trim().is_empty() || begins_block(line) {
                break;
            } else {
                inner.push(line);
            }
            self.at += 1;
        }
        self.skip_blanks_before_item();
        read(&inner, self.depth + 1)
    }

    /// Blank lines between items belong to their list.
    fn skip_blanks_before_item(&mut self) {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let blank = rest.iter().take_while(|line| line.trim().is_empty()).count();
        if rest.get(blank).is_some_and(|next| marker(next).is_some()) {
            self.at += blank;
        }
    }

    fn is_table(&self) -> bool {
        let has_bar = |at: usize| self.lines.get(at).is_some_and(|line| line.contains('|'));
        has_bar(self.at)
            && has_bar(self.at + 1)
            && self.lines.get(self.at + 1).is_some_and(|line| {
                line.contains('-') && line.chars().all(|it| matches!(it, '|' | '-' | ':' | ' '))
            })
    }

    fn table(&mut self) {
        let lines = self.take_while(|line| line.contains('|'));
        let rows = lines.iter().enumerate().filter(|(at, _)| *at != 1).map(|(_, line)| {
            let line = line.trim();
            let line = line.strip_prefix('|').unwrap_or(line);
            let line = line.strip_suffix('|').unwrap_or(line);
            line.split('|').map(|cell| inlines::read(cell.trim())).collect()
        });
        self.done.push(Block::Table(rows.collect()));
    }

    fn paragraph(&mut self) {
        let first = self.lines.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        let more = self.take_while(|line| !line.trim().is_empty() && !begins_block(line));
        let mut text = first.trim_start().to_owned();
        for line in more {
            text.push('\n');
            text.push_str(line.trim_start());
        }
        self.done.push(Block::Paragraph(inlines::read(text.trim_end())));
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn heading(words: &str) -> Option<&str> {
    let title = words.trim_start_matches('#');
    let level = words.len() - title.len();
    let title = title.strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| title.trim_end_matches('#').trim())
}

fn is_rule(words: &str) -> bool {
    let sign = words.chars().next().filter(|it| matches!(it, '-' | '*' | '_'));
    sign.is_some_and(|sign| {
        words.chars().all(|it| it == sign || it == ' ')
            && words.chars().filter(|it| *it == sign).count() >= 3
    })
}

fn marker(line: &str) -> Option<Marker> {
    let words = line.trim_start_matches(' ');
    let digits = words.len() - words.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let (number, sign) = if (1..=9).contains(&digits) {
        let sign = words.get(digits..)?.chars().next().filter(|it| matches!(it, '.' | ')'))?;
        (Some(words.get(..digits)?.parse().ok()?), digits + sign.len_utf8())
    } else {
        words.chars().next().filter(|it| matches!(it, '-' | '*' | '+'))?;
        (None, 1)
    };
    let after = words.get(sign..)?;
    let blanks = indent(after).min(4);
    (blanks > 0 && !after.trim().is_empty())
        .then(|| Marker { number, width: indent(line) + sign + blanks })
}

/// Whether a line ends the paragraph before it.
fn begins_block(line: &str) -> bool {
    let words = line.trim();
    is_fence(words)
        || heading(words).is_some()
        || is_rule(words)
        || words.starts_with('>')
        || marker(line).is_some()
}
