//! Whether what was proposed is what a good assistant proposes.

use agent::tool::ToolSpec;
use serde_json::{Map, Value};

use super::case::{Call, Case, Order};
use super::conversation::Held;

type Made = (String, Map<String, Value>);

/// Arguments that are compared without regard to case.
const NAMES: [&str; 6] = ["item", "new_item", "label", "title", "recipe", "place"];

pub(super) fn judge(case: &Case, held: &Held, tools: &[ToolSpec]) -> Result<(), String> {
    let expect = &case.expect;
    let is_write = |name: &str| is_write(tools, name);
    for (tool, _) in &held.calls {
        let any_write = expect.forbid.iter().any(|it| it == "*write*") && is_write(tool);
        if any_write || expect.forbid.contains(tool) {
            return Err(format!("it called {tool}, which is forbidden"));
        }
    }
    let alternatives = if expect.any_of.is_empty() {
        std::slice::from_ref(&expect.calls)
    } else {
        expect.any_of.as_slice()
    };
    let any_order = expect.order == Some(Order::Any);
    if !alternatives.iter().any(|calls| fits(calls, &held.calls, &expect.optional_calls, any_order))
    {
        let made: Vec<_> = held.calls.iter().map(|(tool, args)| made(tool, args)).collect();
        return Err(format!("it called [{}] and said {:?}", made.join(", "), held.reply));
    }
    if let Some(expected) = &expect.list_after {
        let (mut is, mut should) = (held.list.clone(), expected.clone());
        is.sort();
        should.sort();
        if is != should {
            return Err(format!("the list afterwards is {is:?}"));
        }
    }
    if held.reply.trim().is_empty() {
        return Err("it said nothing".to_owned());
    }
    holds(&case.words.reply, &held.reply, "the reply")?;
    holds(&case.words.card, &held.cards, "the cards")
}

/// Whether nothing was proposed that changes something.
pub(super) fn changes_nothing(held: &Held, tools: &[ToolSpec]) -> Result<(), String> {
    match held.calls.iter().find(|(tool, _)| is_write(tools, tool)) {
        Some((tool, args)) => Err(format!("it called {} instead", made(tool, args))),
        None => Ok(()),
    }
}

fn is_write(tools: &[ToolSpec], name: &str) -> bool {
    tools.iter().any(|it| it.name == name && it.access.is_gated())
}

fn holds(words: &[String], text: &str, what: &str) -> Result<(), String> {
    match words.iter().find(|word| !text.contains(word.as_str())) {
        Some(word) => Err(format!("{what} must hold {word:?}, but is {text:?}")),
        None => Ok(()),
    }
}

fn made(tool: &str, args: &Map<String, Value>) -> String {
    format!("{tool} {}", Value::Object(args.clone()))
}

/// Whether the calls are the expected ones, leaving out optional ones that were not expected.
fn fits(expected: &[Call], made: &[Made], optional: &[String], any_order: bool) -> bool {
    let mut open: Vec<&Call> = expected.iter().collect();
    for call in made {
        let place = open.iter().position(|it| is(it, call)).filter(|it| any_order || *it == 0);
        match place {
            Some(place) => {
                open.remove(place);
            }
            None if optional.contains(&call.0) => {}
            None => return false,
        }
    }
    open.is_empty()
}

fn is(expected: &Call, (tool, args): &Made) -> bool {
    let names = expected.args.keys().chain(expected.accept.keys()).chain(args.keys());
    expected.tool == *tool
        && names.into_iter().all(|name| {
            let value = args.get(name);
            let accepted = expected.accept.get(name).and_then(Value::as_array);
            let accepted = accepted.map(Vec::as_slice).unwrap_or_default();
            let missing_is_fine = accepted.contains(&Value::Null);
            match value {
                None => missing_is_fine,
                Some(value) => expected
                    .args
                    .get(name)
                    .into_iter()
                    .chain(accepted)
                    .any(|it| same(name, it, value)),
            }
        })
}

fn same(name: &str, expected: &Value, value: &Value) -> bool {
    match (expected.as_str(), value.as_str()) {
        (Some(expected), Some(value)) if NAMES.contains(&name) => {
            expected.to_lowercase() == value.to_lowercase()
        }
        (_, _) => expected == value,
    }
}
