//! The events of a reply, read one by one, and a reply that came whole. Items are told apart by
//! their place: some hosts change their ids from event to event.

use std::collections::BTreeMap;

use agent::model::{ModelEvent, ModelReply, ReplyContent, StopReason, Usage};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::item::{self, Content, Head, Item};
use crate::budget::{Budget, check_counts};
use crate::decoder::Event;
use crate::error::WireError;
use crate::failure::error_in_reply;
use crate::json::{malformed, parse};

/// What came of a reply so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    begun: bool,
    items: BTreeMap<u64, Item>,
    end: Option<End>,
    budget: Budget,
}

/// The proper end of a reply.
#[derive(Debug, Clone)]
struct End {
    stop: StopReason,
    /// Its items once more. Some hosts send none here, and some send them only here.
    output: Vec<Box<RawValue>>,
    usage: Usage,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct OfItem {
    output_index: u64,
    item: Box<RawValue>,
}

#[derive(Deserialize)]
struct Delta {
    output_index: u64,
    delta: String,
}

#[derive(Deserialize)]
struct OfResponse {
    response: Box<RawValue>,
}

#[derive(Deserialize)]
struct Response {
    status: Option<String>,
    output: Option<Vec<Box<RawValue>>>,
    usage: Option<Value>,
    incomplete_details: Option<Incomplete>,
}

#[derive(Deserialize)]
struct Incomplete {
    reason: Option<String>,
}

impl Draft {
    /// Takes one event; what it adds for the eye.
    pub(crate) fn take(
        &mut self,
        event: &Event<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        let text = event.text;
        let kind = parse::<Kind>(text)?.kind.or(event.name.map(str::to_owned));
        match kind.as_deref() {
            None if crate::failure::is_error(text.as_bytes()) => {
                Err(error_in_reply(text.as_bytes()))
            }
            None => Err(malformed("an event has no type")),
            Some("error") => Err(error_in_reply(text.as_bytes())),
            Some("response.created") => {
                if self.begun {
                    *self = Self::default();
                    events.push(ModelEvent::Restarted);
                }
                self.begun = true;
                Ok(())
            }
            Some("response.output_item.added") => self.begin_item(&parse(text)?, events),
            Some("response.output_item.done") => self.end_item(parse(text)?),
            Some(kind @ ("response.output_text.delta" | "response.refusal.delta")) => {
                let Delta { output_index, delta } = parse(text)?;
                let item = self.item(output_index, delta.len())?;
                item.words.push_str(&delta);
                item.refused |= kind == "response.refusal.delta";
                events.extend(Some(delta).filter(|it| !it.is_empty()).map(ModelEvent::Text));
                Ok(())
            }
            Some("response.function_call_arguments.delta") => {
                let Delta { output_index, delta } = parse(text)?;
                self.item(output_index, delta.len())?.arguments.push(&delta)
            }
            Some("response.completed" | "response.incomplete") => {
                let OfResponse { response } = parse(text)?;
                self.end = Some(end(&response)?);
                Ok(())
            }
            Some("response.failed" | "response.cancelled") => {
                let OfResponse { response } = parse(text)?;
                Err(error_in_reply(response.get().as_bytes()))
            }
            Some(_) => Ok(()),
        }
    }

    /// Nothing more comes: the reply, if it came to its proper end.
    pub(crate) fn finish(self) -> Result<ModelReply, WireError> {
        let End { mut stop, output, usage } = self.end.ok_or(WireError::CutOff)?;
        let mut items = self.items;
        if items.is_empty() {
            let done = |raw| Item { done: Some(raw), ..Item::default() };
            items = (0..).zip(output.into_iter().map(done)).collect();
        } else {
            for (index, raw) in (0..).zip(output) {
                if let Some(item) = items.get_mut(&index) {
                    item.done.get_or_insert(raw);
                }
            }
        }
        let mut contents = Vec::new();
        for item in items.into_values() {
            contents.push(settle(item, &stop)?);
        }
        let calls = contents.iter().filter(|it| matches!(it, Content::Call { .. })).count();
        check_counts(contents.len(), calls)?;
        if contents.iter().any(|it| matches!(it, Content::Words { refused: true, .. })) {
            stop = StopReason::Refusal;
        } else if calls > 0 && stop == StopReason::EndTurn {
            stop = StopReason::ToolUse;
        }
        let content = contents.into_iter().filter_map(|content| match content {
            Content::Words { text, .. } => {
                Some(text).filter(|text| !text.is_empty()).map(ReplyContent::Text)
            }
            // A declined reply is withdrawn: its words may be shown, nothing may be done on them.
            Content::Call { .. } if stop == StopReason::Refusal => None,
            Content::Call { call, .. } => Some(ReplyContent::Call(call)),
            Content::Reasoning(opaque) => Some(ReplyContent::Opaque(opaque)),
            Content::Nothing => None,
        });
        Ok(ModelReply { content: content.collect(), stop, usage })
    }

