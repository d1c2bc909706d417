//! HTML as a row of pieces, by the tokenizer of html5ever. No tree is built: nothing here asks what
//! lies in what, and a tree of tags without end takes a time that grows with its square.

use std::cell::RefCell;

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// A piece of a page, in its order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// An element begins: its name, and its `type` if it has one.
    Begins(String, Option<String>),
    /// An element of this name ends.
    Ends(String),
    /// Text, its entities decoded.
    Text(String),
}

/// Takes a page or a part of one apart.
pub(crate) fn pieces(html: &str) -> Vec<Piece> {
    let tokenizer = Tokenizer::new(Pieces::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(html.into());
    // It may stop early, for a script to be run or another encoding to be used; this one goes on.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.take()
}

#[derive(Default)]
struct Pieces(RefCell<Vec<Piece>>);

impl Pieces {
    fn tag(&self, tag: Tag) -> TokenSinkResult<()> {
        let name = tag.name.to_string();
        if tag.kind == TagKind::EndTag {
            self.0.borrow_mut().push(Piece::Ends(name));
            return TokenSinkResult::Continue;
        }
        let raw = match name.as_str() {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => {
                TokenSinkResult::RawData(RawKind::Rawtext)
            }
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        };
        let kind = tag.attrs.iter().find(|it| &*it.name.local == "type");
        self.0.borrow_mut().push(Piece::Begins(name, kind.map(|it| it.value.to_string())));
        raw
    }
}

impl TokenSink for Pieces {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => return self.tag(tag),
            Token::CharacterTokens(text) => {
                let mut pieces = self.0.borrow_mut();
                match pieces.last_mut() {
                    Some(Piece::Text(before)) => before.push_str(&text),
                    Some(Piece::Begins(..) | Piece::Ends(_)) | None => {
                        pieces.push(Piece::Text(text.to_string()));
                    }
                }
            }
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}
