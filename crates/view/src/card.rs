//! The card: what is asked, whole, and what it would do to the household as it is now.

use agent::approval::{Answer, ApprovalRequest, ApprovalResponse, CardDigest, Decision, Outcome};
use agent::canonical::canonical_object;
use agent::id::RequestId;
use agent::message::{ToolCall, ToolResult};
use agent::settings::Wait;
use agent::time::Timestamp;
use agent::tool::{Access, ToolError, ToolSet};
use kitchen::Household;

use crate::agents;
use crate::engine::Engine;
use crate::line::{EffectLine, shown_value};
use crate::marks::Marked;
use crate::standing::LessOften;
use crate::time_left::TimeLeft;

/// Questions that wait for a person: one, or the rows of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The tool's name for people, with the number of rows if there are several.
    pub title: String,
    /// The tool's name; several are named in their rows.
    pub tool: Option<Marked>,
    /// Which agent asks.
    pub agent: &'static str,
    /// How long it still waits; absent where that is not bounded.
    pub time: Option<TimeLeft>,
    /// Why it is asked.
    pub why: &'static str,
    /// What is asked, in the order of the calls; never empty.
    pub rows: Vec<Row>,
    /// The ways to be asked less often, where there are any.
    pub less_often: Vec<LessOften>,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The request an answer names.
    pub request: RequestId,
    /// What is shown of it, for an answer to name; empty once it has its answer.
    pub shown: CardDigest,
    /// The tool's name for people.
    pub title: &'static str,
    /// The tool's name.
    pub tool: Marked,
    /// What it would do.
    pub preview: Preview,
    /// What is good to know before a yes, one sentence each, as the kitchen works it out.
    pub remarks: Vec<Marked>,
    /// What must be known before a yes.
    pub warnings: Vec<Marked>,
    /// Every argument, whole.
    pub arguments: Vec<Argument>,
    /// The arguments as canonical JSON, whole.
    pub json: Marked,
    /// The answer, once it was given.
    pub answer: Option<RowAnswer>,
}

/// What a call would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    /// Lines of the list change.
    Lines(Vec<EffectLine>),
    /// It would change nothing.
    Nothing,
    /// It would fail, in the tool's words.
    Fails(Marked),
}

/// An argument, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: Marked,
    /// Its value: a text as it is, anything else as JSON.
    pub value: Marked,
}

/// The answer to a row of a batch that still waits for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowAnswer {
    /// Allowed; it runs when every row has its answer.
    Allowed,
    /// Not allowed.
    Refused,
}

/// A call that a person is asked about, or was asked about in the same reply.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The request, while it waits for an answer.
    pub open: Option<&'a ApprovalRequest>,
    /// The decision, once there is one.
    pub decision: Option<&'a Decision>,
    /// The result, once there is one.
    pub result: Option<&'a ToolResult>,
}

impl Asked<'_> {
    fn request(&self) -> Option<&RequestId> {
        self.open.map(|it| &it.id).or(self.decision.map(|it| &it.request))
    }
}

impl Card {
    /// The card of the calls of one reply; `None` if none of them waits any more.
    #[must_use]
    pub fn of(
        asked: &[Asked<'_>],
        engine: &Engine,
        household: &Household,
        wait: Wait,
        now: Timestamp,
    ) -> Option<Self> {
        let first = asked.iter().find_map(|it| it.open)?;
        let same = asked.iter().all(|it| it.call.name == first.call.name);
        let title = kitchen::title(&first.call.name);
        let rows = rows(asked, engine.tools(), household);
        Some(Self {
            title: match rows.len() {
                1 => title.to_owned(),
                count if same => format!("{title}, {count} items"),
                count => format!("{count} questions"),
            },
            tool: same.then(|| Marked::of(&first.call.name)),
            agent: agents::title(None),
            time: first.deadline.map(|deadline| {
                TimeLeft::of(now, deadline, first.attempt, wait.attempts().max(first.attempt))
            }),
            why: why(asked, engine),
            rows,
            less_often: Vec::new(),
        })
    }

    /// The row of a request.
    #[must_use]
    pub fn row(&self, request: &RequestId) -> Option<&Row> {
        self.rows.iter().find(|row| row.request == *request)
    }

    /// The rows that still wait.
    pub fn waiting(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.answer.is_none())
    }

    /// Which attempt to reach the person this is, from 1.
    #[must_use]
    pub fn attempt(&self) -> usize {
        self.time.as_ref().map_or(1, |time| time.attempt as usize)
    }

    /// What is said of the time alone: once when five minutes are left, and once for the last.
    #[must_use]
    pub fn reminder(&self) -> Option<String> {
        let time = self.time.as_ref().filter(|time| matches!(time.minutes, 1 | 5))?;
        Some(format!("{}: {}.", self.title, time.spoken))
    }

    /// As it is announced, arguments included.
    #[must_use]
    pub fn announcement(&self) -> String {
        let rows: Vec<_> = self.waiting().map(Row::spoken).collect();
        let time = self.time.as_ref().map(|time| format!(" {}.", time.spoken)).unwrap_or_default();
        format!("Waits for your answer: {}. {}{time}", self.title, rows.join(" "))
    }
}

