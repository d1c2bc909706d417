//! What a request says, and whether its provider would take it.

use std::collections::HashSet;

use serde_json::Value;

use super::anthropic::SIGNATURE;
use super::protocol::Protocol;

/// The conversation that a request holds.
#[derive(Debug, Clone)]
pub struct Heard(pub Vec<Said>);

/// A thing that is said in it.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// By the person.
    Person(String),
    /// By the model.
    Words(String),
    /// What the model thought, as this provider gave it.
    Thought,
    /// A call of the model.
    Call(Call),
    /// What came of the oldest call that had no result.
    Result {
        /// What the model reads.
        text: String,
        /// Whether it is told as the result of something that was not done.
        is_error: bool,
    },
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    id: String,
    /// The tool.
    pub tool: String,
    /// What it is called with.
    pub arguments: Value,
}

impl Heard {
    /// What came of the latest calls, each as its text and whether it is told as an error.
    #[must_use]
    pub fn latest_results(&self) -> Vec<(&str, bool)> {
        let behind = self.0.iter().rposition(|it| matches!(it, Said::Call(_)));
        let results = self.0.iter().skip(behind.unwrap_or(self.0.len()));
        results
            .filter_map(|it| match it {
                Said::Result { text, is_error } => Some((text.as_str(), *is_error)),
                Said::Person(_) | Said::Words(_) | Said::Thought | Said::Call(_) => None,
            })
            .collect()
    }

    /// The calls so far, oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.0.iter().filter_map(|it| match it {
            Said::Call(call) => Some(call),
            Said::Person(_) | Said::Words(_) | Said::Thought | Said::Result { .. } => None,
        })
    }
}

/// Reads a request. The reason why its provider would refuse it is the error.
pub(super) fn read(protocol: Protocol, body: &Value) -> Result<Heard, String> {
    for other in Protocol::ALL.into_iter().filter(|it| *it != protocol) {
        if body.to_string().contains(other.thought()) {
            return Err(format!("{} is told {}", protocol.title(), other.thought()));
        }
    }
    if body["stream"] != true {
        return Err("the reply would not stream".to_owned());
    }
    let mut said = Reader { protocol, said: Vec::new(), open: Vec::new(), ids: HashSet::new() };
    match protocol {
        Protocol::Anthropic => messages(body, &mut said)?,
        Protocol::OpenAiChat | Protocol::Ollama => chat(body, &mut said)?,
        Protocol::OpenAiResponses => items(body, &mut said)?,
    }
    said.end()
}

/// Takes what is said, in order.
struct Reader {
    protocol: Protocol,
    said: Vec<Said>,
    /// Calls that have no result yet.
    open: Vec<String>,
    ids: HashSet<String>,
}

impl Reader {
    fn person(&mut self, text: &Value) -> Result<(), String> {
        self.nothing_open()?;
        self.said.push(Said::Person(words(text)?));
        Ok(())
    }

    fn model(&mut self, text: &Value) -> Result<(), String> {
        self.of_the_model()?;
        self.said.push(Said::Words(words(text)?));
        Ok(())
    }

    fn thought(&mut self, text: &Value) -> Result<(), String> {
        self.of_the_model()?;
        if *text != self.protocol.thought() {
            return Err(format!("a thought came back as {text}"));
        }
        self.said.push(Said::Thought);
        Ok(())
    }

    fn call(&mut self, id: &Value, tool: &Value, arguments: &Value) -> Result<(), String> {
        self.of_the_model()?;
        let (id, tool) = (words(id)?, words(tool)?);
        let legal = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'-';
        if !id.bytes().all(legal) || id.len() > 40 || !self.ids.insert(id.clone()) {
            return Err(format!("{id:?} cannot be the id of another call"));
        }
        if !arguments.is_object() {
            return Err(format!("the arguments of a call are {arguments}"));
        }
        self.open.push(id.clone());
        self.said.push(Said::Call(Call { id, tool, arguments: arguments.clone() }));
        Ok(())
    }

    fn result(&mut self, call: &Value, text: &Value, is_error: bool) -> Result<(), String> {
        if self.open.first().is_none_or(|open| *call != **open) {
            return Err(format!("call {call} has no result to come; {:?} have", self.open));
        }
        self.open.remove(0);
        self.said.push(Said::Result { text: words(text)?, is_error });
        Ok(())
    }

    /// The result of a protocol that has no mark for errors, so that its text says it.
    fn marked_result(&mut self, call: &Value, text: &Value) -> Result<(), String> {
        let marks = ["NOT RUN: ", "FAILED: ", "OUTCOME UNKNOWN: "];
        let is_error =
            marks.iter().any(|mark| text.as_str().is_some_and(|it| it.starts_with(mark)));
        self.result(call, text, is_error)
    }

    fn nothing_open(&self) -> Result<(), String> {
        if self.open.is_empty() {
            return Ok(());
        }
        Err(format!("the calls {:?} have no result", self.open))
    }

