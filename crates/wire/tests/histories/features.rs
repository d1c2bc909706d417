//! What a conversation that was made up holds, so that none of it is never met.

use agent::approval::Outcome;
use agent::id::CallId;
use agent::message::{Body, Content, Ending};
use agent::model::ModelRequest;

/// What conversations must have had among them for a run to count.
pub(super) const FEATURES: [&str; 12] = [
    "parallel calls",
    "a rejection",
    "a time-out",
    "moving on",
    "a stop",
    "an edit",
    "an unknown tool",
    "unreadable arguments",
    "an empty result",
    "a switch of providers",
    "results out of order",
    "thinking that led nowhere",
];

/// What a conversation has of [`FEATURES`].
pub(super) fn features(request: &ModelRequest) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut protocols = Vec::new();
    let mut asked: Vec<&CallId> = Vec::new();
    for message in &request.messages {
        match &message.body {
            Body::Person(_) | Body::Note(_) => {}
            Body::Assistant(contents) => {
                asked.clear();
                for content in contents {
                    match content {
                        Content::Call(call) => asked.push(&call.id),
                        Content::Opaque(opaque) => protocols.push(&opaque.provider),
                        Content::Text(_) => {}
                    }
                }
                found.extend((asked.len() > 1).then_some("parallel calls"));
                let led_nowhere = matches!(contents.last(), Some(Content::Opaque(_)));
                found.extend(led_nowhere.then_some("thinking that led nowhere"));
            }
            Body::Result(result) => {
                found.extend(
                    (asked.first() != Some(&&result.call)).then_some("results out of order"),
                );
                asked.retain(|id| **id != result.call);
                found.extend(result.text.trim().is_empty().then_some("an empty result"));
                found.extend(result.text.starts_with("Run with other").then_some("an edit"));
                found.extend(
                    match (result.ending, result.decision.as_ref().map(|it| it.outcome)) {
                        (_, Some(Outcome::Denied)) => Some("a rejection"),
                        (_, Some(Outcome::TimedOut)) => Some("a time-out"),
                        (_, Some(Outcome::MovedOn)) => Some("moving on"),
                        (Ending::Unknown, _) => Some("a stop"),
                        (Ending::NotFound, _) => Some("an unknown tool"),
                        (Ending::BadArguments, _) => Some("unreadable arguments"),
                        _ => None,
                    },
                );
            }
        }
    }
    protocols.dedup();
    found.extend((protocols.len() > 1).then_some("a switch of providers"));
    found
}
