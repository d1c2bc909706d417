//! Standing approvals: what a person said "always" to, for how long and how often.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::approval::{Always, BatchCall, Policy};
use crate::canonical::canonical_object;
use crate::id::{RequestId, StandingApprovalId};
use crate::limits::{STANDING_DAYS, STANDING_USES_MAX};
use crate::message::ToolCall;
use crate::mistake::{Mistake, made};
use crate::stored;
use crate::time::Timestamp;
use crate::tool::{Access, ToolIdentity, ToolSpec};

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// A person's word that calls of one tool, or exactly one call of it, need not be asked about: in
/// this conversation, for a time, and so many times.
///
/// It is bound to the tool's identity: a different tool under the old name is asked about again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StandingApproval {
    /// Its id.
    pub id: StandingApprovalId,
    /// The tool's name.
    pub tool: String,
    /// The tool as it was when the person was asked.
    pub identity: ToolIdentity,
    /// The only arguments it covers; all, if there are none.
    #[serde(default, deserialize_with = "stored::optional_object")]
    pub arguments: Option<Map<String, Value>>,
    /// When it was given.
    pub given_at: Timestamp,
    /// When it ends; one without is bounded by its conversation and its uses.
    pub expires_at: Option<Timestamp>,
    /// Calls it has covered.
    pub uses: u32,
    /// Calls it covers in all.
    pub uses_max: u32,
}

/// Which calls a standing approval covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scope<'a> {
    /// Every call of its tool.
    Tool,
    /// Calls of its tool with exactly these arguments.
    ToolWithArguments(&'a Map<String, Value>),
}

/// Whether a standing approval still covers anything, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It covers calls.
    Covers,
    /// Its time is over, or the clock says that it was not given yet.
    Expired,
    /// It has covered as many calls as it may.
    UsedUp,
    /// Its tool is another one now, is gone, or must be asked about every time.
    ToolChanged,
}

impl StandingApproval {
    /// The standing approval that "always" to a call makes, bound to what the person saw. None for a
    /// call of a tool that must be asked about every time.
    pub(crate) fn of(
        it: &BatchCall,
        request: &RequestId,
        always: Always,
        given_at: Timestamp,
    ) -> Option<Self> {
        let call = it.call();
        let (arguments, expires_at) = match always {
            Always::Tool => (None, None),
            Always::ToolWithArguments => {
                (Some(call.arguments.clone()), Some(given_at.plus_ms(STANDING_DAYS * DAY_MS)))
            }
        };
        Some(Self {
            id: StandingApprovalId(request.0.clone()),
            tool: call.name.clone(),
            identity: it.coverable_identity()?.clone(),
            arguments,
            given_at,
            expires_at,
            uses: 0,
            uses_max: STANDING_USES_MAX,
        })
    }

    /// The request whose answer made it.
    #[must_use]
    pub fn request(&self) -> RequestId {
        RequestId(self.id.0.clone())
    }

    /// Which calls it covers.
    #[must_use]
    pub fn scope(&self) -> Scope<'_> {
        self.arguments.as_ref().map_or(Scope::Tool, Scope::ToolWithArguments)
    }

    /// How it stands, with the tools and the policy there are now.
    #[must_use]
    pub fn standing(&self, now: Timestamp, tools: &[ToolSpec], policy: &Policy) -> Standing {
        let tool = tools.iter().find(|spec| spec.name == self.tool);
        let same = tool.is_some_and(|spec| {
            policy.access(spec) == Access::Write && spec.identity() == self.identity
        });
        if !same {
            Standing::ToolChanged
        } else if self.uses >= self.uses_max {
            Standing::UsedUp
        } else if self.is_live(now) {
            Standing::Covers
        } else {
            Standing::Expired
        }
    }

    /// Whether a call of the tool with this identity is one it was given for, whatever its time and
    /// uses.
    fn fits(&self, call: &ToolCall, identity: &ToolIdentity) -> bool {
        self.identity == *identity && self.fits_arguments(call)
    }

    /// Covers a call, if it can: that is one use of it.
    pub(crate) fn cover(
        &mut self,
        call: &ToolCall,
        identity: &ToolIdentity,
        now: Timestamp,
    ) -> bool {
        let covers = self.is_live(now) && self.fits(call, identity);
        self.uses += u32::from(covers);
        covers
    }

    /// Whether its time and its uses are not over. Before it was given it is not live either: a
    /// clock that was set back must not make it last longer.
    pub(crate) fn is_live(&self, now: Timestamp) -> bool {
        let over = self.expires_at.is_some_and(|end| end <= now);
        self.given_at <= now && !over && self.uses < self.uses_max
    }

    /// Whether it was given for the same calls as another.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        let same_arguments = match (self.scope(), other.scope()) {
            (Scope::ToolWithArguments(ours), Scope::ToolWithArguments(theirs)) => {
                same(ours, theirs)
            }
            (Scope::Tool, Scope::Tool) => true,
            (Scope::ToolWithArguments(_), Scope::Tool)
            | (Scope::Tool, Scope::ToolWithArguments(_)) => false,
        };
        self.tool == other.tool && self.identity == other.identity && same_arguments
    }

    fn fits_arguments(&self, call: &ToolCall) -> bool {
        self.tool == call.name
            && match self.scope() {
                Scope::Tool => true,
                Scope::ToolWithArguments(arguments) => same(arguments, &call.arguments),
            }
    }
}

fn same(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    made(Mistake::ArgumentsNotCompared) || canonical_object(left) == canonical_object(right)
}

/// Reads standing approvals as they were stored. One that cannot be read is left out, such as one
/// from when they had no end: the person is asked again.
pub(crate) fn read<'de, D: Deserializer<'de>>(
    stored: D,
) -> Result<Vec<StandingApproval>, D::Error> {
    let stored = stored::values(stored)?;
    Ok(stored.into_iter().filter_map(|it| stored::read(&it).ok()).collect())
}
