//! Compares what happened in a step with what the scenario expects.

use std::collections::BTreeSet;
use std::fmt::Debug;

use agent::approval::{BatchCall, CallState};
use agent::effect::RunEnd;
use agent::handoff;
use agent::message::{Body, Message};
use agent::model::ToolChoice;
use agent::session::Session;

use super::expected::{Expect, Outcome, PendingShown, RuleShown, State};
use super::names;
use super::normal::{model_ids, normal};
use super::vector::Mode;
use super::world::{Trace, World};

/// Compares everything that the scenario says about a step.
///
/// # Errors
/// With the first difference.
pub(super) fn compare(
    world: &mut World,
    name: &str,
    expect: &Expect,
    mode: Mode,
) -> Result<(), String> {
    let trace = std::mem::take(&mut world.trace);
    let executions = world.executions.clone();
    let session = world.session(name);

    same("outcome", &outcome(&trace, session), &expect.outcome)?;
    error(&trace, expect)?;
    if let Some(reply) = &expect.reply {
        let said = match &trace.ended {
            Some(RunEnd::Replied { text }) => Some(text),
            Some(RunEnd::Cancelled | RunEnd::Terminated | RunEnd::Failed(_)) | None => None,
        };
        same("reply", &said, &Some(reply))?;
    }
    same("executed", &trace.executed, &expect.executed)?;
    for (tool, count) in expect.executions_total.iter().flatten() {
        let total = executions.get(tool).copied().unwrap_or(0);
        same(&format!("executions of {tool}"), &total, count)?;
    }
    if let Some(pending) = &expect.pending {
        compare_pending(session, pending)?;
    }
    if let Some(calls) = expect.model_calls {
        same("model calls", &trace.requests.len(), &calls)?;
    }
    if let Some(requests) = &expect.model_requests {
        let made: Vec<_> = trace.requests.iter().map(|it| normal(&it.messages)).collect();
        same("model requests", &made, requests)?;
    }
    if let Some(offered) = &expect.tools_offered {
        same(
            "tools offered",
            &tools_offered(&trace),
            &offered.iter().map(String::as_str).collect(),
        )?;
    }
    if let Some(agent) = &expect.active_agent {
        same("agent in charge", &session.agent(), &Some(agent.as_str()))?;
    }
    for (call, text) in expect.results.iter().flatten() {
        let messages = trace.requests.last().map_or(session.messages(), |it| &it.messages);
        same(&format!("result of {call}"), &result(messages, call), &Some(text.as_str()))?;
    }
    if let Some(dropped) = expect.dropped_responses {
        same("dropped responses", &trace.dropped, &dropped)?;
    }
    if let Some(state) = &expect.state {
        compare_state(session, state)?;
    }
    if let Some(audit) = &expect.audit {
        same("audit", &trace.audit, audit)?;
    }
    if let Some(notices) = &expect.notices {
        let shown: &[&str] = if trace.audit_failed { &["audit_failed"] } else { &[] };
        same("notices", &shown.to_vec(), &notices.iter().map(String::as_str).collect())?;
    }
    match (&expect.events, mode) {
        (Some(events), Mode::Streaming) => {
            same("events", &trace.events, &events.iter().map(String::as_str).collect())
        }
        (Some(_), Mode::NonStreaming) | (None, Mode::Streaming | Mode::NonStreaming) => Ok(()),
    }
}

fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}

fn outcome(trace: &Trace, session: &Session) -> Outcome {
    match &trace.ended {
        _ if trace.crashed || trace.refused.is_some() => Outcome::Error,
        Some(RunEnd::Replied { .. }) => Outcome::Reply,
        Some(RunEnd::Cancelled) => Outcome::Cancelled,
        Some(RunEnd::Terminated) => Outcome::Terminated,
        Some(RunEnd::Failed(_)) => Outcome::Error,
        None if session.batch().is_empty() => Outcome::Idle,
        None => Outcome::Pending,
    }
}

fn error(trace: &Trace, expect: &Expect) -> Result<(), String> {
    let found = match &trace.ended {
        _ if trace.crashed => Some(("crashed", None)),
        _ if trace.refused.is_some() => trace.refused.map(|it| (it.kind(), None)),
        Some(RunEnd::Failed(error)) => Some(names::error(error)),
        Some(RunEnd::Replied { .. } | RunEnd::Cancelled | RunEnd::Terminated) | None => None,
    };
    let expected = expect.error.as_ref();
    same("error", &found.map(|(kind, _)| kind), &expected.map(|error| error.kind.as_str()))?;
    match expected.and_then(|error| error.message.as_deref()) {
        Some(message) => same("message", &found.and_then(|(_, message)| message), &Some(message)),
        None => Ok(()),
    }
}

fn compare_pending(session: &Session, expected: &[PendingShown]) -> Result<(), String> {
    let open: Vec<_> = session.open_requests().collect();
    same("requests open", &open.len(), &expected.len())?;
    for (request, expected) in open.into_iter().zip(expected) {
        let call = &request.call;
        let found = PendingShown {
            tool: call.name.clone(),
            args: call.arguments.clone(),
            call_id: expected.call_id.as_ref().map(|_| call.model_id.clone()),
            requires_confirmation: expected.requires_confirmation.map(|_| request.gated),
        };
        same("request", &found, expected)?;
    }
    Ok(())
}

fn tools_offered(trace: &Trace) -> BTreeSet<&str> {
    match trace.requests.last() {
        Some(request) if request.tool_choice == ToolChoice::Auto => {
            let names = request.tools.iter().map(|tool| tool.name.as_str());
            // Handoffs are the loop's own, and no tools.
            names.filter(|name| handoff::target(name).is_none()).collect()
        }
        Some(_) | None => BTreeSet::new(),
    }
}

/// The text of the last result of a call, by the model's id.
fn result<'a>(messages: &'a [Message], call: &str) -> Option<&'a str> {
    let ids = model_ids(messages);
    messages.iter().rev().find_map(|message| match &message.body {
        Body::Result(result) if ids.get(&result.call).is_some_and(|id| id == call) => {
            Some(result.text.as_str())
        }
        Body::Result(_) | Body::Person(_) | Body::Assistant(_) | Body::Note(_) => None,
    })
}

fn compare_state(session: &Session, expected: &State) -> Result<(), String> {
    let compare = |what: &str, fits: fn(&CallState) -> bool, expected: &Option<Vec<String>>| {
        let calls = session.batch().iter().filter(|it| fits(it.state())).map(BatchCall::call);
        let ids: Vec<_> = calls.map(|call| call.model_id.clone()).collect();
        expected.as_ref().map_or(Ok(()), |expected| same(what, &ids, expected))
    };
    compare("pending", |it| matches!(it, CallState::Open(_)), &expected.pending)?;
    compare("held", |it| matches!(it, CallState::Held), &expected.held)?;
    compare("queued", |it| matches!(it, CallState::Queued(_)), &expected.queued)?;
    // A call that was released and is at rest: only the ledger knows what came of it.
    compare("in doubt", |it| matches!(it, CallState::Running(_)), &expected.in_doubt)?;
    let Some(rules) = &expected.rules else { return Ok(()) };
    let kept = session
        .standing_approvals()
        .iter()
        .map(|it| RuleShown { tool: it.tool.clone(), args: it.arguments.clone() });
    same("rules", &kept.collect(), rules)
}
