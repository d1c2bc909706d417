//! The approval engine: who decides whether a call runs.
//!
//! For each call of a reply the first line that fits decides:
//! 1. The provider ran it already: its result stands.
//! 2. The tool is unknown or unavailable: the model is told, nobody is asked.
//! 3. The arguments cannot be read or do not fit the schema: likewise.
//! 4. The tool only reads: it runs, together with the answers to its neighbours.
//! 5. A standing approval covers it.
//! 6. A rule in code covers it.
//! 7. An earlier no in this prompt (sticky denial): refused without asking.
//! 8. A person is asked.
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
