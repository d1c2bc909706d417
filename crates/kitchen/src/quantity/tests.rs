//! What is read, what is added, and that nothing is lost.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, written: &str) {
    assert_eq!(Quantity::read(text).to_string(), written, "{text}");
    assert_eq!(Quantity::read(text).unread(), [] as [&str; 0], "{text}");
}

#[track_caller]
fn check_sum(parts: &[&str], written: &str) {
    let sum = parts.iter().fold(Quantity::default(), |sum, part| {
        sum.plus(&Quantity::read(part)).expect("small amounts add up")
    });
    assert_eq!(sum.to_string(), written, "{parts:?}");
}

#[test]
fn what_people_write_is_read() {
    check("", "");
    check("12", "12");
    check(" 500  g ", "500 g");
    check("500g", "500 g");
    check("1 1/2 lb", "1 1/2 lb");
    check("1½ lb", "1 1/2 lb");
    check("½", "1/2");
    check("1⁄2", "1/2");
    check("0.5 l", "0.5 l");
    check("0,5 l", "0.5 l");
    check("0.125 kg", "125 g");
    check("20 cl", "20 cl");
    check("2 Pakken", "2 pakken");
    check("1 packungen", "1 Packung");
    check("3 pieces", "3");
    check("1 tbsp.", "1 tbsp");
    check("2 EL", "2 EL");
    check("1/3 kg", "333 1/3 g");
    check("500 g + 2 cups", "500 g + 2 cups");
    check("2 cups+500 g", "500 g + 2 cups");
    check("２", "2");
    check("1-1/2 cups", "1 1/2 cups");
}

#[test]
fn what_other_languages_write_is_read() {
    check("30 dkg", "30 dkg");
    check("6 evőkanál", "6 evőkanál");
    check("2,5 su bardağı", "2 1/2 su bardağı");
    check("1 yemek kaşığı", "1 yemek kaşığı");
    check("2 xícaras (chá)", "2 xícaras");
    check("2 colheres (sopa)", "2 colheres (sopa)");
    check("１/２個", "1/2 個");
    check("小さじ1/4", "1/4 小さじ");
    check("200cc", "200 ml");
    check("2 c.à.s.", "2 c. à soupe");
    check("3 gousses", "3 gousses");
    check("2 łyżek", "2 łyżki");
}

#[test]
fn a_range_keeps_both_ends() {
    check("2-3", "2–3");
    check("2 – 3 cups", "2–3 cups");
    check("1-2.5 kg", "1–2.5 kg");
    check("3 to 4 tablespoons", "3–4 tbsp");
    check("8 à 10 filets", "8–10 filets");
    check("900-1100 g", "900–1100 g");
    check("1000-1500 g", "1–1.5 kg");
    check_sum(&["2-3 cups", "1 cup"], "3–4 cups");
    check_sum(&["1-2 kg", "500 g"], "1.5–2.5 kg");
}

#[test]
fn a_language_says_which_sign_stands_before_decimals() {
    for (language, text, written) in [
        (Language::English, "1,000 g", "1 kg"),
        (Language::English, "1.250 kg", "1.25 kg"),
        (Language::German, "1.000 g", "1 kg"),
        (Language::German, "1,250 kg", "1,25 kg"),
        (Language::Dutch, "1.234.567 g", "1234567 g"),
        (Language::French, "0,5 l", "0,5 l"),
        (Language::English, "0,5 l", "0.5 l"),
        (Language::Dutch, "2 TL", "2 tl"),
        (Language::German, "1 eetlepel", "1 EL"),
        (Language::French, "3 tbsp", "3 c. à soupe"),
        (Language::English, "3 c", "3 cups"),
        (Language::French, "3 cc", "3 c. à café"),
        (Language::Dutch, "2 dozen", "2 dozen"),
    ] {
        let quantity = Quantity::read_in(text, language);
        assert_eq!(quantity.unread(), [] as [&str; 0], "{text}");
        assert_eq!(quantity.written_in(language), written, "{text}");
    }
    assert_eq!(Quantity::read("1,000 g").unread(), ["1,000 g"]);
}

#[test]
fn every_unit_has_a_word_that_is_read_as_it() {
    for unit in unit::all() {
        let quantity = Quantity::of(Span::one(7.into()), unit).expect("seven of anything");
        assert_eq!(Quantity::read(&quantity.to_string()), quantity, "{unit:?}");
    }
}

#[test]
fn what_cannot_be_read_is_kept_as_it_is() {
    for text in [
        "a bit",
        "1,000 g",
        "1.250 kg",
        "3-2",
        "2-0",
        "2-3-4",
        "2 to",
        "2 x 400 g",
        "0",
        "1/0",
        "-1",
        "1e3",
        "0x10",
        "5 smoots",
        "99999999999999",
        "1.",
        "a 2",
    ] {
        let quantity = Quantity::read(text);
        assert_eq!(
            (quantity.to_string().as_str(), quantity.unread()),
            (text, [text.to_owned()].as_slice())
        );
    }
    let mixed = Quantity::read("500 g + some more");
    assert_eq!(
        (mixed.to_string().as_str(), mixed.unread()),
        ("500 g + some more", ["some more".to_owned()].as_slice())
    );
}

