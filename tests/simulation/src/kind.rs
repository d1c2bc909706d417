//! The kinds of things that a run is to meet, and the dice that decide when.

use crate::coverage::Coverage;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// A kind of thing that can happen. A run that never meets one of them fails.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Its name in the coverage table.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// The model answers in words.
    Words = "model: words",
    /// The model answers without content.
    EmptyReply = "model: empty reply",
    /// The model says words that are blank beside its calls.
    BlankWords = "model: blank words",
    /// The model calls and calls, and the loop cuts it short.
    Insists = "model: insists",
    /// The model calls one tool.
    OneCall = "model: one call",
    /// The model calls several tools.
    SeveralCalls = "model: several calls",
    /// Some of them are free and some must be approved.
    FreeAndGated = "model: free and gated calls",
    /// The model calls a tool that does not exist.
    UnknownTool = "model: unknown tool",
    /// The model hands over to the other agent.
    HandsOver = "model: hands over",
    /// The model hands over beside a call that must be approved.
    HandsOverBeside = "model: hands over beside a gated call",
    /// The model hands over twice in one reply.
    HandsOverTwice = "model: hands over twice",
    /// The model hands over to the agent it is.
    HandsOverToItself = "model: hands over to itself",
    /// The model hands over to an agent that does not exist.
    HandsOverToNobody = "model: hands over to nobody",
    /// The model calls a tool of the other agent.
    ToolOfAnother = "model: tool of another agent",
    /// Arguments that are no JSON, or give a key twice.
    UnreadableArguments = "model: unreadable arguments",
    /// Arguments that do not fit the tool.
    MisfitArguments = "model: arguments that do not fit",
    /// The same call twice in one reply.
    CallRepeated = "model: same call twice",
    /// An id of an earlier reply again.
    IdReused = "model: id of an earlier reply",
    /// The same call as in an earlier reply.
    ProposesAgain = "model: same call as before",
    /// Two different calls under one id.
    IdForTwoCalls = "model: one id for two calls",
    /// A call without an id.
    CallWithoutId = "model: call without an id",
    /// More calls than a reply may have.
    TooManyCalls = "model: too many calls",
    /// A call that the provider ran itself.
    ProviderResult = "model: call run by the provider",
    /// A reply cut at the length limit, inside its calls.
    CutReply = "model: reply cut at its length",
    /// The model fails before it says anything.
    FailsBefore = "model: fails before its reply",
    /// The reply breaks off.
    FailsAfter = "model: reply breaks off",
    /// Nothing comes for too long.
    Stalls = "model: stalls",
    /// The provider refuses the request.
    Refuses = "model: refuses the request",
    /// An error where a reply should be, or a reply that cannot be understood.
    Garbled = "model: error inside its reply",
    /// The reply of a stopped call comes all the same.
    LateReply = "model: reply to a stopped call",

    /// A reply comes as bytes, in pieces cut anywhere, and nothing happens to it.
    NetWhole = "net: whole, in pieces",
    /// The bytes end somewhere.
    NetCut = "net: cut at a byte",
    /// They end inside the calls.
    NetCutInCall = "net: cut inside a call",
    /// The connection breaks where they end.
    NetBreaks = "net: connection breaks",
    /// Nothing more comes, and the proxy says so.
    NetStalls = "net: stalls",
    /// An event comes once more, at once or later.
    NetRepeats = "net: an event twice",
    /// Two events change their places.
    NetReorders = "net: events out of order",
    /// The provider fails in the middle of a success.
    NetErrorInside = "net: error inside a success",
    /// A success that is no stream.
    NetNoStream = "net: success that is no stream",
    /// The provider refuses.
    Net4xx = "net: 4xx",
    /// The provider, or what stands before it, fails.
    Net5xx = "net: 5xx",
    /// A busy provider is asked again by itself.
    NetAsksAgain = "net: asked again by itself",
    /// The person stops a reply in the middle.
    NetStopped = "net: stopped in the middle",

    /// A yes.
    Approves = "person: approves",
    /// A yes to this and later calls.
    ApprovesAlways = "person: approves always",
    /// A no.
    Rejects = "person: rejects",
    /// A no with a reason.
    RejectsWithReason = "person: rejects with a reason",
    /// A yes and a no in one message.
    SaysBoth = "person: yes and no together",
    /// The same answer twice in one message.
    SaysTwice = "person: same answer twice",
    /// Neither yes nor no.
    Unclear = "person: unclear answer",
    /// An answer to a request that was answered before.
    StaleAnswer = "person: stale answer",
    /// An answer to an open request whose card showed something else than what would run.
    StaleCard = "person: answers a stale card",
    /// An answer typed in words.
    Types = "person: types an answer",
    /// An answer to a request that never was.
    ForgedAnswer = "person: forged answer",
    /// Some of the open requests are answered.
    AnswersInPart = "person: answers in part",
    /// Words beside answers.
    WordsBesideAnswers = "person: words beside answers",
    /// Words instead of an answer.
    MovesOn = "person: moves on",
    /// Blank words.
    BlankWordsTyped = "person: blank words",
    /// Words while the model answers.
    TalksOver = "person: words while the model answers",
    /// The question is withdrawn.
    Cancels = "person: cancels",
    /// The model is stopped.
    Stops = "person: stops the model",
    /// Go on.
    Resumes = "person: goes on",
    /// A new conversation.
    NewConversation = "person: new conversation",
    /// What was always to be approved is not any more.
    Revokes = "person: takes always back",
    /// A conversation is opened again.
    OpensConversation = "person: opens a conversation",
    /// The list is changed by hand.
    EditsByHand = "person: edits the list by hand",
    /// One request at a time, or all.
    PreferenceChanged = "person: changes a setting",

    /// The clock jumps hours ahead.
    ClockForward = "clock: jumps forward",
    /// The clock jumps back.
    ClockBack = "clock: jumps back",
    /// The timer of a deadline fires, sooner or later.
    TimerFires = "clock: timer fires",

    /// A decision is refused by the store.
    DecisionRefused = "store: refuses a decision",
    /// A session is not saved.
    SaveFails = "store: save fails",
    /// The transaction of a tool is aborted.
    RunAborts = "store: run aborts",
    /// There is no room for what a transaction writes.
    NoRoom = "store: no room",
    /// There is no room, which shows when the transaction is to be kept.
    NoRoomAtCommit = "store: no room at commit",
    /// A transaction is kept and gets no answer.
    KeptUnanswered = "store: keeps and does not answer",
    /// A transaction is undone and gets no answer.
    UndoneUnanswered = "store: undoes and does not answer",
    /// A transaction gets no answer, nor does the second attempt behind it; then it is kept.
    KeptLate = "store: keeps after nobody waits",
    /// What got no answer gets none when it is asked again.
    UnansweredAgain = "store: does not answer again",
    /// The browser clears everything between two visits.
    Evicted = "store: cleared between visits",
    /// A conversation is damaged between two visits.
    Damaged = "store: a conversation is damaged",
    /// A record is damaged between two visits.
    RecordDamaged = "store: a record is damaged",
    /// A record can be read and is another one.
    RecordChanged = "store: a record is changed",
    /// A row of the ledger is damaged.
    LedgerDamaged = "store: the ledger is damaged",
    /// What was said in a record is damaged.
    WordsDamaged = "store: what was said in a record is damaged",
    /// The household is damaged.
    HouseholdDamaged = "store: the household is damaged",
    /// A newer version of the page takes the database from an open tab.
    NewerVersion = "store: taken by a newer version",
    /// A newer page opens while the other tab hears nothing, and waits for it.
    Blocked = "store: opening is blocked",
    /// A newer page opens beside an older one, which makes way.
    NewerOpens = "store: opened by a newer version",
    /// A page that the browser had kept is older than what is in the store.
    OlderOpens = "store: opened by an older version",
    /// The database does not open at once, or not at all.
    OpenFails = "store: fails to open",
    /// The same, when it is opened anew.
    ReopenFails = "store: fails to open anew",
    /// The browser clears everything while tabs have it open.
    ClearedUnderTabs = "store: cleared under open tabs",
    /// The program stops before a transaction.
    CrashBefore = "crash: before a transaction",
    /// The program stops inside a transaction.
    CrashInside = "crash: inside a transaction",
    /// The program stops between a transaction and its answer.
    CrashAfter = "crash: after a transaction",
    /// The machine stops, and with it every tab.
    PowerLoss = "crash: power loss",
    /// A tab is frozen and goes on later.
    Frozen = "crash: frozen for a while",
    /// The program stops while it waits.
    CrashAtRest = "crash: at rest",
    /// An old copy of the conversation is put back.
    OldCopy = "copy: old copy restored",
    /// A second tab goes on from an old copy.
    SecondTab = "copy: second tab",
    /// Both tabs show one conversation, and both drive it.
    SharedWithoutLocks = "tabs: one conversation without locks",
    /// Both tabs show one conversation, and one drives it.
    SharedWithLocks = "tabs: one conversation with locks",
    /// A tab hears that the other one saved.
    HearsOfSave = "tabs: hears of a save",
    /// A tab that follows passes on what its person does.
    PassesOn = "tabs: passes on",
    /// A tab goes on with what the other one left.
    TakesOver = "tabs: takes over",
    /// The program that starts again has other tools.
    AppUpdate = "tools: changed by an update",
    /// The program that starts again has not all of the agents.
    AgentGone = "agents: one is gone after an update",
    /// A policy asks for more than the authors of the tools.
    StricterPolicy = "policy: stricter than declared",
    /// A policy is on trial.
    PolicyOnTrial = "policy: on trial",
    /// An earlier policy is brought back.
    PolicyRolledBack = "policy: rolled back",
    /// A tool ends the run.
    Terminates = "tools: one ends the run",
    /// A letter is taken, and the answer comes.
    LetterDone = "outside: done and answered",
    /// A letter is taken, and the answer is lost.
    LetterAnswerLost = "outside: answer lost",
    /// A letter is not taken.
    LetterRefused = "outside: not done",
    /// A letter comes when nobody waits for its answer any more.
    LetterLate = "outside: late, after a restart",
    /// The far side is asked and cannot tell.
    CannotTell = "outside: cannot tell",
    /// A person has an unknown outcome checked.
    Checks = "person: checks an unknown outcome",
    /// A person has it tried again.
    TriesAgain = "person: tries an unknown outcome again",
    /// A person saw that it was done.
    MarksDone = "person: marks as done",
    /// A person saw that it was not done.
    MarksNotDone = "person: marks as not done",
    /// A person presses two things, or in two tabs.
    PressesTwo = "person: presses two ways on",
    /// The transaction of such a step is aborted.
    ResolveAborts = "store: a step about an unknown outcome aborts",
    /// Something that was told already is told again.
    StrayEvent = "driver: tells something twice",
}

