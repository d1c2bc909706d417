//! A copy of everything, as a person is told of it: what a file holds before anything of it is kept,
//! and what was and was not done.

use agent::approval::Expired;
use agent::time::Timestamp;
use store::backup::{self, Backup, Contents, Fault, Restored};
pub use store::backup::{BYTES_MAX, How};
use store::error::StoreError;

use crate::marks::Marked;

/// How many of many things are named.
const NAMED_MAX: usize = 5;

const UNCHANGED: &str = "Nothing of it was read, and nothing was changed.";
const ANOTHER: &str = "Choose another copy, or save this one again where it came from.";

/// A file that is to be brought in, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BringIn {
    /// The file.
    pub text: String,
    /// What becomes of what is here.
    pub how: How,
}

/// What a part of the page asked for, until it takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handed {
    /// The records as one file, to be saved.
    Records(String),
    /// A copy of everything, to be saved, and what is to be said of it.
    Copy(String, Told),
    /// What came of it.
    Told(Told),
}

/// What a person is told once something was done, or was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened, in a few words.
    pub happened: String,
    /// What was and was not done, each in a sentence.
    pub done: Vec<Marked>,
    /// Whether it was not what was asked for.
    pub is_fault: bool,
}

/// What a file holds, and what will become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// When it was written.
    pub written: Timestamp,
    /// What it holds.
    pub holds: Vec<String>,
    /// What of it does not come back as it was.
    pub changes: Vec<Marked>,
    /// What stays out, and why.
    pub stays_out: Vec<Marked>,
}

/// What is here, as far as it goes when a copy is put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Here {
    /// Things on the list.
    pub things: usize,
    /// Conversations.
    pub conversations: usize,
    /// Questions that wait in them.
    pub waiting: usize,
}

impl Here {
    /// Whether nothing is.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// What goes, in sentences.
    #[must_use]
    pub fn goes(self) -> String {
        let all = [
            count(self.things, "thing on the list", "things on the list"),
            count(self.conversations, "conversation", "conversations"),
        ];
        let all: Vec<_> = all.into_iter().flatten().collect();
        let waiting = match self.waiting {
            0 => String::new(),
            1 => " A question still waits in them: it is closed, and never runs.".to_owned(),
            more => {
                format!(" {more} questions still wait in them: they are closed, and never run.")
            }
        };
        format!("What is here now goes: {}, and your settings.{waiting}", all.join(" and "))
    }
}

/// Looks into a file. Nothing of it is kept by that.
///
/// # Errors
/// Why it is no copy that can be brought in.
pub fn look(text: &str) -> Result<Look, Told> {
    let contents = backup::read(text).map_err(|fault| Told::fault(&fault))?;
    let left_out = contents
        .left_out
        .iter()
        .map(|it| Marked::ours("When it was saved: ").and(Marked::of(it)).and(Marked::ours(".")));
    let unreadable = contents
        .unreadable
        .iter()
        .map(|it| Marked::ours("Cannot be read here: ").and(Marked::of(it)).and(Marked::ours(".")));
    Ok(Look {
        written: contents.exported_at,
        holds: holds(&contents),
        changes: changes(&contents),
        stays_out: some(left_out.chain(unreadable).collect()),
    })
}

/// A file that is larger than any copy; it is not even read.
#[must_use]
pub fn too_large() -> Told {
    Told::fault(&Fault::TooLarge)
}

/// A file that the browser could not read.
#[must_use]
pub fn unread() -> Told {
    Told {
        happened: "The file could not be read".to_owned(),
        done: vec![Marked::ours("Nothing was changed. Look whether it is still there.")],
        is_fault: true,
    }
}

