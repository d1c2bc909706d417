//! The household in miniature: two tabs, a store, a clock, and the ways anything can happen.
//! Every step is checked.

mod copies;
mod effects;
mod losses;
mod opening;
mod outside;
mod rest;
mod tabs;
mod visits;

pub use copies::Kept;
pub use opening::Opened;
pub use outside::Reply;

use std::collections::BTreeMap;
use std::rc::Rc;

use agent::approval::Rule as CodeRule;
use agent::effect::Effect;
use agent::event::Event;
use agent::id::{Entropy, SessionId};
use agent::session::{Context, Session};
use agent::settings::Settings;
use agent::time::{Reading, Timestamp};
use agent::tool::ToolSpec;
use kitchen::Edit;
use store::Store;
use store::database::Table;

use crate::checker::{Checker, DIGEST_KEY, Ground};
use crate::coverage::{self, Coverage};
use crate::database::{Memory, Plan, Slot, View, at_once};
use crate::model::{Answer, Proposal};
use crate::mutant::{self, Mutant};
use crate::tab::{Sent, Tab, Work};
use crate::tools::{self, Change};
use crate::violation::{Checked, Rule, Violation};
use crate::witness::Witness;
use crate::{person, twin};

/// Where new ids come from.
#[derive(Debug, Clone, Copy)]
pub enum Ids {
    /// They are fresh in every step.
    Fresh,
    /// They follow from the transcript, so that two ways to one state lead to the same state.
    ByTranscript,
}

/// The household in miniature.
#[derive(Clone)]
pub struct World {
    /// The machine's clocks.
    pub clocks: Reading,
    /// What is kept.
    pub memory: Memory,
    /// The tabs; one that crashed, or was never opened, is not there.
    pub tabs: [Option<Tab>; 2],
    /// What must hold.
    pub checker: Checker,
    /// What was met.
    pub coverage: Coverage,
    /// Steps of a loop so far.
    pub steps: u64,
    /// How many requests the last transaction of a tab made.
    pub requests: u32,
    /// A program stopped that could not save: the store knows nothing of its last steps.
    pub lost_unsaved: bool,
    /// Whether everything that happens is told, for the eye.
    pub talks: bool,
    /// Whether, in every step, the session is also held against a twin that was restored, and in
    /// every rest against what is kept. That costs three times as much as all the rest, and finds
    /// nothing that a crash at the same place does not find, only earlier.
    pub thorough: bool,
    /// Whether a program came by that has not all of the agents.
    agent_gone: bool,
    /// Whether something that was kept is spoilt.
    damaged: bool,
    /// The program whose transaction is late: its tools, and how it was to behave.
    late: Option<(Rc<[ToolSpec]>, Rc<Settings>)>,
    /// The version of the page that wrote what is kept.
    version: u32,
    /// Whether both tabs show one conversation.
    pub shared: bool,
    /// The revision under which that was saved last.
    pub latest: u64,
    ids: Ids,
    ruled: Option<&'static str>,
    mutant: Option<Mutant>,
    /// What was shown and said in each conversation when it was last saved.
    witnesses: BTreeMap<(Slot, SessionId), Witness>,
}

fn lost(why: String) -> Violation {
    Violation { rule: Rule::Kept, why }
}

fn stuck(why: String) -> Violation {
    Violation { rule: Rule::Live, why }
}

impl World {
    /// A household that nothing happened to yet, with one tab.
    #[must_use]
    pub fn new(
        settings: Rc<Settings>,
        ruled: Option<&'static str>,
        ids: Ids,
        mutant: Option<Mutant>,
    ) -> Self {
        let mut world = Self {
            clocks: Reading { wall: Timestamp(1_700_000_000_000), monotonic_ms: 0 },
            memory: Memory::default(),
            tabs: [None, None],
            checker: Checker::default(),
            coverage: Coverage::default(),
            steps: 0,
            requests: 0,
            lost_unsaved: false,
            talks: false,
            thorough: true,
            agent_gone: false,
            damaged: false,
            late: None,
            version: 0,
            shared: false,
            latest: 0,
            ids,
            ruled,
            mutant,
            witnesses: BTreeMap::new(),
        };
        world.begin(0, settings, None);
        world
    }

    /// A tab begins with a conversation in which nothing was said yet.
    fn begin(&mut self, slot: Slot, settings: Rc<Settings>, change: Option<(usize, Change)>) {
        let session = Session::new(SessionId(format!("{slot}-{}", self.steps)));
        self.place(slot, session, Witness::default(), settings, change);
    }

    fn place(
        &mut self,
        slot: Slot,
        session: Session,
        witness: Witness,
        settings: Rc<Settings>,
        change: Option<(usize, Change)>,
    ) {
        let twisted = self.mutant == Some(Mutant::RunsOtherArguments);
        let change = change.or(twisted.then_some((1, Change::Twisted)));
        self.agent_gone |= matches!(change, Some((_, Change::AgentGone)));
        let mut tab = Tab::open(session, witness, self.clocks, tools::program(change), settings);
        tab.lacks_household = self.memory.is_spoilt(Table::Household, &"household".into());
        if let Some(place) = self.tabs.get_mut(slot) {
            *place = Some(tab);
        }
    }

