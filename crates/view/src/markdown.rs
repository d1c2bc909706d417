//! Markdown of a model as a tree of nodes: never HTML, never a request.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading, from 1.
    Heading(u8, Vec<Inline>),
    /// A list; numbered from the number, if there is one.
    List(Option<u64>, Vec<Vec<Block>>),
    /// Something quoted.
    Quote(Vec<Block>),
    /// Code, as it is.
    Code(String),
    /// A table, row by row; the first row is its head.
    Table(Vec<Vec<Vec<Inline>>>),
    /// A line across.
    Rule,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Inline {
    /// Words.
    Text(String),
    /// Code, as it is.
    Code(String),
    /// Emphasis; a second weight is the only one there is.
    Strong(Vec<Inline>),
    /// Struck out.
    Struck(Vec<Inline>),
    /// A link that may be opened: https, to a plain host.
    Link {
        /// The address.
        url: String,
        /// Its host, to be shown beside the words.
        host: String,
        /// The words.
        words: Vec<Inline>,
    },
    /// A line break.
    Break,
}

/// Nesting from which on blocks are laid side by side: deeper than any text for people.
const DEPTH_MAX: usize = 16;

/// Reads markdown. Images become words with their address, HTML stays as it was typed, and a link
/// that may not be opened becomes words with its address.
#[must_use]
pub fn parse(markdown: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut tree = Tree { open: vec![Node::new(Kind::Flow)] };
    for event in Parser::new_ext(markdown, options) {
        tree.take(event);
    }
    while tree.open.len() > 1 {
        tree.close();
    }
    tree.open.pop().map(Node::into_blocks).unwrap_or_default()
}

/// Where a streaming text may be cut into what is laid out for good and what still grows: the
/// length of the closed part, in bytes. Blocks are closed by a blank line outside a code fence.
#[must_use]
pub fn closed_len(markdown: &str) -> usize {
    let (mut closed, mut at, mut fenced) = (0, 0, false);
    for line in markdown.split_inclusive('\n') {
        at += line.len();
        let words = line.trim();
        if words.starts_with("```") || words.starts_with("~~~") {
            fenced = !fenced;
        }
        if words.is_empty() && line.ends_with('\n') && !fenced {
            closed = at;
        }
    }
    closed
}

enum Kind {
    Flow,
    Paragraph,
    Heading(u8),
    List(Option<u64>),
    Item,
    Quote,
    Code,
    Table,
    Row,
    Cell,
    Strong,
    Struck,
    Link(String),
    Image(String),
}

struct Node {
    kind: Kind,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
    items: Vec<Vec<Block>>,
    cells: Vec<Vec<Inline>>,
    rows: Vec<Vec<Vec<Inline>>>,
}

impl Node {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            inlines: Vec::new(),
            items: Vec::new(),
            cells: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The blocks; loose words (a tight list has no paragraphs) become one.
    fn into_blocks(mut self) -> Vec<Block> {
        self.settle();
        self.blocks
    }

    fn settle(&mut self) {
        if !self.inlines.is_empty() {
            self.blocks.push(Block::Paragraph(std::mem::take(&mut self.inlines)));
        }
    }
}

struct Tree {
    open: Vec<Node>,
}

