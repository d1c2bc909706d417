//! What opens below the buttons of a card: a reason for a no, or a reply.

use agent::approval::{Answer, ApprovalResponse};
use leptos::prelude::*;
use view::command::Command;

use crate::ui::composer;
use crate::ui::focus::{Answered, focus};
use crate::ui::kit::button::{quiet, small};
use crate::ui::kit::el::{Child, Here, button, div, input, textarea};
use crate::ui::kit::react::effect;
use crate::ui::{Dispatch, dispatch};

/// What is open below the buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// Nothing.
    Nothing,
    /// A reason for a no.
    Reason,
    /// A reply.
    Reply,
    /// The ways to be asked less often.
    Less,
}

/// What is being typed below a card. It stays when it is closed and opened again; if the card goes
/// unanswered by it, as when another tab was first, it is moved to where messages are written.
#[derive(Clone, Copy)]
pub(crate) struct Draft {
    pub(crate) open: RwSignal<Open>,
    reason: RwSignal<String>,
    reply: RwSignal<String>,
}

/// Reasons that are one tap away.
const REASONS: [&str; 4] = ["We have enough", "Not this week", "Wrong amount", "Too expensive"];

impl Draft {
    pub(crate) fn new() -> Self {
        let draft = Self {
            open: RwSignal::new(Open::Nothing),
            reason: RwSignal::new(String::new()),
            reply: RwSignal::new(String::new()),
        };
        let messages = expect_context::<composer::Draft>();
        on_cleanup(move || {
            for text in [draft.reason, draft.reply].map(|it| it.get_untracked()) {
                if !text.trim().is_empty() {
                    messages.take(text.trim());
                }
            }
        });
        draft
    }

    /// The person answered: what was being typed is said or not wanted any more.
    pub(crate) fn clear(self) {
        self.reason.set(String::new());
        self.reply.set(String::new());
    }

    /// Opens or closes.
    pub(crate) fn toggle(self, what: Open) {
        self.open.update(|open| *open = if *open == what { Open::Nothing } else { what });
    }

    /// Esc closes what is open, keeps what was typed, and answers nothing.
    pub(crate) fn on_key(self, key: &web_sys::KeyboardEvent) {
        if key.key() == "Escape" && self.open.get_untracked() != Open::Nothing {
            key.prevent_default();
            self.open.set(Open::Nothing);
        }
    }
}

/// The ways to answer. Made where a card is drawn, used where it is pressed.
#[derive(Clone, Copy)]
pub(crate) struct Answers {
    dispatch: Dispatch,
    receipt: Answered,
}

impl Answers {
    pub(crate) fn new() -> Self {
        Self { dispatch: dispatch(), receipt: expect_context::<Answered>() }
    }

    /// Sends an answer to what a row showed when it was drawn.
    pub(crate) fn send(self, response: ApprovalResponse) {
        self.receipt.note(&response.request);
        self.dispatch.run(Command::Answer(response));
    }
}

/// A yes to this very call.
pub(crate) fn yes() -> Answer {
    Answer::Approve { always: None }
}

/// A no.
pub(crate) fn no(reason: Option<String>) -> Answer {
    Answer::Reject { reason }
}

/// What is open. `reject` is given the reason.
pub(crate) fn opened(
    draft: Draft,
    reject: impl Fn(Option<String>) + Clone + Send + 'static,
) -> AnyView {
    (move || match draft.open.get() {
        Open::Nothing | Open::Less => ().any(),
        Open::Reason => reason(draft, reject.clone()),
        Open::Reply => reply(draft),
    })
    .any()
}

/// A field that takes the focus as it opens: whoever opens it is about to write.
fn focused() -> Here {
    let here = Here::new();
    effect(move || {
        if let Some(field) = here.get() {
            focus(field);
        }
    });
    here
}

fn reason(draft: Draft, reject: impl Fn(Option<String>) + Clone + Send + 'static) -> AnyView {
    let say = {
        let reject = reject.clone();
        move || {
            let reason = draft.reason.get_untracked().trim().to_owned();
            reject((!reason.is_empty()).then_some(reason));
        }
    };
    let on_enter = say.clone();
    let taps = REASONS
        .iter()
        .map(|reason| {
            let reject = reject.clone();
            button()
                .class("pill")
                .attr("type", "button")
                .attr("aria-label", format!("Reject: {reason}"))
                .on("click", move |_| reject(Some((*reason).to_owned())))
                .child(*reason)
        })
        .collect::<Vec<_>>();
    let field = input()
        .class("field")
        .attr("type", "text")
        .attr("aria-label", "Reason")
        .here(focused())
        .attr("placeholder", "Or in your own words")
        .value(move || draft.reason.get())
        .on("input", move |event| draft.reason.set(event_target_value(&event)))
        .on_key(move |key| {
            if key.key() == "Enter" && !key.is_composing() && !key.repeat() {
                on_enter();
            }
        });
    div()
        .class("open")
        .child(div().class("reasons").child(taps))
        .child(field)
        .child(
            div()
                .class("tools")
                .child(small("Reject, and say this", say))
                .child(quiet("Close", move || draft.open.set(Open::Nothing))),
        )
        .any()
}

fn reply(draft: Draft) -> AnyView {
    let dispatch = dispatch();
    let send = move || {
        let text = draft.reply.get_untracked().trim().to_owned();
        if !text.is_empty() {
            draft.reply.set(String::new());
            dispatch.run(Command::Say(text));
        }
    };
    let field = textarea()
        .class("field")
        .attr("rows", "2")
        .attr("aria-label", "Your reply")
        .here(focused())
        .attr("placeholder", "Say what you want instead")
        .value(move || draft.reply.get())
        .on("input", move |event| draft.reply.set(event_target_value(&event)))
        .on_key(move |key| {
            if key.key() == "Enter" && !key.shift_key() && !key.is_composing() && !key.repeat() {
                key.prevent_default();
                send();
            }
        });
    div()
        .class("open")
        .child(field)
        .child(
            div()
                .class("tools")
                .child(small("Send, and answer no", send))
                .child(quiet("Close", move || draft.open.set(Open::Nothing))),
        )
        .any()
}