/// Decides, by a seed, what happens. Each seed leaves out some kinds, so that the others get room.
#[derive(Debug)]
pub struct Dice {
    rng: fastrand::Rng,
    off: u128,
    calm: bool,
    insistent: bool,
    habitual: bool,
    /// What came up.
    pub coverage: Coverage,
}

impl Dice {
    /// The dice of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Half of the seeds leave nothing out; the others leave out about a quarter.
        let off = if rng.bool() { 0 } else { rng.u128(..) & rng.u128(..) };
        let insistent = rng.u32(0..6) == 0;
        let habitual = rng.u32(0..6) == 0;
        Self { rng, off, calm: false, insistent, habitual, coverage: Coverage::default() }
    }

    /// From now on nothing goes wrong.
    pub fn calm(&mut self) {
        self.calm = true;
    }

    /// Whether nothing goes wrong any more.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        self.calm
    }

    /// Whether this seed's model hardly ever stops calling.
    #[must_use]
    pub fn is_insistent(&self) -> bool {
        self.insistent
    }

    /// Whether in this seed the same is wanted over and over, and allowed for good.
    #[must_use]
    pub fn is_habitual(&self) -> bool {
        self.habitual
    }

    /// Whether the kind comes up this time: once in `one_in` times, where the seed has it at all.
    /// It counts as met, so it must then happen.
    pub fn rolls(&mut self, kind: Kind, one_in: u32) -> bool {
        let off = self.calm || self.off & (1 << kind as u32) != 0;
        let comes = !off && self.chance(one_in);
        if comes {
            self.meet(kind);
        }
        comes
    }

    /// The kind was met.
    pub fn meet(&mut self, kind: Kind) {
        self.coverage.meet(("kind", kind.name()));
    }

    /// Once in `one_in` times.
    pub fn chance(&mut self, one_in: u32) -> bool {
        self.rng.u32(0..one_in.max(1)) == 0
    }

    /// A number below `end`, or zero.
    pub fn below(&mut self, end: usize) -> usize {
        self.rng.usize(0..end.max(1))
    }

    /// Milliseconds up to `end`.
    pub fn ms(&mut self, end: u64) -> u64 {
        self.rng.u64(0..=end)
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}