/// Each row as it would be once the rows above it are done: they are carried out in this order.
/// What was refused does nothing.
fn rows(asked: &[Asked<'_>], tools: &ToolSet<Household>, household: &Household) -> Vec<Row> {
    let mut then = household.clone();
    let mut rows = Vec::with_capacity(asked.len());
    for it in asked {
        let rehearsed = tools.rehearse(it.call, &then).map(|(after, _)| after);
        let Some(row) = Row::of(it, &rehearsed, &then) else { continue };
        if row.answer != Some(RowAnswer::Refused)
            && let Ok(after) = rehearsed
        {
            then = after;
        }
        rows.push(row);
    }
    rows
}

impl Row {
    fn of(
        asked: &Asked<'_>,
        rehearsed: &Result<Household, ToolError>,
        household: &Household,
    ) -> Option<Self> {
        let answer = asked.decision.map(|decision| match decision.outcome {
            Outcome::Approved => RowAnswer::Allowed,
            Outcome::Denied
            | Outcome::TimedOut
            | Outcome::Cancelled
            | Outcome::MovedOn
            | Outcome::InputUnavailable
            | Outcome::AuditFailed
            | Outcome::Sticky
            | Outcome::RoundsExhausted => RowAnswer::Refused,
        });
        Some(Self {
            request: asked.request()?.clone(),
            shown: asked.open.map(|it| it.shown.clone()).unwrap_or_default(),
            title: kitchen::title(&asked.call.name),
            tool: Marked::of(&asked.call.name),
            preview: Preview::of(rehearsed, household),
            remarks: each_marked(kitchen::card::remarks(asked.call, household)),
            warnings: each_marked(kitchen::card::warnings(asked.call, household)),
            arguments: arguments(asked.call),
            json: json(asked.call),
            answer,
        })
    }

    /// An answer to what this row shows.
    #[must_use]
    pub fn response(&self, answer: Answer) -> ApprovalResponse {
        ApprovalResponse { request: self.request.clone(), shown: self.shown.clone(), answer }
    }

    /// The row's name: what it would do, or what is asked.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.preview {
            Preview::Lines(lines) => {
                lines.iter().map(EffectLine::spoken).collect::<Vec<_>>().join(", ")
            }
            Preview::Nothing | Preview::Fails(_) => {
                format!("{}, {}", self.title, self.json.spoken())
            }
        }
    }

    /// Whether a yes would change nothing: there is nothing to change, or it would fail.
    #[must_use]
    pub fn comes_to_nothing(&self) -> bool {
        match self.preview {
            Preview::Lines(_) => false,
            Preview::Nothing | Preview::Fails(_) => true,
        }
    }

    /// Whether it can be answered together with others: nothing in it is marked, nothing must be
    /// known first, and it would not fail.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let fails = matches!(self.preview, Preview::Fails(_));
        !fails && !self.json.has_marks() && self.warnings.is_empty()
    }

    /// What may change while it waits, as one text: what it would do, what is to be known, its
    /// answer, and what is asked itself.
    #[must_use]
    pub fn state(&self) -> String {
        let remarks: String = self.remarks.iter().map(Marked::spoken).collect();
        let answer = match self.answer {
            None => "",
            Some(RowAnswer::Allowed) => "allowed",
            Some(RowAnswer::Refused) => "refused",
        };
        format!("{} {remarks} {answer} {}", self.spoken(), self.shown.0)
    }

    fn spoken(&self) -> String {
        let arguments: Vec<_> = self
            .arguments
            .iter()
            .map(|argument| format!("{} {}", argument.name.spoken(), argument.value.spoken()))
            .collect();
        let preview = match &self.preview {
            Preview::Lines(lines) => {
                lines.iter().map(EffectLine::spoken).collect::<Vec<_>>().join(", ")
            }
            Preview::Nothing => "This would change nothing".to_owned(),
            Preview::Fails(why) => format!("This would fail: {}", why.spoken()),
        };
        let warnings: String = self.warnings.iter().map(|it| format!(" {}", it.spoken())).collect();
        format!("{}. {preview}.{warnings}", arguments.join(", "))
    }
}

impl Preview {
    /// What a call that was rehearsed does to the household.
    #[must_use]
    pub fn of(rehearsed: &Result<Household, ToolError>, household: &Household) -> Self {
        match rehearsed {
            Ok(after) => {
                let changes = kitchen::difference(household, after);
                if changes.is_empty() {
                    Self::Nothing
                } else {
                    Self::Lines(changes.iter().map(EffectLine::of_change).collect())
                }
            }
            Err(error) => Self::Fails(Marked::of(&error.text)),
        }
    }
}

fn each_marked(sentences: Vec<String>) -> Vec<Marked> {
    sentences.iter().map(|sentence| Marked::of(sentence)).collect()
}

/// The arguments of a call, each whole.
pub(crate) fn arguments(call: &ToolCall) -> Vec<Argument> {
    call.arguments
        .iter()
        .map(|(name, value)| Argument {
            name: Marked::of(name),
            value: Marked::of(&shown_value(value)),
        })
        .collect()
}

/// The arguments of a call as canonical JSON: keys sorted, no blanks, letters as they are.
pub(crate) fn json(call: &ToolCall) -> Marked {
    Marked::of(&canonical_object(&call.arguments))
}

/// Why a person is asked: by the strictest class, in the policy, of what waits.
fn why(asked: &[Asked<'_>], engine: &Engine) -> &'static str {
    let waiting = asked.iter().filter(|it| it.open.is_some());
    let spec = |it: &Asked<'_>| engine.specs().iter().find(|spec| spec.name == it.call.name);
    let strictest = waiting.filter_map(spec).map(|spec| engine.policy().access(spec)).max();
    match (strictest, asked.len()) {
        (Some(Access::AlwaysAsk), _) => "Asked every time: this is never allowed in advance.",
        (Some(Access::Read), _) => "Asked beside a call that changes something.",
        (Some(Access::Write | Access::Unavailable) | None, 1) => {
            "Asked because it changes the list."
        }
        (Some(Access::Write | Access::Unavailable) | None, _) => {
            "Asked because each of these changes the list. \
             What you allow is done when every row has its answer."
        }
    }
}
