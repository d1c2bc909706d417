//! A kitchen that was lived in, and what a copy of one means.

use agent::approval::Answer;
use agent::event::{Event, ToolOutcome};
use agent::model::{ModelReply, ReplyContent, StopReason, Usage};
use agent::settings::Wait;
use kitchen::Edit;
use simulation::database::{Memory, at_once};
use store::backup::{Chain, Contents};
use store::settings::Preferences;

use crate::asked::Asked;
use crate::{KEY, NOW, open};

/// A list with every kind of line, a conversation in which something ran, one in which something was
/// turned down, their records, and settings that were chosen.
pub(crate) fn lived_in(name: &str) -> Memory {
    let memory = Memory::default();
    let store = open(&memory);
    for (item, quantity) in [("milk", "1 l"), ("crème fraîche \u{202e}", "½ cup"), (name, "")] {
        let (item, quantity) = (item.to_owned(), quantity.to_owned());
        at_once(store.edit(Edit::Add { item, quantity }, NOW)).unwrap().unwrap();
    }
    let milk = kitchen::LineId(1);
    at_once(store.edit(Edit::Check { line: milk, checked: true }, NOW)).unwrap().unwrap();

    let mut ran = Asked::eggs(&format!("{name}-ran"));
    let yes = ran.yes();
    at_once(store.record_decision(&yes)).unwrap();
    let call = ran.released(&yes);
    let came = at_once(store.run(&kitchen::tools(), &call, ran.session.id(), &KEY, NOW)).unwrap();
    finished(&mut ran, came.outcome);
    at_once(store.save_session(&ran.session, None, 0, NOW)).unwrap();

    let mut denied = Asked::eggs(&format!("{name}-denied"));
    let no = denied.answer(Answer::Reject { reason: Some("Too many “eggs”.".to_owned()) });
    at_once(store.record_decision(&no)).unwrap();
    denied.recorded(&no);
    replied(&mut denied);
    at_once(store.save_session(&denied.session, None, 0, NOW)).unwrap();

    let preferences = Preferences {
        model: name.to_owned(),
        one_at_a_time: true,
        shortcuts: false,
        prices: "a 1 2".to_owned(),
        wait: Some(Wait::new(2, 5)),
        ..Preferences::default()
    };
    at_once(store.prefer(&preferences)).unwrap();
    memory
}

fn finished(asked: &mut Asked, outcome: ToolOutcome) {
    let call = asked.session.batch()[0].call().id.clone();
    asked.step(Event::ToolFinished { call, outcome });
    replied(asked);
}

fn replied(asked: &mut Asked) {
    asked.step(Event::ModelReplied(ModelReply {
        content: vec![ReplyContent::Text("So it is.".to_owned())],
        stop: StopReason::EndTurn,
        usage: Usage::default(),
    }));
}

/// What a copy means, whatever its ids of lines and the order of its parts.
#[derive(Debug, PartialEq)]
pub(crate) struct Meaning {
    list: Vec<(String, String, String, bool)>,
    conversations: Vec<(String, String, u64)>,
    pub(crate) chains: Vec<Chain>,
    settings: Option<Preferences>,
}

pub(crate) fn meaning(contents: &Contents) -> Meaning {
    let household = contents.household.as_ref().unwrap();
    let lines = household
        .shopping
        .iter()
        .map(|line| (line.item.clone(), line.quantity.clone(), line.note.clone(), line.checked));
    let mut conversations: Vec<_> = contents
        .conversations
        .iter()
        .map(|it| {
            let messages = serde_json::to_string(it.session.messages()).unwrap();
            (it.session.id().0.clone(), messages, it.touched_at.0)
        })
        .collect();
    conversations.sort();
    let mut chains = contents.chains.clone();
    chains.sort_by(|a, b| a.head.digest.cmp(&b.head.digest));
    let (list, settings) = (lines.collect(), contents.settings.clone());
    Meaning { list, conversations, chains, settings }
}
