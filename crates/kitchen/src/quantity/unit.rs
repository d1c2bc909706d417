//! The units of a kitchen: their words, and which of them add up.

use num_rational::Ratio;

use super::Number;
use super::number::{as_decimal, as_fraction};

/// Units that add up with each other. In the order in which amounts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    /// Things that are counted.
    Piece,
    /// Gram and kilogram.
    Weight,
    /// Millilitre to litre.
    Volume,
    /// Ounce and pound. They do not add to grams: nobody sells 453.59237 g.
    ImperialWeight,
    /// Cups, which are not the same everywhere.
    Cup,
    /// Teaspoon and tablespoon.
    Spoon,
    /// A container or another thing that is counted, by its row; it adds to its own kind only.
    Counted(&'static str),
}

/// A unit.
#[derive(Debug, PartialEq)]
pub(super) struct Unit {
    pub(super) family: Family,
    /// How many of the smallest unit of the family.
    pub(super) size: u64,
    /// Its word for one, its word for several, then every other word for it.
    pub(super) words: &'static [&'static str],
    decimal: bool,
    /// The total, in smallest units, at which a larger unit is easier to read.
    pub(super) outgrown_at: Option<u64>,
    /// Whether sums of several units may be written in it.
    pub(super) is_for_sums: bool,
}

impl Unit {
    /// The unit a word stands for; no word is the piece.
    pub(super) fn named(word: &str) -> Option<&'static Self> {
        let word = word.trim_end_matches('.').to_lowercase();
        UNITS.iter().find(|unit| unit.words.iter().any(|known| known.to_lowercase() == word))
    }

    pub(super) fn in_smallest(&self, amount: Number) -> Option<Number> {
        Some(Ratio::new(amount.numer().checked_mul(self.size)?, *amount.denom()))
    }

    /// Whether the total is a plain number in this unit.
    pub(super) fn writes_plainly(&self, total: Number) -> bool {
        let amount = total / self.size;
        if self.decimal { as_decimal(amount).is_some() } else { *amount.denom() <= 4 }
    }

    pub(super) fn write(&self, total: Number) -> String {
        let amount = total / self.size;
        let number = match as_decimal(amount).filter(|_| self.decimal) {
            Some(decimal) => decimal,
            None => as_fraction(amount),
        };
        let word = if amount > Ratio::from(1) { self.words.get(1) } else { self.words.first() };
        match word {
            Some(word) if !word.is_empty() => format!("{number} {word}"),
            Some(_) | None => number,
        }
    }
}

const fn metric(
    family: Family,
    size: u64,
    words: &'static [&'static str],
    outgrown_at: Option<u64>,
    is_for_sums: bool,
) -> Unit {
    Unit { family, size, words, decimal: true, outgrown_at, is_for_sums }
}

const fn counted(family: Family, size: u64, words: &'static [&'static str]) -> Unit {
    Unit { family, size, words, decimal: false, outgrown_at: None, is_for_sums: true }
}

/// A container: its word for one, its word for several, other words for it.
const fn container(words: &'static [&'static str]) -> Unit {
    let name = match words {
        [one, ..] => one,
        [] => "",
    };
    counted(Family::Counted(name), 1, words)
}

/// Every unit there is.
pub(super) static UNITS: &[Unit] = &[
    counted(Family::Piece, 1, &["", "", "piece", "pieces", "pc", "pcs", "stuk", "stuks", "stück"]),
    metric(
        Family::Weight,
        1,
        &["g", "g", "gr", "gram", "grams", "gramme", "grammes", "gramm"],
        Some(1000),
        true,
    ),
    metric(
        Family::Weight,
        1000,
        &["kg", "kg", "kilo", "kilos", "kilogram", "kilograms"],
        None,
        true,
    ),
    metric(
        Family::Volume,
        1,
        &["ml", "ml", "millilitre", "millilitres", "milliliter", "milliliters"],
        Some(1000),
        true,
    ),
    metric(Family::Volume, 10, &["cl", "cl", "centilitre", "centilitres"], Some(1000), false),
    metric(Family::Volume, 100, &["dl", "dl", "decilitre", "decilitres"], Some(1000), false),
    metric(Family::Volume, 1000, &["l", "l", "litre", "litres", "liter", "liters"], None, true),
    counted(Family::ImperialWeight, 1, &["oz", "oz", "ounce", "ounces"]),
    counted(Family::ImperialWeight, 16, &["lb", "lb", "lbs", "pound", "pounds"]),
    counted(Family::Cup, 1, &["cup", "cups"]),
    counted(Family::Spoon, 1, &["tsp", "tsp", "teaspoon", "teaspoons"]),
    counted(Family::Spoon, 1, &["TL", "TL", "theelepel", "theelepels", "c. à café"]),
    counted(Family::Spoon, 3, &["tbsp", "tbsp", "tablespoon", "tablespoons"]),
    counted(Family::Spoon, 3, &["EL", "EL", "eetlepel", "eetlepels", "c. à soupe"]),
    container(&["bag", "bags"]),
    container(&["bar", "bars"]),
    container(&["bottle", "bottles"]),
    container(&["box", "boxes"]),
    container(&["bunch", "bunches"]),
    container(&["can", "cans"]),
    container(&["carton", "cartons"]),
    container(&["clove", "cloves"]),
    container(&["crate", "crates"]),
    container(&["dozen", "dozen"]),
    container(&["handful", "handfuls"]),
    container(&["head", "heads"]),
    container(&["jar", "jars"]),
    container(&["loaf", "loaves"]),
    container(&["pack", "packs", "packet", "packets", "package", "packages"]),
    container(&["pint", "pints"]),
    container(&["pot", "pots"]),
    container(&["punnet", "punnets"]),
    container(&["roll", "rolls"]),
    container(&["slice", "slices"]),
    container(&["sprig", "sprigs"]),
    container(&["stick", "sticks"]),
    container(&["tin", "tins"]),
    container(&["tub", "tubs"]),
    container(&["tube", "tubes"]),
    container(&["pak", "pakken"]),
    container(&["pakje", "pakjes"]),
    container(&["bos", "bossen"]),
    container(&["bosje", "bosjes"]),
    container(&["blik", "blikken"]),
    container(&["blikje", "blikjes"]),
    container(&["fles", "flessen"]),
    container(&["krat", "kratten"]),
    container(&["zak", "zakken"]),
    container(&["Packung", "Packungen", "Päckchen"]),
    container(&["Bund", "Bund", "Bunde"]),
    container(&["Dose", "Dosen"]),
    container(&["Flasche", "Flaschen"]),
    container(&["Glas", "Gläser"]),
    container(&["Becher", "Becher"]),
    container(&["Beutel", "Beutel"]),
    container(&["Kasten", "Kästen"]),
    container(&["Tüte", "Tüten"]),
    container(&["paquet", "paquets"]),
    container(&["botte", "bottes"]),
    container(&["boîte", "boîtes"]),
    container(&["bouteille", "bouteilles"]),
    container(&["brique", "briques"]),
    container(&["sachet", "sachets"]),
    container(&["tranche", "tranches"]),
];
