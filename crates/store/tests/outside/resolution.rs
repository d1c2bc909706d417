//! What a person may do about a letter of which nobody knows whether it was sent.

use agent::audit::ExecutionOutcome;
use agent::effect::Effect;
use agent::event::{Event, ToolOutcome};
use agent::id::{RequestId, SessionId};
use agent::message::{Body, Ending};
use agent::resolution::{Resolution, ResolutionStep};
use simulation::database::{Fate, Memory, Plan, at_once};
use store::error::StoreError;
use store::export::Checker;
use store::outside::Attempt;
use store::resolution::{Taken, Wanted};

use crate::letters::{Asked, KEY, Mailbox, NOW, carry_out, executions, open, tools};

/// A letter of which nobody knows whether it was sent.
struct Unknown {
    memory: Memory,
    mailbox: Mailbox,
    asked: Asked,
    request: RequestId,
}

impl Unknown {
    fn letter() -> Self {
        let (memory, mut mailbox) = (Memory::default(), Mailbox::default());
        let mut asked = Asked::letter();
        let yes = asked.yes();
        at_once(open(&memory).record_decision(&yes)).unwrap();
        let approved = asked.released(&yes);
        carry_out(&memory, &approved, &mut mailbox, true).unwrap_err();
        let again = asked.restarted();
        let outcome = carry_out(&memory, &again, &mut mailbox, false).unwrap();
        assert_eq!(outcome, ToolOutcome::Unknown);
        asked.step(Event::ToolFinished { call: again.call().id.clone(), outcome });
        Self { memory, mailbox, asked, request: yes.request }
    }

    fn wanted(&self, step: ResolutionStep, seen: u64) -> Wanted {
        Wanted { request: self.request.clone(), step, seen }
    }

    fn resolve(&self, step: ResolutionStep, seen: u64) -> Taken {
        at_once(open(&self.memory).resolve(&self.wanted(step, seen), NOW)).unwrap()
    }

    /// Tries again; the mailbox knows a repetition by its key.
    fn try_again(&mut self, seen: u64, lost: bool) -> Result<Taken, StoreError> {
        let (store, call) = (open(&self.memory), self.asked.call());
        let wanted = self.wanted(ResolutionStep::TryAgain, seen);
        let (taken, begun) = at_once(store.try_again(&tools("1"), &call, &wanted, &KEY, NOW))?;
        if let Some(begun) = begun {
            self.mailbox.letters.entry(begun.idempotency_key().clone()).or_insert(1);
            if !lost {
                let outcome = ToolOutcome::Returned { text: None, terminate: false };
                at_once(store.attempted(begun, outcome, NOW))?;
            }
        }
        Ok(taken)
    }

    fn latest(&self) -> Option<Resolution> {
        at_once(open(&self.memory).resolution(&self.request)).unwrap()
    }

    fn step(&self) -> Option<ResolutionStep> {
        self.latest().map(|latest| latest.event.step)
    }

    /// The whole audit as a file, checked as anyone can check it.
    fn resolutions_in_export(&self) -> usize {
        let export = at_once(open(&self.memory).export_records(NOW)).unwrap();
        let mut lines = export.text.lines();
        let mut checker = Checker::begin(lines.next().unwrap()).unwrap();
        lines.for_each(|line| checker.take(line).unwrap());
        checker.finish().unwrap().resolutions
    }
}

#[test]
fn what_a_person_saw_counts_once_however_often_and_wherever_it_is_pressed() {
    let unknown = Unknown::letter();
    let first = unknown.resolve(ResolutionStep::MarkedDone, 0);
    assert!(matches!(first, Taken::Now(_)));
    for step in [ResolutionStep::MarkedDone, ResolutionStep::MarkedNotDone, ResolutionStep::Check] {
        for seen in [0, unknown.latest().unwrap().number] {
            assert_eq!(unknown.resolve(step, seen), Taken::Not(unknown.latest()));
        }
    }
    assert_eq!(unknown.step(), Some(ResolutionStep::MarkedDone));
    assert_eq!(executions(&unknown.memory), [ExecutionOutcome::Unknown]);
    assert_eq!(unknown.resolutions_in_export(), 1);
}