    fn begin_item(
        &mut self,
        begun: &OfItem,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), WireError> {
        let Head { kind, name } = parse(begun.item.get())?;
        let item = self.item(begun.output_index, 0)?;
        if kind == "function_call" {
            let name = name.unwrap_or_default();
            item.tool = Some(name.clone());
            events.push(ModelEvent::CallStarted { name });
        }
        let calls = self.items.values().filter(|item| item.tool.is_some()).count();
        check_counts(self.items.len(), calls)
    }

    fn end_item(&mut self, ended: OfItem) -> Result<(), WireError> {
        let OfItem { output_index, item: raw } = ended;
        let before = self.items.get(&output_index);
        let told = before.map_or(0, |it| it.words.len() + it.arguments.len());
        // What came in pieces is not paid for twice.
        let item = self.item(output_index, raw.get().len().saturating_sub(told))?;
        if item.done.replace(raw).is_some() {
            return Err(malformed("an item ended twice"));
        }
        check_counts(self.items.len(), 0)
    }

    /// The item at a place, while it is being written.
    fn item(&mut self, index: u64, bytes: usize) -> Result<&mut Item, WireError> {
        if self.end.is_some() {
            return Err(malformed("content came behind the end of the reply"));
        }
        self.budget.charge(bytes)?;
        let item = self.items.entry(index).or_default();
        if item.done.is_some() {
            return Err(malformed("an item went on behind its end"));
        }
        Ok(item)
    }
}

/// What an item comes to at the end of its reply.
fn settle(item: Item, stop: &StopReason) -> Result<Content, WireError> {
    let Item { tool, words, refused, done, .. } = item;
    let content = match (done, tool) {
        (Some(raw), _) => item::read(&raw)?,
        (None, Some(tool)) => return Err(unfinished(tool, stop)),
        (None, None) => Content::Words { text: words, refused },
    };
    match content {
        Content::Call { call, whole: false } => Err(unfinished(call.name, stop)),
        content @ (Content::Call { whole: true, .. }
        | Content::Words { .. }
        | Content::Reasoning(_)
        | Content::Nothing) => Ok(content),
    }
}

fn unfinished(tool: String, stop: &StopReason) -> WireError {
    if *stop == StopReason::MaxTokens {
        return WireError::LengthLimit { tool };
    }
    WireError::Malformed(format!("the call of {tool} never ended"))
}

/// A reply that came whole, as the text of its JSON.
pub(crate) fn decode_whole(text: &str) -> Result<ModelReply, WireError> {
    let response: Box<RawValue> = parse(text)?;
    Draft { end: Some(end(&response)?), ..Draft::default() }.finish()
}

/// Transport success is no success, so the status is asked.
fn end(raw: &RawValue) -> Result<End, WireError> {
    let Response { status, output, usage, incomplete_details } = parse(raw.get())?;
    let reason = incomplete_details.and_then(|details| details.reason);
    let stop = match (status.as_deref(), reason) {
        (Some("completed"), _) => StopReason::EndTurn,
        (Some("incomplete"), Some(reason)) => match reason.as_str() {
            "max_output_tokens" => StopReason::MaxTokens,
            "content_filter" => StopReason::Refusal,
            _ => StopReason::Other(reason),
        },
        (Some("incomplete"), None) => StopReason::Other("incomplete".to_owned()),
        (Some("failed" | "cancelled"), _) => return Err(error_in_reply(raw.get().as_bytes())),
        (Some(_), _) => return Err(WireError::CutOff),
        (None, _) => return Err(malformed("a reply has no status")),
    };
    let tokens = |key: &str| usage.as_ref()?.pointer(key)?.as_u64();
    let usage = Usage {
        input: tokens("/input_tokens").unwrap_or_default(),
        cached: tokens("/input_tokens_details/cached_tokens").unwrap_or_default(),
        output: tokens("/output_tokens").unwrap_or_default(),
        ..Usage::default()
    };
    Ok(End { stop, output: output.unwrap_or_default(), usage })
}