impl Tree {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open.push(Node::new(kind_of(tag))),
            Event::End(TagEnd::MetadataBlock(_)) => {}
            Event::End(_) => self.close(),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.words(&text),
            Event::Code(code) => self.inline(Inline::Code(code.into_string())),
            Event::SoftBreak => self.words(" "),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            Event::TaskListMarker(done) => self.words(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn top(&mut self) -> Option<&mut Node> {
        self.open.last_mut()
    }

    fn words(&mut self, words: &str) {
        let Some(top) = self.top() else { return };
        if let Some(Inline::Text(text)) = top.inlines.last_mut() {
            text.push_str(words);
        } else {
            top.inlines.push(Inline::Text(words.to_owned()));
        }
    }

    fn inline(&mut self, inline: Inline) {
        if let Some(top) = self.top() {
            top.inlines.push(inline);
        }
    }

    fn block(&mut self, block: Block) {
        if let Some(top) = self.top() {
            top.settle();
            top.blocks.push(block);
        }
    }

    fn close(&mut self) {
        let deep = self.open.len() > DEPTH_MAX;
        let Some(mut node) = self.open.pop() else { return };
        match std::mem::replace(&mut node.kind, Kind::Flow) {
            Kind::Paragraph => self.block(Block::Paragraph(node.inlines)),
            Kind::Heading(level) => self.block(Block::Heading(level, node.inlines)),
            Kind::Code => self.block(Block::Code(plain(&node.inlines))),
            Kind::Table => self.block(Block::Table(node.rows)),
            Kind::Flow => node.into_blocks().into_iter().for_each(|block| self.block(block)),
            Kind::List(_) | Kind::Item | Kind::Quote if deep => {
                node.items.drain(..).flatten().for_each(|block| self.block(block));
                node.into_blocks().into_iter().for_each(|block| self.block(block));
            }
            Kind::List(from) => self.block(Block::List(from, node.items)),
            Kind::Quote => self.block(Block::Quote(node.into_blocks())),
            Kind::Item => {
                let blocks = node.into_blocks();
                if let Some(top) = self.top() {
                    top.items.push(blocks);
                }
            }
            Kind::Row => {
                if let Some(top) = self.top() {
                    top.rows.push(node.cells);
                }
            }
            Kind::Cell => {
                if let Some(top) = self.top() {
                    top.cells.push(node.inlines);
                }
            }
            Kind::Strong if deep => node.inlines.into_iter().for_each(|it| self.inline(it)),
            Kind::Struck if deep => node.inlines.into_iter().for_each(|it| self.inline(it)),
            Kind::Strong => self.inline(Inline::Strong(node.inlines)),
            Kind::Struck => self.inline(Inline::Struck(node.inlines)),
            Kind::Link(url) => self.link(url, node.inlines),
            Kind::Image(url) => {
                let words = plain(&node.inlines);
                self.words(&format!("{words} ({url})"));
            }
        }
    }

    fn link(&mut self, url: String, words: Vec<Inline>) {
        match host_of(&url) {
            Some(host) => self.inline(Inline::Link { host: host.to_owned(), words, url }),
            None => {
                words.into_iter().for_each(|word| self.inline(word));
                self.words(&format!(" ({url})"));
            }
        }
    }
}

fn kind_of(tag: Tag<'_>) -> Kind {
    match tag {
        Tag::Paragraph => Kind::Paragraph,
        Tag::Heading { level, .. } => Kind::Heading(level as u8),
        Tag::BlockQuote(_) => Kind::Quote,
        Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => Kind::Code,
        Tag::List(from) => Kind::List(from),
        Tag::Item => Kind::Item,
        Tag::Table(_) => Kind::Table,
        Tag::TableHead | Tag::TableRow => Kind::Row,
        Tag::TableCell => Kind::Cell,
        Tag::Emphasis | Tag::Strong => Kind::Strong,
        Tag::Strikethrough => Kind::Struck,
        Tag::Link { dest_url, .. } => Kind::Link(dest_url.into_string()),
        Tag::Image { dest_url, .. } => Kind::Image(dest_url.into_string()),
        Tag::HtmlBlock
        | Tag::FootnoteDefinition(_)
        | Tag::DefinitionList
        | Tag::DefinitionListTitle
        | Tag::DefinitionListDefinition
        | Tag::Superscript
        | Tag::Subscript
        | Tag::MetadataBlock(_) => Kind::Flow,
    }
}

fn plain(inlines: &[Inline]) -> String {
    let mut words = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => words.push_str(text),
            Inline::Strong(inner) | Inline::Struck(inner) | Inline::Link { words: inner, .. } => {
                words.push_str(&plain(inner));
            }
            Inline::Break => words.push(' '),
        }
    }
    words
}