#[test]
fn amounts_add_within_a_family_and_stand_side_by_side_across() {
    check_sum(&["500 g", "0.8 kg"], "1.3 kg");
    check_sum(&["600 g", "600 g"], "1.2 kg");
    check_sum(&["1 kg", "125 g"], "1125 g");
    check_sum(&["1 l", "1 l"], "2 l");
    check_sum(&["20 cl", "20 cl"], "40 cl");
    check_sum(&["20 cl", "1 l"], "1.2 l");
    check_sum(&["500 g", "2 cups"], "500 g + 2 cups");
    check_sum(&["2 cups", "500 g"], "500 g + 2 cups");
    check_sum(&["1/4 teaspoon", "3/4 tsp."], "1 tsp");
    check_sum(&["1/3 cup", "1/3 cup", "1/3 cup"], "1 cup");
    check_sum(&["1 1/2 lb", "8 oz"], "2 lb");
    check_sum(&["1 pack", "2 packets"], "3 packs");
    check_sum(&["1 pack", "2 cans", "6"], "6 + 2 cans + 1 pack");
    check_sum(&["12", ""], "12");
    check_sum(&["a bit", "12", "a bit"], "12 + a bit + a bit");
}

#[test]
fn what_is_too_much_to_add_exactly_is_not_added() {
    let most = Quantity::read("1000000000 kg");
    assert_eq!(most.unread().len(), 0);
    assert_eq!(most.plus(&Quantity::read("1 g")), None);
    let fine = Quantity::read("1/999983 cup");
    assert_eq!(fine.plus(&Quantity::read("1/999979 cup")), None);
}

/// A quantity as it may come: amounts and ranges a household may write, or any text at all.
fn quantity() -> impl Strategy<Value = Quantity> {
    let words = unit::all().flat_map(|unit| unit.words);
    let unit = prop::sample::select(words.collect::<Vec<_>>());
    let amount = (0u64..2000, 1u64..13).prop_map(|(above, below)| format!("{above}/{below}"));
    let decimal =
        (0u64..2000, 0u64..100).prop_map(|(whole, places)| format!("{whole},{places:02}"));
    let range = (0u64..2000, 1u64..100).prop_map(|(from, more)| format!("{from}-{}", from + more));
    let part = (prop_oneof![amount, decimal, range], unit)
        .prop_map(|(amount, unit)| format!("{amount} {unit}"));
    let text = prop::collection::vec(prop_oneof![4 => part, 1 => any::<String>()], 0..4);
    text.prop_map(|parts| Quantity::read(&parts.join("+")))
}

fn language() -> impl Strategy<Value = Language> {
    let written = [Language::English, Language::Dutch, Language::German, Language::French];
    prop::sample::select(written.to_vec())
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same(quantity in quantity()) {
        prop_assert_eq!(Quantity::read(&quantity.to_string()), quantity);
    }

    #[test]
    fn what_a_language_writes_it_reads_as_the_same(quantity in quantity(), language in language()) {
        prop_assume!(quantity.unread().is_empty());
        let written = quantity.written_in(language);
        prop_assert_eq!(Quantity::read_in(&written, language), quantity, "{}", written);
    }

    #[test]
    fn order_and_grouping_make_no_difference(a in quantity(), b in quantity(), c in quantity()) {
        prop_assert_eq!(a.plus(&b), b.plus(&a));
        let left = a.plus(&b).and_then(|sum| sum.plus(&c));
        let right = b.plus(&c).and_then(|sum| a.plus(&sum));
        prop_assert_eq!(left, right);
        prop_assert_eq!(a.plus(&Quantity::default()), Some(a));
    }

    #[test]
    fn what_is_scaled_and_scaled_back_is_the_same(
        quantity in quantity(),
        (above, below) in (1u64..100, 1u64..100),
    ) {
        if let Some(scaled) = quantity.times(Number::new(above, below)) {
            prop_assert_eq!(scaled.times(Number::new(below, above)), Some(quantity));
        }
    }

    #[test]
    fn twice_as_much_is_the_same_and_the_same_again(quantity in quantity()) {
        prop_assume!(quantity.unread().is_empty());
        prop_assert_eq!(quantity.times(2.into()), quantity.plus(&quantity));
    }

    #[test]
    fn nothing_is_lost(text in "\\PC{0,40}", more in quantity()) {
        let read = Quantity::read(&text);
        if read.sums.is_empty() {
            let letters = |text: &str| -> Vec<char> {
                let mut letters: Vec<_> =
                    text.chars().filter(|it| !it.is_whitespace() && !"+＋".contains(*it)).collect();
                letters.sort_unstable();
                letters
            };
            prop_assert_eq!(letters(&read.to_string()), letters(&text));
        }
        let both = read.plus(&more).expect("such amounts add up");
        prop_assert_eq!(both.unread().len(), read.unread().len() + more.unread().len());
        let families = || read.sums.keys().chain(more.sums.keys());
        prop_assert!(families().all(|family| both.sums.contains_key(family)));
    }
}

#[test]
fn nothing_is_scaled_to_nothing_or_beyond_what_can_be_told() {
    assert_eq!(Quantity::read("2 cups").times(0.into()), None);
    assert_eq!(Quantity::read("1000000000 kg").times(2.into()), None);
    let mixed = Quantity::read("2-3 eggs + 500 g + some").times(Number::new(3, 2));
    assert_eq!(mixed.map(|it| it.to_string()).as_deref(), Some("750 g + 2-3 eggs + some"));
}
