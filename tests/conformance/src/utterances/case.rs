//! The format of the cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// One case.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) lang: String,
    pub(super) kind: Vec<String>,
    pub(super) context: Context,
    pub(super) turns: Vec<Turn>,
    pub(super) expect: Expect,
    #[serde(skip)]
    pub(super) words: Words,
}

/// The household as it stands when the last turn is typed; only what exists here is read.
#[derive(Debug, Deserialize)]
pub(super) struct Context {
    #[serde(default)]
    pub(super) shopping_list: Vec<Line>,
}

#[derive(Debug, Clone, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) item: String,
    pub(super) quantity: String,
    pub(super) checked: bool,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Turn {
    User { user: String },
    Call { assistant_call: Call, state: State },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Pending,
    Done,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) args: Map<String, Value>,
    /// More values that an argument may have; null if it may be missing.
    #[serde(default)]
    pub(super) accept: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    pub(super) calls: Vec<Call>,
    #[serde(default)]
    pub(super) any_of: Vec<Vec<Call>>,
    #[serde(default)]
    pub(super) optional_calls: Vec<String>,
    pub(super) order: Option<Order>,
    #[serde(default)]
    pub(super) forbid: Vec<String>,
    pub(super) list_after: Option<Vec<Line>>,
    /// For people; what a machine can check of them is in [`Words`].
    #[serde(rename = "card")]
    _card: Option<String>,
    #[serde(rename = "reply")]
    _reply: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    Any,
}

/// Words that must be found.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// In the last reply.
    #[serde(default)]
    pub(super) reply: Vec<String>,
    /// On the cards, together.
    #[serde(default)]
    pub(super) card: Vec<String>,
}

#[derive(Deserialize)]
struct Utterances {
    utterances: Vec<Case>,
}

/// A sentence with one call.
#[derive(Deserialize)]
struct ShortCommand {
    lang: String,
    text: String,
    tool: String,
    args: Map<String, Value>,
}

/// Every case of a folder.
pub(super) fn read(folder: &Path) -> Result<Vec<Case>, String> {
    let Utterances { utterances: mut cases } = file(&folder.join("utterances.json"))?;
    let words = folder.join("words.json");
    if words.exists() {
        let mut words: BTreeMap<String, Words> = file(&words)?;
        for case in &mut cases {
            case.words = words.remove(&case.id).unwrap_or_default();
        }
        if let Some(id) = words.keys().next() {
            return Err(format!("words.json names {id}, which is no case"));
        }
    }
    let short = folder.join("short_commands.json");
    if short.exists() {
        let commands: Vec<ShortCommand> = file(&short)?;
        cases.extend(commands.into_iter().map(case_of));
    }
    Ok(cases)
}

fn file<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What is to be ticked or taken off is on the list; what is to be added is not.
fn case_of(command: ShortCommand) -> Case {
    let adds = command.tool == "add_to_shopping_list";
    let item = command.args.get("item").and_then(Value::as_str).filter(|_| !adds);
    let line = |item: &str| Line { item: item.to_owned(), quantity: String::new(), checked: false };
    Case {
        id: format!("“{}”", command.text),
        lang: command.lang,
        kind: vec!["short command".to_owned()],
        context: Context { shopping_list: item.map(line).into_iter().collect() },
        turns: vec![Turn::User { user: command.text }],
        expect: Expect {
            calls: vec![Call { tool: command.tool, args: command.args, accept: Map::new() }],
            any_of: Vec::new(),
            optional_calls: Vec::new(),
            order: None,
            forbid: Vec::new(),
            list_after: None,
            _card: None,
            _reply: None,
        },
        words: Words::default(),
    }
}

impl Case {
    /// A tool without which the case cannot be held, if there is one.
    pub(super) fn missing_tool(&self, has: &impl Fn(&str) -> bool) -> Option<&str> {
        let missing = |calls: &'_ [Call]| calls.iter().position(|call| !has(&call.tool));
        let proposed = self.turns.iter().filter_map(|turn| match turn {
            Turn::Call { assistant_call, .. } => Some(assistant_call),
            Turn::User { .. } => None,
        });
        let needed = self.expect.calls.iter().chain(proposed).find(|call| !has(&call.tool));
        let alternative = self.expect.any_of.iter().find(|calls| missing(calls).is_none());
        let first = self.expect.any_of.first().and_then(|calls| calls.first());
        let needed = needed.or(first.filter(|_| alternative.is_none()));
        needed.map(|call| call.tool.as_str())
    }
}
