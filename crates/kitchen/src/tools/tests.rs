//! What every tool has in common.

use super::*;

#[test]
fn every_tool_says_what_it_takes_and_nothing_more() {
    for spec in all().specs() {
        assert_eq!(spec.parameters["additionalProperties"], json!(false), "{}", spec.name);
        let properties = spec.parameters["properties"].as_object().expect("an object");
        for (name, schema) in properties {
            assert!(schema["description"].is_string(), "{} {name}", spec.name);
            let bounded = schema["type"] == "boolean" || schema["maxLength"].is_u64();
            assert!(bounded, "{} {name}", spec.name);
        }
        assert_ne!(crate::title(&spec.name), crate::title(""), "{}", spec.name);
    }
}
