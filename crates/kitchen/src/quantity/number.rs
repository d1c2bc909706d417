//! Numbers as people write them in a kitchen: `12`, `1.5`, `0,5`, `1/2`, `1 1/2`, `½`, `1½`.

use num_rational::Ratio;

use super::Number;
use crate::language::DecimalSign;

/// The largest numerator of an amount in the smallest unit of its family.
pub(super) const NUMERATOR_MAX: u64 = 1_000_000_000_000;
/// The largest denominator of one.
pub(super) const DENOMINATOR_MAX: u64 = 1_000_000;
/// The most digits in a row that are read as one number.
const DIGITS_MAX: usize = 13;

const FRACTIONS: &[(char, u64, u64)] = &[
    ('½', 1, 2),
    ('¼', 1, 4),
    ('¾', 3, 4),
    ('⅓', 1, 3),
    ('⅔', 2, 3),
    ('⅕', 1, 5),
    ('⅖', 2, 5),
    ('⅗', 3, 5),
    ('⅘', 4, 5),
    ('⅙', 1, 6),
    ('⅚', 5, 6),
    ('⅛', 1, 8),
    ('⅜', 3, 8),
    ('⅝', 5, 8),
    ('⅞', 7, 8),
    ('⅑', 1, 9),
    ('⅒', 1, 10),
];

/// Whether a number may begin with this character.
pub(crate) fn begins(letter: char) -> bool {
    letter.is_ascii_digit() || FRACTIONS.iter().any(|(sign, _, _)| *sign == letter)
}

/// Full-width and Arabic-Indic digits, and the signs that stand between them, as the plain ones.
pub(crate) fn plain(letter: char) -> char {
    let digit = |zero: u32| char::from_digit(u32::from(letter).saturating_sub(zero), 10);
    match letter {
        '０'..='９' => digit(0xFF10).unwrap_or(letter),
        '٠'..='٩' => digit(0x660).unwrap_or(letter),
        '۰'..='۹' => digit(0x6F0).unwrap_or(letter),
        '／' | '⁄' | '∕' => '/',
        '．' => '.',
        '，' => ',',
        '－' => '-',
        '～' | '〜' => '~',
        '＋' => '+',
        _ => letter,
    }
}

/// The number at the start of a text of [`plain`] characters, and the text after it. `None` if
/// there is none or if it can be read in two ways.
pub(crate) fn read(text: &str, sign: DecimalSign) -> Option<(Number, &str)> {
    if let Some(fraction) = fraction_sign(text) {
        return Some(fraction);
    }
    let (whole, rest) = grouped(text, sign)?;
    if let Some(after) = rest.strip_prefix(['.', ',']) {
        let Some((decimals, after)) = digits(after) else { return Some((whole.into(), rest)) };
        // `1,250` is a thousand and more in some countries and one and a quarter in others.
        let is_decimal = match sign {
            DecimalSign::Point => rest.starts_with('.'),
            DecimalSign::Comma => rest.starts_with(','),
            DecimalSign::Unknown => false,
        };
        let ambiguous = decimals.len() == 3 && whole != 0 && !is_decimal;
        return Some((with_decimals(whole, decimals)?, after)).filter(|_| !ambiguous);
    }
    if let Some(after) = rest.strip_prefix('/') {
        // `1/` before anything else is one, and what follows the stroke is another amount.
        return match self::whole(after) {
            Some((below, after)) => Some((ratio(whole, below)?, after)),
            None => Some((whole.into(), rest)),
        };
    }
    let part = rest.trim_start();
    if let Some((fraction, after)) = fraction_sign(part) {
        return Some((add(whole.into(), fraction)?, after));
    }
    match (part.len() < rest.len()).then(|| proper_fraction(part)).flatten() {
        Some((fraction, after)) => Some((add(whole.into(), fraction)?, after)),
        None => Some((whole.into(), rest)),
    }
}

