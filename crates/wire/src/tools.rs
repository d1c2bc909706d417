//! The tools a request declares, checked.

use std::collections::HashSet;

use agent::model::{ModelRequest, ToolChoice};
use agent::tool::ToolSpec;
use serde_json::{Map, Value};

use crate::error::Violation;

/// Checks what every provider checks: names that can be sent, each once.
pub(crate) fn check(specs: &[ToolSpec], name_max_chars: usize) -> Result<(), Violation> {
    let mut names = HashSet::new();
    for spec in specs {
        if !is_legal_id(&spec.name) || spec.name.len() > name_max_chars {
            return Err(Violation::IllegalToolName(spec.name.clone()));
        }
        if !names.insert(&spec.name) {
            return Err(Violation::RepeatedTool(spec.name.clone()));
        }
    }
    Ok(())
}

/// Declares the tools of a request as both protocols of OpenAI do, each tool in its own form; nothing
/// where there are none.
pub(crate) fn declare(
    request: &ModelRequest,
    tool: fn(&ToolSpec) -> Value,
    body: &mut Map<String, Value>,
) {
    if request.tools.is_empty() {
        return;
    }
    body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    let choice = match request.tool_choice {
        ToolChoice::Auto => "auto",
        ToolChoice::None => "none",
    };
    body.insert("tool_choice".to_owned(), choice.into());
}

/// A model can make up a name that a protocol then refuses, for ever. Its result says that there is
/// no such tool, so the name only has to be sendable.
pub(crate) fn sendable_name(name: &str, max_chars: usize) -> String {
    let legal: String =
        name.chars().take(max_chars).map(|c| if is_legal_char(c) { c } else { '_' }).collect();
    if legal.is_empty() { "_".to_owned() } else { legal }
}

/// Whether a name or an id has only what every provider takes.
pub(crate) fn is_legal_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(is_legal_char)
}

fn is_legal_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}