fn holds(contents: &Contents) -> Vec<String> {
    let things = contents.household.as_ref().map_or(0, |it| it.shopping.len());
    let messages = contents.conversations.iter().map(|it| it.session.messages().len()).sum();
    let records = contents.chains.iter().map(|it| it.rows.len()).sum();
    let said = |conversations: String| match count(messages, "message", "messages") {
        Some(messages) => format!("{conversations}, {messages}"),
        None => conversations,
    };
    let all = [
        count(things, "thing on the list", "things on the list"),
        count(contents.conversations.len(), "conversation", "conversations").map(said),
        count(
            records,
            "record of what was decided and done",
            "records of what was decided and done",
        ),
        contents.settings.as_ref().map(|_| "Settings".to_owned()),
    ];
    let all: Vec<_> = all.into_iter().flatten().collect();
    if all.is_empty() { vec!["Nothing".to_owned()] } else { all }
}

/// What is to be known before it is brought in.
fn changes(contents: &Contents) -> Vec<Marked> {
    let sessions = || contents.conversations.iter().map(|it| &it.session);
    let open = sessions().map(|it| it.unsettled().count()).sum::<usize>();
    let standing: usize = sessions().map(|it| it.standing_approvals().len()).sum();
    let has_records = contents.chains.iter().any(|it| !it.rows.is_empty());
    let mut all = Vec::new();
    match open {
        0 => {}
        1 => all.push(Marked::ours(
            "A question that was still open in it expires: it cannot be answered, and never runs.",
        )),
        more => all.push(Marked::ours(&format!(
            "{more} questions that were still open in it expire: they cannot be answered, and never \
             run."
        ))),
    }
    if standing > 0 {
        all.push(Marked::ours("What you always allowed stays out. You are asked again."));
    }
    if has_records {
        all.push(Marked::ours(
            "Its records are kept apart from those of this browser. They allow nothing here.",
        ));
    }
    if let Some(settings) = &contents.settings {
        all.push(
            Marked::ours("Its settings say that this model answers: ")
                .and(Marked::of(&settings.provider))
                .and(Marked::ours(", "))
                .and(Marked::of(&settings.model))
                .and(Marked::ours(".")),
        );
    }
    all
}

impl Told {
    /// A copy was made.
    #[must_use]
    pub fn copied(backup: &Backup) -> Self {
        let mut done = vec![Marked::ours(
            "Put it where others cannot read it: it holds what was said here. It holds no keys.",
        )];
        let left_out = backup.left_out.iter().map(|it| {
            Marked::ours("Not as it should be: ").and(Marked::of(it)).and(Marked::ours("."))
        });
        done.extend(some(left_out.collect()));
        Self { happened: "The copy is saved".to_owned(), done, is_fault: false }
    }

    /// A copy could not be made.
    #[must_use]
    pub fn not_copied(why: &StoreError) -> Self {
        Self {
            happened: "No copy could be made".to_owned(),
            done: vec![
                Marked::ours("No file was saved. Reload the page, then try it again."),
                Marked::ours(&format!("The reason: {why}.")),
            ],
            is_fault: true,
        }
    }

    /// A copy was brought in.
    #[must_use]
    pub fn brought_in(restored: &Restored) -> Self {
        let Restored {
            list, conversations, here_already, gone, expired, records, settings, ..
        } = restored;
        let all = [
            count(list.added, "thing is new on the list", "things are new on the list"),
            count(
                list.merged,
                "thing was added to what stood there already",
                "things were added to what stood there already",
            ),
            count(conversations.len(), "conversation came in", "conversations came in"),
            count(
                *here_already,
                "conversation was here already and stays as it is",
                "conversations were here already and stay as they are",
            ),
            count(
                gone.len(),
                "conversation that was here is gone",
                "conversations that were here are gone",
            ),
            count(*records, "record is kept apart", "records are kept apart"),
            settings.then(|| "The settings are those of the copy".to_owned()),
        ];
        let mut done: Vec<_> =
            all.into_iter().flatten().map(|it| Marked::ours(&format!("{it}."))).collect();
        done.extend(expired_in_words(*expired));
        let left_out = list.left_out.iter().map(|it| {
            let item = Marked::ours("\u{201C}").and(Marked::of(&it.item));
            item.and(Marked::ours("\u{201D} stays out. ")).and(Marked::of(&it.why))
        });
        done.extend(some(left_out.collect()));
        let happened = if done.is_empty() {
            "Everything in the copy was here already"
        } else {
            "The copy is brought in"
        };
        Self { happened: happened.to_owned(), done, is_fault: false }
    }

