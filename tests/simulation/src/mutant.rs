//! Mistakes, planted around the product: in the driver, the store and the settings of the
//! simulation. The checker must find each of them.

use std::borrow::Cow;

use agent::approval::{Answer, ApprovalResponse};
use agent::event::Event;
use agent::message::{Body, Ending};
use agent::model::ModelRequest;
use agent::session::Session;
use agent::settings::Settings;

use crate::person;

/// A mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mutant {
    /// The driver says that a decision is durable and writes it when there is time.
    ReleasesBeforeDurable,
    /// The driver says that a decision is durable although the store refused it.
    IgnoresRefusal,
    /// The database keeps decisions less than strictly, and forgets the last when the machine stops.
    KeepsDecisionsLoosely,
    /// The store writes a later decision over the first.
    LastDecisionCounts,
    /// The store does not look whether a request ran already.
    RunsAgain,
    /// The store carries out the effect in one transaction and records it in the next.
    RecordsAfterRunning,
    /// A tool runs with other arguments than those of the call.
    RunsOtherArguments,
    /// The driver takes time that went by for a yes.
    SilenceApproves,
    /// The driver takes a typed yes for an answer.
    WordsApprove,
    /// The driver takes one yes for all that is open.
    YesCoversAll,
    /// The driver passes on the yes of a message that says both.
    YesBeatsNo,
    /// The driver takes an answer to an unknown request for one to the first that is open.
    AnswersByPosition,
    /// A no is forgotten before the next question.
    NoIsNotSticky,
    /// Results of calls that were not run are left out of the next request.
    LeavesOutUnrun,
    /// A save that failed counts as done.
    CountsFailedSave,
    /// The ledger is kept in the copy of a conversation, and goes back with it.
    LedgerInCopy,
    /// After a restart nothing goes on.
    ForgetsToResume,
    /// The driver says that a decision is durable although the store has not answered.
    TakesNoAnswerForDurable,
    /// The driver says that a call was not carried out although the store has not answered.
    TakesNoAnswerForUndone,
    /// The driver says that a call was not carried out because its transaction failed, and leaves it
    /// to be carried out by another tab.
    TellsUndoneOnly,
    /// The page keeps its database open though a newer version wants it.
    StaysOpen,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::ReleasesBeforeDurable,
        Self::IgnoresRefusal,
        Self::KeepsDecisionsLoosely,
        Self::LastDecisionCounts,
        Self::RunsAgain,
        Self::RecordsAfterRunning,
        Self::RunsOtherArguments,
        Self::SilenceApproves,
        Self::WordsApprove,
        Self::YesCoversAll,
        Self::YesBeatsNo,
        Self::AnswersByPosition,
        Self::NoIsNotSticky,
        Self::LeavesOutUnrun,
        Self::CountsFailedSave,
        Self::LedgerInCopy,
        Self::ForgetsToResume,
        Self::TakesNoAnswerForDurable,
        Self::TakesNoAnswerForUndone,
        Self::TellsUndoneOnly,
        Self::StaysOpen,
    ];
}

/// What the driver makes of an event before the loop sees it.
#[must_use]
pub fn twist(mutant: Option<Mutant>, event: Event, session: &Session) -> Event {
    let Some(mutant) = mutant else { return event };
    let waits = session.open_requests().next().is_some();
    let silence = waits && event == Event::TimePassed && mutant == Mutant::SilenceApproves;
    let typed = waits && event == Event::Said("yes".to_owned()) && mutant == Mutant::WordsApprove;
    if silence || typed {
        return Event::Answered { responses: yes_to_all(session), text: None };
    }
    let Event::Answered { responses, text } = event else { return event };
    Event::Answered { responses: twist_answers(mutant, responses, session), text }
}

fn yes_to_all(session: &Session) -> Vec<ApprovalResponse> {
    session.open_requests().map(|request| person::yes(&request.id, None)).collect()
}

fn twist_answers(
    mutant: Mutant,
    mut responses: Vec<ApprovalResponse>,
    session: &Session,
) -> Vec<ApprovalResponse> {
    let yes = |it: &ApprovalResponse| matches!(it.answer, Answer::Approve { .. });
    if mutant == Mutant::YesCoversAll && responses.iter().any(yes) {
        return yes_to_all(session);
    }
    if mutant == Mutant::YesBeatsNo {
        let approved: Vec<_> =
            responses.iter().filter(|it| yes(it)).map(|it| it.request.clone()).collect();
        responses.retain(|it| yes(it) || !approved.contains(&it.request));
    }
    if mutant == Mutant::AnswersByPosition {
        let open: Vec<_> = session.open_requests().map(|it| it.id.clone()).collect();
        for response in &mut responses {
            if let Some(first) = open.first().filter(|_| !open.contains(&response.request)) {
                response.request = first.clone();
            }
        }
    }
    responses
}

/// The settings the loop is given.
#[must_use]
pub fn twist_settings(mutant: Option<Mutant>, settings: &Settings) -> Cow<'_, Settings> {
    if mutant == Some(Mutant::NoIsNotSticky) {
        Cow::Owned(Settings { sticky_denial: false, ..settings.clone() })
    } else {
        Cow::Borrowed(settings)
    }
}

/// The request the driver sends.
#[must_use]
pub fn twist_request(mutant: Option<Mutant>, mut request: ModelRequest) -> ModelRequest {
    if mutant == Some(Mutant::LeavesOutUnrun) {
        let unrun = |body: &Body| match body {
            Body::Result(result) => result.ending == Ending::NotRun,
            Body::Person(_) | Body::Assistant(_) | Body::Note(_) => false,
        };
        request.messages.retain(|message| !unrun(&message.body));
    }
    request
}
