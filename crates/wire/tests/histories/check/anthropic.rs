//! What the Messages protocol demands.

use serde_json::Value;

use super::{Ids, ends, list, name, object, only_fields, paired, text, tools};
use crate::told::{Called, Reply, ToldResult, Turn, join};

pub(super) fn read(body: &Value, may_call: bool) -> Result<Vec<Turn>, String> {
    only_fields(
        body,
        &["model", "max_tokens", "stream", "system", "messages", "tools", "tool_choice"],
    )?;
    if body["max_tokens"].as_u64().is_none_or(|most| most == 0) {
        return Err("max_tokens is missing".to_owned());
    }
    if body.get("system").is_some() {
        text(body, "system")?;
    }
    tools(list(body, "tools")?, "input_schema", 128)?;
    let choice = if may_call { "auto" } else { "none" };
    if body["tool_choice"]["type"] != choice {
        return Err(format!("tool_choice is not {choice}"));
    }
    let mut ids = Ids::default();
    let mut turns = Vec::new();
    for (place, message) in list(body, "messages")?.iter().enumerate() {
        only_fields(message, &["role", "content"])?;
        let role = if place % 2 == 0 { "user" } else { "assistant" };
        if message["role"] != role {
            return Err(format!("message {place} is not of the {role}"));
        }
        let blocks = list(message, "content")?;
        if role == "user" {
            user(blocks, &mut turns)?;
        } else {
            turns.push(Turn::Reply(assistant(blocks, &mut ids)?));
        }
    }
    turns.iter().try_for_each(paired)?;
    ends(&turns)?;
    Ok(turns)
}

fn user(blocks: &[Value], turns: &mut Vec<Turn>) -> Result<(), String> {
    let mut said = String::new();
    for block in blocks {
        match block["type"].as_str() {
            Some("tool_result") => {
                only_fields(block, &["type", "tool_use_id", "content", "is_error"])?;
                if !said.is_empty() {
                    return Err("a result stands behind a text".to_owned());
                }
                let Some(Turn::Reply(reply)) = turns.last_mut() else {
                    return Err("a result stands behind no reply".to_owned());
                };
                reply.results.push(ToldResult {
                    call: text(block, "tool_use_id")?.to_owned(),
                    text: text(block, "content")?.to_owned(),
                    is_error: block.get("is_error").is_some_and(|flag| *flag == true),
                });
            }
            Some("text") => {
                only_fields(block, &["type", "text"])?;
                join(&mut said, text(block, "text")?);
            }
            Some(_) | None => return Err(format!("{block} is no block of a user")),
        }
    }
    if !said.is_empty() {
        turns.push(Turn::Person(said));
    }
    Ok(())
}

fn assistant(blocks: &[Value], ids: &mut Ids) -> Result<Reply, String> {
    let mut reply = Reply::default();
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => {
                only_fields(block, &["type", "text"])?;
                join(&mut reply.text, text(block, "text")?);
            }
            Some("tool_use") => {
                only_fields(block, &["type", "id", "name", "input"])?;
                reply.calls.push(Called {
                    id: ids.new_one(block, "id")?,
                    name: name(block, "name", 128)?,
                    arguments: object(&block["input"])?.clone(),
                });
            }
            Some("thinking") => {
                text(block, "thinking")?;
                text(block, "signature")?;
                reply.own.push(block.clone());
            }
            Some("redacted_thinking") => {
                text(block, "data")?;
                reply.own.push(block.clone());
            }
            Some(_) | None => return Err(format!("{block} is no block of an assistant")),
        }
    }
    let last = blocks.last().map(|block| &block["type"]);
    if last.is_some_and(|kind| kind == "thinking" || kind == "redacted_thinking") {
        return Err("a reply ends with thinking".to_owned());
    }
    Ok(reply)
}
