//! Times: ISO 8601 durations as pages write them, and words.

/// Minutes of a day and an hour.
const DAY: f64 = 24.0 * 60.0;
const HOUR: f64 = 60.0;
/// The longest time that is one: what takes longer than a year is a mistake of the page.
const MINUTES_MAX: f64 = 366.0 * DAY;

/// Words for units, by what they begin with, in the languages of recipes.
const WORDS: [(&str, f64); 30] = [
    ("min", 1.0),
    ("мин", 1.0),
    ("perc", 1.0),
    ("dakika", 1.0),
    ("分", 1.0),
    ("λεπτ", 1.0),
    ("hour", HOUR),
    ("hr", HOUR),
    ("h", HOUR),
    ("uur", HOUR),
    ("uren", HOUR),
    ("stunde", HOUR),
    ("std", HOUR),
    ("heure", HOUR),
    ("hora", HOUR),
    ("ora", HOUR),
    ("ore", HOUR),
    ("tim", HOUR),
    ("óra", HOUR),
    ("saat", HOUR),
    ("godz", HOUR),
    ("hod", HOUR),
    ("час", HOUR),
    ("時間", HOUR),
    ("day", DAY),
    ("tag", DAY),
    ("dag", DAY),
    ("jour", DAY),
    ("día", DAY),
    ("giorn", DAY),
];

/// Reads a time to whole minutes. Nothing and no time at all are absent: `PT0M` says nothing.
pub(crate) fn minutes(text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    let read = match text.strip_prefix('p') {
        Some(rest) => iso(rest),
        None => words(&text),
    };
    let minutes = read?.round();
    // A positive whole number below the bound is a u32.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (1.0..=MINUTES_MAX).contains(&minutes).then_some(minutes as u32)
}

/// `0DT1H30M` behind the `P`: any amounts, whatever their size; a month stays unread.
fn iso(rest: &str) -> Option<f64> {
    let (date, time) = rest.split_once('t').unwrap_or((rest, ""));
    let days = amounts(date, |unit| match unit {
        'd' => Some(DAY),
        'w' => Some(7.0 * DAY),
        // None of a unit is none, whatever it is.
        'y' | 'm' => Some(0.0),
        _ => None,
    })?;
    let rest = amounts(time, |unit| match unit {
        // Some pages have their days behind the `T`.
        'd' => Some(DAY),
        'h' => Some(HOUR),
        'm' => Some(1.0),
        's' => Some(1.0 / 60.0),
        _ => None,
    })?;
    Some(days + rest)
}

fn amounts(text: &str, worth: impl Fn(char) -> Option<f64>) -> Option<f64> {
    let (mut sum, mut number) = (0.0, String::new());
    for character in text.chars() {
        match character {
            '0'..='9' => number.push(character),
            '.' | ',' => number.push('.'),
            _ => {
                let amount: f64 = number.parse().ok()?;
                let worth = worth(character)?;
                if worth == 0.0 && amount != 0.0 {
                    return None;
                }
                sum += amount * worth;
                number.clear();
            }
        }
    }
    number.is_empty().then_some(sum)
}

/// "1 h 30", "1 hour 20 minutes", "45"; a range is its longer end.
fn words(text: &str) -> Option<f64> {
    let text = text.replace(['–', '—'], "-");
    let mut rest = text.as_str();
    let (mut sum, mut any, mut last) = (0.0, false, None);
    while let Some(at) = rest.find(|it: char| it.is_ascii_digit()) {
        rest = rest.get(at..)?;
        let (amount, behind) = number(rest)?;
        let after = behind.trim_start();
        rest = behind;
        if let Some(end) = after.strip_prefix('-') {
            rest = end;
            continue;
        }
        let unit = WORDS.iter().find(|(word, _)| after.starts_with(word)).map(|(_, worth)| *worth);
        // A number without a word is in minutes: alone, or behind hours.
        sum +=
            amount * unit.unwrap_or(if last == Some(HOUR) || last.is_none() { 1.0 } else { 0.0 });
        (any, last) = (true, unit.or(last));
    }
    any.then_some(sum)
}

fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|it: char| !(it.is_ascii_digit() || matches!(it, '.' | ',' | ':')));
    let (number, behind) = text.split_at(end.unwrap_or(text.len()));
    if let Some((hours, minutes)) = number.split_once(':') {
        let (hours, minutes): (f64, f64) = (hours.parse().ok()?, minutes.parse().ok()?);
        return Some((hours * HOUR + minutes, behind));
    }
    Some((number.trim_end_matches(['.', ',']).replace(',', ".").parse().ok()?, behind))
}

#[cfg(test)]
mod tests {
    use super::minutes;

    #[test]
    fn durations_are_read_whatever_their_amounts() {
        for (text, expected) in [
            ("PT45M", Some(45)),
            ("P0DT0H95M", Some(95)),
            ("PT0D1H0M", Some(60)),
            ("PT1H", Some(60)),
            ("P1DT0H15M", Some(1455)),
            ("PT90S", Some(2)),
            ("P2W", Some(20160)),
            ("PT1.5H", Some(90)),
            ("PT0M", None),
            ("PT", None),
            ("P", None),
            ("", None),
            ("P0Y0M0DT0H25M0.000S", Some(25)),
            ("P1M", None),
            ("PT999999999999H", None),
            ("pt-5m", None),
        ] {
            assert_eq!(minutes(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_read_in_the_languages_of_recipes() {
        for (text, expected) in [
            ("45 min", Some(45)),
            ("45", Some(45)),
            ("1 h 30", Some(90)),
            ("1 hour 20 minutes", Some(80)),
            ("1 Stunde 10 Minuten", Some(70)),
            ("20-30 minuten", Some(30)),
            ("1,5 uur", Some(90)),
            ("1:15", Some(75)),
            ("30分", Some(30)),
            ("overnight", None),
        ] {
            assert_eq!(minutes(text), expected, "{text}");
        }
    }
}
