//! The tools a request declares, checked.

use std::collections::HashSet;

use agent::tool::ToolSpec;

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
