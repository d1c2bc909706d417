//! Every problem, as a person is told of it: what happened, what was and was not done, what to do.

use agent::effect::RunError;
use agent::message::{Body, Ending, Message};
use agent::model::{ModelError, ModelErrorKind};
use agent::session::Activity;

use crate::command::Command;
use crate::conversation::{calls_of, result_of};
use crate::line::EffectLine;
use crate::marks::Marked;
use crate::scene::{Cause, Problem, Proxy, Scene, Storage};

/// What a person is told of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What happened, in a few words.
    pub happened: String,
    /// What was and was not done.
    pub done: Marked,
    /// What to do, in a sentence; empty if an action says it all.
    pub advice: String,
    /// What can be pressed. The first is the one to press.
    pub actions: Vec<Action>,
    /// Whether it is a fault or a wait that may go on by itself.
    pub kind: NoticeKind,
}

/// Whether a notice is of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something went wrong.
    Fault,
    /// Something is to be waited for.
    Wait,
}

/// Something a notice offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What it says.
    pub label: &'static str,
    /// What it does.
    pub command: Command,
}

impl Notice {
    /// The notice of a problem in the conversation.
    #[must_use]
    pub fn of(problem: &Problem, messages: &[Message]) -> Self {
        let before = messages.get(..problem.after).unwrap_or(messages);
        let close = Action { label: "Close", command: Command::Dismiss(problem.number) };
        let retry = Action { label: "Try again", command: Command::Retry(Some(problem.number)) };
        match &problem.cause {
            Cause::Model { error, unsent } => {
                of_model(error, unsent.as_deref(), before, [retry, close])
            }
            Cause::Run(error) => of_run(error, before, retry, close),
            Cause::DecisionNotStored { tool } => Self {
                happened: "Your answer could not be written down".to_owned(),
                done: Marked::ours(&format!(
                    "So it counts as a no. \u{201C}{}\u{201D} did not run, and nothing was changed.",
                    kitchen::title(tool)
                )),
                advice: "Make some room for this browser's data, or forget a conversation you no \
                         longer need, then ask again. What was decided before can be exported on \
                         the activity page."
                    .to_owned(),
                actions: vec![close],
                kind: NoticeKind::Fault,
            },
            Cause::CardChanged => Self {
                happened: "The card has changed since you saw it".to_owned(),
                done: Marked::ours("So your yes does not count for it, and nothing was changed."),
                advice: "Look at the card again, then answer it.".to_owned(),
                actions: vec![close],
                kind: NoticeKind::Wait,
            },
            Cause::CardCame { .. } => Self {
                happened: "A question waits that you had not seen".to_owned(),
                done: Marked::ours(
                    "Your message was not sent: it would have answered the question with no.",
                ),
                advice: String::new(),
                actions: vec![Action { label: "Send it now", ..retry }, close],
                kind: NoticeKind::Wait,
            },
            Cause::Emptied => Self {
                happened: "What was kept here is gone".to_owned(),
                done: Marked::ours(
                    "This browser has cleared this page's data since your last visit: the list, \
                     the conversations and the record of what was decided.",
                ),
                advice: "You can begin anew. Use the page now and then, or bookmark it, and the \
                         browser is less likely to clear it."
                    .to_owned(),
                actions: vec![close],
                kind: NoticeKind::Fault,
            },
            Cause::Store { doing, why } => Self {
                happened: "This browser could not keep something".to_owned(),
                done: told(&format!("It failed while {doing}. The browser says: "), why),
                advice: "Reload the page. What was kept before is still there.".to_owned(),
                actions: vec![close],
                kind: NoticeKind::Fault,
            },
            Cause::NotLoaded { unsent } => not_loaded(unsent.is_some(), retry, close),
            Cause::Kitchen { why } => Self {
                happened: "The list stays as it is".to_owned(),
                done: Marked::of(why),
                advice: String::new(),
                actions: vec![close],
                kind: NoticeKind::Fault,
            },
        }
    }

    /// The notice under a reply that claims what is not so; `done` is what is.
    pub(crate) fn untrue(done: Marked) -> Self {
        Self {
            happened: "This did not happen".to_owned(),
            done,
            advice: String::new(),
            actions: Vec::new(),
            kind: NoticeKind::Fault,
        }
    }

    /// The notice in the place of a page that could not be loaded.
    #[must_use]
    pub fn page_not_loaded() -> Self {
        Self {
            happened: "This page could not be loaded".to_owned(),
            done: Marked::ours("Nothing is lost."),
            advice:
                "Start Kitchen Assistant with ./run in the project's folder if it was stopped, \
                     then load it again. If that does not help, reload."
                    .to_owned(),
            actions: Vec::new(),
            kind: NoticeKind::Fault,
        }
    }

