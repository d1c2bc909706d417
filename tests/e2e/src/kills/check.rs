//! What must hold of what is kept, whenever it is read, and once everything rests: nothing lost,
//! nothing twice, nothing stuck.

use std::collections::{BTreeMap, BTreeSet};

use agent::approval::{Basis, CallState, Outcome};
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::message::{Body, Content, ToolCall};
use agent::session::{Activity, Session};
use kitchen::{Change, Household, LineChange};
use serde_json::Value;
use store::export::{Checked, Checker, Fault};
use store::records::Record;

use crate::kills::kept::Kept;
use crate::kills::memory::{Got, Memory};
use crate::kills::seen::Seen;

/// What does not hold of what is kept, at whatever moment the browser was killed.
pub(super) fn of_kept(kept: &Kept, memory: &Memory) -> Vec<String> {
    let mut faults = Vec::new();
    if let Err(Fault { place, what }) = check_export(&kept.export) {
        faults.push(format!("the records do not hold at {place:?}: {what}"));
    }
    if kept.rows.get(..memory.rows.len()) != Some(&memory.rows) {
        faults.push("records that were there are gone or are others now".to_owned());
    }
    faults.extend(of_ledger(kept));
    faults.extend(of_effects(kept));
    faults.extend(of_list(kept));
    faults
}

/// What does not hold once everything rests. `seen` is what the two tabs show.
pub(super) fn of_rest(kept: &Kept, memory: &Memory, seen: &[Seen; 2]) -> Vec<String> {
    let mut faults = of_kept(kept, memory);
    faults.extend(of_decisions(kept, memory));
    faults.extend(of_changes_by_hand(kept, memory));
    faults.extend(of_texts(kept, memory));
    faults.extend(of_what_waits(kept, memory, seen));
    for shown in seen {
        if shown.warns {
            faults.push("a tab says that the records are not as they were written".to_owned());
        }
        let list = shown.list.iter().map(String::as_str).collect::<Vec<_>>();
        if !is_list(&list, &kept.household) {
            faults.push(format!("a tab shows {list:?}, and {:?} is kept", kept.household.shopping));
        }
    }
    faults
}

fn check_export(text: &str) -> Result<Checked, Fault> {
    let mut lines = text.lines();
    let mut checker = Checker::begin(lines.next().unwrap_or_default())?;
    for line in lines {
        checker.take(line)?;
    }
    checker.finish()
}

impl Kept {
    pub(super) fn decisions(&self) -> impl Iterator<Item = &AuditEvent> {
        self.records.iter().filter_map(|record| match record {
            Record::Decision(decision) => Some(decision),
            Record::Execution(_) | Record::Resolution(_) => None,
        })
    }

    fn executions(&self) -> impl Iterator<Item = &ExecutionEvent> {
        self.records.iter().filter_map(|record| match record {
            Record::Execution(execution) => Some(execution),
            Record::Decision(_) | Record::Resolution(_) => None,
        })
    }

    fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.conversations.iter().map(|saved| &saved.session)
    }

    /// The person's texts, each as often as it stands in a transcript.
    pub(super) fn texts(&self) -> BTreeMap<&str, usize> {
        let mut texts = BTreeMap::new();
        for message in self.sessions().flat_map(Session::messages) {
            if let Body::Person(text) = &message.body {
                *texts.entry(text.as_str()).or_default() += 1;
            }
        }
        texts
    }

    fn given_back(&self) -> BTreeSet<&str> {
        let troubles = self.conversations.iter().filter_map(|saved| saved.trouble.as_ref());
        troubles.filter_map(|trouble| trouble.unsent.as_deref()).collect()
    }

    /// What was changed by hand, and how often, by the name of the line.
    pub(super) fn by_hand(&self) -> BTreeMap<&str, usize> {
        let mut changes = BTreeMap::new();
        for change in self.changes.iter().filter(|change| change.request.is_none()) {
            for name in change.lines.iter().filter_map(name_of) {
                *changes.entry(name).or_default() += 1;
            }
        }
        changes
    }

    /// The ids of the requests that wait.
    pub(super) fn waiting(&self) -> BTreeSet<&str> {
        let open = self.sessions().flat_map(Session::open_requests);
        open.map(|request| request.id.0.as_str()).collect()
    }

    /// Requests that are allowed and did not run yet.
    pub(super) fn to_run(&self) -> BTreeSet<&str> {
        let ran: BTreeSet<_> = self.executions().map(|it| &it.request).collect();
        let allowed = self.decisions().filter(|it| it.outcome == Outcome::Approved);
        allowed.filter(|it| !ran.contains(&it.request)).map(|it| it.request.0.as_str()).collect()
    }

    /// Whether a conversation was left half-way through something.
    pub(super) fn is_half_way(&self) -> bool {
        self.sessions().any(|session| session.activity() == Activity::Interrupted)
    }

    fn calls(&self) -> BTreeMap<&str, &ToolCall> {
        let messages = self.sessions().flat_map(Session::messages);
        let said = messages.flat_map(|message| match &message.body {
            Body::Assistant(content) => content.as_slice(),
            Body::Person(_) | Body::Result(_) | Body::Note(_) => &[],
        });
        let calls = said.filter_map(|piece| match piece {
            Content::Call(call) => Some((call.id.0.as_str(), call)),
            Content::Text(_) | Content::Opaque(_) => None,
        });
        calls.collect()
    }
}

