//! "Always": what it would cover before it is said, and what was said and still stands.

use agent::approval::{Always, BatchCall, CallState, Scope, Standing, StandingApproval};
use agent::canonical::canonical_object;
use agent::id::{RequestId, StandingApprovalId};
use agent::message::ToolCall;
use agent::time::Timestamp;

use crate::card::{Card, Preview, Row, json};
use crate::conversation::{Turn, TurnBody};
use crate::engine::Engine;
use crate::line::EffectLine;
use crate::marks::Marked;
use crate::receipt::{Receipt, Tone};
use crate::scene::Scene;

/// A way to be asked less often, as it is offered on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessOften {
    /// The request that is answered with yes.
    pub request: RequestId,
    /// What is covered from then on.
    pub always: Always,
    /// When it ends, where it has a day.
    pub until: Option<Timestamp>,
    /// All that is settled at once, by name; empty if that is the one question alone.
    pub settles: Vec<Marked>,
    /// Which calls are covered.
    pub covers: Covers,
    /// Calls it covers in all.
    pub uses: u32,
}

/// Something that was always allowed, in this conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Its id.
    pub id: StandingApprovalId,
    /// What it allows, in a sentence.
    pub scope: String,
    /// The tool's name.
    pub tool: Marked,
    /// The only arguments it covers, as JSON; all, if there are none.
    pub json: Option<Marked>,
    /// When it was given.
    pub since: Timestamp,
    /// When it ends, where it has a day.
    pub until: Option<Timestamp>,
    /// Calls it has covered.
    pub uses: u32,
    /// Calls it covers in all.
    pub uses_max: u32,
    /// Why it no longer counts; empty while it does.
    pub over: &'static str,
    /// Which calls are covered.
    pub covers: Covers,
}

/// The calls something covers: those of a tool, or those with exactly these arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Covers {
    /// The tool's name.
    pub tool: String,
    /// The only arguments that are covered, as canonical JSON; all, if there are none.
    pub json: Option<String>,
}

impl LessOften {
    /// What it allows, for how long and how often; `until` is the day it ends on, in words.
    #[must_use]
    pub fn sentence(&self, until: Option<String>) -> String {
        let (may, uses) = (self.covers.may(), self.uses);
        let until = until.map(|day| format!(", until {day}")).unwrap_or_default();
        format!("{may} without asking, in this conversation, up to {uses} times{until}.")
    }

    /// What it would have covered of what was asked before, in a sentence; empty if nothing.
    #[must_use]
    pub fn past(&self, turns: &[Turn]) -> String {
        past_in_words(self.covers.among(turns))
    }
}

impl Given {
    /// What was asked before and it covers, had it been given then, the latest last.
    pub fn among<'a>(&'a self, turns: &'a [Turn]) -> impl Iterator<Item = &'a Receipt> {
        self.covers.among(turns)
    }

    fn of(given: &StandingApproval, scene: &Scene<'_>, engine: &Engine) -> Self {
        let covers = Covers::of(given);
        Self {
            id: given.id.clone(),
            scope: format!("{}.", covers.may()),
            tool: Marked::of(&given.tool),
            json: covers.json.as_deref().map(Marked::of),
            since: given.given_at,
            until: given.expires_at,
            uses: given.uses,
            uses_max: given.uses_max,
            over: match given.standing(scene.now, engine.specs(), engine.policy()) {
                Standing::Covers => "",
                Standing::Expired => "Its time is over, so it no longer counts.",
                Standing::UsedUp => "It was used as often as it may be, so it no longer counts.",
                Standing::ToolChanged => {
                    "The tool is not the one you allowed, so this no longer counts."
                }
            },
            covers,
        }
    }
}

impl Covers {
    fn of(given: &StandingApproval) -> Self {
        let json = match given.scope() {
            Scope::Tool => None,
            Scope::ToolWithArguments(arguments) => Some(canonical_object(arguments)),
        };
        Self { tool: given.tool.clone(), json }
    }

    fn may(&self) -> String {
        let scope = kitchen::card::scope(&self.tool, self.json.is_some());
        format!("The kitchen agent may {scope}")
    }

