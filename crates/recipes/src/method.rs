//! The method: a text, a list of texts or steps, or sections of them.

use serde_json::Value;

use crate::text;

/// How deep sections and lists may lie in each other.
const DEPTH_MAX: usize = 8;

/// The steps, in order. A text is as many steps as it has lines; a step of a list is one.
pub(crate) fn steps(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text::lines(text),
        Value::Array(_) | Value::Object(_) => {
            let mut steps = Vec::new();
            collect(value, DEPTH_MAX, &mut steps);
            steps
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn collect(value: &Value, depth: usize, steps: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    match value {
        Value::String(text) => steps.extend(Some(text::line(text)).filter(|it| !it.is_empty())),
        Value::Array(all) => all.iter().for_each(|it| collect(it, depth - 1, steps)),
        Value::Object(object) => {
            // A section and a step of several directions hold others; a step says it itself.
            let inside = ["itemListElement", "steps"].iter().find_map(|key| object.get(*key));
            if let Some(inside) = inside.filter(|it| it.is_array() || it.is_object()) {
                return collect(inside, depth - 1, steps);
            }
            let said = ["text", "description", "name", "item"].iter().find_map(|key| {
                let text = text::line(object.get(*key)?.as_str()?);
                Some(text).filter(|it| !it.is_empty())
            });
            steps.extend(said);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::steps;

    #[test]
    fn every_shape_of_a_method_is_read() {
        let step = |text: &str| json!({"@type": "HowToStep", "text": text});
        for value in [
            json!("Stir.\n\nServe."),
            json!("<p>Stir.</p><p>Serve.</p>"),
            json!(["Stir.", "Serve."]),
            json!([step("Stir."), step("Serve.")]),
            json!([[step("Stir."), step("Serve.")]]),
            json!([{"@type": "HowToSection", "name": "Soup", "itemListElement": [step("Stir."), step("Serve.")]}]),
            json!({"@type": "ItemList", "itemListElement": [step("Stir."), step("Serve.")]}),
            json!([{"@type": "HowToStep", "itemListElement": [{"@type": "HowToDirection", "text": "Stir."}]}, step("Serve.")]),
            json!([{"@type": "HowToStep", "name": "Stir."}, step("Serve.")]),
        ] {
            assert_eq!(steps(&value), ["Stir.", "Serve."], "{value}");
        }
    }

    #[test]
    fn a_method_that_lies_too_deep_ends_where_it_is_cut() {
        let deep = (0..1_000).fold(json!("Stir."), |inner, _| json!([inner]));
        assert!(steps(&deep).is_empty());
        std::mem::forget(deep);
    }
}
