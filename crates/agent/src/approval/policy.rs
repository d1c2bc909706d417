//! Policies: which class each tool is in, how long a person is waited for, and since which version.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::settings::Wait;
use crate::tool::{Access, ToolSpec};

/// A version of the rules by which tools are asked about.
///
/// What the author of a tool said of it is a floor: a policy may be stricter and never laxer, so no
/// policy, and no way back to an earlier one, lets a tool that changes something run without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    version: u32,
    mode: Mode,
    /// Every tool and its one class; none where each is in the class its author gave it.
    classes: Option<BTreeMap<String, Access>>,
    wait: Wait,
}

/// Whether a policy counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It counts.
    Enforce,
    /// It is on trial. Calls are judged by what the authors of their tools said; records say beside
    /// it which class this policy has for them; and what it would refuse does not run.
    ReportOnly,
}

/// Why there is no such policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyError {
    /// A registered tool has no class.
    Unclassed(String),
    /// A tool is in two classes.
    ClassedTwice(String),
    /// A class is given to a tool that is not registered.
    NoSuchTool(String),
    /// The tool's author asks for more than the class does.
    ApprovalRemoved {
        /// The tool.
        tool: String,
        /// What its author said of it.
        declared: Access,
        /// The class it was to be in.
        class: Access,
    },
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclassed(tool) => write!(f, "the tool {tool} is in no class"),
            Self::ClassedTwice(tool) => write!(f, "the tool {tool} is in two classes"),
            Self::NoSuchTool(tool) => write!(f, "there is no tool {tool} to be in a class"),
            Self::ApprovalRemoved { tool, declared, class } => {
                write!(f, "the tool {tool} is {declared:?} and cannot be made {class:?}")
            }
        }
    }
}

impl std::error::Error for PolicyError {}

impl Policy {
    /// Version 0, where no policy was written: every tool is in the class its author gave it.
    #[must_use]
    pub fn declared() -> Self {
        Self { version: 0, mode: Mode::Enforce, classes: None, wait: Wait::default() }
    }

    /// Version 0, where a policy was written and cannot be used: no tool may be called.
    #[must_use]
    pub fn closed() -> Self {
        Self { classes: Some(BTreeMap::new()), ..Self::declared() }
    }

    /// A policy over the registered tools, each in exactly one class.
    ///
    /// # Errors
    /// If the inventory is not that, or takes approval away from a tool that changes something.
    pub fn new(
        version: u32,
        mode: Mode,
        inventory: &[(&str, Access)],
        wait: Wait,
        tools: &[ToolSpec],
    ) -> Result<Self, PolicyError> {
        let mut classes = BTreeMap::new();
        for (tool, class) in inventory {
            if classes.insert((*tool).to_owned(), *class).is_some() {
                return Err(PolicyError::ClassedTwice((*tool).to_owned()));
            }
        }
        Self { version, mode, classes: Some(classes), wait }.checked(tools)
    }

    /// The policy that follows this one and says again what an earlier one said. Versions only go up,
    /// so that a record tells which of the two it was made under.
    ///
    /// # Errors
    /// As [`Policy::new`], with the tools there are now.
    pub fn roll_back(&self, earlier: &Self, tools: &[ToolSpec]) -> Result<Self, PolicyError> {
        Self { version: self.version + 1, ..earlier.clone() }.checked(tools)
    }

    /// The policy over a tool more, in the class its author gave it.
    #[must_use]
    pub fn with(mut self, spec: &ToolSpec) -> Self {
        if let Some(classes) = &mut self.classes {
            classes.entry(spec.name.clone()).or_insert(spec.access);
        }
        self
    }

    fn checked(self, tools: &[ToolSpec]) -> Result<Self, PolicyError> {
        let Some(classes) = &self.classes else { return Ok(self) };
        let registered = |name: &String| tools.iter().any(|spec| spec.name == *name);
        if let Some(name) = classes.keys().find(|name| !registered(name)) {
            return Err(PolicyError::NoSuchTool(name.clone()));
        }
        for spec in tools {
            let class = *classes
                .get(&spec.name)
                .ok_or_else(|| PolicyError::Unclassed(spec.name.clone()))?;
            if class < spec.access {
                let (tool, declared) = (spec.name.clone(), spec.access);
                return Err(PolicyError::ApprovalRemoved { tool, declared, class });
            }
        }
        Ok(self)
    }

    /// Its version. Records name it.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Whether it counts.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// How long a person is waited for; the product's own wait while the policy is on trial.
    #[must_use]
    pub fn wait(&self) -> Wait {
        match self.mode {
            Mode::Enforce => self.wait,
            Mode::ReportOnly => Wait::default(),
        }
    }

    /// Who decides whether a tool runs.
    #[must_use]
    pub fn access(&self, spec: &ToolSpec) -> Access {
        match self.mode {
            Mode::Enforce => self.class(spec),
            Mode::ReportOnly => spec.access,
        }
    }

    /// Who would decide whether a tool runs, if the policy counted; none where it does.
    #[must_use]
    pub fn would_be(&self, spec: &ToolSpec) -> Option<Access> {
        match self.mode {
            Mode::Enforce => None,
            Mode::ReportOnly => Some(self.class(spec)),
        }
    }

    /// The class of a tool: never laxer than its author said, whatever tool is there by now. A tool
    /// that nobody put in a class may not be called.
    fn class(&self, spec: &ToolSpec) -> Access {
        match &self.classes {
            None => spec.access,
            Some(classes) => {
                let class = classes.get(&spec.name).copied().unwrap_or(Access::Unavailable);
                class.max(spec.access)
            }
        }
    }
}
