//! How much: exact amounts in kitchen units, read from what people write and written back.
//!
//! Amounts add within a family of units (g and kg, ml and l, tsp and tbsp) and stand side by side
//! across families: cups of flour are never turned into grams. No amount is no amount, not one.

pub(crate) mod number;
pub(crate) mod unit;

use std::collections::BTreeMap;
use std::fmt;

use num_rational::Ratio;

use crate::language::{DecimalSign, Language};
use unit::{Family, Unit};

/// An exact number, never negative.
pub type Number = Ratio<u64>;

/// What stands between the ends of a range, with spaces around it or, if it is a sign, without.
const RANGES: &[&str] = &["-", "–", "—", "~", "to", "tot", "bis", "à"];

/// How much of something, in every form it was stated. Empty if nothing was stated.
#[derive(Debug, Clone, Default)]
pub struct Quantity {
    sums: BTreeMap<Family, Sum>,
    /// What could not be read as an amount, as it was written; sorted, so that order says nothing.
    unread: Vec<String>,
}

/// From the least to the most; both are the same unless a range was stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Number,
    pub(crate) to: Number,
}

/// The amount in one family of units.
#[derive(Debug, Clone, Copy)]
struct Sum {
    /// In the smallest unit of the family.
    total: Span,
    /// The unit it was stated in, if it was only one; for writing it back.
    stated_in: Option<&'static Unit>,
}

impl Quantity {
    /// Reads a quantity, as in `12`, `1 1/2 lb`, `½`, `0,5 l`, `2 packs`, `2-3`, `500 g + 2 cups`.
    ///
    /// What cannot be read as an amount is kept as it is, see [`Self::unread`]: among it zero, and
    /// `1,000`, which is one in some countries and a thousand in others.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self::read_as(text, None)
    }

    /// Reads a quantity in a language whose decimal sign is known: `1,000` is a thousand in English
    /// and one in German.
    #[must_use]
    pub fn read_in(text: &str, language: Language) -> Self {
        Self::read_as(text, Some(language))
    }

    fn read_as(text: &str, language: Option<Language>) -> Self {
        let mut quantity = Self::default();
        for part in text.split(['+', '＋']).map(tidy).filter(|part| !part.is_empty()) {
            let read = Self::read_part(&part, language).and_then(|amount| quantity.plus(&amount));
            match read {
                Some(sum) => quantity = sum,
                None => quantity.unread.push(part),
            }
        }
        quantity.unread.sort();
        quantity
    }

    fn read_part(part: &str, language: Option<Language>) -> Option<Self> {
        let plain: String = part.chars().map(number::plain).collect();
        // 小さじ1: some languages say the unit first.
        let unit_first = plain.find(number::begins).and_then(|at| plain.split_at_checked(at));
        let (span, rest) = match unit_first.filter(|(unit, _)| !unit.is_empty()) {
            Some((unit, number)) => {
                let (span, after) = Span::read(number, language)?;
                after.trim().is_empty().then_some((span, unit))?
            }
            None => Span::read(&plain, language)?,
        };
        // `2 x 400 g` is two packages: no single amount.
        let rest = rest.trim();
        if rest.chars().next().is_some_and(|next| !next.is_alphabetic()) {
            return None;
        }
        Self::of(span, Unit::named(rest, language)?)
    }

    /// So many of a unit. `None` if it is nothing, or beyond what can be added exactly.
    pub(crate) fn of(amount: Span, unit: &'static Unit) -> Option<Self> {
        let total = Span { from: unit.in_smallest(amount.from)?, to: unit.in_smallest(amount.to)? };
        let sum = Sum { total, stated_in: Some(unit) };
        let quantity = Self { sums: BTreeMap::from([(unit.family, sum)]), unread: Vec::new() };
        (amount.from > Ratio::from(0) && quantity.is_within_bounds()).then_some(quantity)
    }

    /// Both together: amounts of one family are added, everything else stands side by side.
    ///
    /// `None` if the sum is beyond what can be added exactly.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        for (family, sum) in &other.sums {
            let merged = match both.sums.get(family) {
                Some(present) => present.plus(sum)?,
                None => *sum,
            };
            both.sums.insert(*family, merged);
        }
        both.unread.extend(other.unread.iter().cloned());
        both.unread.sort();
        both.is_within_bounds().then_some(both)
    }

    /// So many times as much, exactly. What could not be read stays as it is.
    ///
    /// `None` if the factor is zero, or the product is beyond what can be told exactly.
    #[must_use]
    pub fn times(&self, factor: Number) -> Option<Self> {
        let mut product = self.clone();
        for sum in product.sums.values_mut() {
            let Span { from, to } = sum.total;
            sum.total = Span { from: number::times(from, factor)?, to: number::times(to, factor)? };
        }
        (factor > Ratio::from(0) && product.is_within_bounds()).then_some(product)
    }

    /// Written as a language writes it, so that [`Self::read_in`] reads the same amounts. Containers
    /// keep the words they were stated in.
    #[must_use]
    pub fn written_in(&self, language: Language) -> String {
        self.written(Some(language))
    }

    fn written(&self, language: Option<Language>) -> String {
        let sums = self.sums.iter().map(|(family, sum)| write_sum(*family, sum, language));
        let parts: Vec<String> = sums.chain(self.unread.iter().cloned()).collect();
        parts.join(" + ")
    }

    /// Whether no quantity was stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.unread.is_empty()
    }

    /// What could not be read as an amount, as it was written.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Beyond these bounds what is written could not be read back exactly.
    fn is_within_bounds(&self) -> bool {
        self.sums.values().flat_map(|sum| [sum.total.from, sum.total.to]).all(|number| {
            *number.numer() <= number::NUMERATOR_MAX && *number.denom() <= number::DENOMINATOR_MAX
        })
    }
}

