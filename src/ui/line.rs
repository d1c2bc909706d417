//! The line of an effect: name, dotted leader, what was, what is to be.

use leptos::prelude::*;
use view::line::EffectLine;

use crate::ui::kit::el::{Child, p, s, span};
use crate::ui::kit::icon::becomes;
use crate::ui::kit::marked::marked;

/// Whether the name of a line is struck out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Struck {
    /// It happened, or may still.
    No,
    /// It did not.
    Yes,
}

/// A line.
pub(crate) fn line(line: &EffectLine, struck: Struck) -> AnyView {
    let name = marked(&line.name);
    let name = match struck {
        Struck::No => name,
        Struck::Yes => s().child(name).any(),
    };
    p().class("line")
        .child(span().class("name").child(name))
        .child(span().class("dots").attr("aria-hidden", "true"))
        .child(
            span()
                .class("change")
                .child(
                    line.was
                        .as_ref()
                        .map(|was| (span().class("was").child(marked(was)), becomes())),
                )
                .child(span().class("now").child(marked(&line.now))),
        )
        .any()
}

/// A line among many: what was not there before does not say so.
pub(crate) fn brief_line(effect: &EffectLine) -> AnyView {
    let brief = EffectLine { was: effect.was.clone().filter(|_| !effect.is_new), ..effect.clone() };
    line(&brief, Struck::No)
}

/// What else the lines of an effect change.
pub(crate) fn notes(lines: &[EffectLine]) -> AnyView {
    let notes = lines
        .iter()
        .flat_map(|line| &line.notes)
        .map(|note| span().child(marked(note)))
        .collect::<Vec<_>>();
    p().class("note").child(notes).any()
}
