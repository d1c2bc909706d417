//! What Chat Completions demands, and Ollama's chat, which is like it in most.

use serde_json::{Map, Value};

use super::{
    Ids, arguments_text, ends, is_marked, list, name, object, only_fields, paired, text, tools,
};
use crate::told::{Called, Reply, ToldResult, Turn};

/// In what the two differ.
struct Dialect {
    assistant: &'static [&'static str],
    reasoning: &'static [&'static str],
    tool: &'static [&'static str],
    call: fn(&Value, usize, &mut Ids) -> Result<Called, String>,
    /// Whether a reply without words says so with null.
    null_content: bool,
}

const OPENAI: Dialect = Dialect {
    assistant: &["role", "content", "tool_calls", "reasoning_content", "reasoning"],
    reasoning: &["reasoning_content", "reasoning"],
    tool: &["role", "content", "tool_call_id"],
    call: openai_call,
    null_content: true,
};

const OLLAMA: Dialect = Dialect {
    assistant: &["role", "content", "tool_calls", "thinking"],
    reasoning: &["thinking"],
    tool: &["role", "content", "tool_name", "tool_call_id"],
    call: ollama_call,
    null_content: false,
};

pub(super) fn read_openai(body: &Value, may_call: bool) -> Result<Vec<Turn>, String> {
    only_fields(
        body,
        &[
            "model",
            "max_completion_tokens",
            "stream",
            "stream_options",
            "messages",
            "tools",
            "tool_choice",
        ],
    )?;
    if body["max_completion_tokens"] != 1024 {
        return Err("the length of the reply is not bounded".to_owned());
    }
    if body.get("stream_options").is_some() != (body["stream"] == true)
        || body["stream"] == true && body["stream_options"]["include_usage"] != true
    {
        return Err("stream_options do not fit".to_owned());
    }
    functions(list(body, "tools")?)?;
    let choice = if may_call { "auto" } else { "none" };
    if body["tool_choice"] != choice {
        return Err(format!("tool_choice is not {choice}"));
    }
    messages(body, &OPENAI)
}

pub(super) fn read_ollama(body: &Value, may_call: bool) -> Result<Vec<Turn>, String> {
    only_fields(body, &["model", "options", "stream", "messages", "tools"])?;
    if body["options"]["num_predict"] != 1024 {
        return Err("the length of the reply is not bounded".to_owned());
    }
    // The protocol has no other word against calls.
    if may_call {
        functions(list(body, "tools")?)?;
    } else if body.get("tools").is_some() {
        return Err("tools are offered that may not be called".to_owned());
    }
    messages(body, &OLLAMA)
}

fn functions(declared: &[Value]) -> Result<(), String> {
    for tool in declared {
        only_fields(tool, &["type", "function"])?;
        if tool["type"] != "function" {
            return Err("a tool is no function".to_owned());
        }
    }
    let functions: Vec<_> = declared.iter().map(|tool| tool["function"].clone()).collect();
    tools(&functions, "parameters", 64)
}

fn messages(body: &Value, dialect: &Dialect) -> Result<Vec<Turn>, String> {
    let mut ids = Ids::default();
    let mut turns: Vec<Turn> = Vec::new();
    for (place, message) in list(body, "messages")?.iter().enumerate() {
        match message["role"].as_str() {
            Some("system") if place == 0 => {
                only_fields(message, &["role", "content"])?;
                text(message, "content")?;
            }
            Some("user") => {
                only_fields(message, &["role", "content"])?;
                if matches!(turns.last(), Some(Turn::Person(_))) {
                    return Err("the person speaks twice".to_owned());
                }
                turns.push(Turn::Person(text(message, "content")?.to_owned()));
            }
            Some("assistant") => {
                if matches!(turns.last(), Some(Turn::Reply(reply)) if reply.results.is_empty()) {
                    return Err("the model speaks twice".to_owned());
                }
                turns.push(Turn::Reply(assistant(message, dialect, &mut ids)?));
            }
            Some("tool") => {
                only_fields(message, dialect.tool)?;
                let Some(Turn::Reply(reply)) = turns.last_mut() else {
                    return Err("a result does not stand behind its reply".to_owned());
                };
                result(message, reply, dialect)?;
            }
            Some(_) | None => return Err(format!("message {place} is of nobody")),
        }
    }
    turns.iter().try_for_each(paired)?;
    ends(&turns)?;
    Ok(turns)
}

fn result(message: &Value, reply: &mut Reply, dialect: &Dialect) -> Result<(), String> {
    if dialect.tool.contains(&"tool_name") {
        // Older servers know a result by its place and this name alone.
        let called = reply.calls.get(reply.results.len()).map(|call| call.name.as_str());
        if message["tool_name"].as_str() != called {
            return Err("a result has the name of another call".to_owned());
        }
    }
    let text = text(message, "content")?.to_owned();
    let is_error = is_marked(&text);
    let call = name(message, "tool_call_id", 40)?;
    reply.results.push(ToldResult { call, text, is_error });
    Ok(())
}

fn assistant(message: &Value, dialect: &Dialect, ids: &mut Ids) -> Result<Reply, String> {
    only_fields(message, dialect.assistant)?;
    let mut reply = Reply::default();
    let content = &message["content"];
    let is_empty = if dialect.null_content { content.is_null() } else { content == "" };
    if !is_empty {
        text(message, "content")?.clone_into(&mut reply.text);
    }
    if message.get("tool_calls").is_some() {
        for (place, call) in list(message, "tool_calls")?.iter().enumerate() {
            reply.calls.push((dialect.call)(call, place, ids)?);
        }
    }
    if reply.text.is_empty() && reply.calls.is_empty() {
        return Err("a reply says nothing".to_owned());
    }
    let mut reasoning = Map::new();
    for key in dialect.reasoning {
        if message.get(*key).is_some() {
            reasoning.insert((*key).to_owned(), text(message, key)?.into());
        }
    }
    if !reasoning.is_empty() {
        reply.own.push(reasoning.into());
    }
    Ok(reply)
}

fn openai_call(call: &Value, _: usize, ids: &mut Ids) -> Result<Called, String> {
    only_fields(call, &["id", "type", "function"])?;
    let function = &call["function"];
    only_fields(function, &["name", "arguments"])?;
    if call["type"] != "function" {
        return Err("a call is of no function".to_owned());
    }
    let arguments = arguments_text(&function["arguments"])?;
    Ok(Called { id: ids.new_one(call, "id")?, name: name(function, "name", 64)?, arguments })
}

fn ollama_call(call: &Value, place: usize, ids: &mut Ids) -> Result<Called, String> {
    only_fields(call, &["id", "function"])?;
    let function = &call["function"];
    only_fields(function, &["index", "name", "arguments"])?;
    if function["index"] != place {
        return Err("calls are not counted in order".to_owned());
    }
    let arguments = object(&function["arguments"])?.clone();
    Ok(Called { id: ids.new_one(call, "id")?, name: name(function, "name", 64)?, arguments })
}
