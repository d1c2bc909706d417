//! Many questions at once: one head, and a row for each with its own yes and no.

use agent::approval::ApprovalResponse;
use agent::id::RequestId;
use leptos::prelude::*;
use view::card::{Card, Preview, Row, RowAnswer};

use crate::ui::Screen;
use crate::ui::answer::{Answers, Draft, Open, no, opened, yes};
use crate::ui::approval_card::{frame, head, of_row, opens, state_of, warnings, why};
use crate::ui::arming::Arming;
use crate::ui::ask_less::ask_less;
use crate::ui::kit::el::{Child, Here, button, code, div, p, pre, span};
use crate::ui::kit::icon::small_icon;
use crate::ui::kit::marked::marked;
use crate::ui::kit::react::{effect, memo};
use crate::ui::line::brief_line;

/// The card of many questions.
pub(crate) fn rows(screen: Screen, requests: &[RequestId]) -> AnyView {
    let (draft, answers) = (Draft::new(), Answers::new());
    let arming = Arming::new();
    let seen = arming.seen();
    let (start, end, press) = (Here::new(), Here::new(), Here::new());
    effect(move || {
        if let (Some(start), Some(end), Some(press)) = (start.get(), end.get(), press.get()) {
            arming.watch(&start, &end, &press);
        }
    });
    let names_tool =
        screen.with_untracked(|view| view.card.as_ref().is_some_and(|card| card.tool.is_none()));
    let list = requests.iter().map(|request| row(screen, request, names_tool));
    let inside = (
        head(screen, start),
        div().class("rows").child(list.collect::<Vec<_>>()),
        why(screen),
        div().class("end").here(end),
        acts(screen, arming, draft, press),
        opened(draft, move |reason| {
            draft.clear();
            reject_all(answers, screen, reason);
        }),
        ask_less(screen, draft, memo(move || seen.get())),
    );
    frame(screen, None, draft, inside.any())
}

/// A question of many. It names its tool where the head cannot.
fn row(screen: Screen, request: &RequestId, names_tool: bool) -> AnyView {
    let arming = Arming::new();
    let (whole, press) = (Here::new(), Here::new());
    effect(move || {
        if let (Some(whole), Some(press)) = (whole.get(), press.get()) {
            arming.watch(&whole, &whole, &press);
        }
    });
    let state = state_of(screen, request);
    arming.start_over_with(state);
    let (named, open, drawn, answered) =
        (request.clone(), request.clone(), request.clone(), request.clone());
    div()
        .class("row")
        .here(whole)
        .attr("role", "group")
        .attr("tabindex", "-1")
        .attr("aria-label", move || state.with(|_| of_row(screen, &named, Row::name)))
        .attr("data-request", move || {
            let waits = state.with(|_| of_row(screen, &open, |row| row.answer.is_none()));
            (waits == Some(true)).then(|| open.to_string())
        })
        .child(move || state.with(|_| of_row(screen, &drawn, |row| shown(row, names_tool))))
        .child(div().class("yn").here(press).child(move || {
            let draw = |row: &Row| match row.answer {
                Some(answer) => said(answer),
                None => yes_and_no(row, arming, whole),
            };
            state.with(|_| of_row(screen, &answered, draw))
        }))
        .any()
}

fn shown(row: &Row, names_tool: bool) -> AnyView {
    let preview = match &row.preview {
        Preview::Lines(lines) => lines.iter().map(brief_line).collect::<Vec<_>>().any(),
        Preview::Nothing => p().class("line").child("This would change nothing.").any(),
        Preview::Fails(why) => {
            p().class("warn").child(small_icon("circle-alert")).child(marked(why)).any()
        }
    };
    (
        div().class("row-line").child(preview),
        div()
            .class("row-in")
            .child(names_tool.then(|| code().class("tool").child(marked(&row.tool))))
            .child(pre().class("json").child(marked(&row.json)))
            .child(warnings(&row.warnings)),
    )
        .any()
}

fn said(answer: RowAnswer) -> AnyView {
    match answer {
        RowAnswer::Allowed => {
            span().class("said yes").child(small_icon("check")).child("Allowed").any()
        }
        RowAnswer::Refused => span().class("said nay").child(small_icon("x")).child("Denied").any(),
    }
}

fn yes_and_no(row: &Row, arming: Arming, whole: Here) -> AnyView {
    let (yes, no) = (row.response(yes()), row.response(no(None)));
    let name = row.name();
    let armed = arming.armed();
    let mut answered = false;
    let answers = Answers::new();
    // The buttons go away with the answer; the row keeps the focus.
    let stay = move || {
        if let Some(row) = whole.get_untracked() {
            crate::ui::focus::focus(row);
        }
    };
    let press = move || {
        if !std::mem::replace(&mut answered, true) {
            stay();
            answers.send(yes.clone());
        }
    };
    let answer_yes = arming
        .button(memo(move || armed.get()), press)
        .class("btn")
        .attr("aria-label", format!("Yes, {name}"))
        .child("Yes");
    let answer_no = button()
        .class("btn")
        .attr("type", "button")
        .attr("aria-label", format!("No, {name}"))
        .on("click", move |_| {
            stay();
            answers.send(no.clone());
        })
        .child("No");
    (answer_yes, answer_no).any()
}

/// A yes to each row that waits and that a yes to all others may cover: nothing in them is to be
/// looked at by itself.
fn plain(card: &Card) -> Vec<ApprovalResponse> {
    let plain = card.waiting().filter(|row| row.is_plain());
    plain.map(|row| row.response(yes())).collect()
}

fn waiting(card: &Card) -> Vec<ApprovalResponse> {
    card.waiting().map(|row| row.response(no(None))).collect()
}

fn reject_all(answers: Answers, screen: Screen, reason: Option<String>) {
    let waiting = screen.with_untracked(|view| view.card.as_ref().map(waiting).unwrap_or_default());
    for response in waiting {
        answers.send(ApprovalResponse { answer: no(reason.clone()), ..response });
    }
}

fn acts(screen: Screen, arming: Arming, draft: Draft, place: Here) -> AnyView {
    let armed = arming.armed();
    let count = move |of: fn(&Card) -> Vec<ApprovalResponse>| {
        screen.with(|view| view.card.as_ref().map_or(0, |card| of(card).len()))
    };
    let (covered, open) = (memo(move || count(plain)), memo(move || count(waiting)));
    let answers = Answers::new();
    let press = move || {
        let rows = screen.with_untracked(|view| view.card.as_ref().map(plain));
        for response in rows.unwrap_or_default() {
            answers.send(response);
        }
    };
    let ready = memo(move || armed.get() && covered.get() > 0);
    let yes_to_all = arming.button(ready, press).class("btn btn-yes").child(move || {
        match (covered.get(), open.get()) {
            (plain, all) if plain == all => format!("Yes to all {all}"),
            (plain, _) => format!("Yes to other {plain}"),
        }
    });
    let no_to_all = button()
        .class("btn")
        .attr("type", "button")
        .on("click", move |_| reject_all(answers, screen, None))
        .child(move || format!("No to all {}", open.get()));
    div()
        .class("acts all")
        .here(place)
        .child(yes_to_all)
        .child(no_to_all)
        .child(opens(draft, Open::Reason, "No to all with a reason"))
        .child(opens(draft, Open::Reply, "Reply"))
        .any()
}