    /// Everything that what happens next depends on, as text.
    #[must_use]
    pub fn picture(&self) -> String {
        let tabs = self.tabs.iter().flatten().map(|tab| {
            let Tab { session, witness, calling, trouble, sent, unsaved, .. } = tab;
            let calling = calling.is_some();
            format!("{session:?}{witness:?}{calling}{trouble:?}{sent:?}{unsaved}")
        });
        let tabs: String = tabs.collect();
        let (now, kept, known) = (self.clocks.wall, self.memory.rows(), self.checker.picture());
        format!("{now:?}{tabs}{kept}{known}{:?}", self.witnesses)
    }

    /// The time as a tab has it.
    fn now(&mut self, slot: Slot) -> Timestamp {
        let clocks = self.clocks;
        let tab = self.tabs.get_mut(slot).and_then(Option::as_mut);
        tab.map_or(clocks.wall, |tab| tab.time.at(clocks))
    }

    /// Time goes by, on all clocks.
    pub fn passes(&mut self, ms: u64) {
        self.clocks.wall = self.clocks.wall.plus_ms(ms);
        self.clocks.monotonic_ms += ms;
    }

    pub(crate) fn tells(&self, what: impl Fn() -> String) {
        if self.talks {
            println!("{:>9} {}", self.clocks.wall.0 % 1_000_000_000, what());
        }
    }

