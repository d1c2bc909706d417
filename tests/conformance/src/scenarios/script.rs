//! What a scenario says in its own words, in the words of the loop.

use agent::approval::{Policy, Rule, RuleBroken};
use agent::event::ToolOutcome;
use agent::message::{Opaque, ToolCall};
use agent::model::{ModelError, ModelErrorKind, ProposedCall, ReplyContent};
use agent::settings::{self, Reasons, Settings};
use agent::tool::Access;
use serde_json::Value;

use super::vector::{self, Args, AutoRule, Config, Failure, FailureKind, ToolPolicy, ToolScript};

pub(super) fn access(policy: ToolPolicy, always_ask: bool) -> Access {
    match policy {
        ToolPolicy::Auto => Access::Read,
        ToolPolicy::Approval if always_ask => Access::AlwaysAsk,
        ToolPolicy::Approval => Access::Write,
        ToolPolicy::Unavailable => Access::Unavailable,
    }
}

pub(super) fn settings(config: &Config) -> Settings {
    Settings {
        policy: Policy::declared(),
        hold_free_calls: config.bypass,
        one_at_a_time: config.one_at_a_time,
        standing_approvals: config.standing_approvals,
        sticky_denial: config.sticky_denial,
        on_new_message: match config.on_new_message {
            vector::OnNewMessage::Error => settings::OnNewMessage::Refuse,
            vector::OnNewMessage::RejectPending => settings::OnNewMessage::RejectPending,
        },
        on_unknown_tool: match config.unknown_tool {
            vector::UnknownTool::Result => settings::OnUnknownTool::Result,
            vector::UnknownTool::Terminate => settings::OnUnknownTool::EndRun,
        },
        detailed_errors: config.detailed_errors,
        iterations_max: config.max_iterations,
        consecutive_errors_max: config.max_consecutive_errors,
        approval_rounds_max: config.max_approval_rounds,
        covered_rounds_max: config.max_auto_approval_iterations,
        approval_timeout_ms: config.approval_timeout_ms,
        approval_attempts: config.approval_attempts,
        reasons: Reasons {
            reject: config.reject_reason.clone(),
            moved_on: config.moved_on_reason.clone(),
            sticky: config.sticky_reason.clone(),
            timeout: config.timeout_reason.clone(),
            cancel: config.cancel_reason.clone(),
            audit_failure: config.audit_failure_reason.clone(),
        },
    }
}

pub(super) fn rule(auto: AutoRule) -> Rule {
    let AutoRule { tool, fails, when, .. } = auto;
    let approves = move |call: &ToolCall| {
        if fails {
            return Err(RuleBroken);
        }
        let Some(when) = &when else { return Ok(true) };
        let argument = call.arguments.get(&when.arg);
        let equal = when.equals.as_ref().is_none_or(|value| argument == Some(value));
        let number = argument.and_then(Value::as_f64);
        Ok(equal && when.max.is_none_or(|max| number.is_some_and(|number| number <= max)))
    };
    Rule { tool, approves: Box::new(approves) }
}

pub(super) fn model_error(failure: Failure) -> ModelError {
    let kind = match failure.kind {
        FailureKind::Transport => ModelErrorKind::Transport,
        FailureKind::RateLimit => ModelErrorKind::RateLimit { retry_after_s: None },
        FailureKind::Timeout => ModelErrorKind::Timeout,
        FailureKind::Cancelled => ModelErrorKind::Cancelled,
    };
    ModelError { kind, message: failure.message }
}

pub(super) fn reply_content(block: vector::Block) -> Result<ReplyContent, String> {
    let vector::Block { text, call, server_result, opaque } = block;
    match (text, call, opaque) {
        (Some(text), None, None) => Ok(ReplyContent::Text(text)),
        (None, None, Some(block)) => {
            Ok(ReplyContent::Opaque(Opaque { provider: "scripted".to_owned(), block }))
        }
        (None, Some(call), None) => {
            let arguments = match (call.args, call.raw_args) {
                (Some(args), None) => Value::Object(args).to_string(),
                (None, Some(raw)) => raw,
                (None, None) => String::new(),
                (Some(_), Some(_)) => return Err("a call has args and raw_args".to_owned()),
            };
            let (id, name) = (call.id, call.name);
            Ok(ReplyContent::Call(ProposedCall {
                id,
                name,
                arguments,
                provider_result: server_result,
            }))
        }
        (_, _, _) => Err("a block of a turn is one of text, call and opaque".to_owned()),
    }
}

/// What a scripted tool does.
pub(super) fn outcome(script: Option<&ToolScript>, call: &ToolCall) -> ToolOutcome {
    let Some(script) = script else {
        return ToolOutcome::Returned { text: Some("ok".to_owned()), terminate: false };
    };
    if let Some(error) = &script.error {
        return ToolOutcome::Failed { text: error.clone() };
    }
    let text = script.returned.clone().flatten().map(|template| fill_in(template, &call.arguments));
    ToolOutcome::Returned { text, terminate: script.terminate }
}

fn fill_in(template: String, args: &Args) -> String {
    args.iter().fold(template, |text, (name, value)| {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.replace(&format!("{{{name}}}"), &shown)
    })
}
