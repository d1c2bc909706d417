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
}

#[test]
fn what_cannot_be_read_is_kept_as_it_is() {
    for text in [
        "a bit",
        "1,000 g",
        "1.250 kg",
        "2-3",
        "2–3 cups",
        "2 x 400 g",
        "0",
        "1/0",
        "-1",
        "1e3",
        "0x10",
        "5 smoots",
        "99999999999999",
        "1.",
        "１",
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

/// A quantity as it may come: amounts a household may write, or any text at all.
fn quantity() -> impl Strategy<Value = Quantity> {
    let unit = prop::sample::select(UNITS.iter().flat_map(|unit| unit.words).collect::<Vec<_>>());
    let amount = (0u64..2000, 1u64..13).prop_map(|(above, below)| format!("{above}/{below}"));
    let decimal =
        (0u64..2000, 0u64..100).prop_map(|(whole, places)| format!("{whole},{places:02}"));
    let part =
        (prop_oneof![amount, decimal], unit).prop_map(|(amount, unit)| format!("{amount} {unit}"));
    let text = prop::collection::vec(prop_oneof![4 => part, 1 => any::<String>()], 0..4);
    text.prop_map(|parts| Quantity::read(&parts.join("+")))
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same(quantity in quantity()) {
        prop_assert_eq!(Quantity::read(&quantity.to_string()), quantity);
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
    fn nothing_is_lost(text in "\\PC{0,40}", more in quantity()) {
        let read = Quantity::read(&text);
        if read.sums.is_empty() {
            let letters = |text: &str| -> Vec<char> {
                let mut letters: Vec<_> = text.chars().filter(|it| !it.is_whitespace() && *it != '+').collect();
                letters.sort_unstable();
                letters
            };
            prop_assert_eq!(letters(&read.to_string()), letters(&text));
        }
        let both = read.plus(&more).expect("such amounts add up");
        prop_assert_eq!(both.unread().len(), read.unread().len() + more.unread().len());
        prop_assert!(read.sums.keys().chain(more.sums.keys()).all(|family| both.sums.contains_key(family)));
    }
}
