//! Taking back puts everything where it was, or says why not.

use super::*;
use crate::household::Edit;

fn made(household: &mut Household, id: u64, act: impl FnOnce(&mut Household)) -> Change {
    let before = household.clone();
    act(household);
    Change {
        id: ChangeId(id),
        at: Timestamp(0),
        request: None,
        lines: difference(&before, household),
        undone: false,
    }
}

fn add(household: &mut Household, item: &str, quantity: &str) {
    household.add(item, quantity, "").expect("room on the list");
}

fn three() -> Household {
    let mut household = Household::default();
    for item in ["milk", "bread", "eggs"] {
        add(&mut household, item, "1");
    }
    household
}

#[test]
fn taking_back_puts_everything_where_it_was() {
    type Act = fn(&mut Household);
    let acts: [Act; 5] = [
        |it| add(it, "rice", ""),
        |it| add(it, "Bread", "2"),
        |it| it.edit(Edit::Remove { line: LineId(2) }).expect("is there"),
        |it| it.edit(Edit::Check { line: LineId(2), checked: true }).expect("is there"),
        |it| {
            for line in [1, 2, 3] {
                it.edit(Edit::Remove { line: LineId(line) }).expect("is there");
            }
        },
    ];
    for act in acts {
        let before = three();
        let mut household = before.clone();
        let change = made(&mut household, 1, act);
        let taken_back = made(&mut household, 2, |it| it.undo(&change).expect("can be taken back"));
        assert_eq!(household.shopping, before.shopping);
        // Taking back is a change itself and can be taken back.
        household.undo(&taken_back).expect("can be done again");
        assert_eq!(difference(&before, &household), change.lines);
    }
}

#[test]
fn a_change_that_a_later_one_builds_on_stays() {
    let mut household = three();
    let added = made(&mut household, 1, |it| add(it, "rice", "1"));
    let doubled = made(&mut household, 2, |it| add(it, "rice", "1"));
    let now = household.clone();
    assert_eq!(
        household.undo(&added),
        Err("“rice” was changed again since, so this cannot be taken back. \
             Take back the later change first."
            .to_owned())
    );
    assert_eq!(household, now);
    household.undo(&doubled).expect("nothing builds on it");
    household.undo(&added).expect("nothing builds on it any more");
    assert_eq!(household.shopping, three().shopping);
}

#[test]
fn a_list_in_the_place_of_one_with_the_same_things_is_taken_back() {
    let before = three();
    let mut household = before.clone();
    let replaced = made(&mut household, 1, |it| {
        it.clear();
        assert_eq!(it.bring_in(&before.shopping).added, 3);
    });
    assert_ne!(household.shopping, before.shopping);
    household.undo(&replaced).expect("nothing builds on it");
    assert_eq!(household.shopping, before.shopping);
}

#[test]
fn a_line_that_came_anew_is_not_doubled() {
    let mut household = three();
    let removed = made(&mut household, 1, |it| {
        it.edit(Edit::Remove { line: LineId(1) }).expect("is there");
    });
    add(&mut household, "Milk", "2 l");
    assert_eq!(
        household.undo(&removed),
        Err("“milk” cannot be put back: “Milk” was put on the list since.".to_owned())
    );
}

#[test]
fn what_was_taken_back_is_not_taken_back_twice() {
    let mut household = three();
    let mut change = made(&mut household, 1, |it| add(it, "rice", ""));
    household.undo(&change).expect("nothing builds on it");
    change.undone = true;
    assert_eq!(household.undo(&change), Err("This was taken back already.".to_owned()));
}

#[test]
fn half_of_a_change_is_never_taken_back() {
    let mut household = three();
    let change = made(&mut household, 1, |it| {
        add(it, "rice", "");
        add(it, "beans", "");
    });
    household.edit(Edit::Remove { line: LineId(5) }).expect("is there");
    let now = household.clone();
    assert!(household.undo(&change).is_err());
    assert_eq!(household, now);
}
