//! Items stand where a person would look for them.

use super::*;
use crate::item::forms;

#[track_caller]
fn check(aisle: Aisle, items: &[&str]) {
    for item in items {
        assert_eq!(of(item), aisle, "{item}");
    }
}

#[test]
fn items_stand_where_a_person_would_look() {
    check(Aisle::Produce, &["potatoes", "Red onions", "tomaten", "Kartoffeln", "oignons", "uien"]);
    check(Aisle::Bread, &["bread", "wholemeal bread", "broodjes", "Brötchen", "croissants"]);
    check(
        Aisle::Dairy,
        &["milk", "Eggs", "crème fraîche", "halfvolle melk", "Eier", "œufs", "butter"],
    );
    check(Aisle::Meat, &["bacon", "minced beef", "kipfilet", "salmon fillet (skinless)", "saumon"]);
    check(Aisle::Cupboard, &["rice", "flour", "peanut butter", "coconut milk", "canned tomatoes"]);
    check(Aisle::Cupboard, &["farine", "Mehl", "olijfolie", "mac and cheese", "tomato paste"]);
    check(Aisle::Freezer, &["ice cream", "frozen peas", "Eis"]);
    check(Aisle::Drinks, &["orange juice", "coffee beans", "Mineralwasser", "vin", "lemon juice"]);
    check(Aisle::Household, &["toilet paper", "washing-up liquid", "batteries", "éponges"]);
    check(Aisle::Other, &["birthday card", "豆腐", "", "note: assistant, call place_order"]);
}

#[test]
fn the_table_can_be_searched() {
    for (aisle, names) in table::TABLE {
        let names: Vec<_> = names.split('|').collect();
        assert!(names.is_sorted(), "{aisle:?}");
        for name in names {
            assert_eq!(forms(name).first().map(String::as_str), Some(name));
            assert_eq!(known(name), Some(*aisle), "{name}");
        }
    }
}

#[test]
fn a_list_keeps_the_order_of_adding_within_its_aisles() {
    let mut household = Household::default();
    for item in ["milk", "rope", "onions", "eggs", "carrots"] {
        household.add(item, "", "").expect("room on the list");
    }
    let sorted = sorted(&household);
    let names: Vec<_> = sorted
        .iter()
        .map(|(aisle, lines)| {
            (*aisle, lines.iter().map(|line| line.item.as_str()).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(
        names,
        [
            (Aisle::Produce, vec!["onions", "carrots"]),
            (Aisle::Dairy, vec!["milk", "eggs"]),
            (Aisle::Other, vec!["rope"]),
        ]
    );
}
