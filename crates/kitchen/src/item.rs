//! When two names mean the same item.

mod comparison;
mod compatibility;
mod decomposed;
mod foods;
mod look_alike;

pub use comparison::{Comparison, Warning, compare, same_food, warnings};
use decomposed::DECOMPOSED;
pub use look_alike::looks_like;

/// The longest name of an item, in characters.
pub const NAME_MAX: usize = 120;

/// The most accents on one letter that a language writes.
const ACCENTS_MAX: usize = 4;

/// What two spellings of one name have in common.
///
/// Letter case, the kind and number of spaces, composed or separate accents, typographic
/// apostrophes and hyphens, full-width and Arabic-Indic digits and invisible marks make no
/// difference. Letters of different scripts that look alike do, and so does a character that
/// overrides the direction of the text.
#[must_use]
pub fn key(name: &str) -> String {
    folded(name, |letter, plain| {
        if !compatibility::push_parts(letter, plain) {
            push_plain(letter, plain);
        }
    })
}

/// The key as far as telling the aisle needs it: the opening page carries no more.
pub(crate) fn shelf_key(name: &str) -> String {
    folded(name, push_plain)
}

fn folded(name: &str, push: impl Fn(char, &mut String)) -> String {
    let mut plain = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        push(letter, &mut plain);
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two names mean the same item when one of them was typed without its accents.
#[must_use]
pub fn same_but_for_accents(a: &str, b: &str) -> bool {
    keys_same_but_for_accents(&key(a), &key(b))
}

pub(crate) fn keys_same_but_for_accents(a: &str, b: &str) -> bool {
    let (bare_a, bare_b) = (typed(a), typed(b));
    bare_a == bare_b && (a == bare_a || b == bare_b) && !is_flooded(a) && !is_flooded(b)
}

/// Whether a letter has more accents on it than any language writes: no accents, but a picture.
fn is_flooded(key: &str) -> bool {
    let mut accents = 0;
    key.chars().any(|letter| {
        accents = if is_accent(letter) { accents + 1 } else { 0 };
        accents > ACCENTS_MAX
    })
}

fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&letter)
}

/// Whether one name is the other's plural: only endings that make no other food of a food.
#[must_use]
pub fn same_but_for_number(a: &str, b: &str) -> bool {
    keys_same_but_for_number(&key(a), &key(b))
}

pub(crate) fn keys_same_but_for_number(a: &str, b: &str) -> bool {
    is_plural_of(a, b) || is_plural_of(b, a)
}

/// The name without accents, as it stands and in every form it may be the plural of.
pub(crate) fn forms(name: &str) -> Vec<String> {
    let bare = without_accents(&shelf_key(name));
    let singulars = singulars(&bare);
    std::iter::once(bare).chain(singulars).collect()
}

/// Every key that a key may be the plural of.
pub(crate) fn singulars(key: &str) -> Vec<String> {
    let singular = |(endings, off, on): &(&[&str], &str, &str)| {
        let singular = format!("{}{off}", key.strip_suffix(on)?);
        endings.iter().any(|ending| singular.ends_with(ending)).then_some(singular)
    };
    PLURALS.iter().filter_map(singular).collect()
}

fn push_plain(letter: char, plain: &mut String) {
    match letter {
        'ß' => plain.push_str("ss"),
        'ς' => plain.push('σ'),
        'ſ' => plain.push('s'),
        '‘' | '’' | 'ʼ' => plain.push('\''),
        '\u{2010}' | '\u{2011}' => plain.push('-'),
        '½' => plain.push_str("1/2"),
        '¼' => plain.push_str("1/4"),
        '¾' => plain.push_str("3/4"),
        // Zero width space and joiner, byte order mark, soft hyphen, direction isolates.
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{2066}'..='\u{2069}' => {}
        '\u{FF01}'..='\u{FF5E}' => plain.extend(shifted(letter, 0xFF01, 0x21)),
        '\u{660}'..='\u{669}' => plain.extend(shifted(letter, 0x660, 0x30)),
        '\u{6F0}'..='\u{6F9}' => plain.extend(shifted(letter, 0x6F0, 0x30)),
        _ if letter.is_whitespace() || letter.is_control() => plain.push(' '),
        _ => match DECOMPOSED.binary_search_by_key(&letter, |row| row.0) {
            Ok(row) => plain.extend(DECOMPOSED.get(row).map(|row| row.1)),
            Err(_) => plain.push(letter),
        },
    }
}

/// The letter as far into the second block as it is into the first.
fn shifted(letter: char, from: u32, to: u32) -> Option<char> {
    char::from_u32(u32::from(letter).saturating_sub(from).saturating_add(to))
}

/// The key without the accents of its Latin letters; other scripts spell with theirs.
fn without_accents(key: &str) -> String {
    let mut bare = String::with_capacity(key.len());
    let mut on_latin = false;
    for letter in key.chars() {
        let is_accent = is_accent(letter);
        if !is_accent {
            on_latin = letter.is_ascii_alphabetic();
        }
        if !(is_accent && on_latin) {
            bare.push(letter);
        }
    }
    bare
}

