//! Tools: what they are called, what they may do, and how one is run.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::approval::ApprovedCall;
use crate::message::ToolCall;
use crate::schema::SchemaError;
use crate::stored;
use crate::{canonical, handoff, schema, wording};

/// Who decides whether a tool runs, from the laxest to the strictest. There is no default: the author
/// of a tool must choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// It only reads: it runs freely.
    Read,
    /// It changes something: a person, or what a person laid down before, must approve.
    Write,
    /// It changes something that matters so much that a person is asked every time.
    AlwaysAsk,
    /// It is not offered and never runs.
    Unavailable,
}

impl Access {
    /// Whether a person must approve.
    #[must_use]
    pub fn is_gated(self) -> bool {
        matches!(self, Self::Write | Self::AlwaysAsk)
    }
}

/// A tool as models and the loop know it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The name a model calls it by.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Changes whenever the same arguments would do something else.
    pub version: String,
    /// Who decides whether it runs.
    pub access: Access,
}

/// What makes a tool the one a person was asked about: its name, description, parameters and
/// version, not its access. Two tools with one identity are the same tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolIdentity(String);

impl ToolIdentity {
    /// It, as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ToolSpec {
    /// Its identity.
    #[must_use]
    pub fn identity(&self) -> ToolIdentity {
        let parts = [&self.name, &self.description, &self.version].map(|part| Value::from(&**part));
        let [name, description, version] = parts;
        ToolIdentity(canonical::digest(&[&name, &description, &self.parameters, &version]))
    }

    /// Checks the spec itself. For the author of a tool.
    ///
    /// # Errors
    /// If the name could be mistaken for another, or the schema uses what is not understood.
    pub fn check(&self) -> Result<(), SpecError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        let fits = (1..=64).contains(&self.name.len()) && self.name.bytes().all(plain);
        if !fits || handoff::target(&self.name).is_some() {
            return Err(SpecError::Name(self.name.clone()));
        }
        schema::check(&self.parameters).map_err(SpecError::Parameters)
    }

    /// Whether arguments fit the tool.
    #[must_use]
    pub fn fits(&self, arguments: &Map<String, Value>) -> bool {
        schema::fits(&Value::Object(arguments.clone()), &self.parameters)
    }
}

/// What is wrong with a tool's spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecError {
    /// A name has 1 to 64 of the letters a to z and the underscore, so that none looks like another,
    /// and is not that of a handoff.
    Name(String),
    /// The schema of the arguments.
    Parameters(SchemaError),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "a tool cannot be named {name:?}"),
            Self::Parameters(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SpecError {}

/// A tool on a world `W`. It neither asks nor records: it is a function of arguments and world.
pub trait Tool<W> {
    /// The name a model calls it by.
    const NAME: &'static str;
    /// Who decides whether it runs.
    const ACCESS: Access;
    /// Its arguments, parsed, so that [`Tool::run`] cannot see nonsense.
    type Args: DeserializeOwned;
    /// Its description, schema and version. Name and access come from the constants.
    fn spec() -> ToolSpec;
    /// Does it. On an error the world is thrown away, so a failed tool changes nothing.
    ///
    /// # Errors
    /// What stood in the way, in words for the model and the person.
    fn run(args: Self::Args, world: &mut W) -> Result<Output, ToolError>;
}

/// Where a tool has its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In its world alone: it happens in one transaction with the record of it.
    World,
    /// Beyond it, where nothing can be taken back by undoing a transaction.
    Outside,
}

/// What a tool says it did, once it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// For the model: what the store holds now.
    pub text: String,
}

/// Why a tool did not do it. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// In words for the model and the person.
    pub text: String,
}

/// The tools there are.
pub struct ToolSet<W> {
    entries: Vec<Entry<W>>,
}

type Run<W> = fn(&Map<String, Value>, &mut W) -> Result<Output, ToolError>;

