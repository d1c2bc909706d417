//! Reads a model's reply: its words joined, its calls told apart and given ids of our own.

use serde_json::{Map, Value};

use crate::arguments;
use crate::id::CallId;
use crate::limits::{CALLS_PER_REPLY_MAX, REPLY_BYTES_MAX};
use crate::message::{Content, ToolCall};
use crate::model::{ProposedCall, ReplyContent};

/// A reply that can be used.
#[derive(Debug)]
pub(crate) struct ReadReply {
    /// For the transcript. Texts side by side are one; blank text is none.
    pub(crate) content: Vec<Content>,
    /// Its calls, in order, each once.
    pub(crate) calls: Vec<ReadCall>,
}

/// A call that was told apart from its neighbours, not yet judged.
#[derive(Debug)]
pub(crate) struct ReadCall {
    pub(crate) call: ToolCall,
    /// Whether its arguments could be read; they are empty if not.
    pub(crate) readable: bool,
    pub(crate) provider_result: Option<String>,
    /// The argument text, to tell a repeated call from another one.
    text: String,
}

impl ReadReply {
    /// The words of the reply.
    pub(crate) fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|it| match it {
            Content::Text(text) => Some(text.as_str()),
            Content::Call(_) | Content::Opaque(_) => None,
        });
        texts.collect()
    }
}

/// Reads the pieces of a reply.
///
/// # Errors
/// What makes the reply unusable as a whole.
pub(crate) fn read(
    pieces: Vec<ReplyContent>,
    mut new_id: impl FnMut() -> CallId,
) -> Result<ReadReply, String> {
    if pieces.iter().map(size).sum::<usize>() > REPLY_BYTES_MAX {
        return Err(format!("the reply is longer than {REPLY_BYTES_MAX} bytes"));
    }
    let mut reply = ReadReply { content: Vec::new(), calls: Vec::new() };
    for piece in pieces {
        match piece {
            ReplyContent::Text(text) => match reply.content.last_mut() {
                Some(Content::Text(before)) => before.push_str(&text),
                Some(Content::Call(_) | Content::Opaque(_)) | None => {
                    reply.content.push(Content::Text(text));
                }
            },
            ReplyContent::Opaque(opaque) => reply.content.push(Content::Opaque(opaque)),
            ReplyContent::Call(proposed) => {
                if let Some(read) = read_call(proposed, &mut reply.calls, &mut new_id)? {
                    reply.content.push(Content::Call(read.call.clone()));
                    reply.calls.push(read);
                }
            }
        }
    }
    if reply.calls.len() > CALLS_PER_REPLY_MAX {
        return Err(format!("the reply has more than {CALLS_PER_REPLY_MAX} calls"));
    }
    reply.content.retain(|it| !matches!(it, Content::Text(text) if text.trim().is_empty()));
    Ok(reply)
}

/// The call, unless it repeats one of those before it.
fn read_call(
    proposed: ProposedCall,
    before: &mut [ReadCall],
    new_id: &mut impl FnMut() -> CallId,
) -> Result<Option<ReadCall>, String> {
    let ProposedCall { id: model_id, name, arguments: text, provider_result } = proposed;
    if model_id.is_empty() || name.is_empty() {
        return Err("the reply has a call without an id or a name".to_owned());
    }
    let (arguments, readable) = match arguments::read(&text) {
        Ok(arguments) => (arguments, true),
        Err(_) => (Map::<String, Value>::new(), false),
    };
    if let Some(first) = before.iter_mut().find(|it| it.call.model_id == model_id) {
        let same_arguments = first.readable == readable
            && if readable { first.call.arguments == arguments } else { first.text == text };
        if first.call.name != name || !same_arguments {
            return Err(format!("the reply has two different calls under the id {model_id}"));
        }
        first.provider_result = first.provider_result.take().or(provider_result);
        return Ok(None);
    }
    let call = ToolCall { id: new_id(), model_id, name, arguments };
    Ok(Some(ReadCall { call, readable, provider_result, text }))
}

fn size(piece: &ReplyContent) -> usize {
    match piece {
        ReplyContent::Text(text) => text.len(),
        ReplyContent::Call(call) => {
            let result = call.provider_result.as_ref().map_or(0, String::len);
            call.id.len() + call.name.len() + call.arguments.len() + result
        }
        // Opaque blocks are sent back as they are and shown nowhere; the codec bounds them.
        ReplyContent::Opaque(_) => 0,
    }
}