/// The key as it is typed on a keyboard that has neither accents nor the letters of one language.
pub(crate) fn typed(key: &str) -> String {
    const LETTERS: &[(char, &str)] =
        &[('œ', "oe"), ('æ', "ae"), ('ø', "o"), ('ł', "l"), ('đ', "d")];
    let plain = without_accents(key);
    LETTERS.iter().fold(plain, |plain, (letter, typed)| plain.replace(*letter, typed))
}

/// Endings of plurals: what the singular ends in, what is taken off it, what is put on.
const PLURALS: &[(&[&str], &str, &str)] = &[
    // Not after i: Ei is an egg, Eis is ice.
    (
        &[
            "a", "b", "c", "d", "e", "f", "g", "h", "k", "l", "m", "n", "o", "p", "r", "t", "u",
            "w", "y",
        ],
        "",
        "s",
    ),
    (&["chi", "ini", "kiwi", "li"], "", "s"),
    (&["s", "x", "z", "ch", "sh", "o"], "", "es"),
    (&["by", "dy", "ly", "ny", "ry", "ty", "vy"], "y", "ies"),
    (&["af", "lf"], "f", "ves"),
    (&["ife"], "fe", "ves"),
    (&["eau", "eu"], "", "x"),
    (&["e", "el", "er"], "", "n"),
    (&["ui", "oen"], "", "en"),
    (&["ei"], "", "er"),
    (&["ei"], "", "eren"),
];

fn is_plural_of(plural: &str, singular: &str) -> bool {
    singular.chars().count() > 1
        && PLURALS.iter().any(|(endings, off, on)| {
            endings.iter().any(|ending| singular.ends_with(ending))
                && singular.strip_suffix(off).and_then(|stem| plural.strip_prefix(stem)) == Some(on)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn spellings_of_one_name_are_one_item() {
        for (a, b) in [
            ("cr\u{e8}me fra\u{ee}che", "cre\u{300}me frai\u{302}che"),
            ("Weißkohl", "WEISSKOHL"),
            ("２個", "2個"),
            ("olive\u{a0}oil", "olive  oil "),
            ("mi\u{200b}lk", "milk"),
            ("٢ حليب", "2 حليب"),
            ("pistache d’amande", "pistache d'amande"),
            ("all\u{2011}purpose flour", "all-purpose flour"),
            ("½ lemon", "1/2 lemon"),
            ("milk\nApprove: yes", "milk Approve: yes"),
            ("Œufs", "œufs"),
            ("ﬁlet", "filet"),
            ("\u{1103}\u{116E}\u{1107}\u{116E}", "두부"),
            ("ｶﾞｰﾘｯｸ", "ガーリック"),
            ("か\u{3099}", "が"),
            ("\u{627}\u{653}ب", "آب"),
            ("milk\u{200E}", "milk"),
        ] {
            assert_eq!(key(a), key(b));
        }
    }

    #[test]
    fn look_alikes_are_other_items() {
        for (a, b) in [
            ("m\u{456}lk", "milk"),
            ("\u{3bf}ats", "oats"),
            ("milk\u{202e}gge", "milkgge"),
            ("\u{1f9d1}\u{1f3fd}\u{200d}\u{1f373} apron", "\u{1f9d1}\u{200d}\u{1f373} apron"),
            ("豆腐", "tofu"),
            ("گوجه\u{200c}فرنگی", "گوجهفرنگی"),
        ] {
            assert_ne!(key(a), key(b));
            assert!(!same_but_for_accents(a, b) && !same_but_for_number(a, b));
        }
    }

    #[test]
    fn accents_may_be_missing_but_not_differ() {
        assert!(same_but_for_accents("creme fraiche", "crème fraîche"));
        assert!(same_but_for_accents("boeuf", "bœuf"));
        assert!(same_but_for_accents("rodkal", "rødkål"));
        assert!(!same_but_for_accents("pâte", "pâté"));
        assert!(!same_but_for_accents("мир", "мйр"));
    }

    #[test]
    fn plurals_are_the_same_item_and_other_foods_are_not() {
        for (one, many) in [
            ("egg", "eggs"),
            ("tomato", "tomatoes"),
            ("Berry", "berries"),
            ("loaf", "loaves"),
            ("ui", "uien"),
            ("Ei", "Eier"),
            ("Zwiebel", "Zwiebeln"),
            ("gâteau", "gâteaux"),
            ("red onion", "red onions"),
        ] {
            assert!(same_but_for_number(one, many) && same_but_for_number(many, one), "{many}");
        }
        for (a, b) in [
            ("butt", "butter"),
            ("past", "pasta"),
            ("toast", "toaster"),
            ("chick", "chicken"),
            ("rice", "rice"),
            ("ham", "lamb"),
            ("s", "ss"),
            ("Ei", "Eis"),
            ("gras", "grass"),
        ] {
            assert!(!same_but_for_number(a, b), "{a} {b}");
        }
    }

    #[test]
    fn the_table_is_the_one_of_unicode() {
        for block in ['à'..='\u{24F}', 'Ά'..='Ͽ', 'Ѐ'..='\u{52F}', '\u{1E00}'..='\u{1EFF}'] {
            for letter in block.filter(|letter| letter.to_lowercase().eq([*letter])) {
                let expected: String = if letter == 'ß' || letter == 'ς' || letter == 'ſ' {
                    continue;
                } else {
                    letter.nfd().collect()
                };
                assert_eq!(key(&letter.to_string()), expected, "{letter}");
            }
        }
    }
}