#[test]
fn it_is_tried_again_under_the_same_key_by_the_same_tool_and_on_record_first() {
    let mut unknown = Unknown::letter();
    let (store, call) = (open(&unknown.memory), unknown.asked.call());
    let wanted = unknown.wanted(ResolutionStep::TryAgain, 0);
    let changed = at_once(store.try_again(&tools("2"), &call, &wanted, &KEY, NOW));
    assert_eq!(changed.map(|_| ()), Err(StoreError::NotApproved));
    let mut other = call;
    other.arguments.insert("to".to_owned(), "the bank".into());
    let twisted = at_once(store.try_again(&tools("1"), &other, &wanted, &KEY, NOW));
    assert_eq!(twisted.map(|_| ()), Err(StoreError::NotApproved));
    assert_eq!(unknown.latest(), None);

    assert!(matches!(unknown.try_again(0, true), Ok(Taken::Now(_))));
    assert_eq!(unknown.step(), Some(ResolutionStep::TryAgain));
    // The second press was for what was seen before the first.
    assert!(matches!(unknown.try_again(0, false), Ok(Taken::Not(Some(_)))));
    let seen = unknown.latest().unwrap().number;
    assert!(matches!(unknown.try_again(seen, false), Ok(Taken::Now(_))));
    assert_eq!(unknown.step(), Some(ResolutionStep::AnsweredDone));
    assert_eq!(unknown.mailbox.letters.values().sum::<u32>(), 1);
    assert_eq!(unknown.resolutions_in_export(), 3);
}

#[test]
fn what_the_far_side_says_counts_over_what_a_person_saw_and_is_said_once() {
    let unknown = Unknown::letter();
    let answered =
        |outcome| at_once(open(&unknown.memory).answered(&unknown.request, outcome, NOW));
    unknown.resolve(ResolutionStep::Check, 0);
    let nothing = answered(ToolOutcome::Unknown).unwrap();
    assert_eq!(nothing.map(|it| it.event.step), Some(ResolutionStep::Check));
    unknown.resolve(ResolutionStep::MarkedNotDone, unknown.latest().unwrap().number);
    let done = || ToolOutcome::Returned { text: Some("Posted.".to_owned()), terminate: false };
    let known = answered(done()).unwrap().unwrap();
    assert_eq!(known.event.step, ResolutionStep::AnsweredDone);
    assert_eq!(known.event.result, "Posted.");
    assert_eq!(answered(done()).unwrap(), Some(known.clone()));
    let failed = ToolOutcome::Failed { text: "Gone.".to_owned() };
    assert_eq!(answered(failed).unwrap(), Some(known));
    assert_eq!(unknown.resolutions_in_export(), 3);
}

#[test]
fn a_late_answer_leaves_what_was_told_and_adds_what_is_known() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let approved = asked.released(&yes);
    let (store, session) = (open(&memory), asked.session.id().clone());
    let begun = at_once(store.attempt(&tools("1"), &approved, &session, &KEY, NOW)).unwrap();
    let Attempt::Begun(begun) = begun else { unreachable!("it was not begun before") };
    let elsewhere = carry_out(&memory, &asked.restarted(), &mut mailbox, false).unwrap();
    assert_eq!(elsewhere, ToolOutcome::Unknown);
    let late = ToolOutcome::Returned { text: None, terminate: false };
    assert_eq!(at_once(store.attempted(begun, late, NOW)).unwrap(), ToolOutcome::Unknown);
    assert_eq!(executions(&memory), [ExecutionOutcome::Unknown]);
    let known = at_once(store.resolution(&yes.request)).unwrap().unwrap();
    assert_eq!(known.event.step, ResolutionStep::AnsweredDone);
}

#[test]
fn nothing_is_resolved_that_is_not_unknown() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    let wanted = Wanted { request: yes.request.clone(), step: ResolutionStep::MarkedDone, seen: 0 };
    let resolve = || at_once(open(&memory).resolve(&wanted, NOW)).unwrap();
    assert_eq!(resolve(), Taken::Not(None));
    at_once(open(&memory).record_decision(&yes)).unwrap();
    assert_eq!(resolve(), Taken::Not(None));
    carry_out(&memory, &asked.released(&yes), &mut mailbox, false).unwrap();
    assert_eq!(resolve(), Taken::Not(None));
    let failed = ToolOutcome::Failed { text: String::new() };
    assert_eq!(at_once(open(&memory).answered(&yes.request, failed, NOW)), Ok(None));
    // Nor is it the far side's word only because somebody says so.
    let forged = Wanted { step: ResolutionStep::AnsweredDone, ..wanted };
    let forged = at_once(open(&memory).resolve(&forged, NOW));
    assert_eq!(forged, Err(StoreError::NotApproved));
}