/// The host of an address that may be opened. Only https, only a plain ASCII host name with a dot
/// in it, no user before it, no encoded look-alikes: anything else is shown, not linked.
fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = host.contains('.')
        && !host.starts_with('.')
        && !host.contains("xn--")
        && host.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.' || byte == b'-'
        });
    let seen = url.chars().all(|character| character.is_ascii_graphic());
    (plain && seen).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Inline {
        Inline::Text(text.to_owned())
    }

    #[track_caller]
    fn check_paragraph(markdown: &str, expected: &[Inline]) {
        assert_eq!(parse(markdown), [Block::Paragraph(expected.to_vec())], "{markdown}");
    }

    #[test]
    fn an_image_is_words_and_its_address() {
        check_paragraph(
            "![a cat](https://evil.example/?q=1)",
            &[text("a cat (https://evil.example/?q=1)")],
        );
        check_paragraph(
            "![x][r]\n\n[r]: data:image/png;base64,AA",
            &[text("x (data:image/png;base64,AA)")],
        );
    }

    #[test]
    fn html_stays_as_it_was_typed() {
        check_paragraph("<b>no</b>", &[text("<b>no</b>")]);
        check_paragraph("<script>alert(1)</script>", &[text("<script>alert(1)</script>")]);
    }

    #[test]
    fn only_https_to_a_plain_host_is_a_link() {
        check_paragraph(
            "[soup](https://example.org/soup)",
            &[Inline::Link {
                url: "https://example.org/soup".to_owned(),
                host: "example.org".to_owned(),
                words: vec![text("soup")],
            }],
        );
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "http://example.org",
            "https://bank.example@evil.example/",
            "https://xn--80ak6aa92e.example/",
            "https://exämple.org/",
            "https://localhost/",
            "//evil.example",
            "/api/status",
            "#/settings",
        ] {
            let blocks = parse(&format!("[soup](<{url}>)"));
            assert_eq!(blocks, [Block::Paragraph(vec![text(&format!("soup ({url})"))])]);
        }
    }

    #[test]
    fn lists_tables_and_code_keep_their_shape() {
        assert_eq!(
            parse("1. milk\n2. **two** eggs"),
            [Block::List(
                Some(1),
                vec![
                    vec![Block::Paragraph(vec![text("milk")])],
                    vec![Block::Paragraph(vec![Inline::Strong(vec![text("two")]), text(" eggs")])],
                ]
            )]
        );
        assert_eq!(
            parse("a | b\n--|--\n1 | 2"),
            [Block::Table(vec![
                vec![vec![text("a")], vec![text("b")]],
                vec![vec![text("1")], vec![text("2")]],
            ])]
        );
        assert_eq!(parse("```\n<img>\n```"), [Block::Code("<img>\n".to_owned())]);
        assert_eq!(
            parse("> a\n\n---"),
            [Block::Quote(vec![Block::Paragraph(vec![text("a")])]), Block::Rule]
        );
    }

    #[test]
    fn nesting_is_bounded_and_loses_no_words() {
        fn depth(blocks: &[Block]) -> usize {
            blocks
                .iter()
                .map(|block| match block {
                    Block::Quote(inner) => 1 + depth(inner),
                    Block::List(_, items) => {
                        1 + items.iter().map(|item| depth(item)).max().unwrap_or(0)
                    }
                    Block::Paragraph(_)
                    | Block::Heading(..)
                    | Block::Code(_)
                    | Block::Table(_)
                    | Block::Rule => 1,
                })
                .max()
                .unwrap_or(0)
        }
        let blocks = parse(&format!("{} end", ">".repeat(5_000)));
        assert!(depth(&blocks) <= DEPTH_MAX, "{}", depth(&blocks));
        assert!(format!("{blocks:?}").contains("end"));
    }

    #[test]
    fn a_streaming_text_closes_at_blank_lines_outside_code() {
        for (markdown, closed) in [
            ("Hello", ""),
            ("Hello\n\n", "Hello\n\n"),
            ("Hello\n\nwor", "Hello\n\n"),
            ("a\n\n```\nb\n\nc", "a\n\n"),
            ("a\n\n```\nb\n\nc\n```\n\nd", "a\n\n```\nb\n\nc\n```\n\n"),
        ] {
            assert_eq!(&markdown[..closed_len(markdown)], closed, "{markdown:?}");
        }
    }
}
