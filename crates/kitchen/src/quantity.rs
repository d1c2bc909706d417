//! How much: exact amounts in kitchen units, read from what people write and written back.
//!
//! Amounts add within a family of units (g and kg, ml and l, tsp and tbsp) and stand side by side
//! across families: cups of flour are never turned into grams. No amount is no amount, not one.

mod number;
mod unit;

use std::collections::BTreeMap;
use std::fmt;

use num_rational::Ratio;

use unit::{Family, UNITS, Unit};

/// An exact number, never negative.
type Number = Ratio<u64>;

/// How much of something, in every form it was stated. Empty if nothing was stated.
#[derive(Debug, Clone, Default)]
pub struct Quantity {
    sums: BTreeMap<Family, Sum>,
    /// What could not be read as an amount, as it was written; sorted, so that order says nothing.
    unread: Vec<String>,
}

/// The amount in one family of units.
#[derive(Debug, Clone, Copy)]
struct Sum {
    /// In the smallest unit of the family.
    total: Number,
    /// The unit it was stated in, if it was only one; for writing it back.
    stated_in: Option<&'static Unit>,
}

impl Quantity {
    /// Reads a quantity, as in `12`, `1 1/2 lb`, `½`, `0,5 l`, `2 packs`, `500 g + 2 cups`.
    ///
    /// What cannot be read as an amount is kept as it is, see [`Self::unread`]: among it zero,
    /// ranges, and `1,000`, which is one in some countries and a thousand in others.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut quantity = Self::default();
        for part in text.split('+').map(tidy).filter(|part| !part.is_empty()) {
            let read = Self::read_part(&part).and_then(|amount| quantity.plus(&amount));
            match read {
                Some(sum) => quantity = sum,
                None => quantity.unread.push(part),
            }
        }
        quantity.unread.sort();
        quantity
    }

    fn read_part(part: &str) -> Option<Self> {
        let (amount, rest) = number::read(part)?;
        let unit = Unit::named(rest.trim())?;
        let total = unit.in_smallest(amount)?;
        let sum = Sum { total, stated_in: Some(unit) };
        let quantity = Self { sums: BTreeMap::from([(unit.family, sum)]), unread: Vec::new() };
        quantity.is_within_bounds().then_some(quantity)
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
        self.sums.values().all(|sum| {
            *sum.total.numer() <= number::NUMERATOR_MAX
                && *sum.total.denom() <= number::DENOMINATOR_MAX
        })
    }
}

impl Sum {
    fn plus(&self, other: &Self) -> Option<Self> {
        let total = number::add(self.total, other.total)?;
        let stated_in = self.stated_in.filter(|unit| other.stated_in == Some(unit));
        Some(Self { total, stated_in })
    }
}

/// Two quantities are equal if they are the same amounts: `1 kg` is `1000 g`.
impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        let totals = |it: &Self| -> Vec<(Family, Number)> {
            it.sums.iter().map(|(family, sum)| (*family, sum.total)).collect()
        };
        totals(self) == totals(other) && self.unread == other.unread
    }
}

impl Eq for Quantity {}

/// Written so that [`Quantity::read`] reads the same amounts.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sums = self.sums.iter().map(|(family, sum)| write_sum(*family, sum));
        let parts: Vec<String> = sums.chain(self.unread.iter().cloned()).collect();
        f.write_str(&parts.join(" + "))
    }
}

fn write_sum(family: Family, sum: &Sum) -> String {
    let units = || UNITS.iter().filter(|unit| unit.family == family);
    let outgrown = |unit: &Unit| unit.outgrown_at.is_some_and(|limit| sum.total >= limit.into());
    let as_stated = || sum.stated_in.filter(|it| !outgrown(it) && it.writes_plainly(sum.total));
    let fits = |unit: &&Unit| unit.is_for_sums && sum.total >= unit.size.into();
    let largest =
        || units().filter(fits).filter(|it| it.writes_plainly(sum.total)).max_by_key(|it| it.size);
    // In the smallest unit any amount can be written, if need be as a fraction.
    let smallest = || units().min_by_key(|unit| unit.size);
    let unit = as_stated().or_else(largest).or_else(smallest);
    unit.map_or_else(String::new, |unit| unit.write(sum.total))
}

/// Without space at the ends and with single spaces in between.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
