//! The transcript as any provider may be told it: every rule of calls and results checked, nothing
//! empty, other providers' blocks left out, and the person or a tool at the end.
//!
//! Encoders only write down what comes out of here.

use std::collections::HashSet;

use agent::id::CallId;
use agent::message::{Body, Content, Ending, Opaque, ToolCall, ToolResult};
use agent::model::ModelRequest;
use agent::wording;
use serde_json::{Map, Value};

use crate::error::{Violation, WireError};
use crate::json::malformed;
use crate::tools::{self, is_legal_id, sendable_name};

/// What stands for an output without text, since no protocol is sure to take an empty one.
const EMPTY: &str = "(empty)";

/// Longest id of a call. Some providers take 64 letters, some that call themselves compatible 40.
const ID_MAX_BYTES: usize = 40;

/// In what a protocol differs from others here.
pub(crate) struct Rules {
    /// Its name in [`Opaque::provider`].
    pub(crate) protocol: &'static str,
    /// Longest name of a tool.
    pub(crate) name_max_chars: usize,
    /// Whether a block that bears its name may go back.
    pub(crate) may_return: fn(&Value) -> bool,
    /// Whether a block is thinking: it goes back before what it led to, or not at all.
    pub(crate) is_thought: fn(&Value) -> bool,
}

/// What one side said until the other's turn.
#[derive(Debug)]
pub(crate) enum Turn<'a> {
    /// Texts of the person: at least one, none blank.
    Person(Vec<&'a str>),
    /// A reply, with what came of its calls.
    Reply(Reply<'a>),
}

/// A reply of the model.
#[derive(Debug, Default)]
pub(crate) struct Reply<'a> {
    /// Its pieces, in order: at least one.
    pub(crate) pieces: Vec<Piece<'a>>,
    /// One for each call, in the order of the calls.
    pub(crate) results: Vec<Outcome<'a>>,
    /// Calls that have no result yet.
    open: Vec<&'a CallId>,
}

/// A piece of a reply.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// Words, not blank.
    Text(&'a str),
    /// A call.
    Call(Call<'a>),
    /// A block of the protocol's own, to go back unchanged.
    Own(&'a Value),
}

/// A call that can be sent.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// Our own id of the call, which is legal for every provider and never repeats.
    pub(crate) id: &'a str,
    /// The tool's name, made sendable.
    pub(crate) name: String,
    /// What the model proposed.
    pub(crate) arguments: &'a Map<String, Value>,
}

impl Call<'_> {
    /// The arguments as the text of their JSON, for protocols that put them into a string.
    pub(crate) fn arguments_text(&self) -> Result<String, WireError> {
        serde_json::to_string(self.arguments).map_err(|error| malformed(&error.to_string()))
    }
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    /// The call's id.
    pub(crate) call: &'a str,
    /// What the model reads; not blank.
    pub(crate) text: &'a str,
    /// How the call ended.
    pub(crate) ending: Ending,
}

impl<'a> Reply<'a> {
    /// Its words, as one text; empty if it has none.
    pub(crate) fn words(&self) -> String {
        let words = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(*text),
            Piece::Call(_) | Piece::Own(_) => None,
        });
        words.collect::<Vec<_>>().join("\n\n")
    }

    /// Its calls, in order.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call<'a>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Call(call) => Some(call),
            Piece::Text(_) | Piece::Own(_) => None,
        })
    }

    /// The protocol's own blocks in it, in order.
    pub(crate) fn own(&self) -> impl Iterator<Item = &'a Value> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Own(block) => Some(*block),
            Piece::Text(_) | Piece::Call(_) => None,
        })
    }
}

impl Outcome<'_> {
    /// What the model reads where the protocol has no mark for errors.
    pub(crate) fn marked_text(&self) -> String {
        format!("{}{}", wording::marker(self.ending), self.text)
    }

    /// Refusals and failures alike: a model must not read any of them as success.
    pub(crate) fn is_error(&self) -> bool {
        match self.ending {
            Ending::Ran | Ending::Provider => false,
            Ending::Failed
            | Ending::Refused
            | Ending::NotRun
            | Ending::NotFound
            | Ending::BadArguments
            | Ending::Unknown => true,
        }
    }
}

/// The transcript of a request as turns.
///
/// # Errors
/// If a call lacks its one result directly behind its reply, if an id or the name of a tool cannot
/// be sent, if there are calls and no tools, or if there is no turn of the person or of a tool to
/// answer.
pub(crate) fn turns<'a>(
    request: &'a ModelRequest,
    rules: &Rules,
) -> Result<Vec<Turn<'a>>, Violation> {
    let mut builder = Builder { rules, turns: Vec::new(), known: HashSet::new() };
    for message in &request.messages {
        match &message.body {
            Body::Person(text) | Body::Note(text) => builder.person(text)?,
            Body::Assistant(contents) => builder.assistant(contents)?,
            Body::Result(result) => builder.result(result)?,
        }
    }
    let has_calls = !builder.known.is_empty();
    let turns = builder.finish()?;
    tools::check(&request.tools, rules.name_max_chars)?;
    if request.tools.is_empty() && has_calls {
        return Err(Violation::NoTools);
    }
    Ok(turns)
}

