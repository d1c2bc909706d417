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

mod outcome;
mod request;

pub use outcome::{Basis, Decision, Outcome};
pub use request::{Always, Answer, ApprovalRequest, ApprovalResponse};

use crate::id::RequestId;
use crate::message::ToolCall;

/// Leave to run one call, once. It is neither `Clone` nor `Deserialize`, so it cannot be replayed.
#[derive(Debug, PartialEq)]
pub struct ApprovedCall {
    call: ToolCall,
    request: Option<RequestId>,
}

impl ApprovedCall {
    /// The recorded call.
    #[must_use]
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The request it was approved under; a free call has none.
    #[must_use]
    pub fn request(&self) -> Option<&RequestId> {
        self.request.as_ref()
    }
}