    /// The notices of what holds at all times, apart from any message.
    #[must_use]
    pub fn standing(scene: &Scene<'_>) -> Vec<Self> {
        let of_storage = match scene.storage {
            Storage::Opening | Storage::Open { .. } => None,
            Storage::Blocked => Some(Self {
                happened: "Another tab still runs an older version of this page".to_owned(),
                done: Marked::ours("What is kept here can only be opened once it is closed."),
                advice: "Close the other tabs of this page. This one then goes on by itself."
                    .to_owned(),
                actions: Vec::new(),
                kind: NoticeKind::Wait,
            }),
            Storage::Replaced => Some(Self {
                happened: "A newer version of this page is open in another tab".to_owned(),
                done: Marked::ours(
                    "This tab has handed everything over to it. Nothing is kept or done here any \
                     more.",
                ),
                advice: "Reload this tab to get the newer version.".to_owned(),
                actions: Vec::new(),
                kind: NoticeKind::Wait,
            }),
            Storage::Unavailable => Some(Self {
                happened: "This browser does not let the page keep anything".to_owned(),
                done: Marked::ours(
                    "The conversation, the list and your answers are lost when the page closes. \
                     So nothing that changes something will run.",
                ),
                advice: "Allow this page to store data, or leave the private window, then reload."
                    .to_owned(),
                actions: Vec::new(),
                kind: NoticeKind::Fault,
            }),
        };
        let of_proxy = match scene.proxy {
            Proxy::Asking | Proxy::Ready { .. } => None,
            Proxy::Unreachable => Some(Self {
                happened: "The model proxy does not answer".to_owned(),
                done: Marked::ours("You can change the list by hand. Messages cannot be answered."),
                advice: "Start it with ./run in the project's folder, then look again.".to_owned(),
                actions: vec![Action { label: "Look again", command: Command::CheckProxy }],
                kind: NoticeKind::Fault,
            }),
        };
        let interrupted = scene.session.activity() == Activity::Interrupted;
        let is_said = scene.problems.iter().any(|problem| problem.cause.is_of_the_run());
        let of_run = (interrupted && !scene.follows && !is_said).then(|| Self {
            happened: "The assistant was interrupted".to_owned(),
            done: what_was_done(scene.session.messages()),
            advice: "Going on does nothing twice.".to_owned(),
            actions: vec![Action { label: "Go on", command: Command::Retry(None) }],
            kind: NoticeKind::Wait,
        });
        let of_chain = scene.history.broken().map(|broken| Self {
            happened: "The record of what was decided is not as it was written".to_owned(),
            done: Marked::ours(&format!(
                "Something outside this page changed it: {broken}. The list is as it is, and what \
                 you decide from now on is written down."
            )),
            advice: "Export it on the activity page and keep the file.".to_owned(),
            actions: Vec::new(),
            kind: NoticeKind::Fault,
        });
        of_storage.into_iter().chain(of_chain).chain(of_proxy).chain(of_run).collect()
    }
}

fn not_loaded(is_unsent: bool, retry: Action, close: Action) -> Notice {
    let (done, help, again) = if is_unsent {
        (
            "Your message was not sent. Nothing was changed.",
            "try again. If that does not help, copy your message and reload.",
            retry,
        )
    } else {
        (
            "So nothing was done, and nothing was changed.",
            "load it again. If that does not help, reload.",
            Action { label: "Load it again", ..retry },
        )
    };
    let start = "Start the page with ./run in the project's folder if it was stopped, then";
    Notice {
        happened: "A part of this page could not be loaded".to_owned(),
        done: Marked::ours(done),
        advice: format!("{start} {help}"),
        actions: vec![again, close],
        kind: NoticeKind::Fault,
    }
}

fn of_model(
    error: &ModelError,
    unsent: Option<&str>,
    before: &[Message],
    actions: [Action; 2],
) -> Notice {
    let (happened, advice) = model_words(error);
    let done = match unsent {
        Some(_) => Marked::ours("Your message was not answered. Nothing was changed."),
        None => what_was_done(before),
    };
    let wait = matches!(error.kind, ModelErrorKind::RateLimit { .. } | ModelErrorKind::Overloaded);
    Notice {
        happened,
        done,
        advice: advice.to_owned(),
        actions: actions.into(),
        kind: if wait { NoticeKind::Wait } else { NoticeKind::Fault },
    }
}

