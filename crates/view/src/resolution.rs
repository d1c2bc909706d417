//! What a receipt says once more is known than "may have run", and what a person may do until then.

use agent::audit::ExecutionOutcome;
use agent::resolution::{Resolution, ResolutionStep};
use store::resolution::Wanted;

use crate::engine::Engine;
use crate::marks::Marked;
use crate::receipt::{Receipt, Sign, Tone, Truth};
use crate::scene::Scene;

/// Something a person may do about an outcome that is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayOn {
    /// What it is called.
    pub label: &'static str,
    /// What it asks for.
    pub wanted: Wanted,
}

/// Lets a receipt whose outcome was unknown say what is known by now and by whom. Gives what tells
/// this stage of it from others.
pub(crate) fn of_receipt(
    receipt: &mut Receipt,
    scene: &Scene<'_>,
    engine: &Engine,
) -> Option<String> {
    if receipt.sign != Sign::Unknown {
        return None;
    }
    let latest = scene.session.resolution(&receipt.request);
    if let Some(latest) = &latest {
        say(receipt, latest);
    }
    let waits = scene.awaited.contains(&receipt.request);
    if waits {
        receipt.ran.words = Marked::ours("Waiting for the answer");
        receipt.known_at = None;
    } else {
        receipt.ways = ways(receipt, scene, engine);
    }
    let number = latest.map_or(0, |latest| latest.number);
    Some(format!(".{number}.{waits}.{}", receipt.ways.len()))
}

fn say(receipt: &mut Receipt, Resolution { event, .. }: &Resolution) {
    let words = match event.step {
        ResolutionStep::Check => "Still not known. You had it checked",
        ResolutionStep::TryAgain => "Still not known. You tried it again",
        ResolutionStep::MarkedDone => "You marked this as done",
        ResolutionStep::MarkedNotDone => "You marked this as not done",
        ResolutionStep::AnsweredDone => "Done, says the other side",
        ResolutionStep::AnsweredNotDone => "Not done, says the other side",
    };
    let (sign, tone) = match event.step.outcome() {
        ExecutionOutcome::Ran => (Sign::Ran, Tone::Quiet),
        ExecutionOutcome::Failed => (Sign::Failed, Tone::No),
        ExecutionOutcome::Unknown => (Sign::Unknown, Tone::Open),
    };
    receipt.ran = Truth { words: Marked::ours(words), tone };
    receipt.sign = sign;
    receipt.known_at = Some(event.at);
    if !event.result.is_empty() {
        receipt.told = Some(Marked::of(&event.result));
    }
}

/// What a person may do about it: nothing once it is known.
fn ways(receipt: &Receipt, scene: &Scene<'_>, engine: &Engine) -> Vec<WayOn> {
    if receipt.sign != Sign::Unknown {
        return Vec::new();
    }
    let tool = receipt.tool.spoken();
    let seen = scene.session.resolution(&receipt.request).map_or(0, |latest| latest.number);
    let all = [
        ("Check", ResolutionStep::Check, engine.can_check(&tool)),
        ("Try again", ResolutionStep::TryAgain, engine.tools().outside(&tool).is_some()),
        ("Mark as done", ResolutionStep::MarkedDone, true),
        ("Mark as not done", ResolutionStep::MarkedNotDone, true),
    ];
    let offered = all.into_iter().filter(|(_, _, offered)| *offered);
    let way = |(label, step, _)| {
        let request = receipt.request.clone();
        WayOn { label, wanted: Wanted { request, step, seen } }
    };
    offered.map(way).collect()
}