/// A whole number; in a language whose decimal sign is known its thousands may stand apart.
fn grouped(text: &str, sign: DecimalSign) -> Option<(u64, &str)> {
    let (mut number, mut rest) = whole(text)?;
    let between = match sign {
        DecimalSign::Point => ',',
        DecimalSign::Comma => '.',
        DecimalSign::Unknown => return Some((number, rest)),
    };
    let starts_groups = text.len().saturating_sub(rest.len()) <= 3 && number > 0;
    while let Some((group, after)) = rest.strip_prefix(between).and_then(digits) {
        if !starts_groups || group.len() != 3 {
            break;
        }
        number = number.checked_mul(1000)?.checked_add(group.parse().ok()?)?;
        rest = after;
    }
    Some((number, rest))
}

/// `21/2` where it is how `2½` looks once its figures lost their size, as in many a printed recipe.
pub(crate) fn read_without_size(text: &str) -> Option<(Number, &str)> {
    let (above, rest) = whole(text)?;
    let (below, rest) = whole(rest.strip_prefix('/')?)?;
    let (whole, part) = (above / 10, above % 10);
    let lost_its_size = whole > 0 && part > 0 && part < below && below < 10 && above > 2 * below;
    lost_its_size.then(|| Some((add(whole.into(), ratio(part, below)?)?, rest))).flatten()
}

/// A fraction below one in digits, as in `1/2`.
pub(crate) fn proper_fraction(text: &str) -> Option<(Number, &str)> {
    let (above, rest) = whole(text)?;
    let (below, rest) = whole(rest.strip_prefix('/')?)?;
    Some((ratio(above, below)?, rest)).filter(|(number, _)| *number < Ratio::from(1))
}

fn fraction_sign(text: &str) -> Option<(Number, &str)> {
    let sign = text.chars().next()?;
    let (_, above, below) = FRACTIONS.iter().find(|(known, _, _)| *known == sign)?;
    Some((ratio(*above, *below)?, text.get(sign.len_utf8()..)?))
}

fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).filter(|_| (1..=DIGITS_MAX).contains(&end))
}

fn whole(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) = digits(text)?;
    Some((digits.parse().ok()?, rest))
}

fn with_decimals(whole: u64, decimals: &str) -> Option<Number> {
    let below = 10u64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    let above = whole.checked_mul(below)?.checked_add(decimals.parse().ok()?)?;
    ratio(above, below)
}

fn ratio(above: u64, below: u64) -> Option<Number> {
    (below != 0).then(|| Ratio::new(above, below))
}

/// The exact sum, unless it is beyond the machine's numbers.
pub(crate) fn add(a: Number, b: Number) -> Option<Number> {
    let left = a.numer().checked_mul(*b.denom())?;
    let right = b.numer().checked_mul(*a.denom())?;
    ratio(left.checked_add(right)?, a.denom().checked_mul(*b.denom())?)
}

/// The exact product, unless it is beyond the machine's numbers.
pub(crate) fn times(a: Number, b: Number) -> Option<Number> {
    let (x, y) = (ratio(*a.numer(), *b.denom())?, ratio(*b.numer(), *a.denom())?);
    ratio(x.numer().checked_mul(*y.numer())?, x.denom().checked_mul(*y.denom())?)
}

/// As a decimal number with at most two places, if it is one.
pub(super) fn as_decimal(number: Number, sign: DecimalSign) -> Option<String> {
    let hundredths = number.numer().checked_mul(100)?;
    if hundredths % number.denom() != 0 {
        return None;
    }
    let hundredths = hundredths / number.denom();
    let (whole, places) = (hundredths / 100, hundredths % 100);
    let point = match sign {
        DecimalSign::Comma => ',',
        DecimalSign::Point | DecimalSign::Unknown => '.',
    };
    Some(match (places, places % 10) {
        (0, _) => whole.to_string(),
        (_, 0) => format!("{whole}{point}{}", places / 10),
        (_, _) => format!("{whole}{point}{places:02}"),
    })
}

/// As a whole number and a fraction.
pub(super) fn as_fraction(number: Number) -> String {
    let (whole, part) = (number.to_integer(), number.fract());
    match (whole, *part.numer()) {
        (_, 0) => whole.to_string(),
        (0, _) => format!("{}/{}", part.numer(), part.denom()),
        (_, _) => format!("{whole} {}/{}", part.numer(), part.denom()),
    }
}