fn name_of(line: &LineChange) -> Option<&str> {
    line.after.as_ref().or(line.before.as_ref()).map(|line| line.item.as_str())
}

/// The ledger has an entry for each record, one for the end of the records, and nothing else.
fn of_ledger(kept: &Kept) -> Option<String> {
    let entries = kept.records.iter().zip(&kept.rows).map(|(record, row)| {
        let name = match record {
            Record::Decision(it) => format!("decision/{}", it.request),
            Record::Execution(it) => format!("execution/{}", it.request),
            Record::Resolution(it) => format!("resolution/{}", it.request),
        };
        (name, row.number)
    });
    let end = kept.rows.last().map(|row| ("head".to_owned(), row.number));
    let expected: BTreeMap<_, _> = entries.chain(end).collect();
    (expected != kept.ledger).then(|| format!("the ledger is {:?}, not {expected:?}", kept.ledger))
}

/// A call that ran has exactly one change, and it is the one it was allowed to make; nothing else of
/// a call has any. A change that was taken back has a later one that did it.
fn of_effects(kept: &Kept) -> Vec<String> {
    let mut faults = Vec::new();
    let calls = kept.calls();
    for execution in kept.executions() {
        let request = &execution.request;
        let changes = kept.changes.iter().filter(|it| it.request.as_ref() == Some(request));
        let changes: Vec<_> = changes.collect();
        let holds = match (execution.outcome, changes.as_slice()) {
            (ExecutionOutcome::Ran, [change]) => {
                calls.get(execution.call.0.as_str()).is_some_and(|call| is_effect(change, call))
            }
            (ExecutionOutcome::Failed, []) => true,
            (ExecutionOutcome::Ran | ExecutionOutcome::Failed | ExecutionOutcome::Unknown, _) => {
                false
            }
        };
        if !holds {
            faults.push(format!("{request} {:?} with the changes {changes:?}", execution.outcome));
        }
    }
    let ran: BTreeSet<_> = kept.executions().map(|it| &it.request).collect();
    for change in &kept.changes {
        if change.request.as_ref().is_some_and(|request| !ran.contains(request)) {
            faults.push(format!("no execution is on record for {change:?}"));
        }
        if change.undone && !kept.changes.iter().any(|later| takes_back(later, change)) {
            faults.push(format!("nothing took back {change:?}"));
        }
    }
    faults
}

/// Whether a change is what a call asks for. Every name is new, so nothing is ever merged.
fn is_effect(change: &Change, call: &ToolCall) -> bool {
    let argument = |name: &str| call.arguments.get(name).and_then(Value::as_str);
    match (call.name.as_str(), change.lines.as_slice()) {
        ("add_to_shopping_list", [LineChange { before: None, after: Some(line) }]) => {
            argument("item") == Some(&line.item) && argument("quantity") == Some(&line.quantity)
        }
        ("remove_from_shopping_list", [LineChange { before: Some(line), after: None }]) => {
            argument("item") == Some(&line.item)
        }
        _ => false,
    }
}

fn takes_back(later: &Change, change: &Change) -> bool {
    let turned = change.lines.iter().map(|it| (&it.after, &it.before));
    later.id > change.id
        && later.request.is_none()
        && later.lines.iter().map(|it| (&it.before, &it.after)).eq(turned)
}

/// The list is what the changes made of an empty one, one after the other.
fn of_list(kept: &Kept) -> Vec<String> {
    let mut faults = Vec::new();
    let mut list = Household::default().shopping;
    for change in &kept.changes {
        for LineChange { before, after } in &change.lines {
            let id = before.as_ref().or(after.as_ref()).map(|line| line.id);
            let at = list.iter().position(|line| Some(line.id) == id);
            if at.and_then(|at| list.get(at)) != before.as_ref() {
                faults.push(format!("{change:?} does not follow those before it"));
            }
            if let Some(at) = at {
                list.remove(at);
            }
            list.extend(after.clone());
        }
    }
    list.sort_by_key(|line| line.id);
    if list != kept.household.shopping {
        faults.push(format!("the changes come to {list:?}, not to {:?}", kept.household.shopping));
    }
    faults
}

