//! Reads a copy, as if a stranger had written it: with bounds on everything, and before anything is
//! kept. What can be read by itself is; what cannot is named and stays out.

use std::fmt;

use agent::id::SessionId;
use agent::message::Message;
use agent::session::{Session, SessionState};
use agent::stored;
use agent::time::Timestamp;
use kitchen::Household;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    BYTES_MAX, CHAINS_MAX, CONVERSATIONS_MAX, Chain, DEPTH_MAX, DIGEST, END, FORMAT, LINES_MAX,
    PART_BYTES_MAX, VERSION, digest,
};
use crate::sessions::Trouble;
use crate::settings::Preferences;

/// The longest id of a conversation; ours have half as many characters.
const ID_BYTES_MAX: usize = 64;

/// The longest name of a provider or a model, and the longest text of prices, in bytes.
const NAME_BYTES_MAX: usize = 200;
const PRICES_BYTES_MAX: usize = 64 << 10;

/// Why a file is not read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is larger than [`BYTES_MAX`].
    TooLarge,
    /// It is no copy of this kind.
    NotACopy,
    /// It is of a newer version.
    Newer {
        /// Which.
        found: u32,
    },
    /// It ends too early.
    Cut,
    /// It is not what was written.
    Changed,
    /// It nests deeper than [`DEPTH_MAX`].
    TooDeep,
    /// It holds more of something than is read.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many are read.
        max: usize,
    },
    /// It is no JSON, gives something twice, or holds something that does not belong there; the
    /// reader's words.
    Unreadable(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "it is larger than {} MB", BYTES_MAX >> 20),
            Self::NotACopy => write!(f, "it is no copy of a kitchen"),
            Self::Newer { found } => {
                write!(f, "it is of version {found}; versions up to {VERSION} are read here")
            }
            Self::Cut => write!(f, "it ends before its end"),
            Self::Changed => write!(f, "it is not what was written"),
            Self::TooDeep => write!(f, "it nests deeper than {DEPTH_MAX} levels"),
            Self::TooMany { what, max } => write!(f, "it holds more than {max} {what}"),
            Self::Unreadable(why) => write!(f, "it cannot be read: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

/// What a copy holds, as far as it can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// When it was written.
    pub exported_at: Timestamp,
    /// The household.
    pub household: Option<Household>,
    /// What the person preferred.
    pub settings: Option<Preferences>,
    /// The records, each chain as it holds on its own.
    pub chains: Vec<Chain>,
    /// The conversations.
    pub conversations: Vec<Copied>,
    /// What was left out when it was written.
    pub left_out: Vec<String>,
    /// What of it cannot be read here, each in a sentence without its full stop. It stays out.
    pub unreadable: Vec<String>,
}

/// A conversation of a copy, as it was when that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// The conversation.
    pub session: Session,
    /// Why its last model call gave nothing, if that is how it stood.
    pub trouble: Option<Trouble>,
    /// When something last happened in it.
    pub touched_at: Timestamp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    format: &'a str,
    version: u32,
    exported_at: u64,
    #[serde(borrow)]
    household: Option<&'a RawValue>,
    #[serde(borrow)]
    settings: Option<&'a RawValue>,
    #[serde(borrow)]
    records: Vec<&'a RawValue>,
    #[serde(borrow)]
    conversations: Vec<&'a RawValue>,
    left_out: Vec<String>,
    digest: &'a str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversation<'a> {
    touched_at: u64,
    #[serde(borrow)]
    trouble: Option<&'a RawValue>,
    #[serde(borrow)]
    state: &'a RawValue,
    #[serde(borrow)]
    messages: Vec<&'a RawValue>,
}

/// Reads a copy. Nothing is kept by that.
///
/// # Errors
/// Why nothing of it can be read.
pub fn read(text: &str) -> Result<Contents, Fault> {
    check_whole(text)?;
    if depth(text) > DEPTH_MAX {
        return Err(Fault::TooDeep);
    }
    let file: File<'_> =
        serde_json::from_str(text).map_err(|error| Fault::Unreadable(error.to_string()))?;
    if file.format != FORMAT || file.version != VERSION || !text.contains(file.digest) {
        return Err(Fault::Unreadable("its head is given twice".to_owned()));
    }
    at_most(CONVERSATIONS_MAX, "conversations", file.conversations.len())?;
    at_most(CHAINS_MAX, "chains of records", file.records.len())?;
    let mut reading = Reading::default();
    let household: Option<Household> =
        file.household.and_then(|raw| reading.part("the list", BYTES_MAX, raw));
    at_most(LINES_MAX, "things on the list", household.as_ref().map_or(0, |it| it.shopping.len()))?;
    let settings = file.settings.and_then(|raw| reading.settings(raw));
    let chains = file.records.into_iter().filter_map(|raw| reading.chain(raw)).collect();
    let mut conversations: Vec<Copied> = Vec::new();
    for raw in file.conversations {
        conversations.extend(reading.conversation(raw));
    }
    if let Some(id) = twice(&conversations) {
        return Err(Fault::Unreadable(format!("the conversation {id} is given twice")));
    }
    Ok(Contents {
        exported_at: Timestamp(file.exported_at),
        household,
        settings,
        chains,
        conversations,
        left_out: file.left_out,
        unreadable: reading.unreadable,
    })
}