impl Span {
    /// No range.
    pub(crate) fn one(number: Number) -> Self {
        Self { from: number, to: number }
    }

    pub(crate) fn is_one(self) -> bool {
        self.from == self.to
    }

    /// The number or range at the start of a text, and the text after it.
    fn read(text: &str, language: Option<Language>) -> Option<(Self, &str)> {
        let sign = language.map_or(DecimalSign::Unknown, Language::decimal_sign);
        let (from, rest) = number::read(text, sign)?;
        let upper = RANGES.iter().find_map(|between| {
            let after = rest.trim_start().strip_prefix(between)?;
            let is_word = between.starts_with(char::is_alphabetic);
            let stands_alone = !is_word || after.starts_with(char::is_whitespace);
            stands_alone.then(|| number::read(after.trim_start(), sign)).flatten()
        });
        match upper {
            Some((to, rest)) if to > from => Some((Self { from, to }, rest)),
            // `1-1/2` is one and a half.
            Some((part, rest))
                if !part.is_integer() && part < Ratio::from(1) && from.is_integer() =>
            {
                Some((Self::one(number::add(from, part)?), rest))
            }
            Some(_) => None,
            None => Some((Self::one(from), rest)),
        }
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            from: number::add(self.from, other.from)?,
            to: number::add(self.to, other.to)?,
        })
    }
}

impl Sum {
    fn plus(&self, other: &Self) -> Option<Self> {
        let total = self.total.plus(other.total)?;
        let stated_in = self.stated_in.filter(|unit| other.stated_in == Some(unit));
        Some(Self { total, stated_in })
    }
}

/// Two quantities are equal if they are the same amounts: `1 kg` is `1000 g`.
impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        let totals = |it: &Self| -> Vec<(Family, Span)> {
            it.sums.iter().map(|(family, sum)| (*family, sum.total)).collect()
        };
        totals(self) == totals(other) && self.unread == other.unread
    }
}

impl Eq for Quantity {}

/// Written so that [`Quantity::read`] reads the same amounts.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(None))
    }
}

fn write_sum(family: Family, sum: &Sum, language: Option<Language>) -> String {
    let units = || unit::all().filter(|unit| unit.family == family);
    let Span { from, to } = sum.total;
    let outgrown = |unit: &Unit| unit.outgrown_at.is_some_and(|limit| from >= limit.into());
    let is_plain = |unit: &Unit| unit.writes_plainly(from) && unit.writes_plainly(to);
    let as_stated = || sum.stated_in.filter(|it| !outgrown(it) && is_plain(it));
    let fits = |unit: &&Unit| unit.is_for_sums && from >= unit.size.into();
    let largest = || largest(units().filter(fits).filter(|it| is_plain(it)));
    // In the smallest unit any amount can be written, if need be as a fraction.
    let smallest = || units().min_by_key(|unit| unit.size);
    let unit = as_stated().or_else(largest).or_else(smallest);
    unit.map_or_else(String::new, |unit| unit.write(sum.total, language))
}

/// The first of the largest units: a family's own words come before those of other languages.
fn largest(units: impl Iterator<Item = &'static Unit>) -> Option<&'static Unit> {
    units.reduce(|best, unit| if unit.size > best.size { unit } else { best })
}

/// Whether a word is a unit in which things are counted that can be had by themselves, as glasses
/// and ribs can; not one that measures.
#[must_use]
pub fn counts(word: &str) -> bool {
    Unit::named(word, None).is_some_and(|unit| !unit.name.is_empty() && !unit.is_size())
}

/// Without space at the ends and with single spaces in between.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
