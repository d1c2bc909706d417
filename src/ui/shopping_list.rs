//! The shopping list: ticked, changed and undone by hand, with what waits pencilled in.

use std::sync::Arc;

use kitchen::{Edit, LineId};
use leptos::prelude::*;
use view::command::Command;
use view::list::{Counts, Group, List, ListLine, Pencil, Recent};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use crate::ui::focus::focus_on;
use crate::ui::kit::button::link;
use crate::ui::kit::el::{
    Child, El, Here, button, div, form, h2, h3, header, input, label, li, p, section, span, ul,
};
use crate::ui::kit::icon::{becomes, icon, small_icon};
use crate::ui::kit::listen::on_document;
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{memo, on_change};
use crate::ui::kit::time::clock;
use crate::ui::page::Page;
use crate::ui::{dispatch, screen};

/// The id of its heading, for the one who asks for it by key.
pub(crate) const HEADING: &str = "list";
/// How many lines that were taken off are named below the list.
const GONE_SHOWN: usize = 3;

/// The list as a panel of its own.
pub(crate) fn shopping_list(page: RwSignal<Page>) -> AnyView {
    let screen = screen();
    let list = memo(move || screen.with(|view| Arc::clone(&view.list)));
    let is_open = memo(move || screen.with(|view| view.is_ready));
    let panel = Here::new();
    let is_inside = inside(panel);
    // Lines that were ticked on this visit keep their place until the next.
    let staying = RwSignal::new(Vec::<LineId>::new());
    on_change(memo(move || page.get().address().to_owned()), move || staying.set(Vec::new()));
    let shown = held_while(is_inside, list);
    section()
        .class("panel")
        .here(panel)
        .attr("aria-label", "Shopping list")
        .on("pointerenter", move |_| is_inside.set(true))
        .on("pointerleave", move |event| {
            if event.unchecked_ref::<PointerEvent>().pointer_type() != "touch" {
                is_inside.set(has(panel, document().active_element()));
            }
        })
        .child(
            header()
                .class("panel-head")
                .child(h2().attr("id", HEADING).attr("tabindex", "-1").child("Shopping list"))
                .child(p().child(move || match is_open.get() {
                    true => list.with(|list| counted(list.counts())),
                    false => "Opening the list.".any(),
                })),
        )
        .child(
            div()
                .class("panel-in")
                .attr("tabindex", "0")
                .attr("role", "group")
                .attr("aria-label", "Lines of the shopping list")
                .child(move || {
                    let counts = list.with(|list| list.counts());
                    let many = counts.pencilled + counts.allowed > 1;
                    let groups = staying.with(|staying| shown.with(|list| list.groups(staying)));
                    if groups.is_empty() {
                        let is_unread = list.with(|list| list.is_unread);
                        return is_open.get().then(|| nothing(is_unread)).any();
                    }
                    let groups = groups.iter().map(|it| group(it, staying, many));
                    groups.collect::<Vec<_>>().any()
                }),
        )
        .child(move || {
            shown.with(|list| {
                let gone = list.gone.iter().take(GONE_SHOWN).map(|it| recent(it, true));
                gone.map(|gone| p().class("gone").child(gone)).collect::<Vec<_>>()
            })
        })
        .child(add_by_hand())
        .any()
}

fn tick_id(line: LineId) -> String {
    format!("tick-{}", line.0)
}

/// The list as it is, but for what keeps its place while somebody is about to press something of it.
fn held_while(is_inside: RwSignal<bool>, list: Memo<Arc<List>>) -> Memo<Arc<List>> {
    Memo::new(move |before: Option<&Arc<List>>| {
        let list = list.get();
        match before.filter(|_| is_inside.get()) {
            Some(before) => Arc::new(list.held(before)),
            None => list,
        }
    })
}

/// Whether the mouse, the finger or the focus is inside. A finger is until it touches something
/// else.
fn inside(panel: Here) -> RwSignal<bool> {
    let is_inside = RwSignal::new(false);
    for kind in ["pointerdown", "focusin"] {
        on_document(kind, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            is_inside.set(has(panel, target));
        });
    }
    is_inside
}

fn has(panel: Here, element: Option<Element>) -> bool {
    panel.get_untracked().is_some_and(|panel| panel.contains(element.as_deref()))
}

fn counted(counts: Counts) -> AnyView {
    let basket = (counts.in_basket > 0).then(|| format!(", {} in the basket", counts.in_basket));
    let allowed = (counts.allowed > 0)
        .then(|| (", ", span().class("yes").child(format!("{} allowed", counts.allowed))));
    let pencilled = (counts.pencilled > 0)
        .then(|| (", ", span().class("may").child(format!("{} pencilled in", counts.pencilled))));
    let to_get = (counts != Counts::default()).then(|| format!("{} to get", counts.to_get));
    (to_get, basket, allowed, pencilled).any()
}

fn nothing(is_unread: bool) -> AnyView {
    let (title, advice) = if is_unread {
        ("The list could not be read", "It was left as it is.")
    } else {
        ("Nothing to buy", "Add a line below, or ask for it.")
    };
    div().class("empty").child(h3().child(title)).child(p().child(advice)).any()
}

fn group(group: &Group, staying: RwSignal<Vec<LineId>>, many: bool) -> AnyView {
    section()
        .class("aisle")
        .child(h3().child(group.title))
        .child(ul().child(group.lines.iter().map(|it| item(it, staying, many)).collect::<Vec<_>>()))
        .any()
}

