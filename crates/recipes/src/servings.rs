//! How much a recipe makes: "4", "Serves 4", "22 cookies", "8-10", "4人分", or an object.

use serde::Serialize;
use serde_json::Value;

use crate::text;

/// How much a recipe makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Servings {
    /// How many; of a range its lower end.
    pub count: u32,
    /// The upper end of a range.
    pub count_max: Option<u32>,
    /// What: "serving" for what one person eats, otherwise as the page says it.
    pub unit: String,
}

/// The unit of a bare count.
const SERVING: &str = "serving";

/// Words that mean that persons eat of it, by what they begin with, in the languages of recipes.
const PERSONS: [&str; 62] = [
    "serving",
    "serves",
    "serve",
    "portion",
    "person",
    "people",
    "eater",
    "guest",
    "helping",
    "porti",
    "eter",
    "pers",
    "für",
    "voor",
    "pour",
    "for",
    "convive",
    "part",
    "assiette",
    "porzion",
    "dose",
    "dosi",
    "per",
    "ración",
    "racion",
    "comensal",
    "para",
    "porç",
    "porcion",
    "porción",
    "pessoa",
    "til",
    "kuvert",
    "personer",
    "port",
    "annos",
    "henki",
    "henkilö",
    "porc",
    "osob",
    "osób",
    "os.",
    "fő",
    "adag",
    "személy",
    "kişi",
    "porsiyon",
    "servis",
    "μερίδ",
    "μεριδ",
    "άτομ",
    "ατομ",
    "порци",
    "персон",
    "человек",
    "осіб",
    "人分",
    "人前",
    "人份",
    "人",
    "인분",
    "份",
];

/// Words around a count that say nothing: "makes 12 muffins", "about 6", "für 6 Portionen".
const FILLERS: [&str; 41] = [
    "makes",
    "make",
    "yields",
    "yield",
    "about",
    "approx",
    "approximately",
    "approx.",
    "around",
    "circa",
    "ca",
    "ca.",
    "environ",
    "ungefähr",
    "etwa",
    "ergibt",
    "für",
    "for",
    "voor",
    "pour",
    "per",
    "para",
    "til",
    "till",
    "serves",
    "serve",
    "a",
    "of",
    "de",
    "ongeveer",
    "goed",
    "ger",
    "dla",
    "pro",
    "на",
    "для",
    "за",
    "約",
    "约",
    "rinde",
    "donne",
];

/// Reads a yield in any of the shapes it has. Of several the one that says most counts.
pub(crate) fn servings(value: &Value) -> Option<Servings> {
    match value {
        Value::Array(all) => {
            let all: Vec<_> = all.iter().filter_map(servings).collect();
            let telling = all.iter().find(|it| it.unit != SERVING).or(all.first());
            telling.cloned()
        }
        Value::Object(object) => {
            let field = |name: &str| object.get(name).map(as_text).unwrap_or_default();
            let count = ["value", "minValue", "name"].map(field);
            let count = count.iter().find(|it| !it.is_empty())?;
            let range = field("maxValue");
            let range = if range.is_empty() { range } else { format!("-{range}") };
            read(&format!("{count}{range} {}", field("unitText")))
        }
        Value::String(_) | Value::Number(_) => read(&as_text(value)),
        Value::Null | Value::Bool(_) => None,
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text::line(text),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
    }
}

fn read(text: &str) -> Option<Servings> {
    let text = text.replace(['–', '—', '〜', '～'], "-");
    let at = text.find(|it: char| it.is_ascii_digit())?;
    let (before, rest) = text.split_at(at);
    let (count, mut behind) = whole(rest)?;
    let mut count_max = None;
    for joins in ["-", "to ", "à ", "bis ", "tot ", "a ", "till ", "til ", "al "] {
        let Some(upper) = behind.trim_start().strip_prefix(joins) else { continue };
        if let Some((upper, after)) = whole(upper.trim_start()) {
            count_max = Some(upper).filter(|upper| *upper > count);
            behind = after;
        }
        break;
    }
    (1..=9_999).contains(&count).then(|| Servings { count, count_max, unit: unit(before, behind) })
}

/// A whole number, and what stands behind it; what is behind its decimal point is cut.
fn whole(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (digits, behind) = text.split_at(end);
    let count = digits.parse().ok()?;
    let point =
        behind.strip_prefix(['.', ',']).filter(|it| it.starts_with(|it: char| it.is_ascii_digit()));
    Some((count, point.map_or(behind, |it| it.trim_start_matches(|it: char| it.is_ascii_digit()))))
}

fn unit(before: &str, behind: &str) -> String {
    let behind =
        behind.trim_matches(|it: char| it.is_whitespace() || matches!(it, '.' | ',' | ':' | '-'));
    // What is behind a comma or in brackets tells more of it, and is no name.
    let named = behind.split(['(', ',', ';', '/', '+']).next().unwrap_or_default();
    let words: Vec<_> = named.split_whitespace().skip_while(|it| is_one_of(&FILLERS, it)).collect();
    let persons = |word: &str| {
        let word = word.to_lowercase();
        PERSONS.iter().any(|it| word.starts_with(it))
    };
    match words.first() {
        Some(first) if persons(first) => SERVING.to_owned(),
        Some(_) => words.join(" "),
        None if before.split_whitespace().all(|it| is_one_of(&FILLERS, it) || persons(it)) => {
            SERVING.to_owned()
        }
        None => {
            let name = before.trim_matches(|it: char| it.is_whitespace() || it == ':');
            let words = name.split_whitespace().skip_while(|it| is_one_of(&FILLERS, it));
            words.collect::<Vec<_>>().join(" ")
        }
    }
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(value: &Value) -> Option<(u32, Option<u32>, String)> {
        servings(value).map(|it| (it.count, it.count_max, it.unit))
    }

    #[test]
    fn a_count_is_read_in_every_shape() {
        for (value, count, max, unit) in [
            (json!("4"), 4, None, "serving"),
            (json!(6), 6, None, "serving"),
            (json!("Serves 4"), 4, None, "serving"),
            (json!("4 serving(s)"), 4, None, "serving"),
            (json!("6 personnes"), 6, None, "serving"),
            (json!("für 6 Portionen"), 6, None, "serving"),
            (json!("4人分"), 4, None, "serving"),
            (json!("4 főre"), 4, None, "serving"),
            (json!("8-10"), 8, Some(10), "serving"),
            (json!("8 to 10 people"), 8, Some(10), "serving"),
            (json!("22 cookies"), 22, None, "cookies"),
            (json!("Makes about 24 small cookies (2 dozen)"), 24, None, "small cookies"),
            (json!(["2", "2 personen"]), 2, None, "serving"),
            (json!(["12", "12 muffins"]), 12, None, "muffins"),
            (json!({"value": "6", "unitText": "személyre"}), 6, None, "serving"),
            (json!({"value": 4.0, "unitText": "portions"}), 4, None, "serving"),
            (json!("Yield: 1 loaf"), 1, None, "loaf"),
        ] {
            assert_eq!(said(&value), Some((count, max, unit.to_owned())), "{value}");
        }
    }

    #[test]
    fn what_names_no_count_says_nothing() {
        for value in [json!(null), json!(""), json!("a few"), json!([]), json!({}), json!("0")] {
            assert_eq!(said(&value), None, "{value}");
        }
    }
}
