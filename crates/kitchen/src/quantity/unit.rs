//! The units of a kitchen: their words, and which of them add up.

mod containers;
mod table;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use num_rational::Ratio;

use super::number::{self, as_decimal, as_fraction};
use super::{Number, Span};
use crate::language::{DecimalSign, Language};

use containers::{CONTAINERS, HOLDERS};
use table::MEASURES;

/// Units that add up with each other. In the order in which amounts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Things that are counted.
    Piece,
    /// Gram, decagram and kilogram.
    Weight,
    /// Millilitre to litre.
    Volume,
    /// Ounce and pound. They do not add to grams: nobody sells 453.59237 g.
    ImperialWeight,
    /// Fluid ounces, of which an American pint has 16 and a British one 20.
    FluidOunce,
    /// Pint, quart and gallon, which are not the same everywhere, but everywhere 1, 2 and 8.
    Pint,
    /// Cups, which are not the same everywhere.
    Cup,
    /// Teaspoon (5 ml) and tablespoon (15 ml).
    Spoon,
    /// Centimetre, as in a piece of ginger.
    Length,
    /// Inch.
    Inch,
    /// A container or another thing that is counted, by its row; it adds to its own kind only.
    Counted(&'static str),
}

/// A unit.
#[derive(Debug, PartialEq)]
pub(crate) struct Unit {
    pub(super) family: Family,
    /// How many of the smallest unit of the family.
    pub(super) size: u64,
    /// Its name among units of all languages: `tbsp` of the German EL. Empty of a bare number.
    pub(crate) name: &'static str,
    /// Its word for one, its word for several, then every other word for it.
    pub(super) words: &'static [&'static str],
    decimal: bool,
    /// The total, in smallest units, at which a larger unit is easier to read.
    pub(super) outgrown_at: Option<u64>,
    /// Whether sums of several units may be written in it.
    pub(super) is_for_sums: bool,
}

/// Every word of every unit, as it is written and without regard to case, as [`spread`] gives it.
static WORDS: LazyLock<BTreeMap<String, &'static Unit>> = LazyLock::new(|| {
    let mut words = BTreeMap::new();
    for unit in all() {
        for word in unit.words {
            words.entry(spread(word)).or_insert(unit);
        }
    }
    for unit in all() {
        for word in unit.words {
            words.entry(spread(&word.to_lowercase())).or_insert(unit);
        }
    }
    words
});

/// Words that mean another unit in one language than in the rest, beside that unit's word.
const LOCAL: &[(Language, &str, &str)] = &[
    (Language::English, "c", "cup"),
    (Language::English, "t", "tsp"),
    (Language::English, "tb", "tbsp"),
    (Language::English, "in", "inch"),
    (Language::Dutch, "dozen", "doos"),
    (Language::French, "cc", "c. à café"),
    (Language::German, "stk", "Stück"),
    (Language::Portuguese, "un", "unidade"),
    (Language::Swedish, "st", "stycken"),
    (Language::Czech, "pl", "PL"),
    (Language::Czech, "ml", "lyžička"),
    (Language::Slovak, "ml", "lyžička"),
    (Language::Turkish, "bardak", "su bardağı"),
];

/// How tea and tablespoons are written in the languages that amounts are written in.
const SPOONS: &[(Language, &str, &str)] = &[
    (Language::English, "tsp", "tbsp"),
    (Language::Dutch, "tl", "el"),
    (Language::German, "TL", "EL"),
    (Language::French, "c. à café", "c. à soupe"),
];

/// Every unit there is. Where two have a word in common, the first of them has it.
pub(super) fn all() -> impl Iterator<Item = &'static Unit> {
    MEASURES.iter().chain(CONTAINERS)
}

impl Unit {
    /// The unit a word stands for, in a language if one is known; no word is the piece.
    pub(crate) fn named(word: &str, language: Option<Language>) -> Option<&'static Self> {
        let exact = spread(word);
        let lower = exact.to_lowercase();
        let local = LOCAL.iter().find(|(of, known, _)| Some(*of) == language && *known == lower);
        if let Some((_, _, unit)) = local.filter(|(_, known, _)| *known != "ml" || exact == "ML") {
            return WORDS.get(&spread(unit)).copied();
        }
        WORDS.get(&exact).or_else(|| WORDS.get(&lower)).copied()
    }

    /// Whether its amounts are written as decimal numbers.
    pub(crate) fn is_metric(&self) -> bool {
        self.decimal
    }

    /// Whether it measures, rather than counts containers or pieces.
    pub(crate) fn is_size(&self) -> bool {
        !matches!(self.family, Family::Piece | Family::Counted(_))
    }

    /// Whether it holds things, as a can does, rather than being a part of one, as a clove is.
    pub(crate) fn is_container(&self) -> bool {
        HOLDERS.contains(&self.name)
    }

    /// Whether it is said before its number, as 小さじ1 is.
    pub(crate) fn is_said_first(&self) -> bool {
        ["大さじ", "小さじ", "カップ"].iter().any(|word| self.words.first() == Some(word))
    }

    pub(super) fn in_smallest(&self, amount: Number) -> Option<Number> {
        number::times(amount, self.size.into())
    }

    /// Whether the total is a plain number in this unit.
    pub(super) fn writes_plainly(&self, total: Number) -> bool {
        let amount = total / self.size;
        let is_plain = || as_decimal(amount, DecimalSign::Point).is_some();
        if self.decimal { is_plain() } else { *amount.denom() <= 4 }
    }

    /// The unit of the same size in another language, where the family has words for it.
    fn in_language(&'static self, language: Option<Language>) -> &'static Self {
        let spoons = SPOONS.iter().find(|(of, ..)| Some(*of) == language);
        let word = match (self.family, self.size, spoons) {
            (Family::Spoon, 1, Some((_, tea, _))) => tea,
            (Family::Spoon, 3, Some((_, _, table))) => table,
            _ => return self,
        };
        Self::named(word, None).unwrap_or(self)
    }

    pub(super) fn write(&'static self, total: Span, language: Option<Language>) -> String {
        let unit = self.in_language(language);
        let sign = language.map_or(DecimalSign::Point, Language::decimal_sign);
        let write = |total: Number| {
            let amount = total / unit.size;
            as_decimal(amount, sign).filter(|_| unit.decimal).unwrap_or_else(|| as_fraction(amount))
        };
        let number = match total.is_one() {
            true => write(total.from),
            false => format!("{}–{}", write(total.from), write(total.to)),
        };
        let is_several = total.to / unit.size > Ratio::from(1);
        let word = unit.word(is_several, language);
        if word.is_empty() { number } else { format!("{number} {word}") }
    }

    /// The word for one or several. A word that stands for another unit as well, as "dozen" is both
    /// twelve and Dutch for boxes, is passed over where it would be read as that.
    fn word(&self, is_several: bool, language: Option<Language>) -> &'static str {
        let own = |word: &&&str| {
            Self::named(word, language)
                .is_some_and(|it| (it.family, it.size) == (self.family, self.size))
        };
        let words = self.words.iter().skip(usize::from(is_several)).chain(self.words);
        words.clone().find(own).copied().unwrap_or_default()
    }
}

/// The parts of a unit's word with one space between them and without full stops:
/// `c. à soupe` and `c.à soupe` are `c à soupe`.
fn spread(word: &str) -> String {
    let spread = word.replace('.', " ").replace('(', " ( ").replace(')', " ) ").replace('’', "'");
    spread.split_whitespace().collect::<Vec<_>>().join(" ")
}
