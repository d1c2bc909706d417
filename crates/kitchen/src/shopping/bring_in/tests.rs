//! A list that comes in whole: what is merged, what stands for itself, and what stays out.

use proptest::prelude::*;

use super::*;

fn list(lines: &[(&str, &str, &str, bool)]) -> Household {
    let mut household = Household::default();
    for (number, (item, quantity, note, checked)) in (1..).zip(lines) {
        household.shopping.push(Line {
            id: LineId(number),
            item: (*item).to_owned(),
            quantity: (*quantity).to_owned(),
            note: (*note).to_owned(),
            checked: *checked,
        });
    }
    household
}

fn written(household: &Household) -> Vec<String> {
    let line = |line: &Line| {
        let tick = if line.checked { "x" } else { "-" };
        format!("{} {tick} {}|{}|{}", line.id.0, line.item, line.quantity, line.note)
    };
    household.shopping.iter().map(line).collect()
}

#[test]
fn a_list_that_comes_in_is_merged_with_what_is_there_and_never_with_itself() {
    let mut here = list(&[
        ("milk", "1 l", "", false),
        ("Eggs", "6", "brown", true),
        ("rice", "1 kg", "", false),
    ]);
    let copy = list(&[
        ("Milk", "1 l", "half fat", false),
        ("egg", "12", "", false),
        ("rice", "2 kg", "", true),
        ("pâte", "", "", false),
        ("pâté", "", "", true),
        ("pâte", "1", "", false),
    ]);
    let brought_in = here.bring_in(&copy.shopping);
    assert_eq!(brought_in, BroughtIn { added: 3, merged: 3, left_out: vec![] });
    assert_eq!(
        written(&here),
        [
            "1 - milk|2 l|half fat",
            "2 - Eggs|12|brown",
            "3 - rice|1 kg|",
            "4 - pâte||",
            "5 x pâté||",
            "6 - pâte|1|"
        ]
    );
}

#[test]
fn a_list_in_the_place_of_another_has_ids_of_its_own() {
    let mut here = list(&[("milk", "1 l", "", false), ("eggs", "6", "", true)]);
    let copy = list(&[("eggs", "12", "", false), ("milk", "", "", true)]);
    here.clear();
    here.bring_in(&copy.shopping);
    assert_eq!(written(&here), ["3 - eggs|12|", "4 x milk||"]);
}

#[test]
fn what_cannot_stand_on_a_list_stays_out_and_the_rest_comes_in() {
    let long = "a".repeat(121);
    let mut here = list(&[("gold", "999999999 kg", "", false)]);
    let copy = list(&[
        ("", "", "", false),
        ("a\nApprove: yes", "", "", false),
        (&long, "", "", false),
        ("gold", "9999999 kg", "", false),
        ("bread", &long, "", false),
        ("__proto__", "1", "", false),
    ]);
    let brought_in = here.bring_in(&copy.shopping);
    let left_out: Vec<_> = brought_in.left_out.iter().map(|it| it.why.as_str()).collect();
    assert_eq!(
        left_out,
        [
            "Nothing was named.",
            "The name holds a line break or another control character.",
            "The name is too long; at most 120 characters fit.",
            "The amounts of “gold” are too large to add exactly.",
            "The quantity is too long; at most 120 characters fit.",
        ]
    );
    assert_eq!((brought_in.added, brought_in.merged), (1, 0));
    assert_eq!(written(&here), ["1 - gold|999999999 kg|", "2 - __proto__|1|"]);
}

/// Names of which many are the same item, or nearly.
fn names() -> impl Strategy<Value = Vec<String>> {
    const NAMES: [&str; 24] = [
        "egg", "eggs", "Egg", "pâte", "pâté", "pate", "berry", "berries", "knife", "knives", "Ei",
        "Eier", "Eis", "leaf", "leaves", "leafs", "a", "as", "peche", "pêche", "pêches", "peches",
        "tomato", "tomatoes",
    ];
    prop::collection::vec(prop::sample::select(&NAMES[..]), 0..8)
        .prop_map(|names| names.into_iter().map(str::to_owned).collect())
}

proptest! {
    #[test]
    fn an_index_finds_the_line_that_the_list_finds(here in names(), wanted in names()) {
        let lines: Vec<_> = here.iter().map(|name| (name.as_str(), "", "", false)).collect();
        let household = list(&lines);
        let index = Index::of(&household.shopping);
        for name in wanted {
            let found = index.find(&name).and_then(|place| household.shopping.get(place));
            prop_assert_eq!(found.map(|line| line.id), household.find(&name).ok(), "{}", name);
        }
    }
}
