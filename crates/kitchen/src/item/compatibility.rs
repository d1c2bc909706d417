//! Ligatures, half-width kana, marks of direction and what is written as one sign or as several: the compatibility
//! decompositions of the Unicode Character Database that names of food meet.
//!
//! By rules where the general table has thousands of rows; a test holds them against it.

/// What the half-width forms from U+FF61 on stand for.
const HALF_WIDTH: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";

/// Kana with a mark of voice, each behind the one without.
const VOICED: &str =
    "がぎぐげござじずぜぞだぢづでどばびぶべぼゞガギグゲゴザジズゼゾダヂヅデドバビブベボヾ";
/// Kana with a half-voiced mark, each two behind the one without.
const HALF_VOICED: &str = "ぱぴぷぺぽパピプペポ";

/// Adds what a letter is made of, if it is made of others.
pub(super) fn push_parts(letter: char, plain: &mut String) -> bool {
    let code = u32::from(letter);
    match letter {
        'ﬀ' => plain.push_str("ff"),
        'ﬁ' => plain.push_str("fi"),
        'ﬂ' => plain.push_str("fl"),
        'ﬃ' => plain.push_str("ffi"),
        'ﬄ' => plain.push_str("ffl"),
        '\u{AC00}'..='\u{D7A3}' => push_syllable(code - 0xAC00, plain),
        '\u{FF61}'..='\u{FF9D}' => {
            plain.extend(HALF_WIDTH.chars().nth((code - 0xFF61) as usize));
        }
        '\u{FF9E}' => plain.push('\u{3099}'),
        '\u{FF9F}' => plain.push('\u{309A}'),
        'آ' => plain.push_str("ا\u{653}"),
        'أ' => plain.push_str("ا\u{654}"),
        'ؤ' => plain.push_str("و\u{654}"),
        'إ' => plain.push_str("ا\u{655}"),
        'ئ' => plain.push_str("ي\u{654}"),
        // Marks of direction, which neither show nor move anything by themselves.
        '\u{200E}' | '\u{200F}' | '\u{61C}' => {}
        'ゔ' => plain.push_str("う\u{3099}"),
        'ヴ' => plain.push_str("ウ\u{3099}"),
        _ if VOICED.contains(letter) => {
            plain.extend([before(code, 1), Some('\u{3099}')].iter().flatten())
        }
        _ if HALF_VOICED.contains(letter) => {
            plain.extend([before(code, 2), Some('\u{309A}')].iter().flatten())
        }
        _ => return false,
    }
    true
}

/// A syllable of Hangul by its letters: its first consonant, its vowel and its last consonant.
fn push_syllable(place: u32, plain: &mut String) {
    const VOWELS: u32 = 21;
    const LAST: u32 = 28;
    plain.extend(char::from_u32(0x1100 + place / (VOWELS * LAST)));
    plain.extend(char::from_u32(0x1161 + place % (VOWELS * LAST) / LAST));
    plain.extend(char::from_u32(0x11A7 + place % LAST).filter(|_| !place.is_multiple_of(LAST)));
}

fn before(code: u32, places: u32) -> Option<char> {
    char::from_u32(code - places)
}

#[cfg(test)]
mod tests {
    use super::super::key;
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn what_is_made_of_others_is_as_unicode_says() {
        let blocks = [
            '\u{3041}'..='\u{309E}',
            '\u{30A1}'..='\u{30F4}',
            'آ'..='ئ',
            '\u{AC00}'..='\u{D7A3}',
            '\u{FF61}'..='\u{FF9F}',
            'ﬀ'..='ﬄ',
        ];
        for letter in blocks.into_iter().flatten().filter(|letter| letter.is_alphabetic()) {
            let name = format!("x{letter}x");
            let decomposed: String = name.nfkd().collect();
            assert_eq!(key(&name), decomposed, "{letter}");
        }
    }
}