fn item(line: &ListLine, staying: RwSignal<Vec<LineId>>, many: bool) -> AnyView {
    if line.is_off {
        return taken_off(line);
    }
    let class = match (&line.pencil, line.checked) {
        (Some(pencil), _) if pencil.allowed => "item pencil ok",
        (Some(_), _) => "item pencil",
        (None, true) => "item done",
        (None, false) => "item",
    };
    let name = line.name.spoken();
    let tick = match line.line {
        Some(id) => tick(id, &name, line.checked, staying),
        None => span().class("tick").attr("aria-hidden", "true").any(),
    };
    let off = line.line.map(|id| take_off(id, &name));
    let note = (!line.note.0.is_empty()).then(|| span().class("sub").child(marked(&line.note)));
    let pencil = line.pencil.as_ref();
    let in_ink = line.line.is_some();
    row(line)
        .class(class)
        .child(tick)
        .child(
            span()
                .class(if in_ink { "item-line list-line" } else { "item-line" })
                .child(span().class("n").child(marked(&line.name)))
                .child(span().class("dots").attr("aria-hidden", "true"))
                .child(amount(line)),
        )
        .child(off)
        .child(note)
        .child(pencil.map(|pencil| waits(pencil, many)))
        .child(line.recent.as_ref().filter(|_| pencil.is_none()).map(|it| recent(it, false)))
        .any()
}

/// A line has the focus when what had it there is gone.
fn row(line: &ListLine) -> El {
    li().attr("id", line.line.map(|id| format!("line-{}", id.0))).attr("tabindex", "-1")
}

/// The place of a line that was taken off: nothing that could be pressed moves there.
fn taken_off(line: &ListLine) -> AnyView {
    row(line)
        .class("item off-list")
        .child(span().class("tick").attr("aria-hidden", "true"))
        .child(
            span()
                .class("item-line")
                .child(span().class("n").child(marked(&line.name)))
                .child(span().class("sr").child(", off the list"))
                .child(line.recent.as_ref().map(|it| span().class("sub").child(undo(it)))),
        )
        .any()
}

fn amount(line: &ListLine) -> AnyView {
    let amount = span().class("q");
    match &line.pencil {
        Some(Pencil { change, .. }) if !change.is_new => amount
            .child(
                change.was.as_ref().map(|was| (span().class("nb").child(marked(was)), becomes())),
            )
            .child(span().class("nb").child(marked(&change.now)))
            .any(),
        Some(_) | None => amount.child(marked(&line.quantity)).any(),
    }
}

/// Among many the dashes say it to the eye.
fn waits(pencil: &Pencil, many: bool) -> AnyView {
    let words = if pencil.allowed { "Allowed, not done yet" } else { "Waiting for your answer" };
    span().class(if many { "sr" } else { "sub" }).child(words).any()
}

fn tick(id: LineId, name: &str, checked: bool, staying: RwSignal<Vec<LineId>>) -> AnyView {
    let dispatch = dispatch();
    button()
        .class("tick")
        .attr("id", tick_id(id))
        .attr("type", "button")
        .attr("role", "checkbox")
        .attr("aria-checked", checked.to_string())
        .attr("aria-label", format!("{name} is in the basket"))
        .on("click", move |_| {
            staying.update_untracked(|staying| staying.push(id));
            dispatch.run(Command::Edit(Edit::Check { line: id, checked: !checked }));
        })
        .child(checked.then(|| small_icon("check")))
        .any()
}

fn take_off(id: LineId, name: &str) -> AnyView {
    let dispatch = dispatch();
    button()
        .class("off")
        .attr("id", format!("off-{}", id.0))
        .attr("type", "button")
        .attr("aria-label", format!("Take {name} off the list"))
        .on("click", move |_| dispatch.run(Command::Edit(Edit::Remove { line: id })))
        .child(small_icon("x"))
        .any()
}

fn recent(recent: &Recent, with_name: bool) -> AnyView {
    let name = with_name.then(|| (marked(&recent.name), ": "));
    let did = if with_name { recent.did.to_lowercase() } else { recent.did.to_owned() };
    span()
        .class("sub")
        .child(name)
        .child(format!("{did} {} · ", clock(recent.at)))
        .child(undo(recent))
        .any()
}

fn undo(recent: &Recent) -> AnyView {
    let (dispatch, change) = (dispatch(), recent.change);
    link("Undo", &recent.name.spoken(), move || dispatch.run(Command::Undo(change)))
}

fn add_by_hand() -> AnyView {
    let dispatch = dispatch();
    let (item, quantity) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let add = move || {
        let name = item.get_untracked().trim().to_owned();
        if !name.is_empty() {
            let amount = quantity.get_untracked().trim().to_owned();
            item.set(String::new());
            quantity.set(String::new());
            dispatch.run(Command::Edit(Edit::Add { item: name, quantity: amount }));
            focus_on("add-item");
        }
    };
    let field = |id: &'static str, hint: &'static str, value: RwSignal<String>| {
        input()
            .class("field")
            .attr("id", id)
            .attr("type", "text")
            .attr("autocomplete", "off")
            .attr("maxlength", kitchen::item::NAME_MAX.to_string())
            .attr("placeholder", hint)
            .value(move || value.get())
            .on("input", move |event| value.set(event_target_value(&event)))
    };
    form()
        .class("panel-foot")
        .attr("aria-label", "Add to the list by hand")
        .on("submit", move |event| {
            event.prevent_default();
            add();
        })
        .child(
            div()
                .class("adder")
                .child(label().class("sr").attr("for", "add-item").child("Add an item"))
                .child(field("add-item", "Add something", item))
                .child(label().class("sr").attr("for", "add-amount").child("Amount"))
                .child(field("add-amount", "Amount", quantity))
                .child(
                    button()
                        .class("btn btn-s add")
                        .attr("type", "submit")
                        .attr("aria-label", "Add to the list")
                        .child(icon("plus")),
                ),
        )
        .any()
}
