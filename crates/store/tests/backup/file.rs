//! A copy as a stranger may write it: its parts, changed at will, under a digest that fits.

use agent::message::Body;
use agent::session::Session;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use simulation::database::{Memory, at_once};

use crate::asked::Asked;
use crate::{NOW, copied, open};

/// A copy of one conversation, as JSON to be changed.
pub(crate) fn of(asked: &Asked) -> Value {
    let memory = Memory::default();
    at_once(open(&memory).save_session(&asked.session, None, 0, NOW)).unwrap();
    serde_json::from_str(&copied(&memory).text).unwrap()
}

/// The file of some parts, in the order in which a copy has them.
pub(crate) fn sealed(parts: &Value) -> String {
    let mut text = format!(
        "{{\"format\":{},\"version\":{},\"exported_at\":{},",
        parts["format"], parts["version"], parts["exported_at"]
    );
    for (name, part) in parts.as_object().unwrap() {
        if !["format", "version", "exported_at", "digest"].contains(&name.as_str()) {
            text.push_str(&format!("{}:{part},", json!(name)));
        }
    }
    signed(&text)
}

/// A text up to its digest, with the digest that fits.
pub(crate) fn signed(text: &str) -> String {
    let digest = Sha256::digest(text);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}\"digest\":\"{digest}\"}}\n")
}

/// A file with something else in the place of a text in it, under a digest that fits.
#[track_caller]
pub(crate) fn with(file: &str, text: &str, other: &str) -> String {
    let (before, _) = file.rsplit_once("\"digest\"").unwrap();
    assert!(before.contains(text), "{text} is not in {before}");
    signed(&before.replacen(text, other, 1))
}

/// How the calls of a conversation ended.
pub(crate) fn endings(session: &Session) -> Vec<String> {
    let results = session.messages().iter().filter_map(|message| match &message.body {
        Body::Result(result) => Some(serde_json::to_value(result.ending).unwrap()),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    results.map(|ending| ending.as_str().unwrap().to_owned()).collect()
}