fn model_words(error: &ModelError) -> (String, &'static str) {
    const AGAIN: &str = "Trying again goes on from here and does nothing twice.";
    let words = match &error.kind {
        ModelErrorKind::ProxyUnreachable => (
            "The model proxy does not answer",
            "Start it with ./run in the project's folder, then try again.",
        ),
        ModelErrorKind::Transport => ("The connection to the model broke", AGAIN),
        ModelErrorKind::Timeout => ("The model said nothing for too long", AGAIN),
        ModelErrorKind::Cancelled => ("You stopped the answer", AGAIN),
        ModelErrorKind::CutOff => ("The model stopped halfway", AGAIN),
        ModelErrorKind::LengthLimit => (
            "The answer was too long and was cut in the middle of a question to you",
            "Ask for less at once.",
        ),
        ModelErrorKind::RateLimit { retry_after_s: Some(seconds) } => {
            return (format!("Too many requests, {seconds} seconds to wait"), AGAIN);
        }
        ModelErrorKind::RateLimit { retry_after_s: None } => {
            ("Too many requests", "Wait a moment. Trying again does nothing twice.")
        }
        ModelErrorKind::Overloaded => {
            ("The model is overloaded", "Wait a moment. Trying again does nothing twice.")
        }
        ModelErrorKind::Unauthorized => (
            "The provider did not accept the key",
            "Set a key that works where ./run is started, or choose the built-in model in Settings.",
        ),
        ModelErrorKind::UnknownModel => {
            ("The provider does not know this model", "Choose another one in Settings.")
        }
        ModelErrorKind::BadRequest => {
            return (
                format!("The provider refused the message: {}", error.message),
                "Choose another model in Settings, or start a new conversation.",
            );
        }
        ModelErrorKind::Protocol => {
            ("The model's answer could not be read, so it was thrown away whole", AGAIN)
        }
    };
    (words.0.to_owned(), words.1)
}

fn of_run(error: &RunError, before: &[Message], retry: Action, close: Action) -> Notice {
    let (happened, advice) = match error {
        RunError::UnansweredApproval { .. } => {
            ("A card still waits", "Answer it first, then send your message.")
        }
        RunError::UnknownApproval => ("This answer fits no open card", "Look at what is open now."),
        RunError::NothingToResume => ("There is nothing to go on with", "Send a message."),
        RunError::Model(error) => return of_model(error, None, before, [retry, close]),
        RunError::Protocol { .. } => (
            "The model's answer could not be used, so it was thrown away whole",
            "Try again, or say it in other words.",
        ),
        RunError::MaxIterations => (
            "The assistant took too many steps, so it was stopped",
            "Ask for a smaller part of it.",
        ),
        RunError::ToolErrors { .. } => {
            ("The same thing kept failing, so the assistant was stopped", "Say it in other words.")
        }
        RunError::UnknownTool { .. } => {
            ("The assistant asked for something this kitchen cannot do", "Say it in other words.")
        }
        RunError::ApprovalRoundsExhausted => (
            "The assistant asked too many times, so it was stopped",
            "Send a message to begin anew.",
        ),
    };
    let retry = matches!(error, RunError::Protocol { .. }).then_some(retry);
    Notice {
        happened: happened.to_owned(),
        done: what_was_done(before),
        advice: advice.to_owned(),
        actions: retry.into_iter().chain([close]).collect(),
        kind: NoticeKind::Fault,
    }
}

/// What came of the calls since the person last said something: "eggs was done before that.
/// bread was not."
fn what_was_done(messages: &[Message]) -> Marked {
    let since = messages
        .iter()
        .rposition(|message| matches!(message.body, Body::Person(_)))
        .unwrap_or_default();
    let recent = messages.get(since..).unwrap_or_default();
    let calls = recent.iter().flat_map(calls_of);
    let (mut done, mut undone) = (Vec::new(), Vec::new());
    for call in calls {
        let Some(result) = result_of(recent, &call.id) else {
            continue;
        };
        if result.decision.is_none() {
            continue;
        }
        let name = EffectLine::of_call(call).name;
        match result.ending {
            Ending::Ran | Ending::Provider => done.push(name),
            Ending::Failed
            | Ending::Refused
            | Ending::NotRun
            | Ending::NotFound
            | Ending::BadArguments => undone.push(name),
            Ending::Unknown => {}
        }
    }
    if done.is_empty() {
        return Marked::ours("Nothing was changed.");
    }
    let mut words = Marked::ours("Done before that: ");
    words.0.extend(listed(done).0);
    words.0.extend(Marked::ours(".").0);
    if !undone.is_empty() {
        words.0.extend(Marked::ours(" Not done: ").0);
        words.0.extend(listed(undone).0);
        words.0.extend(Marked::ours(".").0);
    }
    words
}

fn listed(names: Vec<Marked>) -> Marked {
    let mut words = Marked::default();
    for (at, name) in names.into_iter().enumerate() {
        if at > 0 {
            words.0.extend(Marked::ours(", ").0);
        }
        words.0.extend(name.0);
    }
    words
}

fn told(ours: &str, theirs: &str) -> Marked {
    let mut words = Marked::ours(ours);
    words.0.extend(Marked::of(theirs).0);
    words
}