/// Whether it is a copy, of this version, and every byte is as it was written.
fn check_whole(text: &str) -> Result<(), Fault> {
    if text.len() > BYTES_MAX {
        return Err(Fault::TooLarge);
    }
    let opening = format!("{{\"format\":\"{FORMAT}\",\"version\":");
    let Some(rest) = text.strip_prefix(&*opening) else {
        let is_cut = opening.starts_with(text.trim_end());
        return Err(if is_cut { Fault::Cut } else { Fault::NotACopy });
    };
    let Some((version, _)) = rest.split_once(',') else { return Err(Fault::Cut) };
    match version.parse::<u32>() {
        Ok(VERSION) => {}
        Ok(found) if found > VERSION => return Err(Fault::Newer { found }),
        Ok(_) | Err(_) => return Err(Fault::NotACopy),
    }
    let Some(whole) = text.trim_end().strip_suffix(END) else { return Err(Fault::Cut) };
    // What is written is always there in full: a copy never holds this in a text, where a quotation
    // mark is written with a stroke before it.
    let Some((before, given)) = whole.rsplit_once(DIGEST) else { return Err(Fault::Changed) };
    if digest(before) == given { Ok(()) } else { Err(Fault::Changed) }
}

/// How deep objects and lists nest, without reading them.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_text, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn at_most(max: usize, what: &'static str, found: usize) -> Result<(), Fault> {
    if found > max { Err(Fault::TooMany { what, max }) } else { Ok(()) }
}

fn twice(conversations: &[Copied]) -> Option<&SessionId> {
    let mut ids: Vec<_> = conversations.iter().map(|it| it.session.id()).collect();
    ids.sort_unstable();
    ids.windows(2).find_map(|pair| if let [a, b] = pair { (a == b).then_some(*a) } else { None })
}

/// What is read of a file so far.
#[derive(Default)]
struct Reading {
    unreadable: Vec<String>,
}

impl Reading {
    /// A part of the file that stands by itself.
    fn part<T: DeserializeOwned>(&mut self, what: &str, max: usize, raw: &RawValue) -> Option<T> {
        match part(max, raw) {
            Ok(read) => Some(read),
            Err(why) => {
                self.unreadable.push(format!("{what}: {why}"));
                None
            }
        }
    }

    fn settings(&mut self, raw: &RawValue) -> Option<Preferences> {
        let settings: Preferences = self.part("the settings", PART_BYTES_MAX, raw)?;
        let Preferences { provider, model, prices, .. } = &settings;
        let fit =
            provider.len().max(model.len()) <= NAME_BYTES_MAX && prices.len() <= PRICES_BYTES_MAX;
        if !fit {
            self.unreadable.push("the settings: a text in them is too long".to_owned());
        }
        Some(settings).filter(|_| fit)
    }

    /// Records that hold on their own.
    fn chain(&mut self, raw: &RawValue) -> Option<Chain> {
        let chain: Chain = self.part("the records", BYTES_MAX, raw)?;
        match chain.check() {
            Ok(()) => Some(chain),
            Err(why) => {
                self.unreadable.push(format!("the records are not as they were written: {why}"));
                None
            }
        }
    }

    fn conversation(&mut self, raw: &RawValue) -> Option<Copied> {
        match conversation(raw) {
            Ok(copied) => Some(copied),
            Err(why) => {
                self.unreadable.push(format!("a conversation: {why}"));
                None
            }
        }
    }
}

fn part<T: DeserializeOwned>(max: usize, raw: &RawValue) -> Result<T, String> {
    if raw.get().len() > max {
        return Err(format!("it is longer than {} MB", max >> 20));
    }
    stored::parse(raw.get()).map_err(|error| error.to_string())
}

fn conversation(raw: &RawValue) -> Result<Copied, String> {
    let raw: Conversation<'_> = serde_json::from_str(raw.get()).map_err(|it| it.to_string())?;
    let state: SessionState = part(PART_BYTES_MAX, raw.state)?;
    let trouble = raw.trouble.map(|it| part(PART_BYTES_MAX, it)).transpose()?;
    let messages: Result<Vec<Message>, String> =
        raw.messages.into_iter().map(|it| part(PART_BYTES_MAX, it)).collect();
    let session = Session::restore(state, messages?).map_err(|error| error.to_string())?;
    let id = session.id();
    let fits = (1..=ID_BYTES_MAX).contains(&id.0.len())
        && id.0.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !fits {
        return Err("its id is none of this program".to_owned());
    }
    Ok(Copied { session, trouble, touched_at: Timestamp(raw.touched_at) })
}
