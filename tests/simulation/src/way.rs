//! The way of a reply from its provider to the page: bytes that come in pieces cut anywhere, and may
//! stop, fail, repeat themselves or come in another order. The page's own codec reads them.

use std::collections::VecDeque;

use agent::limits::CALLS_PER_REPLY_MAX;
use agent::model::{ModelError, ModelErrorKind, ModelReply, ReplyContent, StopReason};
use wire::decoder::Decoder;
use wire::failure::error_from_response;
use wire::protocol::Protocol;

use crate::kind::{Dice, Kind};
use crate::model::{Answer, Proposal};
use crate::stream::{self, Piece, Written};
use crate::violation::{Rule, Violation};

/// How a provider, or what stands before it, refuses: the status, the wait it names, its words.
type Refusal = (u16, Option<&'static str>, &'static str);

const OF_THE_REQUEST: [Refusal; 5] = [
    (400, None, r#"{"error":{"type":"invalid_request_error","message":"max_tokens: too large"}}"#),
    (401, None, r#"{"type":"error","error":{"type":"authentication_error","message":"no key"}}"#),
    (404, None, r#"{"error":{"message":"model 'no' not found","code":"model_not_found"}}"#),
    (429, Some("3"), r#"{"error":{"type":"rate_limit_error","message":"Slow down."}}"#),
    (429, Some("3600"), ""),
];
const OF_THE_PROVIDER: [Refusal; 4] = [
    (500, None, "internal error"),
    (502, None, "<html><body>Bad gateway</body></html>"),
    (504, None, ""),
    (529, None, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
];

/// Successes that are no stream.
const NO_STREAM: [&str; 4] = [
    "<!doctype html><html><body>Sign in to this network</body></html>",
    r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    r#"{"choices":[{"message":{"tool_calls":[]},"finish_reason":"tool_calls"}]}"#,
    "",
];

/// What the page may make of what came.
#[derive(Debug, Clone)]
enum Expected {
    /// Just what was sent.
    Whole(Vec<ReplyContent>, StopReason),
    /// A reply with no other calls than these, or none.
    AtMost,
    /// No reply.
    None,
}

/// A reply on its way.
#[derive(Debug, Clone)]
pub struct Coming {
    decoder: Decoder,
    chunks: VecDeque<Vec<u8>>,
    /// Whether the connection breaks behind them, and does not close.
    breaks: bool,
    expected: Expected,
    proposals: Vec<Proposal>,
    /// Something of it came: the model is not asked again by itself.
    pub has_begun: bool,
}

/// What the provider answers to a request.
#[derive(Debug, Clone)]
pub enum Answered {
    /// A stream begins.
    Comes(Box<Coming>),
    /// It refuses.
    Refused(ModelError),
}

/// Sends a reply on its way.
#[must_use]
pub fn send(dice: &mut Dice, protocol: Protocol, reply: &ModelReply) -> Answered {
    for (kind, refusals) in
        [(Kind::Net4xx, OF_THE_REQUEST.as_slice()), (Kind::Net5xx, OF_THE_PROVIDER.as_slice())]
    {
        if dice.rolls(kind, 25)
            && let Some((status, wait, words)) = dice.pick(refusals)
        {
            let error = error_from_response(*status, *wait, words.as_bytes());
            return Answered::Refused(error.into());
        }
    }
    if dice.rolls(Kind::NetNoStream, 30) {
        let body = dice.pick(&NO_STREAM).copied().unwrap_or_default();
        let bytes = body.as_bytes().to_vec();
        return Answered::Comes(coming(dice, protocol, bytes, Expected::None, Vec::new()));
    }
    let pieces = pieces(dice, reply);
    Answered::Comes(harmed(dice, protocol, reply, pieces))
}

/// A reply as events, its words and arguments in pieces.
fn pieces(dice: &mut Dice, reply: &ModelReply) -> Vec<Piece> {
    let mut pieces = vec![Piece::Begins];
    let last = reply.content.len().saturating_sub(1);
    for (at, content) in reply.content.iter().enumerate() {
        match content {
            ReplyContent::Text(text) => {
                pieces.push(Piece::WordsBegin(at));
                pieces.extend(split(dice, text).map(|part| Piece::Words(at, part)));
            }
            ReplyContent::Call(call) => {
                pieces.push(Piece::Call(at, call.id.clone(), call.name.clone()));
                // The limit falls into the last call.
                let limit = if at == last && reply.stop == StopReason::MaxTokens {
                    dice.below(call.arguments.len())
                } else {
                    call.arguments.len()
                };
                let text = String::from_utf8_lossy(
                    call.arguments.as_bytes().get(..limit).unwrap_or_default(),
                );
                pieces.extend(split(dice, &text).map(|part| Piece::Arguments(at, part)));
            }
            ReplyContent::Opaque(_) => continue,
        }
        pieces.push(Piece::Closes(at));
        if dice.chance(6) {
            pieces.push(Piece::Ping);
        }
    }
    pieces.extend([Piece::Reason(reply.stop.clone()), Piece::Ends]);
    pieces
}

/// A text in up to four parts.
fn split(dice: &mut Dice, text: &str) -> impl Iterator<Item = String> {
    let mut parts = Vec::new();
    let mut rest = text;
    for _ in 0..dice.below(4) {
        let at = dice.below(rest.chars().count());
        let at = rest.char_indices().nth(at).map_or(0, |(at, _)| at);
        let (part, after) = rest.split_at(at);
        parts.push(part.to_owned());
        rest = after;
    }
    parts.push(rest.to_owned());
    parts.into_iter().filter(|part| !part.is_empty())
}

/// What comes of a stream on its way.
fn harmed(
    dice: &mut Dice,
    protocol: Protocol,
    reply: &ModelReply,
    mut pieces: Vec<Piece>,
) -> Box<Coming> {
    let line_end = dice.pick(&["\n", "\r\n", "\r"]).copied().unwrap_or("\n");
    if dice.rolls(Kind::NetErrorInside, 20) {
        // Some go on all the same.
        let at = dice.below(pieces.len());
        let kinds = ["overloaded_error", "api_error", "rate_limit_error"];
        pieces.insert(at, Piece::Fails(dice.pick(&kinds).copied().unwrap_or("api_error")));
        let Written { bytes, .. } = stream::write(protocol, &pieces, line_end);
        return coming(dice, protocol, bytes, Expected::None, Vec::new());
    }
    if dice.rolls(Kind::NetStalls, 30) {
        // The proxy waits for so long, and then says so.
        pieces.truncate(1 + dice.below(pieces.len() - 2));
        pieces.push(Piece::Fails("timeout_error"));
        let Written { bytes, .. } = stream::write(protocol, &pieces, line_end);
        return coming(dice, protocol, bytes, Expected::None, Vec::new());
    }
    let again = dice.rolls(Kind::NetRepeats, 12);
    if again {
        let from = dice.below(pieces.len());
        let to = from + 1 + dice.below(pieces.len() - from);
        let piece = pieces.get(from).cloned();
        pieces.splice(to.min(pieces.len())..to.min(pieces.len()), piece);
    }
    let swapped = !again && dice.rolls(Kind::NetReorders, 12);
    if swapped {
        let at = dice.below(pieces.len() - 1);
        pieces.swap(at, at + 1);
    }
    let Written { mut bytes, whole_at } = stream::write(protocol, &pieces, line_end);
    let mut expected = if again || swapped || !is_legal(reply) {
        Expected::AtMost
    } else {
        Expected::Whole(as_read(protocol, reply), reply.stop.clone())
    };
    let cut = dice.rolls(Kind::NetCut, 5);
    if cut {
        bytes.truncate(dice.below(bytes.len()));
        let came = whole_at.iter().filter(|whole| **whole <= bytes.len()).count();
        pieces.truncate(came);
        if !pieces.iter().any(|piece| piece.ends_reply(protocol)) {
            expected = Expected::None;
            if pieces.iter().any(|piece| matches!(piece, Piece::Call(..))) {
                dice.meet(Kind::NetCutInCall);
            }
        }
    } else if matches!(expected, Expected::Whole(..)) {
        dice.meet(Kind::NetWhole);
    }
    let proposals = stream::meaning(protocol, &pieces);
    let mut coming = coming(dice, protocol, bytes, expected, proposals);
    coming.breaks = cut && dice.rolls(Kind::NetBreaks, 2);
    coming
}

/// Whether a reply is one that the codec must give back as it is: it does not break off in a call,
/// and has no more of them than any reply may.
fn is_legal(reply: &ModelReply) -> bool {
    let calls = reply.content.iter().filter(|it| matches!(it, ReplyContent::Call(_))).count();
    let cut = reply.stop == StopReason::MaxTokens;
    calls <= CALLS_PER_REPLY_MAX && !(cut && calls > 0)
}

/// A reply as a protocol can say it: in one of them a call without an id is given its place.
fn as_read(protocol: Protocol, reply: &ModelReply) -> Vec<ReplyContent> {
    let mut content = reply.content.clone();
    if protocol != Protocol::Anthropic {
        let calls = content.iter_mut().filter_map(|it| match it {
            ReplyContent::Call(call) => Some(call),
            ReplyContent::Text(_) | ReplyContent::Opaque(_) => None,
        });
        for (place, call) in calls.enumerate().filter(|(_, call)| call.id.is_empty()) {
            call.id = format!("call_{place}");
        }
    }
    content
}

fn coming(
    dice: &mut Dice,
    protocol: Protocol,
    bytes: Vec<u8>,
    expected: Expected,
    proposals: Vec<Proposal>,
) -> Box<Coming> {
    let mut chunks = VecDeque::new();
    let longest = if dice.chance(8) { 3 } else { 600 };
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at((1 + dice.below(longest)).min(rest.len()));
        chunks.push_back(chunk.to_vec());
        rest = after;
    }
    let decoder = protocol.decoder();
    let (breaks, has_begun) = (false, false);
    Box::new(Coming { decoder, chunks, breaks, expected, proposals, has_begun })
}

impl Coming {
    /// What is still to come, for the eye.
    #[must_use]
    pub fn told(&self) -> String {
        let bytes: Vec<u8> = self.chunks.iter().flatten().copied().collect();
        format!("{} pieces: {:?}", self.left(), String::from_utf8_lossy(&bytes))
    }

    /// How many pieces are still to come.
    #[must_use]
    pub fn left(&self) -> usize {
        self.chunks.len()
    }

    /// The next bytes come, or the end. Gives what came of the call of the model, once it is over.
    ///
    /// # Errors
    /// If that is not what was sent, or may not be taken for a reply.
    pub fn go_on(&mut self) -> Result<Option<Answer>, Violation> {
        let read = match self.chunks.pop_front() {
            Some(chunk) => {
                let mut events = Vec::new();
                let read = self.decoder.feed_into(&chunk, &mut events);
                self.has_begun |= !events.is_empty();
                match read {
                    Ok(()) => return Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
            None if self.breaks => {
                let message = "the connection broke".to_owned();
                Err(ModelError { kind: ModelErrorKind::CutOff, message })
            }
            None => self.decoder.clone().finish().map_err(ModelError::from),
        };
        self.judge(read).map(Some)
    }

    fn judge(&self, read: Result<ModelReply, ModelError>) -> Result<Answer, Violation> {
        let so = match (&self.expected, &read) {
            (Expected::Whole(content, stop), Ok(reply)) => {
                reply.content == *content && reply.stop == *stop
            }
            (Expected::Whole(..), Err(_)) => self.breaks,
            (Expected::AtMost, Ok(_) | Err(_)) | (Expected::None, Err(_)) => true,
            (Expected::None, Ok(_)) => false,
        };
        if !so {
            let why = format!("{:?} was sent, {read:?} came of it", self.expected);
            return Err(Violation { rule: Rule::AsRecorded, why });
        }
        Ok(match read {
            Ok(reply) => Answer::Reply(reply, self.proposals.clone()),
            Err(error) => Answer::Failure(error),
        })
    }
}
