//! Numbers as people write them in a kitchen: `12`, `1.5`, `0,5`, `1/2`, `1 1/2`, `½`, `1½`.

use num_rational::Ratio;

use super::Number;

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
];

/// The number at the start of the text, and the text after it. `None` if there is none, if it is
/// zero, or if it can be read in two ways.
pub(super) fn read(text: &str) -> Option<(Number, &str)> {
    let (number, rest) = match fraction_sign(text) {
        Some(sign) => sign,
        None => read_digits(text)?,
    };
    // `1-2` and `1–2` are ranges, `2 x 400 g` is two packages: no single amount.
    let goes_on = rest.trim_start().chars().next().is_some_and(|next| !next.is_alphabetic());
    (number > Ratio::from(0) && !goes_on).then_some((number, rest))
}

fn read_digits(text: &str) -> Option<(Number, &str)> {
    let (whole, rest) = whole(text)?;
    if let Some(after) = rest.strip_prefix(['.', ',']) {
        let (decimals, after) = digits(after)?;
        // `1,250` is a thousand and more in some countries and one and a quarter in others.
        let ambiguous = decimals.len() == 3 && whole != 0;
        return Some((with_decimals(whole, decimals)?, after)).filter(|_| !ambiguous);
    }
    if let Some(after) = slash(rest) {
        let (below, after) = self::whole(after)?;
        return Some((ratio(whole, below)?, after));
    }
    let part = rest.trim_start();
    if let Some((fraction, after)) = fraction_sign(part) {
        return Some((add(whole.into(), fraction)?, after));
    }
    match (part.len() < rest.len()).then(|| plain_fraction(part)).flatten() {
        Some((fraction, after)) => Some((add(whole.into(), fraction)?, after)),
        None => Some((whole.into(), rest)),
    }
}

fn plain_fraction(text: &str) -> Option<(Number, &str)> {
    let (above, rest) = whole(text)?;
    let (below, rest) = whole(slash(rest)?)?;
    Some((ratio(above, below)?, rest))
}

fn slash(text: &str) -> Option<&str> {
    text.strip_prefix(['/', '⁄'])
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
pub(super) fn add(a: Number, b: Number) -> Option<Number> {
    let left = a.numer().checked_mul(*b.denom())?;
    let right = b.numer().checked_mul(*a.denom())?;
    ratio(left.checked_add(right)?, a.denom().checked_mul(*b.denom())?)
}

/// As a decimal number with at most two places, if it is one.
pub(super) fn as_decimal(number: Number) -> Option<String> {
    let hundredths = number.numer().checked_mul(100)?;
    if hundredths % number.denom() != 0 {
        return None;
    }
    let hundredths = hundredths / number.denom();
    let (whole, places) = (hundredths / 100, hundredths % 100);
    Some(match (places, places % 10) {
        (0, _) => whole.to_string(),
        (_, 0) => format!("{whole}.{}", places / 10),
        (_, _) => format!("{whole}.{places:02}"),
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
