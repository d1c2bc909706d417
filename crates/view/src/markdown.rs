//! Markdown of a model as a tree of nodes: never HTML, never a request.
//!
//! It reads what models write to people: paragraphs, headings, lists, quotes, code, tables, strong
//! and struck words, links. What it does not know stays as it was typed. A whole CommonMark parser
//! is a fifth of what the page may weigh, most of it for names of entities and for HTML, which is
//! never drawn here.

mod blocks;
mod inlines;

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading.
    Heading(Vec<Inline>),
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
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// Reads markdown. Images become words with their address, HTML stays as it was typed, and a link
/// that may not be opened becomes words with its address.
#[must_use]
pub fn parse(markdown: &str) -> Vec<Block> {
    let lines: Vec<_> = markdown.lines().collect();
    blocks::read(&lines, 0)
}

/// Where a streaming text may be cut into what is laid out for good and what still grows: the
/// length of the closed part, in bytes. Blocks are closed by a blank line outside a code fence.
#[must_use]
pub fn closed_len(markdown: &str) -> usize {
    let (mut closed, mut at, mut fenced) = (0, 0, false);
    for line in markdown.split_inclusive('\n') {
        at += line.len();
        let words = line.trim();
        fenced ^= is_fence(words);
        if words.is_empty() && line.ends_with('\n') && !fenced {
            closed = at;
        }
    }
    closed
}

/// The pieces of a closed part, each with where it begins. A piece never changes when the text goes
/// on, so that it can be laid out for good.
pub fn pieces(closed: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (from, mut end) = (at, at);
        let mut fenced = false;
        for line in closed.get(at..)?.split_inclusive('\n') {
            end += line.len();
            let words = line.trim();
            fenced ^= is_fence(words);
            if words.is_empty() && !fenced {
                break;
            }
        }
        at = end;
        (end > from).then(|| (from, closed.get(from..end).unwrap_or_default()))
    })
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
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
        check_paragraph("![x][r]", &[text("![x][r]")]);
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
        assert_eq!(parse("```\n<img>\n```"), [Block::Code("<img>".to_owned())]);
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
                    | Block::Heading(_)
                    | Block::Code(_)
                    | Block::Table(_)
                    | Block::Rule => 1,
                })
                .max()
                .unwrap_or(0)
        }
        let blocks = parse(&format!("{} end", ">".repeat(5_000)));
        assert!(depth(&blocks) <= 20, "{}", depth(&blocks));
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
            let pieces: Vec<_> = pieces(closed).map(|(_, piece)| piece).collect();
            assert_eq!(pieces.concat(), closed, "{markdown:?}");
        }
    }

    #[test]
    fn words_are_marked_as_models_mark_them() {
        let strong = |inner: &str| Inline::Strong(vec![text(inner)]);
        for (markdown, expected) in [
            ("**Soup** and *stew*", vec![strong("Soup"), text(" and "), strong("stew")]),
            (
                "__a__ _b_ ~~c~~",
                vec![
                    strong("a"),
                    text(" "),
                    strong("b"),
                    text(" "),
                    Inline::Struck(vec![text("c")]),
                ],
            ),
            ("2 * 3 * 4", vec![text("2 * 3 * 4")]),
            ("snake_case_name", vec![text("snake_case_name")]),
            ("**not closed", vec![text("**not closed")]),
            (
                "**bold with *both* in it**",
                vec![Inline::Strong(vec![text("bold with "), strong("both"), text(" in it")])],
            ),
            (r"\*plain\*", vec![text("*plain*")]),
            ("`a*b`", vec![Inline::Code("a*b".to_owned())]),
            ("``a`b``", vec![Inline::Code("a`b".to_owned())]),
            ("a `b", vec![text("a `b")]),
            ("one\ntwo", vec![text("one two")]),
            ("one  \ntwo", vec![text("one"), Inline::Break, text("two")]),
            ("Fish &amp; chips", vec![text("Fish & chips")]),
            ("a < b > c", vec![text("a < b > c")]),
            ("[not a link] (here)", vec![text("[not a link] (here)")]),
        ] {
            check_paragraph(markdown, &expected);
        }
    }

    #[test]
    fn blocks_end_where_others_begin() {
        let paragraph = |words: &str| Block::Paragraph(vec![text(words)]);
        assert_eq!(
            parse("## To buy\nmilk\n- eggs\n  free range\n\n- bread\nSoon."),
            [
                Block::Heading(vec![text("To buy")]),
                paragraph("milk"),
                Block::List(
                    None,
                    vec![vec![paragraph("eggs free range")], vec![paragraph("bread Soon.")],]
                ),
            ]
        );
        assert_eq!(
            parse("- a\n  - b\n    - c\n- d"),
            [Block::List(
                None,
                vec![
                    vec![
                        paragraph("a"),
                        Block::List(
                            None,
                            vec![vec![
                                paragraph("b"),
                                Block::List(None, vec![vec![paragraph("c")]]),
                            ]]
                        ),
                    ],
                    vec![paragraph("d")],
                ]
            )]
        );
        assert_eq!(
            parse("1. a\n\n   more\n2. b"),
            [Block::List(
                Some(1),
                vec![vec![paragraph("a"), paragraph("more")], vec![paragraph("b")],]
            )]
        );
        assert_eq!(parse("7) a"), [Block::List(Some(7), vec![vec![paragraph("a")]])]);
        assert_eq!(
            parse("a\n```\nnot closed\n- b"),
            [paragraph("a"), Block::Code("not closed\n- b".to_owned())]
        );
        assert_eq!(
            parse("> - a\n> - b"),
            [Block::Quote(vec![Block::List(
                None,
                vec![vec![paragraph("a")], vec![paragraph("b")],]
            )])]
        );
        assert_eq!(parse("-5 degrees"), [paragraph("-5 degrees")]);
        assert_eq!(parse("| not a table |"), [paragraph("| not a table |")]);
    }

    /// Were reading to take the square of the length, this would not end.
    #[test]
    fn no_text_is_slow_to_read() {
        let one =
            ["*a ", "[", "`a", "**a*", "_a ", "![", "> ", "- ", "1. ", "|\n", "a|b\n", "<", "\\"];
        for piece in one {
            let _ = parse(&piece.repeat(50_000));
        }
    }
}
