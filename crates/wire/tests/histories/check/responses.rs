//! What the Responses protocol demands of one who has it keep nothing.

use serde_json::{Value, json};

use super::{Ids, arguments_text, ends, is_marked, list, name, only_fields, paired, text, tools};
use crate::told::{Called, Reply, ToldResult, Turn, join};

pub(super) fn read(body: &Value, may_call: bool) -> Result<Vec<Turn>, String> {
    only_fields(
        body,
        &[
            "model",
            "max_output_tokens",
            "stream",
            "store",
            "include",
            "instructions",
            "input",
            "tools",
            "tool_choice",
        ],
    )?;
    if body["max_output_tokens"] != 1024 {
        return Err("the length of the reply is not bounded".to_owned());
    }
    if body["store"] != false || body["include"] != json!(["reasoning.encrypted_content"]) {
        return Err("reasoning could not come back".to_owned());
    }
    if body.get("instructions").is_some() {
        text(body, "instructions")?;
    }
    let declared = list(body, "tools")?;
    tools(declared, "parameters", 64)?;
    if declared.iter().any(|tool| tool["type"] != "function" || tool["strict"] != false) {
        return Err("a tool is no function, or a strict one".to_owned());
    }
    let choice = if may_call { "auto" } else { "none" };
    if body["tool_choice"] != choice {
        return Err(format!("tool_choice is not {choice}"));
    }
    let items = list(body, "input")?;
    let turns = turns(items)?;
    turns.iter().try_for_each(paired)?;
    ends(&turns)?;
    Ok(turns)
}

fn turns(items: &[Value]) -> Result<Vec<Turn>, String> {
    let mut ids = Ids::default();
    let mut turns: Vec<Turn> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        match (item["type"].as_str(), item["role"].as_str()) {
            (Some("message"), Some("user")) => {
                turns.push(Turn::Person(parts(item, "input_text")?));
            }
            (Some("message"), Some("assistant")) => {
                let words = parts(item, "output_text")?;
                join(&mut reply(&mut turns).text, &words);
            }
            (Some("function_call"), None) => {
                only_fields(item, &["type", "call_id", "name", "arguments"])?;
                let called = Called {
                    id: ids.new_one(item, "call_id")?,
                    name: name(item, "name", 64)?,
                    arguments: arguments_text(&item["arguments"])?,
                };
                reply(&mut turns).calls.push(called);
            }
            (Some("function_call_output"), None) => {
                only_fields(item, &["type", "call_id", "output"])?;
                let Some(Turn::Reply(reply)) = turns.last_mut() else {
                    return Err("an output does not stand behind its call".to_owned());
                };
                let call = name(item, "call_id", 40)?;
                let text = text(item, "output")?.to_owned();
                let is_error = is_marked(&text);
                reply.results.push(ToldResult { call, text, is_error });
            }
            (Some("reasoning"), None) => {
                text(item, "encrypted_content")?;
                if !item["summary"].is_array() {
                    return Err("reasoning lost its summary".to_owned());
                }
                let next = items.get(place + 1).map_or(&Value::Null, |next| &next["type"]);
                let led = next == "reasoning" || next == "function_call" || next == "message";
                let of_model = items.get(place + 1).is_some_and(|next| next["role"] != "user");
                if !led || !of_model {
                    return Err("reasoning leads nowhere".to_owned());
                }
                reply(&mut turns).own.push(item.clone());
            }
            (kind, role) => return Err(format!("an item is {kind:?} of {role:?}")),
        }
    }
    Ok(turns)
}

/// The reply that is being told. One whose results have begun is over.
fn reply(turns: &mut Vec<Turn>) -> &mut Reply {
    if !matches!(turns.last(), Some(Turn::Reply(reply)) if reply.results.is_empty()) {
        turns.push(Turn::Reply(Reply::default()));
    }
    match turns.last_mut() {
        Some(Turn::Reply(reply)) => reply,
        Some(Turn::Person(_)) | None => unreachable!("one was just added"),
    }
}

fn parts(item: &Value, kind: &str) -> Result<String, String> {
    only_fields(item, &["type", "role", "content"])?;
    let mut words = String::new();
    for part in list(item, "content")? {
        only_fields(part, &["type", "text"])?;
        if part["type"] != kind {
            return Err(format!("a part of a message is no {kind}"));
        }
        join(&mut words, text(part, "text")?);
    }
    Ok(words)
}
