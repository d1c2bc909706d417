//! What a conversation used: tokens, as the providers counted them, and money, where the person has
//! entered what a model costs.

use std::collections::BTreeMap;

use agent::model::Usage;
use agent::time::Timestamp;

/// What a reply used, and when it came.
pub type Counted = (Timestamp, Usage);

/// Millionths of a dollar in one.
const MILLIONTHS: u64 = 1_000_000;
/// The most a million tokens may cost, in dollars: no model is near it, and sums stay exact.
const DOLLARS_MAX: u64 = 100_000;

/// What a million tokens cost, in millionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Price {
    /// Read ones.
    pub read: u64,
    /// Written ones.
    pub written: u64,
}

/// Prices by model, as the person entered them. They are kept as one text, a line for each model:
/// its name, what it reads for and what it writes for, with a tab between.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prices(BTreeMap<String, Price>);

impl Prices {
    /// The prices of a text. What is no price is none.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let price = |line: &str| {
            let mut parts = line.split('\t');
            let (model, read, written) = (parts.next()?, parts.next()?, parts.next()?);
            let price = Price { read: read.parse().ok()?, written: written.parse().ok()? };
            Some((model.to_owned(), price))
        };
        Self(text.lines().filter_map(price).collect())
    }

    /// The text of the prices.
    #[must_use]
    pub fn write(&self) -> String {
        let line = |(model, price): (&String, &Price)| {
            format!("{model}\t{}\t{}\n", price.read, price.written)
        };
        self.0.iter().map(line).collect()
    }

    /// What a model costs; nothing if that was not entered.
    #[must_use]
    pub fn of(&self, model: &str) -> Price {
        self.0.get(model).copied().unwrap_or_default()
    }

    /// The same with another price for a model.
    #[must_use]
    pub fn with(mut self, model: &str, price: Price) -> Self {
        self.0.insert(model.to_owned(), price);
        self
    }
}

/// An amount of dollars that a person typed, in millionths: "3", "0.25" or "0,25". An empty text is
/// none. `None` if it is no amount, or more than any model costs.
#[must_use]
pub fn amount(text: &str) -> Option<u64> {
    let text = text.trim().trim_start_matches('$').trim_start();
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 6 {
        return None;
    }
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u64>().ok() };
    let whole = number(whole).filter(|dollars| *dollars <= DOLLARS_MAX)?;
    Some(whole * MILLIONTHS + number(&format!("{part:0<6}"))?)
}

/// Millionths of a dollar, as they are typed: "0.25".
#[must_use]
pub fn dollars(millionths: u64) -> String {
    let text = format!("{}.{:06}", millionths / MILLIONTHS, millionths % MILLIONTHS);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What was used of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The model.
    pub model: String,
    /// What a million of its tokens cost.
    pub price: Price,
    /// How much it was, in words.
    pub words: String,
}

/// What was used of each model.
#[must_use]
pub fn by_model(counted: &[Counted], prices: &Prices) -> Vec<Used> {
    let mut models: BTreeMap<&str, (usize, Usage)> = BTreeMap::new();
    for (_, usage) in counted {
        let (replies, sum) = models.entry(&usage.model).or_default();
        *replies += 1;
        sum.input = sum.input.saturating_add(usage.input);
        sum.cached = sum.cached.saturating_add(usage.cached);
        sum.output = sum.output.saturating_add(usage.output);
    }
    let used = |(model, (replies, sum)): (&str, (usize, Usage))| {
        let price = prices.of(model);
        let replies =
            if replies == 1 { "1 answer".to_owned() } else { format!("{replies} answers") };
        Used { model: model.to_owned(), price, words: format!("{replies}: {}", words(&sum, price)) }
    };
    models.into_iter().map(used).collect()
}

/// What a reply used, in words.
#[must_use]
pub fn words(usage: &Usage, price: Price) -> String {
    let cached = match usage.cached {
        0 => String::new(),
        cached => format!(" ({} of them kept there)", grouped(cached)),
    };
    let tokens =
        format!("{} tokens read{cached}, {} written", grouped(usage.input), grouped(usage.output));
    if price == Price::default() {
        return format!("{tokens}.");
    }
    // Kept tokens cost less, by how much differs.
    let about = if usage.cached > 0 { "at most " } else { "" };
    format!("{tokens}, {about}{}.", money(usage, price))
}

/// What it cost, to a hundredth of a cent and never less than it was.
fn money(usage: &Usage, price: Price) -> String {
    let millionths = u128::from(usage.input) * u128::from(price.read)
        + u128::from(usage.output) * u128::from(price.written);
    let hundredths_of_cents = millionths.div_ceil(u128::from(MILLIONTHS) * 100);
    format!("${}.{:04}", hundredths_of_cents / 10_000, hundredths_of_cents % 10_000)
}

/// A number with its thousands apart: "12,345".
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
