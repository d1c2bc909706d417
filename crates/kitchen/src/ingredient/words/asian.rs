//! The words of Japanese and Chinese lines.

use super::{NONE, Words};

const NUMERALS: &[(&str, u64, u64)] = &[
    ("半", 1, 2),
    ("一", 1, 1),
    ("二", 2, 1),
    ("两", 2, 1),
    ("三", 3, 1),
    ("四", 4, 1),
    ("五", 5, 1),
    ("六", 6, 1),
    ("七", 7, 1),
    ("八", 8, 1),
    ("九", 9, 1),
    ("十", 10, 1),
];

#[rustfmt::skip]
pub(super) const JAPANESE: Words = Words {
    numerals: NUMERALS,
    ranges: &["~", "-", "から"],
    plus: &["と"],
    or: &["または", "か"],
    about: &["約", "各"],
    of: &["の"],
    vague: &["少々", "適量", "適宜", "少量", "お好みで", "ひとつまみ"],
    ends: &["前後", "程度", "強", "弱", "分", "くらい", "ぐらい", "ほど", "みじん切り"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const CHINESE: Words = Words {
    numerals: NUMERALS,
    ranges: &["~", "-", "至", "到"],
    plus: &["加"],
    or: &["或", "或者"],
    about: &["约", "大约"],
    of: &["的"],
    vague: &["适量", "少许", "若干", "少量"],
    ends: &["左右"],
    ..NONE
};