    /// A reply may go on with another call until the first result.
    fn of_the_model(&self) -> Result<(), String> {
        match self.said.last() {
            None => Err("the model begins".to_owned()),
            Some(Said::Result { .. }) => self.nothing_open(),
            Some(Said::Person(_) | Said::Words(_) | Said::Thought | Said::Call(_)) => Ok(()),
        }
    }

    fn end(self) -> Result<Heard, String> {
        self.nothing_open()?;
        let leads_nowhere = self.said.windows(2).any(|pair| {
            matches!(pair, [Said::Thought, Said::Person(_) | Said::Result { .. } | Said::Thought])
        });
        if leads_nowhere {
            return Err("a thought leads nowhere".to_owned());
        }
        match self.said.last() {
            Some(Said::Person(_) | Said::Result { .. }) => Ok(Heard(self.said)),
            Some(Said::Words(_) | Said::Thought | Said::Call(_)) | None => {
                Err("the model has the last word".to_owned())
            }
        }
    }
}

fn messages(body: &Value, said: &mut Reader) -> Result<(), String> {
    let mut speaker = "assistant";
    for message in list(&body["messages"])? {
        let role = words(&message["role"])?;
        if role == speaker {
            return Err(format!("two messages of the {role} follow each other"));
        }
        speaker = if role == "user" { "user" } else { "assistant" };
        let mut spoken = false;
        for (place, block) in list(&message["content"])?.iter().enumerate() {
            match (block["type"].as_str(), speaker) {
                (Some("text"), "user") => {
                    spoken = true;
                    said.person(&block["text"])?;
                }
                (Some("tool_result"), "user") if spoken => {
                    return Err("a result stands behind words".to_owned());
                }
                (Some("tool_result"), "user") => {
                    let is_error = block["is_error"] == true;
                    said.result(&block["tool_use_id"], &block["content"], is_error)?;
                }
                (Some("text"), "assistant") => said.model(&block["text"])?,
                (Some("tool_use"), "assistant") => {
                    said.call(&block["id"], &block["name"], &block["input"])?;
                }
                (Some("thinking"), "assistant") if place == 0 => {
                    if block["signature"] != SIGNATURE {
                        return Err("a thought has lost its signature".to_owned());
                    }
                    said.thought(&block["thinking"])?;
                }
                (kind, speaker) => return Err(format!("a block is {kind:?} of the {speaker}")),
            }
        }
    }
    Ok(())
}

fn chat(body: &Value, said: &mut Reader) -> Result<(), String> {
    let (thought, is_ollama) = match said.protocol {
        Protocol::Ollama => ("thinking", true),
        Protocol::OpenAiChat | Protocol::Anthropic | Protocol::OpenAiResponses => {
            ("reasoning_content", false)
        }
    };
    for (place, message) in list(&body["messages"])?.iter().enumerate() {
        let content = &message["content"];
        match message["role"].as_str() {
            Some("system") if place == 0 => {}
            Some("user") => said.person(content)?,
            Some("tool") => said.marked_result(&message["tool_call_id"], content)?,
            Some("assistant") => {
                if let Some(text) = message.get(thought) {
                    said.thought(text)?;
                }
                let calls = message.get("tool_calls").map(list).transpose()?;
                let calls = calls.map(Vec::as_slice).unwrap_or_default();
                if calls.is_empty() || content.as_str().is_some_and(|text| !text.is_empty()) {
                    said.model(content)?;
                }
                for call in calls {
                    let function = &call["function"];
                    let arguments = &function["arguments"];
                    let arguments = if is_ollama { arguments.clone() } else { json_in(arguments)? };
                    said.call(&call["id"], &function["name"], &arguments)?;
                }
            }
            role => return Err(format!("a message is of {role:?}")),
        }
    }
    Ok(())
}

fn items(body: &Value, said: &mut Reader) -> Result<(), String> {
    if body["store"] != false {
        return Err("the provider would keep the conversation".to_owned());
    }
    for item in list(&body["input"])? {
        match (item["type"].as_str(), item["role"].as_str()) {
            (Some("message"), Some("user")) => {
                list(&item["content"])?.iter().try_for_each(|part| said.person(&part["text"]))?;
            }
            (Some("message"), Some("assistant")) => {
                list(&item["content"])?.iter().try_for_each(|part| said.model(&part["text"]))?;
            }
            (Some("reasoning"), None) => said.thought(&item["encrypted_content"])?,
            (Some("function_call"), None) => {
                said.call(&item["call_id"], &item["name"], &json_in(&item["arguments"])?)?;
            }
            (Some("function_call_output"), None) => {
                said.marked_result(&item["call_id"], &item["output"])?;
            }
            (kind, role) => return Err(format!("an item is {kind:?} of {role:?}")),
        }
    }
    Ok(())
}

fn list(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().filter(|it| !it.is_empty()).ok_or_else(|| format!("{value} is no list"))
}

fn words(value: &Value) -> Result<String, String> {
    let text = value.as_str().filter(|text| !text.trim().is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("{value} says nothing"))
}

fn json_in(text: &Value) -> Result<Value, String> {
    serde_json::from_str(&words(text)?).map_err(|error| format!("{text} is no JSON: {error}"))
}