    fn among<'a>(&self, turns: &'a [Turn]) -> impl Iterator<Item = &'a Receipt> {
        let tool = Marked::of(&self.tool);
        let json = self.json.as_deref().map(Marked::of);
        turns.iter().filter_map(move |turn| match &turn.body {
            TurnBody::Receipt(receipt) => {
                let fits =
                    receipt.tool == tool && json.as_ref().is_none_or(|json| *json == receipt.json);
                fits.then_some(&**receipt)
            }
            TurnBody::Person(_)
            | TurnBody::Assistant(_)
            | TurnBody::HandedOver(_)
            | TurnBody::Notice(_) => None,
        })
    }
}

/// How many past calls would have been covered, and how many of them the person did not allow.
fn past_in_words<'a>(past: impl Iterator<Item = &'a Receipt>) -> String {
    let (mut count, mut refused) = (0, 0);
    for receipt in past {
        count += 1;
        refused += usize::from(receipt.allowed.tone != Tone::Yes);
    }
    let calls = if count == 1 { "1 past call" } else { &format!("{count} past calls") };
    match (count, refused) {
        (0, _) => String::new(),
        (1, 0) => format!("It would have covered {calls}, which you allowed."),
        (1, _) => format!("It would have covered {calls}, which you did not allow."),
        (_, 0) => format!("It would have covered {calls}, all of which you allowed."),
        _ => format!("It would have covered {calls}; you did not allow {refused} of them."),
    }
}

/// What was always allowed in a conversation, the latest first.
pub(crate) fn given(scene: &Scene<'_>, engine: &Engine) -> Vec<Given> {
    let all = scene.session.standing_approvals().iter().rev();
    all.map(|given| Given::of(given, scene, engine)).collect()
}

/// The ways to be asked less often that a card offers: for exactly this and for the tool where it
/// asks one thing, and for each of its tools where it asks many. Where something hides or would
/// come to nothing, or would be settled unseen as it is, there are none.
pub(crate) fn offers(card: &Card, scene: &Scene<'_>) -> Vec<LessOften> {
    let mut offers: Vec<LessOften> = Vec::new();
    let mut tools: Vec<&Marked> = Vec::new();
    let scopes: &[Always] = match card.rows.len() {
        1 => &[Always::ToolWithArguments, Always::Tool],
        _ => &[Always::Tool],
    };
    for row in card.waiting() {
        let (Preview::Lines(_), false) = (&row.preview, tools.contains(&&row.tool)) else {
            continue;
        };
        tools.push(&row.tool);
        let Some(call) = scene.session.batch().iter().find(|it| asks(it, &row.request)) else {
            continue;
        };
        offers.extend(scopes.iter().filter_map(|always| offer(call.call(), row, *always, scene)));
    }
    offers
}

fn asks(it: &BatchCall, request: &RequestId) -> bool {
    match it.state() {
        CallState::Open(open) => open.id == *request,
        CallState::Held
        | CallState::Queued(_)
        | CallState::Recording { .. }
        | CallState::Approved(_)
        | CallState::Withdrawing { .. }
        | CallState::Running(_)
        | CallState::Settled(_) => false,
    }
}

fn offer(call: &ToolCall, row: &Row, always: Always, scene: &Scene<'_>) -> Option<LessOften> {
    let (request, session) = (&row.request, scene.session);
    let given = session.would_stand(request, always, scene.now)?;
    let mut settles = session.would_cover(request, always, scene.now);
    settles.insert(0, call);
    if !settles.iter().all(|call| is_plain(call, scene)) {
        return None;
    }
    let names = settles.iter().map(|call| EffectLine::of_call(call).name);
    Some(LessOften {
        request: request.clone(),
        always,
        until: given.expires_at,
        settles: if settles.len() > 1 { names.collect() } else { Vec::new() },
        covers: Covers::of(&given),
        uses: given.uses_max.saturating_sub(given.uses),
    })
}

fn is_plain(call: &ToolCall, scene: &Scene<'_>) -> bool {
    !json(call).has_marks() && kitchen::card::warnings(call, scene.household).is_empty()
}
