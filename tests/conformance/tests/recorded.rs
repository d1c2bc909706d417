//! The project's own recorded cases, as ordinary tests.

use std::path::Path;

use conformance::report::Report;
use conformance::{items, lines, recipes, scenarios, streams, tools, utterances};

fn check(run: fn(&Path) -> Report, folder: &str) {
    let report = run(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    assert!(report.holds(), "\n{report}");
}

#[test]
fn the_loop_does_what_the_scenarios_say() {
    check(scenarios::run, "vectors");
}

#[test]
fn the_pages_with_recipes_are_read_as_they_are_written() {
    check(recipes::run, "recipes");
}

#[test]
fn the_codecs_read_the_recorded_streams() {
    check(streams::run, "streams");
}

#[test]
fn the_tools_do_what_their_cases_say() {
    check(tools::run, "vectors/tools");
}

#[test]
fn the_built_in_model_understands_the_utterances() {
    check(utterances::run, "utterances");
}

#[test]
fn enough_lines_of_recipes_are_read_as_they_are_labelled() {
    check(lines::run, "lines");
}

#[test]
fn names_are_one_item_where_the_cases_say_so() {
    check(items::run, "items");
}
