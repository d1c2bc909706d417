//! Mistakes made on purpose, for the simulation, which must find each of them. They are made only in
//! a build with the feature `mistakes`, one at a time and where it is planted; in every other build
//! [`made`] is `false`, and the compiler leaves nothing of them.

macro_rules! mistakes {
    ($($(#[$doc:meta])* $mistake:ident,)*) => {
        /// A mistake that can be made on purpose.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mistake {
            $($(#[$doc])* $mistake,)*
        }

        impl Mistake {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$mistake,)*];
        }
    };
}

mistakes! {
    /// Silence after the last attempt is a yes.
    SilenceApproves,
    /// An answer counts although its deadline has passed.
    LateAnswerCounts,
    /// A yes counts although the store refused to record it.
    RefusedYesCounts,
    /// The decision that was recorded before gives way to the one that came later.
    EarlierDecisionIgnored,
    /// After a no, the prompt goes on asking.
    NoIsForgotten,
    /// Of a yes and a no in one message the yes counts.
    YesBeatsNo,
    /// A yes counts although its card showed something else.
    StaleCardCounts,
    /// One answer counts for all that is open.
    AnswerCoversAll,
    /// A call that was not run has no result.
    UnrunLeftOut,
    /// A call that was approved and is not to run any more keeps its yes.
    YesNotWithdrawn,
    /// After a restart decisions that were under way are not sent again.
    RestartForgetsDecisions,
    /// After a restart the released call does not run.
    RestartForgetsRun,
    /// What was revoked stands.
    RevokedStands,
    /// "Always, with just these arguments" covers all arguments.
    ArgumentsNotCompared,
    /// "Always" covers tools that are to be asked about every time.
    AlwaysAskIsCovered,
    /// A call runs although its tool is another one by now.
    ChangedToolRuns,
    /// An agent may call the tools of others.
    ToolsOfOthersCount,
    /// A handoff lifts the no of its prompt.
    HandoffLiftsNo,
    /// Rounds of questions are not counted.
    RoundsNotCounted,
    /// Ids repeat.
    IdsRepeat,
    /// The result of a tool that failed says that it ran.
    FailureSaysRan,
    /// The last decision on a request counts.
    LastDecisionCounts,
    /// The store says that a decision is durable and does not keep it.
    DecisionNotKept,
    /// A request runs as often as it is asked to.
    RunsAgain,
    /// The effect is one transaction and its record the next.
    EffectBeforeRecord,
    /// An execution is not recorded.
    ExecutionNotRecorded,
    /// A call that is told as not carried out is not recorded as that.
    UndoneNotRecorded,
    /// Records are not bound to those before them.
    ChainNotBound,
    /// An attempt outside the household begins before it is noted.
    AttemptNotNoted,
    /// An attempt of which nothing is known is made again by itself.
    UnknownTriesAgain,
    /// An outcome of which nothing is known is recorded as done.
    UnknownSaysDone,
    /// A step about an outcome counts although another one came first.
    LastStepCounts,
    /// The model is not told what became known of an outcome.
    NewsIsNotTold,
    /// A save leaves out the first new message.
    MessageNotSaved,
    /// A save writes over what another tab saved.
    SavesOverNewer,
    /// A record that cannot be read is taken for none.
    DamagedRecordIsNone,
    /// A household that cannot be read is taken for an empty one.
    DamagedHouseholdIsEmpty,
    /// A database that does not open is not tried again.
    OpensOnce,
    /// A reply whose end did not come counts.
    CutReplyCounts,
    /// A failure that is told in the middle of a reply is overlooked.
    FailureInReplyOverlooked,
}

/// Whether this mistake is to be made here.
#[cfg(not(feature = "mistakes"))]
#[must_use]
pub const fn made(_: Mistake) -> bool {
    false
}

#[cfg(feature = "mistakes")]
pub use planted::{made, plant, reached};

#[cfg(feature = "mistakes")]
mod planted {
    use std::cell::{Cell, RefCell};

    use super::Mistake;

    thread_local! {
        static PLANTED: Cell<Option<Mistake>> = const { Cell::new(None) };
        static REACHED: RefCell<Vec<Mistake>> = const { RefCell::new(Vec::new()) };
    }

    /// Plants a mistake in this thread in place of the one before, or takes that away.
    pub fn plant(mistake: Option<Mistake>) {
        PLANTED.set(mistake);
    }

    /// The mistakes that could have been made in this thread so far.
    #[must_use]
    pub fn reached() -> Vec<Mistake> {
        REACHED.with_borrow(Clone::clone)
    }

    /// Whether this mistake is to be made here.
    #[must_use]
    pub fn made(mistake: Mistake) -> bool {
        REACHED.with_borrow_mut(|reached| {
            if !reached.contains(&mistake) {
                reached.push(mistake);
            }
        });
        PLANTED.get() == Some(mistake)
    }
}