    fn store(&self, slot: Slot) -> Store<View<'_>> {
        let closed = self.is_closed(slot);
        let (memory, slot, mutant) = (&self.memory, self.drawer(slot), self.mutant);
        Store::new(View { memory, slot, mutant, closed, looks_on: false })
    }

    /// Where a tab keeps its conversations: with the other one's, if they share one.
    fn drawer(&self, slot: Slot) -> Slot {
        if self.shared { 0 } else { slot }
    }

    /// The checker looks at what was kept.
    fn observe(&mut self, slot: Slot) -> Checked {
        let Some(Some(tab)) = self.tabs.get(slot) else { return Ok(()) };
        self.checker.observe(&self.memory, &tab.program.specs, &tab.settings.policy)
    }

    /// A tab that is there.
    ///
    /// # Errors
    /// If it is not.
    pub fn tab(&mut self, slot: Slot) -> Result<&mut Tab, Violation> {
        let tab = self.tabs.get_mut(slot).and_then(Option::as_mut);
        tab.ok_or_else(|| stuck(format!("there is no tab {slot}")))
    }

    /// A person, a timer or the driver itself tells a quiet tab something.
    ///
    /// # Errors
    /// What does not hold.
    pub fn tell(&mut self, slot: Slot, event: Event) -> Checked {
        self.take(slot, event, &[])?;
        self.rests(slot)
    }

    /// A call of the model comes to its end. A stopped call's end is nobody's.
    ///
    /// # Errors
    /// What does not hold.
    pub fn model_ended(&mut self, slot: Slot, number: u64, answer: Answer) -> Checked {
        let tab = self.tab(slot)?;
        if tab.calling.as_ref().is_none_or(|calling| calling.number != number) {
            return Ok(());
        }
        tab.calling = None;
        match answer {
            Answer::Reply(reply, proposals) => {
                self.take(slot, Event::ModelReplied(reply), &proposals)?;
            }
            Answer::Failure(error) => self.take(slot, Event::ModelFailed(error), &[])?,
        }
        self.rests(slot)
    }

    /// A person sends a text. The page keeps it in case it is taken back.
    ///
    /// # Errors
    /// What does not hold.
    pub fn say(&mut self, slot: Slot, text: &str) -> Checked {
        let tab = self.tab(slot)?;
        let before = tab.session.messages().len();
        tab.sent = Some(Sent { text: text.to_owned(), before, again: false });
        self.tell(slot, Event::Said(text.to_owned()))
    }

    /// A tab carries out the next thing it has to do.
    ///
    /// # Errors
    /// What does not hold.
    pub fn work(&mut self, slot: Slot, plan: Plan) -> Checked {
        let tab = self.tab(slot)?;
        if let Some(work) = tab.work.pop_front() {
            self.carry_out(slot, work, plan)?;
        } else if let Some(event) = tab.events.pop_front() {
            self.take(slot, event, &[])?;
        } else if let Some(event) = tab.unwritten.pop() {
            self.memory.plan(Plan::default());
            let written = at_once(self.store(slot).record_decision(&event));
            written.map_err(|error| stuck(error.to_string()))?;
        }
        self.observe(slot)?;
        self.rests(slot)
    }

    /// The program in a tab stops.
    pub fn crash(&mut self, slot: Slot) {
        self.tells(|| format!("{slot} stops"));
        if let Some(tab) = self.tabs.get_mut(slot).and_then(Option::take) {
            self.lost_unsaved |= tab.unsaved;
            self.memory.forget();
        }
    }

    /// A person changes the list by hand.
    ///
    /// # Errors
    /// What does not hold.
    pub fn edit(&mut self, slot: Slot, edit: Edit) -> Checked {
        self.lands()?;
        let now = self.now(slot);
        self.memory.plan(Plan::default());
        let edited = at_once(self.store(slot).edit(edit.clone(), now));
        if matches!(edited, Ok(Ok(_))) {
            self.checker.edits(edit);
        }
        self.observe(slot)
    }

    fn take(&mut self, slot: Slot, meant: Event, proposals: &[Proposal]) -> Checked {
        let now = self.now(slot);
        let (mutant, ruled, thorough) = (self.mutant, self.ruled, self.thorough);
        self.steps += 1;
        let steps = self.steps;
        let ids = self.ids;
        let tab = self.tab(slot)?;
        let settings = Rc::clone(&tab.settings);
        tab.witness.take(&meant, &tab.session, &settings, now);
        let event = mutant::twist(mutant, meant, &tab.session);
        let event = person::by_the_cards(event, &tab.session);
        let cell = coverage::pair(tab.session.activity(), &event);
        let late = coverage::is_late(&event, &tab.session, now);
        let told = mutant::twist_settings(mutant, &settings);
        let rules = rules(ruled);
        let before = tab.session.messages().len();
        let context = Context {
            now,
            entropy: entropy(ids, steps, &tab.session),
            tools: &tab.program.specs,
            rules: &rules,
            settings: &told,
            agents: &tab.program.agents,
            digest_key: &DIGEST_KEY,
        };
        let exact = thorough && twin::is_exact(&tab.session);
        let failed = |why| Violation { rule: Rule::Twin, why };
        let twin = exact.then(|| twin::restored(&tab.session)).transpose().map_err(failed)?;
        let effects = match twin {
            Some(twin) => {
                let effects = tab.session.step(event.clone(), &context);
                twin::compare(twin, event, &context, &tab.session, &effects).map_err(failed)?;
                effects
            }
            None => tab.session.step(event, &context),
        };
        if thorough {
            let calling = tab.calling.as_ref().map(|calling| &calling.request);
            twin::goes_on(&tab.session, calling, &context).map_err(failed)?;
        }
        tab.ended = None;
        self.coverage.meet(cell);
        if late {
            self.coverage.meet(("person", "answers after the deadline"));
        }
        self.tells(|| format!("{slot} {} ({}): {}", cell.1, cell.0, shown(&effects)));
        self.judge(slot, before, proposals, &effects)?;
        self.tab(slot)?.work.extend(effects.into_iter().map(Work::from));
        Ok(())
    }

    /// Judges what a step came to.
    fn judge(
        &mut self,
        slot: Slot,
        before: usize,
        proposals: &[Proposal],
        effects: &[Effect],
    ) -> Checked {
        let ruled = self.ruled;
        let Some(Some(tab)) = self.tabs.get_mut(slot) else { return Ok(()) };
        let added = tab.session.messages().get(before..).unwrap_or_default();
        self.checker.reply(&tab.asked, proposals, added)?;
        self.checker.judges(tab.session.batch(), &tab.program.specs);
        for effect in effects {
            let ground = Ground {
                witness: &tab.witness,
                settings: &tab.settings,
                specs: &tab.program.specs,
                messages: tab.session.messages(),
                ruled,
            };
            self.coverage.meet(coverage::effect(effect));
            match effect {
                Effect::Ask(request) => {
                    self.checker.asks(request, ground)?;
                    tab.witness.show(request, tab.session.messages());
                }
                Effect::RecordDecision(event) => {
                    self.coverage.meet(coverage::decision(event.outcome, event.basis));
                    self.checker.decides(event, ground)?;
                    tab.witness.settle(&event.request);
                }
                Effect::Save
                | Effect::CallModel(_)
                | Effect::RunTool(_)
                | Effect::WithdrawApproval { .. }
                | Effect::Finished(_)
                | Effect::DroppedResponse(_)
                | Effect::Ignored(_) => {}
            }
        }
        Ok(())
    }
}

/// Effects in short: a request to the model holds everything that was said before.
fn shown(effects: &[Effect]) -> String {
    let short = |effect: &Effect| match effect {
        Effect::CallModel(_) => "CallModel".to_owned(),
        Effect::Save
        | Effect::Ask(_)
        | Effect::RecordDecision(_)
        | Effect::RunTool(_)
        | Effect::WithdrawApproval { .. }
        | Effect::Finished(_)
        | Effect::DroppedResponse(_)
        | Effect::Ignored(_) => format!("{effect:?}"),
    };
    effects.iter().map(short).collect::<Vec<_>>().join(" ")
}

fn rules(ruled: Option<&'static str>) -> Vec<CodeRule> {
    let rule =
        |tool: &str| CodeRule { tool: Some(tool.to_owned()), approves: Box::new(|_| Ok(true)) };
    ruled.map(rule).into_iter().collect()
}

fn entropy(ids: Ids, steps: u64, session: &Session) -> Entropy {
    let number = match ids {
        Ids::Fresh => u128::from(steps),
        Ids::ByTranscript => session.messages().len() as u128,
    };
    Entropy(number.to_be_bytes())
}
