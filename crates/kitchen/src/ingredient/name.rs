//! The name in a line: where it begins behind the amounts, and where it is over.

use std::ops::Range;

use super::amounts::{self, Found};
use super::line::Line;
use super::words::Words;
use crate::quantity::unit::Unit;

/// Where the name stands, and what else the line says.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: Range<usize>,
    pub(super) note: Range<usize>,
}

/// Finds the name. A unit that stands behind it goes to the amounts.
pub(super) fn find(line: &Line, words: &Words, found: &mut Found) -> Named {
    let sizes = found.counts() || words.sizes_of_weighed && found.is_before_the_name();
    let done = !found.holds();
    let is_spoon = found.amounts.first().is_some_and(|it| ["tsp", "tbsp"].contains(&it.unit.name));
    let finder = Finder { line, words, to: found.to, sizes, done, is_spoon };
    let from = finder.begin(found.from);
    let end = finder.end(from);
    let end = finder.without_what_was_done(from, end);
    let unit = finder.unit_behind(from, end).filter(|(unit, _)| found.take_unit(unit));
    let (end, note) = (unit.map_or(end, |(_, before)| before), end.max(found.past));
    // ⅓ cup olive oil plus ¼ cup olive oil.
    if let Some((measure, after)) = amounts::again(line, words, end)
        && line.slice(from..end) == line.slice(after..after + (end - from))
    {
        found.add(measure);
    }
    Named { name: from..end, note: note..line.len() }
}

struct Finder<'a> {
    line: &'a Line,
    words: &'a Words,
    to: usize,
    /// Whether how large a thing is is no part of its name.
    sizes: bool,
    /// Whether what was done to it is not: a can of diced tomatoes is bought as such.
    done: bool,
    is_spoon: bool,
}

