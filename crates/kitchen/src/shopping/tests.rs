//! One line for one thing, and nothing found by guessing.

use super::*;
use crate::household::Edit;

fn list(lines: &[(&str, &str)]) -> Household {
    let mut household = Household::default();
    for (item, quantity) in lines {
        household.add(item, quantity, "").expect("room on the list");
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
fn every_way_in_merges() {
    let mut household = list(&[("milk", "1 l"), ("eggs", "12"), ("flour", "500 g")]);
    household.add("Milk ", "1 l", "").expect("merges");
    household.add("egg", "", "the brown ones").expect("merges");
    household
        .edit(Edit::Add { item: "flour".to_owned(), quantity: "2 cups".to_owned() })
        .expect("merges");
    assert_eq!(
        written(&household),
        ["1 - milk|2 l|", "2 - eggs|12|the brown ones", "3 - flour|500 g + 2 cups|"]
    );
}

#[test]
fn notes_are_kept_side_by_side() {
    let mut household = list(&[("milk", "")]);
    for note in ["half fat", "", "organic", "half fat"] {
        household.add("milk", "", note).expect("merges");
    }
    assert_eq!(written(&household), ["1 - milk||half fat; organic"]);
}

#[test]
fn a_line_in_the_basket_comes_out_of_it_and_starts_anew() {
    let mut household = list(&[("milk", "1 l"), ("eggs", "12")]);
    for id in [1, 2] {
        household.check(LineId(id), true).expect("is there");
    }
    household.add("milk", "2 l", "").expect("merges");
    household.add("eggs", "", "").expect("merges");
    assert_eq!(written(&household), ["1 - milk|2 l|", "2 - eggs|12|"]);
}

#[test]
fn ids_are_never_used_again() {
    let mut household = list(&[("milk", ""), ("eggs", "")]);
    household.edit(Edit::Remove { line: LineId(2) }).expect("is there");
    household.add("bread", "", "").expect("room");
    assert_eq!(written(&household), ["1 - milk||", "3 - bread||"]);
    let mut old: Household = serde_json::from_str(
        r#"{"shopping":[{"id":7,"item":"a","quantity":"","note":"","checked":false}]}"#,
    )
    .expect("an older household");
    old.add("b", "", "").expect("room");
    assert_eq!(old.shopping.last().map(|line| line.id), Some(LineId(8)));
}

#[test]
fn a_name_finds_its_line_or_nothing() {
    let household = list(&[("eggs", ""), ("pâte", ""), ("pâté", ""), ("red onion", "")]);
    let found = |name: &str| household.find(name).map(|id| id.0);
    assert_eq!((found("EGGS"), found("egg"), found("pâté")), (Ok(1), Ok(1), Ok(3)));
    assert_eq!(found("red onions"), Ok(4));
    assert_eq!(
        found("pate").map_err(|refusal| refusal.to_string()),
        Err("“pate” may mean several lines: “pâte”, “pâté”. Name one.".to_owned())
    );
    for missing in ["onion", "eg", "eggz", "е\u{261}gs", ""] {
        assert!(matches!(found(missing), Err(Refusal::NotThere { .. })), "{missing}");
    }
}

#[test]
fn what_cannot_stand_on_a_list_is_refused_and_changes_nothing() {
    let mut household = list(&[("gold", "999999999 kg"), ("eggs", "")]);
    let before = household.clone();
    let long = "a".repeat(121);
    for (item, quantity) in [
        ("", ""),
        (" \u{200b} ", ""),
        ("a\nb", ""),
        ("a\u{7}", ""),
        (&long, ""),
        ("a", &long),
        ("gold", "9999999 kg"),
    ] {
        assert!(household.add(item, quantity, "").is_err(), "{item} {quantity}");
    }
    let taken = LineUpdate { item: Some("Egg".to_owned()), ..LineUpdate::default() };
    assert!(matches!(household.update(LineId(1), taken), Err(Refusal::NameTaken { .. })));
    assert!(household.edit(Edit::Check { line: LineId(9), checked: true }).is_err());
    assert_eq!(household, before);
}

#[test]
fn a_line_is_changed_in_place() {
    let mut household = list(&[("egg", "6"), ("milk", "")]);
    let update = LineUpdate {
        item: Some("Eggs".to_owned()),
        quantity: Some(String::new()),
        note: Some("brown".to_owned()),
    };
    household.update(LineId(1), update).expect("is there");
    assert_eq!(written(&household), ["1 - Eggs||brown", "2 - milk||"]);
}
