//! What a person is told of a run or a call of the model that did not come to its end.

use agent::effect::RunError;
use agent::message::{Body, Ending, Message};
use agent::model::{ModelError, ModelErrorKind};

use super::{Action, Notice, NoticeKind};
use crate::conversation::{calls_of, result_of};
use crate::line::EffectLine;
use crate::marks::Marked;

pub(super) fn of_model(
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

pub(super) fn of_run(error: &RunError, before: &[Message], retry: Action, close: Action) -> Notice {
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

/// What came of the calls since the person last said something: "Done before that: eggs. Not done:
/// bread."
pub(super) fn what_was_done(messages: &[Message]) -> Marked {
    let since = messages
        .iter()
        .rposition(|message| matches!(message.body, Body::Person(_)))
        .unwrap_or_default();
    let recent = messages.get(since..).unwrap_or_default();
    let (mut done, mut not_known, mut undone) = (Vec::new(), Vec::new(), Vec::new());
    for call in recent.iter().flat_map(calls_of) {
        let Some(result) = result_of(recent, &call.id).filter(|it| it.decision.is_some()) else {
            continue;
        };
        let name = EffectLine::of_call(call).name;
        match result.ending {
            Ending::Ran | Ending::Provider => done.push(name),
            Ending::Unknown => not_known.push(name),
            Ending::Failed
            | Ending::Refused
            | Ending::NotRun
            | Ending::NotFound
            | Ending::BadArguments => undone.push(name),
        }
    }
    if done.is_empty() && not_known.is_empty() {
        return Marked::ours("Nothing was changed.");
    }
    let parts = [
        ("Done before that: ", done),
        ("It is not known whether this was done: ", not_known),
        ("Not done: ", undone),
    ];
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty()).map(|(ours, names)| {
        Marked::ours(ours).and(Marked::joined(names, ", ")).and(Marked::ours("."))
    });
    Marked::joined(parts, " ")
}
