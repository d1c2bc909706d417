//! Marked text: words as they are, and a chip for every character the eye would miss.

use leptos::prelude::*;
use view::marks::{Marked, Piece};

use crate::ui::kit::el::{Child, bdi, br, span};

/// Marked text, its direction kept to itself.
pub(crate) fn marked(text: &Marked) -> AnyView {
    bdi().child(text.0.iter().map(piece).collect::<Vec<_>>()).any()
}

fn piece(piece: &Piece) -> AnyView {
    match piece {
        Piece::Text(text) => text.clone().any(),
        Piece::Mark { label } => chip(label.clone()),
        Piece::Break => (chip("\u{23CE}".to_owned()), br()).any(),
    }
}

fn chip(label: String) -> AnyView {
    span().class("chip").child(label).any()
}
