//! Keeping a copy of everything, and bringing one in: a file is chosen, what it holds is shown, and
//! nothing is changed before a person presses for it.

use std::sync::Arc;

use js_sys::JsString;
use leptos::prelude::*;
use leptos::task::spawn_local;
use view::backup::{BYTES_MAX, BringIn, Handed, Here, How, Look, Told, look, too_large, unread};
use view::command::Command;
use view::marks::Marked;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, File, HtmlInputElement};

use crate::ui::kit::button::quiet;
use crate::ui::kit::download::Download;
use crate::ui::kit::el::{Child, b, button, div, h2, input, label, li, p, ul};
use crate::ui::kit::icon::{icon, small_icon};
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{effect, memo};
use crate::ui::kit::time::{exact, iso_date};
use crate::ui::settings::group;
use crate::ui::{Dispatch, Screen, dispatch, screen};

/// How far a person is with a copy.
#[derive(Clone, PartialEq)]
enum Stage {
    /// Nothing is chosen.
    Idle,
    /// It was looked into, and waits for their word.
    Shown(Arc<Found>),
    /// They want it in the place of what is here, and were told what goes.
    Replacing(Arc<Found>),
    /// It is being read, written or brought in.
    Working,
}

/// A file that was looked into.
#[derive(PartialEq)]
struct Found {
    name: String,
    text: String,
    look: Look,
}

/// What the pieces of the section share.
#[derive(Clone, Copy)]
struct Section {
    screen: Screen,
    dispatch: Dispatch,
    stage: RwSignal<Stage>,
    told: RwSignal<Option<Told>>,
}

impl Section {
    fn show(self, stage: Stage) {
        self.told.set(None);
        self.stage.set(stage);
    }

    fn tell(self, told: Told) {
        // What was found stays where a copy of what is here was saved before it is replaced.
        if self.stage.with_untracked(|stage| *stage == Stage::Working) {
            self.stage.set(Stage::Idle);
        }
        self.told.set(Some(told));
    }

    fn bring_in(self, found: &Found, how: How) {
        self.show(Stage::Working);
        let text = found.text.clone();
        self.dispatch.run(Command::BringIn(Arc::new(BringIn { text, how })));
    }

    /// What is here now.
    fn here(self) -> Here {
        self.screen.with_untracked(|view| Here {
            things: view.list.lines.iter().filter(|line| line.line.is_some()).count(),
            conversations: view.conversations.len(),
            waiting: view.conversations.iter().map(|way| way.waiting).sum(),
        })
    }
}

/// The section.
pub(crate) fn backup() -> AnyView {
    let section = Section {
        screen: screen(),
        dispatch: dispatch(),
        stage: RwSignal::new(Stage::Idle),
        told: RwSignal::new(None),
    };
    take_what_is_handed(section);
    let inside = (
        div().class("set").child(save(section)).child(choose(section)),
        move || section.stage.with(|stage| shown(stage, section)),
        div().attr("role", "status").child(move || section.told.get().map(|it| told(&it, section))),
    );
    group(
        "A copy of everything",
        "One file with the list, the conversations, the record of what was decided, and your \
         settings. No keys are in it.",
        inside.any(),
    )
}

/// Saves a copy that was asked for once it arrives, and shows what is told of one.
fn take_what_is_handed(section: Section) {
    let Section { screen, dispatch, .. } = section;
    let handed = memo(move || screen.with(|view| view.handed.as_ref().map(Arc::clone)));
    let download = StoredValue::new_local(Download::default());
    effect(move || {
        let told = match handed.get().as_deref() {
            Some(Handed::Copy(text, told)) => {
                let day = iso_date(screen.with_untracked(|view| view.now));
                let name = format!("kitchen-assistant-{day}.json");
                download.update_value(|it| it.save(&name, "application/json", text));
                told.clone()
            }
            Some(Handed::Told(told)) => told.clone(),
            Some(Handed::Records(_)) | None => return,
        };
        section.tell(told);
        dispatch.run(Command::Taken);
    });
}

fn save(section: Section) -> AnyView {
    div()
        .child(b().child("Keep a copy"))
        .child(p().child("Now and then, and before you clear this browser\u{2019}s data."))
        .child(
            button()
                .class("btn")
                .attr("type", "button")
                .on("click", move |_| section.dispatch.run(Command::KeepCopy))
                .child(small_icon("download"))
                .child("Save a copy"),
        )
        .any()
}

fn choose(section: Section) -> AnyView {
    let field = input()
        .class("sr")
        .attr("type", "file")
        .attr("accept", ".json,application/json")
        .on("change", move |event| read(&event, section));
    div()
        .child(b().child("Bring a copy in"))
        .child(p().child("You see what it holds before anything is changed."))
        .child(label().class("btn choose").child(field).child("Choose a file"))
        .any()
}