    /// A copy could not be brought in.
    #[must_use]
    pub fn not_brought_in(why: &StoreError) -> Self {
        let (happened, done) = match why {
            StoreError::Unanswered => (
                "The browser has not said whether it kept the copy",
                "It did so whole or not at all. Look whether it is there before you bring it in again.",
            ),
            StoreError::Full => (
                "There is no room for the copy",
                "Nothing was changed. Make some room for this browser's data, then try it again.",
            ),
            StoreError::Newer
            | StoreError::Damaged { .. }
            | StoreError::Stale
            | StoreError::NotApproved
            | StoreError::Absent
            | StoreError::Refused(_) => (
                "The copy could not be brought in",
                "Nothing was changed. Reload the page, then try it again.",
            ),
        };
        let reason = Marked::ours(&format!("The reason: {why}."));
        Self {
            happened: happened.to_owned(),
            done: vec![Marked::ours(done), reason],
            is_fault: true,
        }
    }

    /// A file is no copy that can be brought in.
    #[must_use]
    pub fn fault(fault: &Fault) -> Self {
        let (happened, done) = match fault {
            Fault::TooLarge => (
                "This file is too large",
                format!("A copy of a kitchen has at most {} MB. {UNCHANGED}", BYTES_MAX >> 20),
            ),
            Fault::NotACopy => (
                "This is no copy of a kitchen",
                format!(
                    "Its name should begin with kitchen-assistant and end in .json. {UNCHANGED}"
                ),
            ),
            Fault::Newer { .. } => (
                "This copy was saved by a newer version of this page",
                format!("{UNCHANGED} Reload to get that version, then choose the file again."),
            ),
            Fault::Cut => (
                "This copy is not whole",
                format!(
                    "It ends before its end, as where saving it was broken off. {UNCHANGED} {ANOTHER}"
                ),
            ),
            Fault::Changed => {
                ("This copy was changed after it was saved", format!("{UNCHANGED} {ANOTHER}"))
            }
            Fault::TooDeep | Fault::TooMany { .. } | Fault::Unreadable(_) => {
                ("This copy cannot be read", format!("{UNCHANGED} {ANOTHER}"))
            }
        };
        let mut done = vec![Marked::ours(&done)];
        if let Fault::TooDeep | Fault::TooMany { .. } | Fault::Unreadable(_) = fault {
            let why = Marked::of(&fault.to_string());
            done.push(Marked::ours("The reason: ").and(why).and(Marked::ours(".")));
        }
        Self { happened: happened.to_owned(), done, is_fault: true }
    }
}

fn expired_in_words(expired: Expired) -> Vec<Marked> {
    let Expired { waiting, allowed, unknown, standing } = expired;
    let all = [
        count(
            waiting,
            "question expired: it cannot be answered, and never runs",
            "questions expired: they cannot be answered, and never run",
        ),
        count(
            allowed,
            "call that was allowed and not done expired: it never runs",
            "calls that were allowed and not done expired: they never run",
        ),
        count(
            unknown,
            "call was under way when the copy was saved: it may have been done there. Look before \
             you ask for it again",
            "calls were under way when the copy was saved: they may have been done there. Look \
             before you ask for them again",
        ),
        count(
            standing,
            "thing you always allowed stays out: you are asked again",
            "things you always allowed stay out: you are asked again",
        ),
    ];
    all.into_iter().flatten().map(|it| Marked::ours(&format!("{it}."))).collect()
}

/// So many things; nothing for none.
fn count(number: usize, one: &str, more: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {more}")),
    }
}

/// The first of many, and how many more there are.
fn some(mut all: Vec<Marked>) -> Vec<Marked> {
    let more = all.len().saturating_sub(NAMED_MAX);
    all.truncate(NAMED_MAX);
    if more > 0 {
        all.push(Marked::ours(&format!("And {more} more.")));
    }
    all
}
