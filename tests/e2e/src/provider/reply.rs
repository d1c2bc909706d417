//! A reply before it is put into the words of a protocol.

use serde_json::Value;

use super::Answer;

/// A reply.
pub(super) struct Reply {
    pub(super) parts: Vec<Part>,
    pub(super) end: End,
}

/// A part of a reply.
pub(super) enum Part {
    Thought,
    Words(&'static str),
    Call { tool: &'static str, arguments: Value },
}

/// How a reply ends. Where it does not end properly, its last part is not whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// As the protocol says.
    Proper,
    /// With an error in its stream.
    Error,
    /// With its connection.
    Cut,
    /// Not at all.
    Never,
}

impl Reply {
    /// The reply that an answer of the script is, or the seconds to wait for one.
    pub(super) fn of(answer: Answer) -> Result<Self, u32> {
        let words = |words, end| Ok(Self { parts: vec![Part::Words(words)], end });
        let calls = |tool, all: Vec<Value>, end| {
            let calls = all.into_iter().map(|arguments| Part::Call { tool, arguments });
            Ok(Self { parts: [Part::Thought].into_iter().chain(calls).collect(), end })
        };
        match answer {
            Answer::Says(text) => words(text, End::Proper),
            Answer::Begins(text) => words(text, End::Never),
            Answer::Fails(text) => words(text, End::Error),
            Answer::Calls(tool, all) => calls(tool, all, End::Proper),
            Answer::CutsOff(tool, all) => calls(tool, all, End::Cut),
            Answer::TurnsAway(seconds) => Err(seconds),
        }
    }

    pub(super) fn has_calls(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Call { .. }))
    }

    /// Every part with its place, and whether it comes to its end.
    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, &Part, bool)> {
        let whole = move |place| self.end == End::Proper || place + 1 < self.parts.len();
        self.parts.iter().enumerate().map(move |(place, part)| (place, part, whole(place)))
    }
}

/// The text of arguments in the two pieces that it streams in; of a call that does not come to its
/// end, the first.
pub(super) fn pieces(arguments: &Value, whole: bool) -> Vec<String> {
    let text = arguments.to_string();
    let (first, second) = text.split_at(text.len() / 2);
    let second = whole.then(|| second.to_owned());
    [first.to_owned()].into_iter().chain(second).collect()
}
