//! Names that the eye takes for each other although they are other items.

use super::key;

/// Letters and digits beside the Latin letter they look like in most typefaces, from the confusables
/// of Unicode Technical Standard 39. A test holds the table against all of them.
#[rustfmt::skip]
const LOOK_ALIKES: &[(char, char)] = &[
    // Cyrillic.
    ('а', 'a'), ('е', 'e'), ('о', 'o'), ('р', 'p'), ('с', 'c'), ('у', 'y'), ('х', 'x'), ('ѕ', 's'),
    ('і', 'i'), ('ј', 'j'), ('һ', 'h'), ('ԁ', 'd'), ('ԛ', 'q'), ('ԝ', 'w'), ('г', 'r'), ('ѡ', 'w'),
    ('ѵ', 'v'), ('ү', 'y'), ('ҽ', 'e'), ('ӏ', 'l'), ('ш', 'w'),
    // Greek.
    ('α', 'a'), ('γ', 'y'), ('ι', 'i'), ('κ', 'k'), ('ν', 'v'), ('ο', 'o'), ('ρ', 'p'), ('τ', 't'),
    ('υ', 'u'), ('χ', 'x'), ('σ', 'o'), ('ϱ', 'p'), ('ϲ', 'c'), ('ϳ', 'j'), ('ϭ', 'o'),
    ('ϸ', 'p'),
    // Armenian.
    ('ա', 'w'), ('գ', 'q'), ('զ', 'q'), ('հ', 'h'), ('ո', 'n'), ('ռ', 'n'), ('ս', 'u'), ('ց', 'g'),
    ('ք', 'f'), ('օ', 'o'), ('յ', 'j'),
    ('ւ', 'i'),
    // Coptic.
    ('ⲅ', 'r'), ('ⲟ', 'o'), ('ⲣ', 'p'), ('ⲥ', 'c'),
    // Latin.
    ('ı', 'i'), ('ɑ', 'a'), ('ɡ', 'g'), ('ɣ', 'y'), ('ɩ', 'i'), ('ɪ', 'i'), ('ɯ', 'w'), ('ʋ', 'u'),
    ('ʏ', 'y'), ('ʄ', 'f'),
    // Cyrillic capitals.
    ('А', 'a'), ('В', 'b'), ('Е', 'e'), ('К', 'k'), ('М', 'm'), ('Н', 'h'), ('О', 'o'), ('Р', 'p'),
    ('С', 'c'), ('Т', 't'), ('У', 'y'), ('Х', 'x'), ('Ѕ', 's'), ('І', 'i'), ('Ј', 'j'),
    // Greek capitals.
    ('Α', 'a'), ('Β', 'b'), ('Ε', 'e'), ('Ζ', 'z'), ('Η', 'h'), ('Ι', 'i'), ('Κ', 'k'), ('Μ', 'm'),
    ('Ν', 'n'), ('Ο', 'o'), ('Ρ', 'p'), ('Τ', 't'), ('Υ', 'y'), ('Χ', 'x'),
    // Digits.
    ('0', 'o'), ('1', 'l'),
];

/// Whether a person could take one name for the other although they are different items.
#[must_use]
pub fn looks_like(a: &str, b: &str) -> bool {
    key(a) != key(b) && seen(a) == seen(b)
}

/// The name as the eye takes it.
fn seen(name: &str) -> String {
    let alike = |letter: char| LOOK_ALIKES.iter().find(|row| row.0 == letter).map(|row| row.1);
    let latin: String = name.chars().map(|letter| alike(letter).unwrap_or(letter)).collect();
    key(&latin).replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_security::skeleton;

    #[test]
    fn what_the_eye_takes_for_another_is_told() {
        for (a, b) in [
            ("m\u{456}lk", "milk"),
            ("\u{3bf}ats", "oats"),
            ("mi1k", "milk"),
            ("МILK", "MILK"),
            ("com", "corn"),
        ] {
            assert!(looks_like(a, b));
        }
        for (a, b) in [("milk", "Milk"), ("milk", "silk"), ("豆腐", "tofu"), ("חלב", "milk")] {
            assert!(!looks_like(a, b));
        }
    }

    #[test]
    fn the_table_has_the_letters_of_unicode() {
        let blocks = ['\u{250}'..='\u{2AF}', 'Ͱ'..='Ͽ', 'Ѐ'..='\u{52F}', '\u{561}'..='\u{587}'];
        let letters = blocks.into_iter().flatten().filter(|letter| letter.is_lowercase());
        let latin = |letter: &char| -> Option<char> {
            let looks: Vec<_> = skeleton(&letter.to_string()).collect();
            looks.first().copied().filter(|it| looks.len() == 1 && it.is_ascii_lowercase())
        };
        let is_known = |letter: &char| LOOK_ALIKES.iter().any(|row| row.0 == *letter);
        let missing: Vec<_> = letters
            .filter_map(|it| Some((it, latin(&it)?)))
            .filter(|row| !is_known(&row.0))
            .collect();
        assert_eq!(missing, []);
    }
}
