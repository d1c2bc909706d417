//! The assistant's words: nodes built one by one from what markdown says, never HTML.

use leptos::prelude::*;
use view::markdown::{Block, Inline};

use crate::ui::kit::el::{
    Child, a, bdi, blockquote, br, code, div, hr, li, ol, p, pre, s, span, strong, table, tbody,
    td, th, thead, tr, ul,
};

/// Blocks, one after the other.
pub(crate) fn blocks(blocks: &[Block]) -> AnyView {
    blocks.iter().map(block).collect::<Vec<_>>().any()
}

/// One block. A heading is a strong line: the page's own headings are not the model's to write.
pub(crate) fn block(block: &Block) -> AnyView {
    match block {
        Block::Paragraph(words) => p().attr("dir", "auto").child(inlines(words)).any(),
        Block::Heading(words) => {
            p().attr("dir", "auto").child(strong().child(inlines(words))).any()
        }
        Block::List(None, items) => ul().child(list_items(items)).any(),
        Block::List(Some(from), items) => {
            ol().attr("start", from.to_string()).child(list_items(items)).any()
        }
        Block::Quote(inner) => blockquote().child(blocks(inner)).any(),
        Block::Code(text) => pre().attr("tabindex", "0").child(code().child(text.clone())).any(),
        Block::Table(rows) => rows_of(rows),
        Block::Rule => hr().any(),
    }
}

fn list_items(items: &[Vec<Block>]) -> AnyView {
    items.iter().map(|item| li().child(blocks(item))).collect::<Vec<_>>().any()
}

fn rows_of(rows: &[Vec<Vec<Inline>>]) -> AnyView {
    let (head, body) = rows.split_first().unzip();
    let head = head.map(|cells| {
        let cells = cells.iter().map(|cell| th().attr("scope", "col").child(inlines(cell)));
        thead().child(tr().child(cells.collect::<Vec<_>>()))
    });
    let body = body.unwrap_or_default().iter().map(|cells| {
        tr().child(cells.iter().map(|cell| td().child(inlines(cell))).collect::<Vec<_>>())
    });
    let body = tbody().child(body.collect::<Vec<_>>());
    div().class("table").attr("tabindex", "0").child(table().child(head).child(body)).any()
}

fn inlines(words: &[Inline]) -> AnyView {
    words.iter().map(inline).collect::<Vec<_>>().any()
}

fn inline(word: &Inline) -> AnyView {
    match word {
        Inline::Text(text) => text.clone().any(),
        Inline::Code(text) => code().child(text.clone()).any(),
        Inline::Strong(inner) => strong().child(inlines(inner)).any(),
        Inline::Struck(inner) => s().child(inlines(inner)).any(),
        Inline::Link { url, host, words } => link(url, host, words),
        Inline::Break => br().any(),
    }
}

/// A link names its host, so that its words cannot pretend to be another.
fn link(url: &str, host: &str, words: &[Inline]) -> AnyView {
    let says_host = matches!(words, [Inline::Text(text)] if text == host || text == url);
    let beside = (!says_host).then(|| span().class("host").child(format!("({host})")));
    a().attr("href", url.to_owned())
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .child(bdi().child(inlines(words)))
        .child(beside)
        .any()
}
