//! Checks the page for accessibility with axe-core.

use fantoccini::Client;
use serde_json::{Value, json};

use crate::files;

const RUN: &str = "const [tags, done] = arguments; \
    axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }) \
        .then(result => done(result.violations), error => done([{ id: String(error), nodes: [] }]))";

/// What axe-core finds wrong, a line for each.
///
/// # Panics
///
/// It cannot be run.
pub async fn findings(client: &Client) -> Vec<String> {
    let script = std::fs::read_to_string(files::axe()).expect("axe-core is there");
    client.execute(&script, Vec::new()).await.expect("axe-core loads");
    let tags = json!(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
    let violations = client.execute_async(RUN, vec![tags]).await.expect("axe-core runs");
    violations.as_array().into_iter().flatten().map(finding).collect()
}

fn finding(violation: &Value) -> String {
    let text = |value: &Value, path| value.pointer(path).map(Value::to_string).unwrap_or_default();
    let nodes = violation.pointer("/nodes").and_then(Value::as_array).into_iter().flatten();
    let places: Vec<String> =
        nodes.map(|node| text(node, "/html") + " " + &text(node, "/any/0/message")).collect();
    format!("{}: {} at {}", text(violation, "/id"), text(violation, "/help"), places.join("; "))
}
