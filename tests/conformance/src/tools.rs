//! The kitchen's tools: a household before, a call, and what the household and the model then have.

use std::fs;
use std::path::Path;

use agent::id::CallId;
use agent::message::ToolCall;
use agent::tool::ToolSet;
use kitchen::{Household, Line, LineId};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::report::Report;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    before: Vec<VectorLine>,
    arguments: Map<String, Value>,
    /// The list afterwards. A failed call has none: it must leave the list as it was.
    after: Option<Vec<VectorLine>>,
    result: Option<String>,
    /// What the error says; of arguments that do not fit, how it begins.
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorLine {
    id: u64,
    item: String,
    quantity: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    checked: bool,
}

/// Runs every case in a folder. Every tool of the kitchen must have some, in a file of its name.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    let tools = kitchen::tools();
    for spec in tools.specs() {
        let file = folder.join(format!("{}.json", spec.name));
        match read(&file) {
            Ok(vectors) if vectors.is_empty() => report.fail(spec.name, "it has no cases"),
            Ok(vectors) => {
                for vector in vectors {
                    let name = format!("{}: {}", spec.name, vector.name);
                    match judge(&tools, &spec.name, vector) {
                        Ok(()) => report.pass(),
                        Err(why) => report.fail(name, why),
                    }
                }
            }
            Err(why) => report.fail(spec.name, why),
        }
    }
    report
}

fn read(file: &Path) -> Result<Vec<Vector>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

fn judge(tools: &ToolSet<Household>, tool: &str, vector: Vector) -> Result<(), String> {
    let id = CallId("call".to_owned());
    let call = ToolCall {
        id,
        model_id: "call".to_owned(),
        name: tool.to_owned(),
        arguments: vector.arguments,
    };
    let before = household(vector.before);
    match (tools.rehearse(&call, &before), vector.after, vector.result, vector.error) {
        (Ok((after, output)), Some(lines), Some(result), None) => {
            let expected = household(lines).shopping;
            same("the list", &after.shopping, &expected)?;
            same("the result", &output.text, &result)
        }
        (Err(error), None, None, Some(expected)) if expected.ends_with('…') => {
            let beginning = expected.trim_end_matches('…');
            if error.text.starts_with(beginning) {
                return Ok(());
            }
            same("the error", &error.text, &expected)
        }
        (Err(error), None, None, Some(expected)) => same("the error", &error.text, &expected),
        (outcome, ..) => Err(format!("it ended otherwise than the case says: {outcome:?}")),
    }
}

fn household(lines: Vec<VectorLine>) -> Household {
    let line = |line: VectorLine| Line {
        id: LineId(line.id),
        item: line.item,
        quantity: line.quantity,
        note: line.note,
        checked: line.checked,
    };
    Household { shopping: lines.into_iter().map(line).collect(), ..Household::default() }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: &T, expected: &T) -> Result<(), String> {
    if is == expected {
        return Ok(());
    }
    Err(format!("{what} is {is:?}, expected {expected:?}"))
}
