//! Everything that can be wrong with bytes from or for a provider.

use agent::id::CallId;
use agent::model::{ModelError, ModelErrorKind};
use thiserror::Error;

/// What is wrong with bytes from or for a provider. No call comes of a reply with an error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WireError {
    /// The stream ended before the reply did.
    #[error("the stream ended before the reply did")]
    CutOff,
    /// The length limit fell into the arguments of a call.
    #[error("the length limit was reached inside the arguments of {tool}")]
    LengthLimit {
        /// The tool that was about to be called.
        tool: String,
    },
    /// What came is not what the protocol says.
    #[error("what came could not be read: {0}")]
    Malformed(String),
    /// A bound of [`crate::limits`] or [`agent::limits`] was passed; the rest was not read.
    #[error("{what} is larger than {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How much is allowed, in bytes or pieces.
        limit: usize,
    },
    /// A success that is not an event stream, such as a page of HTML.
    #[error("the answer is not an event stream; it begins: {start}")]
    NotAStream {
        /// How it begins.
        start: String,
    },
    /// The provider says that it failed.
    #[error("{message}")]
    Provider {
        /// What kind of failure.
        failure: Failure,
        /// The provider's own name for it, empty if it gave none.
        code: String,
        /// The provider's own words.
        message: String,
    },
    /// A request that the provider would refuse, or that would lose a call or a result.
    #[error("the request was not sent: {0}")]
    Unsendable(#[from] Violation),
}

/// The kinds of failure a provider reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Too many requests.
    RateLimit {
        /// Seconds to wait, if it said.
        retry_after_s: Option<u64>,
    },
    /// Too much to do at the moment.
    Overloaded,
    /// A fault of its own.
    Internal,
    /// It, or what stands before it, gave up waiting.
    Timeout,
    /// What stands before it could not reach it.
    Unreachable,
    /// The key is missing, refused, not allowed to do this, or has no credit.
    Unauthorized,
    /// It has no such model.
    UnknownModel,
    /// The request is wrong.
    BadRequest,
}

/// A rule for requests that is broken. Each would be refused by a provider, or worse: not.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// A call has no result directly behind its reply.
    #[error("call {0} has no result")]
    CallWithoutResult(CallId),
    /// A result belongs to no call of the reply before it.
    #[error("the result of call {0} follows no such call")]
    ResultWithoutCall(CallId),
    /// A call has two results.
    #[error("call {0} has two results")]
    SecondResult(CallId),
    /// Two calls have one id.
    #[error("two calls have the id {0}")]
    RepeatedCall(CallId),
    /// An id that is empty or has other characters than letters, digits, `_` and `-`.
    #[error("{0:?} cannot be the id of a call")]
    IllegalCallId(String),
    /// A declared tool whose name is empty, too long or has other characters than letters, digits,
    /// `_` and `-`.
    #[error("{0:?} cannot be the name of a tool")]
    IllegalToolName(String),
    /// Two declared tools have one name.
    #[error("two tools are named {0}")]
    RepeatedTool(String),
    /// The transcript has calls, but no tools are declared.
    #[error("the transcript has calls but no tools are declared")]
    NoTools,
    /// Nobody said anything yet.
    #[error("there is nothing to send")]
    Empty,
    /// The transcript begins with the model.
    #[error("the transcript begins with the model")]
    BeginsWithModel,
    /// The transcript ends with the model: there is nothing it should answer.
    #[error("the transcript ends with the model")]
    EndsWithModel,
    /// A reply to be served holds a call whose arguments are no JSON object.
    #[error("the arguments of {0} are not a JSON object")]
    ArgumentsNotAnObject(String),
    /// A reply to be served holds a call that the provider ran.
    #[error("the call of {0} was run already")]
    AlreadyRun(String),
}

impl From<WireError> for ModelError {
    fn from(error: WireError) -> Self {
        let message = error.to_string();
        let kind = match error {
            WireError::CutOff => ModelErrorKind::CutOff,
            WireError::LengthLimit { .. } => ModelErrorKind::LengthLimit,
            WireError::Malformed(_) | WireError::TooLarge { .. } | WireError::NotAStream { .. } => {
                ModelErrorKind::Protocol
            }
            WireError::Provider { failure, .. } => failure.into(),
            WireError::Unsendable(_) => ModelErrorKind::BadRequest,
        };
        Self { kind, message }
    }
}

impl From<Failure> for ModelErrorKind {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::RateLimit { retry_after_s } => Self::RateLimit { retry_after_s },
            // A person does the same about both: wait, and try again.
            Failure::Overloaded | Failure::Internal => Self::Overloaded,
            Failure::Timeout => Self::Timeout,
            Failure::Unreachable => Self::Transport,
            Failure::Unauthorized => Self::Unauthorized,
            Failure::UnknownModel => Self::UnknownModel,
            Failure::BadRequest => Self::BadRequest,
        }
    }
}