/// Every decision is a person's, and no answer that was taken is without one. What was allowed ran,
/// unless it waits for its neighbours.
fn of_decisions(kept: &Kept, memory: &Memory) -> Vec<String> {
    let mut faults = Vec::new();
    for it in kept.decisions() {
        let answered = memory.answers.get(&it.request.0).map(|answered| answered.outcome);
        if it.basis != Basis::Person || answered != Some(it.outcome) {
            faults.push(format!("{it:?}, and the person's answer was {answered:?}"));
        }
    }
    let decided: BTreeSet<_> = kept.decisions().map(|it| it.request.0.as_str()).collect();
    for (request, answered) in &memory.answers {
        if answered.got == Got::Taken && !decided.contains(request.as_str()) {
            faults.push(format!("{request} is not on record, and was {answered:?}"));
        }
    }
    let asking = kept.sessions().filter(|session| session.open_requests().next().is_some());
    let beside: BTreeSet<_> = asking
        .flat_map(Session::batch)
        .filter_map(|call| match call.state() {
            CallState::Approved(decision) => Some(decision.request.0.as_str()),
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Recording { .. }
            | CallState::Withdrawing { .. }
            | CallState::Running(_)
            | CallState::Settled(_) => None,
        })
        .collect();
    for request in kept.to_run().difference(&beside) {
        faults.push(format!("{request} was allowed and never ran"));
    }
    faults
}

fn of_changes_by_hand(kept: &Kept, memory: &Memory) -> Vec<String> {
    let found = kept.by_hand();
    let names = found.keys().copied().chain(memory.by_hand.keys().map(String::as_str));
    let names: BTreeSet<_> = names.collect();
    let mut faults = Vec::new();
    for name in names {
        let found = found.get(name).copied().unwrap_or_default();
        let made = memory.by_hand.get(name).cloned().unwrap_or_default();
        let most = made.taken + usize::from(made.tried.is_some());
        if !(made.taken..=most).contains(&found) {
            faults.push(format!("{name} was changed by hand {found} times, and {made:?}"));
        }
    }
    faults
}

/// Each text that was taken is there once or given back, and nothing is there that was not said.
fn of_texts(kept: &Kept, memory: &Memory) -> Vec<String> {
    let (found, given_back) = (kept.texts(), kept.given_back());
    let mut faults = Vec::new();
    for (text, times) in &found {
        if *times > 1 || !memory.texts.contains_key(*text) || given_back.contains(text) {
            faults.push(format!("{text:?} is there {times} times"));
        }
    }
    for (text, got) in &memory.texts {
        let is_there = found.contains_key(text.as_str()) || given_back.contains(text.as_str());
        if *got == Got::Taken && !is_there {
            faults.push(format!("{text:?} was shown and is gone"));
        }
    }
    faults
}

/// What was ever asked is decided or still waits, in both tabs; nothing is under way, and the last
/// word is the assistant's.
fn of_what_waits(kept: &Kept, memory: &Memory, seen: &[Seen; 2]) -> Vec<String> {
    let mut faults = Vec::new();
    let waiting = kept.waiting();
    for shown in seen {
        if shown.waiting.iter().map(String::as_str).collect::<BTreeSet<_>>() != waiting {
            faults.push(format!("a tab asks {:?}, and {waiting:?} wait", shown.waiting));
        }
    }
    let decided: BTreeSet<_> = kept.decisions().map(|it| it.request.0.as_str()).collect();
    for request in memory.asked.iter().map(String::as_str) {
        if waiting.contains(request) == decided.contains(request) {
            faults.push(format!("{request} was asked, and waits and is decided, or neither"));
        }
    }
    for saved in &kept.conversations {
        let session = &saved.session;
        let is_answered = match session.messages().last().map(|message| &message.body) {
            None | Some(Body::Assistant(_)) => true,
            Some(Body::Person(_) | Body::Result(_) | Body::Note(_)) => false,
        };
        let rests = match session.activity() {
            Activity::Idle | Activity::AwaitingPerson => true,
            Activity::AwaitingModel
            | Activity::RecordingDecisions
            | Activity::RunningTools
            | Activity::Interrupted => false,
        };
        if !is_answered || !rests || saved.trouble.is_some() {
            let (activity, last) = (session.activity(), session.messages().last());
            faults.push(format!("stuck: {activity:?} after {last:?}; {:?}", saved.trouble));
        }
    }
    faults
}

/// Whether the lines of a tab are those of the list. What a pencilled line shows is a proposal.
fn is_list(lines: &[&str], household: &Household) -> bool {
    let kept = household.shopping.iter().map(|line| {
        let whole = format!("{} {}", line.item, line.quantity).trim_end().to_owned();
        (whole, format!("{} {}", line.item, Seen::PENCILLED))
    });
    let mut kept: Vec<_> = kept.collect();
    kept.sort_unstable();
    lines.len() == kept.len()
        && lines.iter().all(|it| kept.iter().any(|(whole, pencil)| it == whole || it == pencil))
}

#[cfg(test)]
mod tests;