impl Finder<'_> {
    /// Past what stands between an amount and a name, and past what was done to the thing.
    fn begin(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            let next = self.past_link(at).unwrap_or(at);
            let next = self.past_what_was_done(next).unwrap_or(next);
            // Something must be left to name.
            if next == at || next >= self.to {
                return at;
            }
            at = next;
        }
    }

    fn past_link(&self, at: usize) -> Option<usize> {
        let line = self.line;
        if line.is_sign(at, "(") {
            let close = (at..self.to).find(|it| line.is_sign(*it, ")"))?;
            return (close + 1 < self.to).then_some(close + 1);
        }
        if line.is_sign(at, "|") {
            // 1 colher (sopa) | colheres (sopa): for one and for several.
            return line.unit(at + 1).map(|(_, next)| next);
        }
        if line.is_sign(at, "+") {
            return line.after(at + 1, &["q b", "q.b"]);
        }
        if line.is_sign(at, ".-,*x/") || line.is_sign(at, "–") {
            return Some(at + 1);
        }
        let words = self.words;
        let linked = line.after(at, words.of).or_else(|| line.after(at, words.elisions));
        let sizes = || line.after(at, words.sizes).filter(|_| self.sizes);
        let linked = linked.or_else(|| line.after(at, words.full).filter(|_| self.is_spoon));
        linked.or_else(sizes).or_else(|| line.after(at, words.articles))
    }

    /// Past "finely chopped and" and the like.
    fn past_what_was_done(&self, at: usize) -> Option<usize> {
        let (line, words) = (self.line, self.words);
        if !self.done || line.after(at, words.products).is_some() {
            return None;
        }
        let done = line.after(at, words.before).or_else(|| {
            let mut next = at;
            while let Some(after) = line.after(next, words.adverbs) {
                next = after;
            }
            line.after(next, words.before)
        })?;
        let joint = line.after(done, words.and).or_else(|| line.after(done, words.or));
        let joint = joint.or_else(|| line.is_sign(done, ",").then_some(done + 1));
        let goes_on = joint.filter(|joint| self.past_what_was_done(*joint).is_some());
        let next = goes_on.unwrap_or(done);
        // "2 cups chopped, fresh parsley" goes on, "leftovers, chopped, warm" does not begin so.
        (next < self.to && !line.is_sign(next, ";")).then_some(next)
    }

    /// Where the name is over.
    fn end(&self, from: usize) -> usize {
        let mut at = from + 1;
        while at < self.to {
            if let Some(past) = self.past_aside(from, at) {
                at = past;
            } else if self.is_end(at) {
                return at;
            } else {
                at += 1;
            }
        }
        self.to
    }

    /// Past a parenthesis or comma that the name goes on behind: "red (or white) wine", "fresh, ripe
    /// figs", "corn, peanut or vegetable oil".
    fn past_aside(&self, from: usize, at: usize) -> Option<usize> {
        let line = self.line;
        if !line.is_sign(at, ",(") {
            return None;
        }
        let names_nothing = (from..at).all(|it| line.after(it, self.words.alone) == Some(it + 1));
        if line.is_sign(at, "(") {
            let close = (at..self.to).find(|it| line.is_sign(*it, ")"))?;
            return (names_nothing && line.is_word(close + 1)).then_some(close + 1);
        }
        let next = (at + 1..self.to).find(|it| line.is_word(*it))?;
        let goes_on =
            names_nothing && self.past_what_was_done(next).is_none() && !self.is_end(next);
        (goes_on || self.is_list(at)).then_some(at + 1)
    }

    /// Whether a comma stands between names of which one is meant: "corn, peanut or vegetable oil".
    fn is_list(&self, comma: usize) -> bool {
        /// The most words of a name before the "or".
        const WORDS_MAX: usize = 3;
        let (line, words) = (self.line, self.words);
        let first = comma + 1;
        let is_other = line.after(first, words.alone).is_some()
            || line.after(first, words.before).is_some()
            || line.after(first, words.adverbs).is_some()
            || line.after(first, words.after).is_some();
        let ends = |at: usize| !line.is_word(at) || line.after(at, words.ends).is_some();
        let or = (first + 1..=first + WORDS_MAX).find(|at| line.after(*at, words.or).is_some());
        let names = or.is_some_and(|or| (first..or).all(|at| !ends(at)) && line.is_word(or + 1));
        names && !is_other
    }

    fn is_end(&self, at: usize) -> bool {
        let (line, words) = (self.line, self.words);
        if line.is_sign(at, ",;(:*|") || line.is_sign(at, "-–—") && line.is_apart(at) {
            return true;
        }
        if line.is_sign(at, ".") && (at + 1 >= self.to || line.is_apart(at + 1)) {
            return true;
        }
        if line.after(at, words.ends).is_some() {
            return true;
        }
        // "butter 25 ml": the amount again.
        let unit = line.number(at).and_then(|_| line.unit(at + 1));
        if unit.is_some_and(|(unit, _)| unit.is_size()) {
            return true;
        }
        // "butter or 4 tbsp oil" goes on to another thing, "orange or lemon juice" does not.
        let or = line.after(at, words.or).or_else(|| line.after(at, words.plus));
        or.is_some_and(|next| line.number(next).is_some())
    }

    /// The end of the name without what was done to the thing, where that is said behind it.
    fn without_what_was_done(&self, from: usize, end: usize) -> usize {
        let (line, words) = (self.line, self.words);
        let mut end = end;
        while end > from + 1 {
            let ends_here = |start: &usize| {
                line.after(*start, words.after) == Some(end)
                    || line.after(*start, words.adverbs) == Some(end)
                    || line.after(*start, words.and) == Some(end)
                    || self.sizes
                        && !words.sizes_of_weighed
                        && line.after(*start, words.sizes) == Some(end)
            };
            let is_product = |start| line.after(start, words.products) == Some(end);
            if (from..end).any(is_product) {
                break;
            }
            let start = (from + 1..end).find(ends_here).filter(|start| end - start <= 4);
            match start {
                Some(start) => end = start,
                None => break,
            }
        }
        end
    }

    /// A unit at the end of the name, as in "garlic cloves", and where the name is then over.
    fn unit_behind(&self, from: usize, end: usize) -> Option<(&'static Unit, usize)> {
        let last = end.checked_sub(1).filter(|last| *last > from)?;
        self.line.after(last, self.words.behind)?;
        // "4 whole cloves" are a spice.
        let names_nothing =
            (from..last).all(|it| self.line.after(it, self.words.alone) == Some(it + 1));
        if names_nothing {
            return None;
        }
        Some((self.line.unit(last)?.0, last))
    }
}
