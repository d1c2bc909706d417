//! Every problem, as a person is told of it: what happened, what was and was not done, what to do.

mod run;
mod store;

use ::store::chain::Broken;
use agent::limits::TRANSCRIPT_BYTES_MAX;
use agent::message::Message;
use agent::session::Activity;
use kitchen::Edit;

use self::run::{of_model, of_run, what_was_done};
use self::store::{decision_not_stored, of_store, unavailable};
use crate::command::Command;
use crate::marks::Marked;
use crate::scene::{Cause, Problem, ProviderOffer, Proxy, Scene, Storage};
use crate::settings::Preferences;

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

/// How the proxy is started. A page with its checks for developers may have come from `trunk serve`,
/// whose port ./run would want as well.
const START_PROXY: &str = if cfg!(debug_assertions) {
    "Start it with ./run, or beside trunk serve with cargo run -p proxy,"
} else {
    "Start it with ./run"
};

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
            Cause::DecisionNotStored { tool, why } => decision_not_stored(tool, why, close),
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
                advice:
                    "If you have saved a copy, bring it in again in Settings. Else begin anew: \
                         a page that is used or bookmarked is less likely to be cleared."
                        .to_owned(),
                actions: vec![close],
                kind: NoticeKind::Fault,
            },
            Cause::Overtaken { .. } => Self {
                happened: "Another tab was first".to_owned(),
                done: Marked::ours("Your message was not sent. Nothing was changed."),
                advice: "Read what is new in the conversation, then send it again.".to_owned(),
                actions: vec![Action { label: "Send it now", ..retry }, close],
                kind: NoticeKind::Wait,
            },
            Cause::Store { task, why } => of_store(*task, why, vec![close]),
            Cause::NotLoaded { undone } => not_loaded(undone.as_ref(), retry, close),
            Cause::Kitchen { why } => Self {
                happened: "The list could not be changed so".to_owned(),
                done: Marked::ours("It stays as it is. The reason: ")
                    .and(Marked::of(why))
                    .and(Marked::ours(".")),
                advice: "Look at the list as it is now, then change it.".to_owned(),
                actions: vec![close],
                kind: NoticeKind::Fault,
            },
        }
    }

    /// The number of the problem it tells of, if it is one that can be closed.
    #[must_use]
    pub fn problem(&self) -> Option<usize> {
        self.actions.iter().find_map(|action| {
            if let Command::Dismiss(number) = action.command { Some(number) } else { None }
        })
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

    /// The notice between what the assistant is still sent and what it is not.
    pub(crate) fn not_sent() -> Self {
        Self {
            happened: "The assistant reads on from here".to_owned(),
            done: Marked::ours(&format!(
                "It is sent the newest {} kB of a conversation. What is above stays, and counts.",
                TRANSCRIPT_BYTES_MAX / 1024
            )),
            advice: "Say again what it should still know.".to_owned(),
            actions: Vec::new(),
            kind: NoticeKind::Wait,
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
    pub fn lasting(scene: &Scene<'_>) -> Vec<Self> {
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
            Storage::Unavailable(why) => Some(unavailable(why)),
        };
        let of_proxy = match scene.proxy {
            Proxy::Asking => None,
            Proxy::Ready { providers } => of_chosen(providers, scene.preferences),
            Proxy::Unreachable => Some(Self {
                happened: "The model proxy does not answer".to_owned(),
                done: Marked::ours(match scene.engine {
                    Some(_) => "You can change the list by hand. Messages cannot be answered.",
                    None => "Messages cannot be answered.",
                }),
                advice: format!("{START_PROXY} in the project's folder, then look again."),
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
                 you decide from now on {} written down.",
                // Nothing can be written after an end that is not known.
                if *broken == Broken::NoEnd { "cannot be" } else { "is" }
            )),
            advice: "Export it on the activity page and keep the file.".to_owned(),
            actions: Vec::new(),
            kind: NoticeKind::Fault,
        });
        let of_damage = scene.damage.iter().map(|it| of_store(it.task, &it.why, Vec::new()));
        let of_store = of_storage.into_iter().chain(of_damage).chain(of_chain);
        of_store.chain(of_proxy).chain(of_run).collect()
    }
}

/// Whoever was chosen cannot answer, or lacks the model that was chosen: told before it is asked.
fn of_chosen(providers: &[ProviderOffer], chosen: &Preferences) -> Option<Notice> {
    let offer = providers.iter().find(|it| it.name == chosen.provider)?;
    let title = &offer.title;
    let (happened, advice) = match &offer.missing {
        Some(missing) => (
            format!("{title} cannot answer yet"),
            format!("Why: {missing}. Or choose somebody else in the settings."),
        ),
        None if offer.models.contains(&chosen.model) => return None,
        None => (
            format!("{title} has no model named {}", chosen.model),
            "Choose another in the settings.".to_owned(),
        ),
    };
    Some(Notice {
        happened,
        done: Marked::ours("Messages cannot be answered. What you have is as it was."),
        advice,
        actions: vec![Action { label: "Look again", command: Command::CheckProxy }],
        kind: NoticeKind::Fault,
    })
}

fn not_loaded(undone: Option<&Command>, retry: Action, close: Action) -> Notice {
    let (done, help) = match undone {
        Some(Command::Say(_)) => (
            Marked::ours("Your message was not sent. Nothing was changed."),
            "try again. If that does not help, copy your message and reload.",
        ),
        Some(Command::Edit(Edit::Add { item, quantity })) => {
            let amount = if quantity.is_empty() { "" } else { ", " };
            let line = Marked::of(item).and(Marked::ours(amount)).and(Marked::of(quantity));
            (
                Marked::ours("This was not put on the list: ").and(line).and(Marked::ours(".")),
                "try again. If that does not help, reload and add it once more.",
            )
        }
        Some(_) => (
            Marked::ours("So what you asked for was not done, and nothing was changed."),
            "try again. If that does not help, reload.",
        ),
        None => (
            Marked::ours("What was begun goes on when it is loaded. Until then nothing happens."),
            "load it again. If that does not help, reload.",
        ),
    };
    let label = if undone.is_some() { retry.label } else { "Load it again" };
    let start = "Start the page with ./run in the project's folder if it was stopped, then";
    Notice {
        happened: "A part of this page could not be loaded".to_owned(),
        done,
        advice: format!("{start} {help}"),
        actions: vec![Action { label, ..retry }, close],
        kind: NoticeKind::Fault,
    }
}