struct Entry<W> {
    spec: ToolSpec,
    /// Absent where the effect is outside.
    run: Option<Run<W>>,
}

impl<W: Clone> ToolSet<W> {
    /// No tools yet.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// The set with one tool more.
    #[must_use]
    pub fn with<T: Tool<W>>(mut self) -> Self {
        let spec = ToolSpec { name: T::NAME.to_owned(), access: T::ACCESS, ..T::spec() };
        self.entries.push(Entry { spec, run: Some(run_parsed::<T, W>) });
        self
    }

    /// The set with one tool more whose effect is outside the world. It is never run here: whoever
    /// carries it out makes at most one attempt for each request, and records what came of it.
    #[must_use]
    pub fn with_outside(mut self, spec: ToolSpec) -> Self {
        self.entries.push(Entry { spec, run: None });
        self
    }

    /// Where an approved call has its effect.
    ///
    /// # Errors
    /// If there is no such tool, or it is another one than the call was approved for.
    pub fn reach(&self, approved: &ApprovedCall) -> Result<Reach, ToolError> {
        let name = &approved.call().name;
        match self.entries.iter().find(|entry| entry.spec.name == *name) {
            Some(entry) if !approved.holds_for(&entry.spec) => {
                Err(ToolError { text: wording::TOOL_CHANGED.to_owned() })
            }
            Some(Entry { run: Some(_), .. }) => Ok(Reach::World),
            Some(Entry { run: None, .. }) => Ok(Reach::Outside),
            None => Err(no_such_tool(name)),
        }
    }

    /// The tool of that name, if its effect is outside the world.
    #[must_use]
    pub fn outside(&self, name: &str) -> Option<&ToolSpec> {
        let entry = self.entries.iter().find(|entry| entry.spec.name == name)?;
        entry.run.is_none().then_some(&entry.spec)
    }

    /// The tools as models and the loop know them.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.entries.iter().map(|entry| entry.spec.clone()).collect()
    }

    /// Runs an approved call on the world.
    ///
    /// # Errors
    /// As the tool; the world may then be half changed and must be thrown away. Also if the tool is
    /// another one than the call was approved for; nothing was done then.
    pub fn run(&self, approved: &ApprovedCall, world: &mut W) -> Result<Output, ToolError> {
        let spec =
            self.entries.iter().map(|it| &it.spec).find(|it| it.name == approved.call().name);
        if spec.is_some_and(|spec| !approved.holds_for(spec)) {
            return Err(ToolError { text: wording::TOOL_CHANGED.to_owned() });
        }
        self.run_call(approved.call(), world)
    }

    /// What the call would make of a world: a copy, run and handed back. The world stays as it is.
    ///
    /// # Errors
    /// As the tool would.
    pub fn rehearse(&self, call: &ToolCall, world: &W) -> Result<(W, Output), ToolError> {
        let mut copy = world.clone();
        let output = self.run_call(call, &mut copy)?;
        Ok((copy, output))
    }

    fn run_call(&self, call: &ToolCall, world: &mut W) -> Result<Output, ToolError> {
        match self.entries.iter().find(|entry| entry.spec.name == call.name) {
            Some(Entry { run: Some(run), .. }) => run(&call.arguments, world),
            Some(Entry { run: None, .. }) => Err(ToolError { text: wording::NOT_HERE.to_owned() }),
            None => Err(no_such_tool(&call.name)),
        }
    }
}

impl<W: Clone> Default for ToolSet<W> {
    fn default() -> Self {
        Self::new()
    }
}

fn no_such_tool(name: &str) -> ToolError {
    ToolError { text: wording::no_such_tool(name) }
}

fn run_parsed<T: Tool<W>, W>(
    arguments: &Map<String, Value>,
    world: &mut W,
) -> Result<Output, ToolError> {
    let args = stored::read_object(arguments)
        .map_err(|error| ToolError { text: wording::misfit(&error.to_string()) })?;
    T::run(args, world)
}