/// The agent's instructions, if they say anything.
pub(crate) fn instructions(request: &ModelRequest) -> Option<&str> {
    Some(request.instructions.as_str()).filter(|text| !is_blank(text))
}

struct Builder<'a, 'r> {
    rules: &'r Rules,
    turns: Vec<Turn<'a>>,
    known: HashSet<&'a CallId>,
}

impl<'a> Builder<'a, '_> {
    fn person(&mut self, text: &'a str) -> Result<(), Violation> {
        self.nothing_open()?;
        if is_blank(text) {
            return Ok(());
        }
        self.close_reply();
        match self.turns.last_mut() {
            Some(Turn::Person(texts)) => texts.push(text),
            Some(Turn::Reply(_)) | None => self.turns.push(Turn::Person(vec![text])),
        }
        Ok(())
    }

    fn assistant(&mut self, contents: &'a [Content]) -> Result<(), Violation> {
        self.nothing_open()?;
        for content in contents {
            match content {
                Content::Text(text) if is_blank(text) => {}
                Content::Text(text) => self.add(Piece::Text(text)),
                Content::Call(call) => self.call(call)?,
                Content::Opaque(opaque) if self.may_return(opaque) => {
                    self.add(Piece::Own(&opaque.block));
                }
                Content::Opaque(_) => {}
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &'a ToolCall) -> Result<(), Violation> {
        if !is_legal_id(&call.id.0) || call.id.0.len() > ID_MAX_BYTES {
            return Err(Violation::IllegalCallId(call.id.0.clone()));
        }
        if !self.known.insert(&call.id) {
            return Err(Violation::RepeatedCall(call.id.clone()));
        }
        let name = sendable_name(&call.name, self.rules.name_max_chars);
        self.add(Piece::Call(Call { id: &call.id.0, name, arguments: &call.arguments }));
        if let Some(Turn::Reply(reply)) = self.turns.last_mut() {
            reply.open.push(&call.id);
        }
        Ok(())
    }

    fn result(&mut self, result: &'a ToolResult) -> Result<(), Violation> {
        if let Some(Turn::Reply(reply)) = self.turns.last_mut()
            && let Some(place) = reply.open.iter().position(|open| **open == result.call)
        {
            reply.open.remove(place);
            let text = if is_blank(&result.text) { EMPTY } else { &result.text };
            reply.results.push(Outcome { call: &result.call.0, text, ending: result.ending });
            return Ok(());
        }
        let id = result.call.clone();
        Err(if self.known.contains(&result.call) {
            Violation::SecondResult(id)
        } else {
            Violation::ResultWithoutCall(id)
        })
    }

    /// Nobody speaks while a call is open.
    fn nothing_open(&self) -> Result<(), Violation> {
        match self.turns.last() {
            Some(Turn::Reply(reply)) => match reply.open.first() {
                Some(id) => Err(Violation::CallWithoutResult((*id).clone())),
                None => Ok(()),
            },
            Some(Turn::Person(_)) | None => Ok(()),
        }
    }

    /// A piece of the reply that is being told; one whose calls have results is over.
    fn add(&mut self, piece: Piece<'a>) {
        match self.turns.last_mut() {
            Some(Turn::Reply(reply)) if reply.results.is_empty() => reply.pieces.push(piece),
            Some(Turn::Reply(_) | Turn::Person(_)) | None => {
                self.close_reply();
                let reply = Reply { pieces: vec![piece], ..Reply::default() };
                self.turns.push(Turn::Reply(reply));
            }
        }
    }

    /// A reply that ends with thinking is refused; the thinking led nowhere, so it may go.
    fn close_reply(&mut self) {
        let Some(Turn::Reply(reply)) = self.turns.last_mut() else { return };
        while reply.pieces.last().is_some_and(|piece| self.rules.is_thought(piece)) {
            reply.pieces.pop();
        }
        let order: Vec<&str> = reply.calls().map(|call| call.id).collect();
        reply.results.sort_by_key(|result| order.iter().position(|id| *id == result.call));
        if reply.pieces.is_empty() {
            self.turns.pop();
        }
    }

    /// Only the protocol's own blocks go back.
    fn may_return(&self, opaque: &Opaque) -> bool {
        opaque.provider == self.rules.protocol && (self.rules.may_return)(&opaque.block)
    }

    fn finish(mut self) -> Result<Vec<Turn<'a>>, Violation> {
        self.nothing_open()?;
        self.close_reply();
        match (self.turns.first(), self.turns.last()) {
            (Some(Turn::Reply(_)), _) => Err(Violation::BeginsWithModel),
            (_, Some(Turn::Reply(reply))) if reply.results.is_empty() => {
                Err(Violation::EndsWithModel)
            }
            (Some(_), Some(_)) => Ok(self.turns),
            (None, _) | (_, None) => Err(Violation::Empty),
        }
    }
}

impl Rules {
    fn is_thought(&self, piece: &Piece<'_>) -> bool {
        match piece {
            Piece::Own(block) => (self.is_thought)(block),
            Piece::Text(_) | Piece::Call(_) => false,
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}
