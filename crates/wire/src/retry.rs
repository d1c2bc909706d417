//! When a failed call of a model is made once more by itself: only where the provider turned it away
//! before it began, so that nothing can be repeated.

use agent::model::{ModelError, ModelErrorKind};

/// How often a call is made again, at most. A person waits meanwhile.
const AGAIN_MAX: u32 = 2;
/// The longest wait a provider may name for that, in seconds. A longer one is told instead.
const NAMED_WAIT_MAX_S: u64 = 5;
/// The first wait where none is named, in milliseconds; each further one is twice as long.
const WAIT_MS: u32 = 1_000;

/// After how many milliseconds a call that failed with `error`, before any of its reply had come, is
/// made again; `None` if it is not. `again` is how often it was made again before.
#[must_use]
pub fn wait_ms(error: &ModelError, again: u32) -> Option<u32> {
    if again >= AGAIN_MAX {
        return None;
    }
    match error.kind {
        ModelErrorKind::RateLimit { retry_after_s: Some(seconds) } => {
            let seconds = (seconds <= NAMED_WAIT_MAX_S).then_some(seconds)?;
            u32::try_from(seconds * 1_000).ok().map(|wait| wait.max(WAIT_MS))
        }
        ModelErrorKind::RateLimit { retry_after_s: None } | ModelErrorKind::Overloaded => {
            Some(WAIT_MS << again)
        }
        // Whether the provider began is not known, or it would only say the same again.
        ModelErrorKind::ProxyUnreachable
        | ModelErrorKind::Transport
        | ModelErrorKind::Timeout
        | ModelErrorKind::Cancelled
        | ModelErrorKind::CutOff
        | ModelErrorKind::LengthLimit
        | ModelErrorKind::Unauthorized
        | ModelErrorKind::UnknownModel
        | ModelErrorKind::BadRequest
        | ModelErrorKind::Protocol => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError { kind, message: String::new() }
    }

    #[test]
    fn a_busy_provider_is_asked_twice_more_each_time_a_little_later() {
        for kind in [ModelErrorKind::Overloaded, ModelErrorKind::RateLimit { retry_after_s: None }]
        {
            let waits: Vec<_> = (0..4).map(|again| wait_ms(&error(kind.clone()), again)).collect();
            assert_eq!(waits, [Some(1_000), Some(2_000), None, None]);
        }
    }

    #[test]
    fn a_wait_the_provider_names_is_kept_unless_a_person_would_wait_too_long() {
        let after = |seconds| ModelErrorKind::RateLimit { retry_after_s: Some(seconds) };
        assert_eq!(wait_ms(&error(after(0)), 0), Some(1_000));
        assert_eq!(wait_ms(&error(after(5)), 1), Some(5_000));
        assert_eq!(wait_ms(&error(after(6)), 0), None);
        assert_eq!(wait_ms(&error(after(u64::MAX)), 0), None);
    }

    #[test]
    fn what_may_have_begun_is_never_asked_again_by_itself() {
        for kind in [
            ModelErrorKind::ProxyUnreachable,
            ModelErrorKind::Transport,
            ModelErrorKind::Timeout,
            ModelErrorKind::Cancelled,
            ModelErrorKind::CutOff,
            ModelErrorKind::LengthLimit,
            ModelErrorKind::Unauthorized,
            ModelErrorKind::UnknownModel,
            ModelErrorKind::BadRequest,
            ModelErrorKind::Protocol,
        ] {
            assert_eq!(wait_ms(&error(kind), 0), None);
        }
    }
}