/// What came of the attempt could not be recorded: the person acts before the page stops.
#[test]
fn an_attempt_without_a_record_of_its_end_is_unknown_as_well() {
    let (memory, mut mailbox, mut asked) = (Memory::default(), Mailbox::default(), Asked::letter());
    let yes = asked.yes();
    at_once(open(&memory).record_decision(&yes)).unwrap();
    let approved = asked.released(&yes);
    carry_out(&memory, &approved, &mut mailbox, true).unwrap_err();
    let wanted = Wanted { request: yes.request, step: ResolutionStep::MarkedDone, seen: 0 };
    assert!(matches!(at_once(open(&memory).resolve(&wanted, NOW)), Ok(Taken::Now(_))));
    assert_eq!(executions(&memory), [ExecutionOutcome::Unknown]);
}

/// Whichever transaction fails, and however: a step is on record whole or not at all, and what is
/// tried again is on record before.
#[test]
fn wherever_it_stops_the_letter_is_sent_once_and_the_records_hold() {
    let fates = [Fate::Aborts, Fate::CrashBefore, Fate::CrashInside, Fate::CrashAfter];
    for (fate, requests) in fates.iter().flat_map(|fate| (0..20).map(move |n| (*fate, n))) {
        let mut unknown = Unknown::letter();
        unknown.memory.plan(Plan { fate, requests, ..Plan::default() });
        let _ = unknown.try_again(0, false);
        unknown.memory.plan(Plan::default());
        let seen = unknown.latest().map_or(0, |latest| latest.number);
        let known = unknown.step() == Some(ResolutionStep::AnsweredDone);
        let again = unknown.try_again(seen, false).unwrap();
        assert_eq!(matches!(again, Taken::Not(_)), known);
        assert_eq!(unknown.step(), Some(ResolutionStep::AnsweredDone));
        assert_eq!(unknown.mailbox.letters.values().sum::<u32>(), 1);
        assert!((2..=3).contains(&unknown.resolutions_in_export()));
    }
}

#[test]
fn the_model_reads_the_news_at_the_next_turn_and_what_it_was_told_stays() {
    let mut unknown = Unknown::letter();
    let Taken::Now(known) = unknown.resolve(ResolutionStep::MarkedDone, 0) else {
        unreachable!("nothing came first")
    };
    let effects = unknown.asked.step(Event::Resolved(known.clone()));
    assert_eq!(effects, [Effect::Save]);
    assert_eq!(unknown.asked.session.resolution(&unknown.request).as_ref(), Some(&known));
    let again = unknown.asked.step(Event::Resolved(known.clone()));
    assert_eq!(again, [Effect::Ignored(Event::Resolved(known.clone()))]);
    let mut elsewhere = known;
    elsewhere.event.session = SessionId("another".to_owned());
    let stray = unknown.asked.step(Event::Resolved(elsewhere.clone()));
    assert_eq!(stray, [Effect::Ignored(Event::Resolved(elsewhere))]);

    let messages = |unknown: &Unknown| unknown.asked.session.messages().to_vec();
    let before = messages(&unknown);
    unknown.asked.model_says("It may have been sent.");
    unknown.asked.step(Event::Said("Well?".to_owned()));
    let after = messages(&unknown);
    assert_eq!(after[..before.len()], before[..]);
    let result = before.iter().find_map(|message| match &message.body {
        Body::Result(result) => Some(result.ending),
        Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    });
    assert_eq!(result, Some(Ending::Unknown));
    let [.., note, said] = after.as_slice() else { unreachable!("two were added") };
    let Body::Note(note) = &note.body else { unreachable!("{note:?} comes before the text") };
    assert!(note.contains("the person looked and says that it was done"), "{note}");
    assert!(note.contains("Note from the app, not from the person"), "{note}");
    assert_eq!(said.body, Body::Person("Well?".to_owned()));
    assert_eq!(after.iter().filter(|it| matches!(it.body, Body::Note(_))).count(), 1);
}
