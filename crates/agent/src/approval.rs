//! The approval engine: who decides whether a call runs.
//!
//! For each call of a reply the first line that fits decides:
//! 1. The provider ran it already: its result stands.
//! 2. It hands over to another agent: it takes place with the answers to its neighbours.
//! 3. The tool is unknown, unavailable or another agent's: the model is told, nobody is asked.
//! 4. The arguments cannot be read or do not fit the schema: likewise.
//! 5. The tool only reads: it runs, together with the answers to its neighbours.
//! 6. A standing approval covers it.
//! 7. A rule in code covers it.
//! 8. An earlier no in this prompt (sticky denial): refused without asking, by whichever agent.
//! 9. A person is asked.
//!
//! A person's yes counts for what its card showed ([`CardDigest`]); if that is not what would run, the
//! request is asked again. A decision counts once it is durable; only then does its call become an [`ApprovedCall`].

mod batch;
mod call;
mod expire;
mod judge;
mod outcome;
mod policy;
mod request;
mod standing;

pub use batch::ApprovedCall;
pub(crate) use batch::{Batch, BatchEnd, Stage};
pub(crate) use call::Taken;
pub use call::{BatchCall, CallState};
pub use expire::{Expired, Known};
pub(crate) use judge::{Judge, Verdict};
pub use judge::{Rule, RuleBroken, Verifier};
pub use outcome::{Basis, Decision, Outcome};
pub use policy::{Mode, Policy, PolicyError};
pub use request::{Always, Answer, ApprovalRequest, ApprovalResponse, CardDigest};
pub(crate) use standing::read as read_standing;
pub use standing::{Scope, Standing, StandingApproval};
