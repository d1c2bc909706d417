//! A twin: the session, restored from what would be kept of it, must go on as the original does.

use agent::approval::CallState;
use agent::effect::Effect;
use agent::event::Event;
use agent::message::{Body, Message, ToolCall};
use agent::model::ModelRequest;
use agent::session::{Activity, Context, Session};
use serde_json::Value;

/// The session as it would come back from a store.
///
/// # Errors
/// If it would not come back, or not as it was.
pub fn restored(session: &Session) -> Result<Session, String> {
    let text = serde_json::to_string(&session.state()).map_err(|error| error.to_string())?;
    let state = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut twin =
        Session::restore(state, session.messages().to_vec()).map_err(|error| error.to_string())?;
    twin.mark_unsaved(session.unsaved_from());
    if twin.batch() != session.batch() {
        return Err("a restored batch is another one".to_owned());
    }
    Ok(twin)
}

/// Whether a restored session takes the next event exactly as this one does: nothing is under way.
#[must_use]
pub fn is_exact(session: &Session) -> bool {
    let recording =
        session.batch().iter().any(|it| matches!(it.state(), CallState::Recording { .. }));
    match session.activity() {
        Activity::Idle | Activity::Interrupted => true,
        Activity::AwaitingPerson => !recording,
        Activity::AwaitingModel | Activity::RecordingDecisions | Activity::RunningTools => false,
    }
}

/// Whether a session that came back from the store is this one, stopped where it is.
#[must_use]
pub fn same(kept: &Session, session: &Session) -> bool {
    let stopped = Session::restore(session.state(), session.messages().to_vec());
    stopped.is_ok_and(|stopped| {
        stopped.state() == kept.state() && stopped.messages() == kept.messages()
    })
}

/// Lets the twin take what the original took and compares what came of it.
///
/// # Errors
/// What differs.
pub fn compare(
    mut twin: Session,
    event: Event,
    context: &Context<'_>,
    original: &Session,
    effects: &[Effect],
) -> Result<(), String> {
    let named = format!("{event:?}");
    let own = twin.step(event, context);
    if own != effects {
        return Err(format!("after {named} the original does {effects:?}, its twin {own:?}"));
    }
    if twin.messages() != original.messages() {
        return Err(format!("after {named} the twin's transcript is another one"));
    }
    if kept(&twin) != kept(original) {
        return Err(format!("after {named} the twin's state is another one"));
    }
    Ok(())
}

/// The state, without the one mark that a restore takes back on purpose: tools are compared again.
fn kept(session: &Session) -> Option<Value> {
    let mut state = serde_json::to_value(session.state()).ok()?;
    if let Some(batch) = state.pointer_mut("/run/phase/batch").and_then(Value::as_object_mut) {
        batch.remove("checked");
    }
    Some(state)
}

/// A session that is stopped in the middle and told to go on sends every decision once more and
/// gives leave to run the released call once more; while the model answers, it asks the same again.
///
/// # Errors
/// What would be lost.
pub fn goes_on(
    session: &Session,
    calling: Option<&ModelRequest>,
    context: &Context<'_>,
) -> Result<(), String> {
    let mut twin = restored(session)?;
    let effects = twin.step(Event::Resumed, context);
    for it in session.batch() {
        let found = match it.state() {
            CallState::Recording { decision, .. } => effects.iter().any(|effect| match effect {
                Effect::RecordDecision(event) => {
                    event.request == decision.request && event.outcome == decision.outcome
                }
                Effect::RunTool(_)
                | Effect::Save
                | Effect::CallModel(_)
                | Effect::Ask(_)
                | Effect::WithdrawApproval { .. }
                | Effect::Finished(_)
                | Effect::DroppedResponse(_)
                | Effect::Ignored(_) => false,
            }),
            CallState::Running(_) => effects.iter().any(|effect| runs(effect, it.call())),
            CallState::Withdrawing { decision, .. } => effects.iter().any(|effect| {
                matches!(effect, Effect::WithdrawApproval { request, .. } if *request == decision.request)
            }),
            CallState::Held
            | CallState::Queued(_)
            | CallState::Open(_)
            | CallState::Approved(_)
            | CallState::Settled(_) => true,
        };
        if !found {
            return Err(format!("after a restart {} is forgotten: {effects:?}", it.call().name));
        }
    }
    let Some(calling) = calling else { return Ok(()) };
    // What became known while the model was asked is told when it is asked again.
    let asked = |request: &ModelRequest| -> Vec<Message> {
        let notes = |message: &&Message| !matches!(message.body, Body::Note(_));
        request.messages.iter().filter(notes).cloned().collect()
    };
    let same = effects.iter().any(
        |effect| matches!(effect, Effect::CallModel(request) if asked(request) == asked(calling)),
    );
    if same {
        Ok(())
    } else {
        Err(format!("after a restart the model is asked otherwise: {effects:?}"))
    }
}

fn runs(effect: &Effect, call: &ToolCall) -> bool {
    matches!(effect, Effect::RunTool(approved) if approved.call() == call)
}
