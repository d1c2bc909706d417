//! One amount at a place in a line: a number or a range, and its unit.

use num_rational::Ratio;

use super::super::Measure;
use super::super::line::Line;
use super::super::words::Words;
use crate::quantity::unit::Unit;
use crate::quantity::{Number, Span, number};

/// What words before a unit there may be at most.
const WORDS_BEFORE_MAX: usize = 4;

/// Reads amounts at places in a line.
pub(super) struct Reader<'a> {
    pub(super) line: &'a Line,
    pub(super) words: &'a Words,
}

impl Reader<'_> {
    /// A number and its unit, if it has one.
    pub(super) fn measure(&self, at: usize) -> Option<(Measure, usize)> {
        let at = self.past_about(at);
        if let Some(measure) = self.unit_first(at) {
            return Some(measure);
        }
        let (mut span, next) = self.span(at)?;
        let Some((unit, next)) = self.unit_behind(next) else {
            let span = with_thirds(span);
            return Some((Measure { span: Some(span), unit: bare()? }, next));
        };
        let mut next = self.past_twice(next);
        // 一个半: the half stands behind the unit.
        if let Some(part) = self.line.number(next).filter(|part| *part < Ratio::from(1))
            && !self.line.is_apart(next)
        {
            span = Span { from: number::add(span.from, part)?, to: number::add(span.to, part)? };
            next += 1;
        }
        let span = if unit.is_metric() { span } else { with_thirds(span) };
        let measure = Measure { span: Some(span), unit };
        Some(self.up_to(measure, next).unwrap_or((measure, next)))
    }

    /// Past a unit that stands there twice, as in "200 g g Feta".
    fn past_twice(&self, next: usize) -> usize {
        let is_twice = next > 0 && self.line.lower(next) == self.line.lower(next - 1);
        let is_unit = is_twice && self.line.unit(next).is_some();
        next + usize::from(is_unit && next + 1 < self.line.len())
    }

    /// "1 tablespoon to 2 tablespoons".
    fn up_to(&self, from: Measure, at: usize) -> Option<(Measure, usize)> {
        let after = self.range(at)?;
        let (span, next) = self.span(after)?;
        let (unit, next) = self.unit_behind(next)?;
        let least = from.span?;
        let goes_on = unit.name == from.unit.name && least.is_one() && span.from > least.from;
        let span = Span { from: least.from, to: span.to };
        goes_on.then_some((Measure { span: Some(span), ..from }, next))
    }

    /// 小さじ1/4, 大さじ1と1/2.
    fn unit_first(&self, at: usize) -> Option<(Measure, usize)> {
        let (unit, next) = self.line.unit(at).filter(|(unit, _)| unit.is_said_first())?;
        let (span, next) = self.span(next)?;
        Some((Measure { span: Some(span), unit }, next))
    }

    /// A measure without a number, as in "a pinch of".
    pub(super) fn vague(&self, at: usize) -> Option<(Measure, usize)> {
        let at = self.past(at, &[self.words.about, self.words.articles, self.words.sizes]);
        let (unit, next) = self.line.unit(at)?;
        let written = self.line.slice(at..next)?.trim_end_matches('.').to_lowercase();
        let known = self.words.vague.iter().any(|it| it.trim_end_matches('.') == written);
        known.then_some((Measure { span: None, unit }, next))
    }

    /// Sizes that are the same, as in `400g/14oz`, or a single one.
    pub(super) fn sizes(&self, at: usize) -> Option<(Vec<Measure>, usize)> {
        let (first, mut next) =
            self.measure(at).filter(|(it, _)| it.unit.is_size() || it.unit.is_container())?;
        let mut sizes = vec![first];
        loop {
            let skip =
                self.line.is_sign(next, "/,;-") || self.line.after(next, self.words.or).is_some();
            let measure = self.measure(next + usize::from(skip));
            let Some((measure, after)) = measure.filter(|(it, _)| it.unit.is_size()) else {
                return Some((sizes, next));
            };
            sizes.push(measure);
            next = after;
        }
    }

    /// Sizes in parentheses behind others, as in "One 15 oz (420g) can".
    pub(super) fn again_in_parentheses(&self, at: usize) -> Option<(Vec<Measure>, usize)> {
        let (sizes, next) = self.line.is_sign(at, "(").then(|| self.sizes(at + 1)).flatten()?;
        self.line.is_sign(next, ")").then_some((sizes, next + 1))
    }

    /// How many containers: a number without a unit.
    pub(super) fn count(&self, at: usize) -> Option<(Measure, usize)> {
        let at = self.past(at, &[self.words.about]);
        let (span, next) = self.span(at)?;
        let next = self.past(next, &[self.words.articles, self.words.sizes]);
        Some((Measure { span: Some(span), unit: bare()? }, next))
    }

    /// Whether what is counted may have its unit in the name: "2 (6 oz) fillets".
    pub(super) fn has_plain_unit(&self, count: &Measure) -> bool {
        count.span.is_none()
    }

    /// A number or a range.
    fn span(&self, at: usize) -> Option<(Span, usize)> {
        let (from, next) = self.number(at)?;
        if let Some((to, next)) = self.range(next).and_then(|after| self.number(after)) {
            if to > from {
                return Some((Span { from, to }, next));
            }
            // `1-1/2` is one and a half.
            if from.is_integer()
                && to < Ratio::from(1)
                && !self.line.is_word(next.saturating_sub(2))
            {
                return Some((Span::one(number::add(from, to)?), next));
            }
        }
        (from > Ratio::from(0)).then_some((Span::one(from), next))
    }

    /// A number in digits or words, and the part that is added to it: "1 and 1/2".
    fn number(&self, at: usize) -> Option<(Number, usize)> {
        let (number, next) = self.plain_number(at)?;
        let part = self.line.after(next, self.words.plus).and_then(|after| {
            let after = self.line.after(after, self.words.articles).unwrap_or(after);
            self.plain_number(after).filter(|(part, _)| *part < Ratio::from(1))
        });
        match part.filter(|(part, _)| number.is_integer() && !part.is_integer()) {
            Some((part, next)) => Some((number::add(number, part)?, next)),
            None => Some((number, next)),
        }
    }

    fn plain_number(&self, at: usize) -> Option<(Number, usize)> {
        if let Some(number) = self.line.number(at) {
            return Some((number, at + 1));
        }
        let known = self.words.numbers.iter().filter_map(|(word, above, below)| {
            Some((self.line.after(at, &[word])?, Number::new(*above, *below)))
        });
        let (next, number) = known.max_by_key(|(next, _)| *next)?;
        // "half and half" is cream.
        let is_name = number < Ratio::from(1) && self.line.after(next, self.words.and).is_some();
        let next = self.line.after(next, self.words.articles).unwrap_or(next);
        (!is_name).then_some((number, next))
    }

    /// Past what stands between the ends of a range.
    fn range(&self, at: usize) -> Option<usize> {
        if self.line.is_sign(at, "/") {
            let is_range =
                self.line.number(at + 1) > at.checked_sub(1).and_then(|it| self.line.number(it));
            return (is_range && !self.line.is_apart(at)).then_some(at + 1);
        }
        let is_dash = self.line.is_sign(at, "-–—~");
        let at = at + usize::from(is_dash);
        let word = self.line.after(at, self.words.ranges);
        if is_dash { Some(word.unwrap_or(at)) } else { word }
    }

    /// The unit behind a number: joined by a hyphen, and with how large or full it is before it.
    pub(super) fn unit_behind(&self, at: usize) -> Option<(&'static Unit, usize)> {
        let is_joined = self.line.is_sign(at, "-") && !self.line.is_apart(at);
        let at = at + usize::from(is_joined);
        if let Some(unit) = self.line.unit(at) {
            return Some(unit);
        }
        let past = self
            .past(at, &[self.words.about, self.words.sizes, self.words.articles, self.words.of]);
        (past > at).then(|| self.line.unit(past)).flatten()
    }

    /// Past the shape of a piece, as in `10 3/4-inch-thick (roughly) slices`.
    pub(super) fn past_shape(&self, at: usize) -> (bool, usize) {
        let joined = at + usize::from(self.line.is_sign(at, "-"));
        let shape = ["thick", "long", "wide", "square", "diameter"];
        let Some(mut next) = self.line.after(joined, &shape) else { return (false, at) };
        if self.line.is_sign(next, "(") {
            next =
                (next..self.line.len()).find(|it| self.line.is_sign(*it, ")")).unwrap_or(next) + 1;
        }
        (true, next)
    }

    /// Whether what stands here is said not to be exact.
    pub(super) fn is_about(&self, at: usize) -> bool {
        self.line.after(at, self.words.about).is_some()
    }

    /// Past what says that an amount is not exact, if an amount follows.
    fn past_about(&self, at: usize) -> usize {
        let past = self.past(at, &[self.words.about, self.words.articles]);
        let past = past + usize::from(self.line.is_sign(past, "~±"));
        let is_amount = self.plain_number(past).is_some();
        if is_amount { past } else { at }
    }

    fn past(&self, at: usize, phrases: &[&[&str]]) -> usize {
        let mut at = at;
        for _ in 0..WORDS_BEFORE_MAX {
            match phrases.iter().find_map(|phrases| self.line.after(at, phrases)) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }
}

/// The unit of things that are counted.
fn bare() -> Option<&'static Unit> {
    Unit::named("", None)
}

/// A decimal that stands for thirds is the fraction: 0.67 cups are two thirds.
fn with_thirds(span: Span) -> Span {
    Span { from: with_third(span.from), to: with_third(span.to) }
}

fn with_third(number: Number) -> Number {
    const THIRDS: &[(u64, u64, u64)] = &[
        (33, 100, 1),
        (333, 1000, 1),
        (3333, 10_000, 1),
        (66, 100, 2),
        (67, 100, 2),
        (666, 1000, 2),
        (667, 1000, 2),
        (6667, 10_000, 2),
    ];
    let third =
        THIRDS.iter().find(|(above, below, _)| number.fract() == Ratio::new(*above, *below));
    third.map_or(number, |(_, _, thirds)| number.trunc() + Ratio::new(*thirds, 3))
}
