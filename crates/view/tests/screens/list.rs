//! The shopping list.

use agent::approval::{Basis, Outcome};
use kitchen::{Change, ChangeId, Edit, Household, LineId, difference};
use view::card::Asked;
use view::list::{Counts, List};

use crate::card::{card, open};
use crate::transcript::{NOW, add, decision, household, request};

#[test]
fn the_list_pencils_in_what_waits_where_it_would_stand() {
    let household = household(&[("milk", "1 l"), ("bread", "1")]);
    let calls = [add("a", "milk", "1 l"), add("b", "eggs", "12"), add("c", "rye bread", "1")];
    let requests = calls.each_ref().map(|call| request(call, None));
    let yes = decision(&calls[2], Outcome::Approved, Basis::Person);
    let allowed = Asked { call: &calls[2], open: None, decision: Some(&yes), result: None };
    let card = card(&[open(&requests[0]), open(&requests[1]), allowed], &household);
    let list = List::of(&household, &[], &[card]);
    let shown: Vec<_> = list
        .lines
        .iter()
        .map(|line| {
            let pencil = line.pencil.as_ref().map(|it| (it.allowed, it.change.spoken()));
            (line.aisle, line.name.spoken(), pencil)
        })
        .collect();
    let pencil = |allowed, words: &str| Some((allowed, words.to_owned()));
    assert_eq!(
        shown,
        [
            ("Bread", "bread".to_owned(), None),
            ("Bread", "rye bread".to_owned(), pencil(true, "rye bread, not on the list becomes 1")),
            ("Dairy & eggs", "milk".to_owned(), pencil(false, "milk, 1 l becomes 2 l")),
            ("Dairy & eggs", "eggs".to_owned(), pencil(false, "eggs, not on the list becomes 12")),
        ]
    );
    assert_eq!(list.counts(), Counts { to_get: 2, in_basket: 0, allowed: 1, pencilled: 2 });
}

#[test]
fn a_ticked_line_keeps_its_place_for_as_long_as_it_is_to() {
    let mut household = household(&[("milk", "1 l"), ("bread", "1")]);
    let milk = LineId(1);
    household.edit(Edit::Check { line: milk, checked: true }).expect("a line");
    let list = List::of(&household, &[], &[]);
    let titles = |staying: &[LineId]| {
        list.groups(staying).iter().map(|group| group.title).collect::<Vec<_>>()
    };
    assert_eq!(titles(&[]), ["Bread", "In the basket"]);
    assert_eq!(titles(&[milk]), ["Bread", "Dairy & eggs"]);
}

#[test]
fn the_latest_changes_can_be_taken_back_where_they_show() {
    let before = household(&[("milk", "1 l")]);
    let mut with_eggs = before.clone();
    with_eggs
        .edit(Edit::Add { item: "eggs".to_owned(), quantity: "12".to_owned() })
        .expect("an item");
    let change = |id, from: &Household, to: &Household| Change {
        id: ChangeId(id),
        at: NOW,
        request: None,
        lines: difference(from, to),
        undone: false,
    };
    let added = change(1, &before, &with_eggs);
    let list = List::of(&with_eggs, std::slice::from_ref(&added), &[]);
    let eggs = list.lines.iter().find(|line| line.name.spoken() == "eggs").expect("eggs");
    let recent = eggs.recent.as_ref().expect("a change to take back");
    assert_eq!((recent.change, recent.did), (ChangeId(1), "Added"));

    let removed = change(2, &with_eggs, &before);
    let gone = List::of(&before, &[added.clone(), removed], &[]).gone;
    let [gone] = gone.as_slice() else { panic!("what is gone") };
    assert_eq!(
        (gone.change, gone.did, gone.name.spoken()),
        (ChangeId(2), "Taken off", "eggs".to_owned())
    );

    let undone = Change { undone: true, ..added };
    let list = List::of(&with_eggs, &[undone], &[]);
    assert!(list.lines.iter().all(|line| line.recent.is_none()));
}

#[test]
fn what_is_taken_off_keeps_its_place_and_its_way_back_until_the_list_is_left() {
    let mut now = household(&[("milk", "1 l"), ("bread", "1"), ("eggs", "12")]);
    let before = List::of(&now, &[], &[]);
    let mut changes = Vec::new();
    for (number, line) in [(1, LineId(1)), (2, LineId(3))] {
        let from = now.clone();
        now.edit(Edit::Remove { line }).expect("a line");
        let lines = difference(&from, &now);
        changes.push(Change { id: ChangeId(number), at: NOW, request: None, lines, undone: false });
    }
    let left = List::of(&now, &changes, &[]);
    let told = |list: &List| list.gone.iter().map(|it| (it.change, it.line)).collect::<Vec<_>>();
    assert_eq!(told(&left), [(ChangeId(2), LineId(3)), (ChangeId(1), LineId(1))]);

    let one = List::of(&now, &changes, &[]).held(&before).held(&before);
    let places = |list: &List| {
        let undo = |line: &view::list::ListLine| line.recent.as_ref().map(|it| it.change);
        let lines = list.lines.iter();
        lines.map(|it| (it.name.spoken(), it.is_off, undo(it))).collect::<Vec<_>>()
    };
    assert_eq!(
        places(&one),
        [
            ("bread".to_owned(), false, None),
            ("milk".to_owned(), true, Some(ChangeId(1))),
            ("eggs".to_owned(), true, Some(ChangeId(2))),
        ]
    );
    assert_eq!(told(&one), []);
}
