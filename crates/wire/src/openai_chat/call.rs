//! A call while it comes, in pieces that say by an index which call they belong to.

use agent::model::{ProposedCall, ReplyContent};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::budget::Arguments;
use crate::error::WireError;
use crate::json::{malformed, parse};

/// A piece of a call. Its first has an id and a name; later ones leave them away, or empty.
#[derive(Debug, Deserialize)]
pub(super) struct Piece {
    pub(super) index: Option<u64>,
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    function: Option<Function>,
}

#[derive(Debug, Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
}

/// The calls of a reply, in the order of their first pieces: an index may begin anywhere.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug, Clone, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: Arguments,
}

impl Piece {
    /// The bytes it would add.
    pub(super) fn len(&self) -> usize {
        let function = self.function.as_ref();
        let name = function.and_then(|it| it.name.as_ref()).map_or(0, String::len);
        let arguments = function.and_then(|it| it.arguments.as_ref());
        self.id.as_ref().map_or(0, String::len) + name + arguments.map_or(0, |raw| raw.get().len())
    }

    /// Whether it says nothing, as some servers repeat behind a reply's end.
    pub(super) fn is_empty(&self) -> bool {
        let function = self.function.as_ref();
        function.is_none_or(|it| {
            let arguments = it.arguments.as_ref().map_or("\"\"", |raw| raw.get());
            it.name.as_ref().is_none_or(String::is_empty) && matches!(arguments, "\"\"" | "null")
        })
    }
}

impl Calls {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The name of the last call.
    pub(super) fn last_name(&self) -> Option<&str> {
        self.0.last().map(|call| call.name.as_str())
    }

    /// Adds a piece; the name of a call that began with it.
    pub(super) fn add(&mut self, piece: Piece) -> Result<Option<String>, WireError> {
        let Piece { index, id, kind, function } = piece;
        if kind.is_some_and(|kind| !kind.is_empty() && kind != "function") {
            return Err(malformed("a call is not of a function"));
        }
        let (id, (name, arguments)) =
            (id.unwrap_or_default(), function.map_or((None, None), |it| (it.name, it.arguments)));
        let name = name.unwrap_or_default();
        let place = self.place_of(index, &id, &name);
        let Some(call) = self.0.get_mut(place) else {
            return Err(malformed("a piece came for no call"));
        };
        if call.id.is_empty() {
            call.id = id;
        }
        let begins = call.name.is_empty() && !name.is_empty();
        if !begins && !name.is_empty() && name != call.name {
            return Err(malformed("a call changed its name"));
        }
        if begins {
            call.name.clone_from(&name);
        }
        if let Some(raw) = arguments {
            call.arguments.push(&argument_text(raw.get())?)?;
        }
        Ok(begins.then_some(name))
    }

    /// Where the call is that a piece belongs to: the last of its index. Some servers count no index, and
    /// some give all calls the same one; a name tells of a new call there.
    fn place_of(&mut self, index: Option<u64>, id: &str, name: &str) -> usize {
        let belongs = |call: &Call| index.is_none() || call.index == index;
        let is_other = |call: &Call| {
            let another_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
            let unnumbered = index.is_none() && id.is_empty() && !call.name.is_empty();
            !name.is_empty() && (another_id || unnumbered)
        };
        let known = self.0.iter().enumerate().rfind(|(_, call)| belongs(call));
        if let Some((place, call)) = known
            && !is_other(call)
        {
            return place;
        }
        self.0.push(Call { index, ..Call::default() });
        self.0.len() - 1
    }

    /// The calls, in order. One without an id gets one from its place: ids are data, and ours are
    /// our own.
    pub(super) fn into_contents(self) -> Result<Vec<ReplyContent>, WireError> {
        let contents = self.0.into_iter().enumerate().map(|(place, call)| {
            let Call { id, name, arguments, .. } = call;
            if name.is_empty() {
                return Err(malformed("a call has no name"));
            }
            let id = if id.is_empty() { format!("call_{place}") } else { id };
            let arguments = arguments.into_text();
            Ok(ReplyContent::Call(ProposedCall { id, name, arguments, provider_result: None }))
        });
        contents.collect()
    }
}

/// Arguments are a text of JSON in a string; some servers send the object itself.
fn argument_text(raw: &str) -> Result<String, WireError> {
    if raw.starts_with('"') {
        return parse(raw);
    }
    Ok(if raw == "null" { String::new() } else { raw.to_owned() })
}