/// Reads the file that was chosen, if it is not larger than any copy.
fn read(event: &Event, section: Section) {
    let field = event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok());
    let Some(field) = field else { return };
    let Some(file) = field.files().and_then(|files| files.get(0)) else { return };
    section.show(Stage::Working);
    spawn_local(async move {
        let found = found(&file).await;
        // The same file can be chosen again.
        field.set_value("");
        match found {
            Ok(found) => section.stage.set(Stage::Shown(Arc::new(found))),
            Err(told) => section.tell(told),
        }
    });
}

async fn found(file: &File) -> Result<Found, Told> {
    #[expect(clippy::cast_precision_loss, reason = "sizes of JavaScript are such numbers")]
    if file.size() > BYTES_MAX as f64 {
        return Err(too_large());
    }
    let text = JsFuture::from(file.text()).await.ok().and_then(|it| it.dyn_into::<JsString>().ok());
    let text = String::from(text.ok_or_else(unread)?);
    let look = look(&text)?;
    Ok(Found { name: file.name(), text, look })
}

fn shown(stage: &Stage, section: Section) -> AnyView {
    let (found, ways) = match stage {
        Stage::Idle => return ().any(),
        Stage::Working => {
            return p().class("working").attr("role", "status").child("Working \u{2026}").any();
        }
        Stage::Shown(found) => (found, ways(found, section)),
        Stage::Replacing(found) => (found, replacing(found, section)),
    };
    div()
        .class("copy")
        .attr("role", "group")
        .attr("aria-label", "What is in the file")
        .child(holds(found))
        .child(ways)
        .any()
}

fn holds(found: &Found) -> AnyView {
    let Look { written, holds, changes, stays_out } = &found.look;
    let list = |items: &[Marked]| {
        ul().child(items.iter().map(|it| li().child(marked(it))).collect::<Vec<_>>())
    };
    (
        h2().child("What is in the file"),
        p().class("quiet").child(format!("{}, saved on {}", found.name, exact(*written))),
        ul().class("holds")
            .child(holds.iter().map(|it| li().child(it.clone())).collect::<Vec<_>>()),
        (!changes.is_empty()).then(|| list(changes)),
        (!stays_out.is_empty()).then(|| (b().child("What stays out"), list(stays_out))),
    )
        .any()
}

/// What can be done with it.
fn ways(found: &Arc<Found>, section: Section) -> AnyView {
    let leave = quiet("Leave it", move || section.show(Stage::Idle));
    let add = Arc::clone(found);
    let add = move |label| yes(label, move || section.bring_in(&add, How::Add));
    if section.here().is_empty() {
        return div().class("tools").child(add("Bring it in")).child(leave).any();
    }
    let replace = Arc::clone(found);
    let replace = edged("Replace what is here", move || {
        section.show(Stage::Replacing(Arc::clone(&replace)));
    });
    (
        p().child(
            "Added, the lists become one, and amounts of the same thing are added up. A \
             conversation that is here already stays as it is.",
        ),
        div().class("tools").child(add("Add to what is here")).child(replace).child(leave),
    )
        .any()
}

/// What goes if it comes in the place of what is here, and the way back.
fn replacing(found: &Arc<Found>, section: Section) -> AnyView {
    let (replace, back) = (Arc::clone(found), Arc::clone(found));
    let buttons = (
        yes("Save a copy of what is here", move || section.dispatch.run(Command::KeepCopy)),
        edged("Replace it", move || section.bring_in(&replace, How::Replace)),
        quiet("Back", move || section.show(Stage::Shown(Arc::clone(&back)))),
    );
    (
        p().child(section.here().goes()),
        p().child(
            "The record of what was decided here stays. The way back is a copy: save one first.",
        ),
        div().class("tools").child(buttons),
    )
        .any()
}

fn told(told: &Told, section: Section) -> AnyView {
    let (class, sign) =
        if told.is_fault { ("notice", "circle-alert") } else { ("notice done", "check") };
    div()
        .class(class)
        .attr("role", "group")
        .attr("aria-label", told.happened.clone())
        .child(icon(sign))
        .child(h2().child(told.happened.clone()))
        .child(told.done.iter().map(|it| p().child(marked(it))).collect::<Vec<_>>())
        .child(div().class("tools").child(quiet("Close", move || section.told.set(None))))
        .any()
}

fn yes(label: &'static str, press: impl Fn() + 'static) -> AnyView {
    pressed("btn btn-yes", label, press)
}

fn edged(label: &'static str, press: impl Fn() + 'static) -> AnyView {
    pressed("btn", label, press)
}

fn pressed(class: &'static str, label: &'static str, press: impl Fn() + 'static) -> AnyView {
    button().class(class).attr("type", "button").on("click", move |_| press()).child(label).any()
}
