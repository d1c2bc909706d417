//! Every row that is everybody's, harmed in every way, one after the other: nothing is built on it, and
//! the rest goes on.

use std::rc::Rc;

use agent::event::Event;
use serde_json::json;
use simulation::database::{Harm, Plan};
use simulation::exhaustive::{settings, two_calls};
use simulation::model::{Answer, proposal};
use simulation::person;
use simulation::tools::LETTER;
use simulation::violation::Violation;
use simulation::world::{Kept, World};
use store::database::Table;

const TABLES: [Table; 4] = [Table::Records, Table::Ledger, Table::Words, Table::Household];

fn settle(world: &mut World) -> Result<(), Violation> {
    while !world.tab(0)?.is_quiet() {
        world.work(0, Plan::default())?;
    }
    Ok(())
}

fn answers(world: &mut World, answer: Answer) -> Result<(), Violation> {
    let number = world.tab(0)?.calling.as_ref().map(|it| it.number);
    assert!(number.is_some(), "the model is not asked");
    world.model_ended(0, number.unwrap_or_default(), answer)?;
    settle(world)
}

fn approves_all(world: &mut World) -> Result<(), Violation> {
    let open = world.tab(0)?.session.open_requests();
    let responses = open.map(|request| person::yes(&request.id, None)).collect();
    world.tell(0, Event::Answered { responses, text: None })
}

/// The model proposes something new, it is approved if it is asked about, and words follow. Gives
/// back how much more is in the household.
fn asks_for(world: &mut World, item: &str) -> Result<bool, Violation> {
    let before = world.checker.item_count();
    world.say(0, &format!("We are out of {item}."))?;
    settle(world)?;
    let new = proposal("3", "add_to_shopping_list", &json!({"item": item, "quantity": "1"}));
    answers(world, Answer::calls(vec![new]))?;
    if world.tab(0)?.session.open_requests().next().is_some() {
        approves_all(world)?;
        settle(world)?;
    }
    answers(world, Answer::words("Done."))?;
    Ok(world.checker.item_count() > before)
}

/// A household in which two calls ran and a letter was sent, and the copies of its conversation in
/// which one or the other was about to run.
fn lived_in() -> Result<(World, Vec<Kept>), Violation> {
    let mut world = two_calls(None)?;
    world.thorough = false;
    let mut copies = vec![world.copy(0)];
    approves_all(&mut world)?;
    while !world.tab(0)?.is_quiet() {
        world.work(0, Plan::default())?;
        copies.push(world.copy(0));
    }
    let letter = proposal("4", LETTER, &json!({"to": "aunt"}));
    answers(&mut world, Answer::calls(vec![letter]))?;
    approves_all(&mut world)?;
    settle(&mut world)?;
    copies.push(world.copy(0));
    let key = world.checker.far_side.next();
    assert!(key.is_some(), "no letter is on its way");
    if let Some(key) = key {
        let answer = world.checker.far_side.take(&key, true);
        world.answered(0, &key, answer, Plan::default())?;
    }
    settle(&mut world)?;
    answers(&mut world, Answer::words("Done."))?;
    assert!(asks_for(&mut world.clone(), "bread")?);
    Ok((world, copies))
}

#[test]
fn whichever_row_is_harmed_nothing_is_built_on_it_and_the_rest_goes_on() -> Result<(), Violation> {
    let (world, copies) = lived_in()?;
    let mut played = 0;
    for table in TABLES {
        assert!(world.memory.count(table) > 0, "there is nothing in {table:?}");
        for at in 0..world.memory.count(table) {
            for harm in [Harm::Cut, Harm::Lost, Harm::Changed] {
                if harm == Harm::Changed && table != Table::Records {
                    continue;
                }
                let mut world = world.clone();
                world.crash(0);
                world.spoil(table, at, harm)?;
                let last = harmed_is_the_end(&world) || table == Table::Household;
                for copy in [None].into_iter().chain(copies.iter().map(Some)) {
                    let mut world = world.clone();
                    if let Some(copy) = copy {
                        world.put_back(0, copy.clone());
                    }
                    let gone_on = goes_on(&mut world);
                    let new = gone_on.map_err(|it| Violation {
                        why: format!("{table:?} {at} {harm:?}: {}", it.why),
                        ..it
                    })?;
                    assert_eq!(new, !last, "{table:?} {at} {harm:?}");
                    world.checker.finds_harm(&world.memory)?;
                    played += 1;
                }
            }
        }
    }
    println!("{played} ways on from a harmed row");
    assert!(played > 300, "only {played}");
    Ok(())
}

fn harmed_is_the_end(world: &World) -> bool {
    world.memory.is_spoilt(Table::Ledger, &"head".into())
}

/// The program starts again, what was under way comes to its end, and something new is asked for.
fn goes_on(world: &mut World) -> Result<bool, Violation> {
    world.start(0, Rc::new(settings()), None)?;
    settle(world)?;
    if world.tab(0)?.session.open_requests().next().is_some() {
        approves_all(world)?;
        settle(world)?;
    }
    if world.tab(0)?.calling.is_some() {
        answers(world, Answer::words("Done."))?;
    }
    asks_for(world, "salt")
}
