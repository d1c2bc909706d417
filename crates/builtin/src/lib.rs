//! The built-in model: rules, not a language model. It needs no key and no network, and the same
//! request always gets the same reply.
//!
//! It proposes a change only when a sentence clearly asks for one; everything else gets an
//! explanation of what it understands. What tools return is only ever quoted.
//!
//! Where to start:
//! 1. [`reply`]: who speaks, and what is answered.
//! 2. `wish`: what a text asks for, by the tables in `language`.
//! 3. `correction`: what a text changes about calls that were proposed before it.

mod amount;
mod answer;
mod correction;
mod items;
mod language;
mod list_name;
mod plan;
mod transcript;
mod wish;
mod words;

use std::collections::HashSet;

use agent::model::{
    ModelReply, ModelRequest, ProposedCall, ReplyContent, StopReason, ToolChoice, Usage,
};
use kitchen::aisle::{self, Aisle};
use serde_json::Value;

use correction::Corrected;
use language::{LANGUAGES, Language};
use plan::Step;
use transcript::{Proposal, Turn, calls_of, turn};
use wish::{Reading, Wish};

/// The name it is asked for by.
pub const MODEL: &str = "kitchen-rules";

/// The most calls in one reply.
const CALLS_MAX: usize = agent::limits::CALLS_PER_REPLY_MAX;

/// The longest text that is read, in characters: a long list fits, a book does not.
const TEXT_CHARS_MAX: usize = 2000;

/// More words than this beside a known item are likely a sentence and not its name.
const NAME_WORDS_MAX: usize = 3;

const WHAT_I_KNOW: &str = "I go by rules, not by a language model, and know the shopping list: \
                           say “add a dozen eggs” or “what is on the list?”.";

/// The model's reply to a request.
#[must_use]
pub fn reply(request: &ModelRequest) -> ModelReply {
    let (text, steps) = match turn(&request.messages) {
        Turn::Results { text, proposals } => (answer::to_results(&text, &proposals), Vec::new()),
        Turn::Person { text, before } => to_person(&text, &before),
    };
    let (text, steps) = allowed(request, text, steps);
    written(request, &text, &steps)
}

/// What is said to the person's words, and the calls that are proposed.
fn to_person(text: &str, before: &[Proposal<'_>]) -> (String, Vec<Step>) {
    if text.chars().count() > TEXT_CHARS_MAX {
        let said = format!(
            "That is too long for my rules, so nothing was changed. Say it in at most \
             {TEXT_CHARS_MAX} characters."
        );
        return (said, Vec::new());
    }
    let open = before.iter().any(|it| it.fate.may_be_proposed_again());
    if is_whole(text, |lang| lang.no) {
        return (no(before), Vec::new());
    }
    if is_whole(text, |lang| lang.yes) {
        return yes(before, open);
    }
    if let Some(small_talk) = small_talk(text) {
        return (small_talk, Vec::new());
    }
    let correction = correction::read(text).map(|it| correction::apply(&it, before));
    match correction {
        Some(Corrected::Steps(steps)) => return (String::new(), steps),
        Some(Corrected::Which(items)) => {
            let items: Vec<_> = items.iter().map(|item| answer::plain(item)).collect();
            let first = items.first().map_or("", String::as_str);
            let items = items.join(" or ");
            let said = format!("Which one, {items}? Say it with its name, as in “no, 6 {first}”.");
            return (said, Vec::new());
        }
        Some(Corrected::Nothing) | None => {}
    }
    from_reading(text, wish::read(text), before)
}

fn from_reading(text: &str, reading: Reading, before: &[Proposal<'_>]) -> (String, Vec<Step>) {
    let steps = plan::steps(&reading.wishes);
    let unclear: Vec<_> =
        reading.unclear.iter().map(|it| format!("“{}”", answer::plain(it))).collect();
    if steps.is_empty() {
        let unchanged = if before.iter().any(|it| it.fate.may_be_proposed_again()) {
            "Nothing was changed. "
        } else {
            ""
        };
        let meant = names_only_items(text).then(|| {
            let items = answer::plain(text.trim());
            format!("If that is to go on the list, say “add {items}”.")
        });
        let said = meant.unwrap_or_else(|| format!("I did not understand that. {WHAT_I_KNOW}"));
        return (format!("{unchanged}{said}"), steps);
    }
    let changed = reading.wishes.iter().find_map(|wish| changes_what_waited(wish, before));
    if let Some(steps) = changed {
        return (String::new(), steps);
    }
    let said = match unclear.as_slice() {
        [] => String::new(),
        [..] => format!("I did not understand {} and left it.", unclear.join(" and ")),
    };
    (said, steps)
}

/// Whether the text is known items and nothing else, so that a verb is all that is missing.
fn names_only_items(text: &str) -> bool {
    let reading = wish::read(&format!("add {text}"));
    let is_known = |wish: &Wish| match wish {
        Wish::Add { item, .. } => {
            aisle::of(item) != Aisle::Other && item.split(' ').count() <= NAME_WORDS_MAX
        }
        Wish::Remove { .. } | Wish::Check { .. } | Wish::Change { .. } | Wish::Read { .. } => false,
    };
    !text.contains(['\n', '.', ';', ':', '?', '!'])
        && reading.unclear.is_empty()
        && !reading.wishes.is_empty()
        && reading.wishes.iter().all(is_known)
}

/// "Make the eggs six", said of eggs that are not on the list yet.
fn changes_what_waited(wish: &Wish, before: &[Proposal<'_>]) -> Option<Vec<Step>> {
    let Wish::Change { item, quantity } = wish else { return None };
    let correction = correction::Correction::AmountOf(item.clone(), quantity.clone());
    match correction::apply(&correction, before) {
        Corrected::Steps(steps) => Some(steps),
        Corrected::Which(_) | Corrected::Nothing => None,
    }
}

fn is_whole(text: &str, words: impl Fn(&Language) -> &'static [&'static str]) -> bool {
    let said: String = text.to_lowercase().replace('’', "'");
    let said =
        said.trim_matches(|it: char| it.is_whitespace() || ",.!".contains(it)).replace(',', "");
    LANGUAGES.iter().any(|lang| words(lang).contains(&said.as_str()))
}

fn no(before: &[Proposal<'_>]) -> String {
    let done = before
        .iter()
        .any(|it| matches!(it.fate, transcript::Fate::Done(_)) && it.call.name != plan::READ);
    if done {
        "What was done stays done. The page has an undo for every change, or tell me what to \
         change."
            .to_owned()
    } else {
        "Nothing was changed. What would you like instead?".to_owned()
    }
}

/// A typed yes approves nothing; what waited is proposed once more.
fn yes(before: &[Proposal<'_>], open: bool) -> (String, Vec<Step>) {
    if !open {
        return ("All right. Tell me what to do with the list.".to_owned(), Vec::new());
    }
    let again = before.iter().filter(|it| it.fate.may_be_proposed_again());
    let steps = again
        .map(|it| Step { tool: it.call.name.clone(), arguments: it.call.arguments.clone() })
        .collect();
    let said = "A typed yes does not approve anything. Here it is again, with its own button.";
    (said.to_owned(), steps)
}

fn small_talk(text: &str) -> Option<String> {
    let said = text.to_lowercase().replace('’', "'");
    let said = said.trim_matches(|it: char| it.is_whitespace() || ",.!?".contains(it));
    let greetings =
        ["hi", "hello", "hey", "good morning", "good evening", "hoi", "hallo", "bonjour", "salut"];
    let thanks = ["thanks", "thank you", "thx", "cheers", "dank je", "bedankt", "danke", "merci"];
    let help = [
        "help",
        "what can you do",
        "who are you",
        "how does this work",
        "what are you",
        "hilfe",
        "aide",
    ];
    let undo = ["undo", "undo that", "undo it", "take it back", "take that back", "revert that"];
    if greetings.contains(&said) {
        return Some(format!("Hello. {WHAT_I_KNOW}"));
    }
    if thanks.contains(&said) {
        return Some("You are welcome.".to_owned());
    }
    if help.contains(&said) {
        return Some(format!(
            "{WHAT_I_KNOW} I add, change, tick off and take off; nothing changes before you have \
             seen it and said yes. For free conversation choose a language model in the settings."
        ));
    }
    if undo.contains(&said) {
        return Some(
            "I cannot take things back. The page has an undo for every change.".to_owned(),
        );
    }
    let orders = ["order ", "place an order", "place order", "bestell"];
    orders.iter().any(|start| said.starts_with(start)).then(|| {
        "I cannot order anything: no shop is set up here, and nothing was sent. I can read you the \
         list, to print it or to share it."
            .to_owned()
    })
}

/// Only what the request allows: declared tools, if any may be called, and not too many at once.
fn allowed(request: &ModelRequest, text: String, steps: Vec<Step>) -> (String, Vec<Step>) {
    if steps.is_empty() {
        return (text, steps);
    }
    let offered = |step: &Step| request.tools.iter().any(|tool| tool.name == step.tool);
    if request.tool_choice == ToolChoice::None || !steps.iter().all(offered) {
        let text = "I cannot do that here: the tool for it may not be called now. Nothing was \
                    changed.";
        return (text.to_owned(), Vec::new());
    }
    if steps.len() > CALLS_MAX {
        let text = format!(
            "That is more than I can propose at once. Give me at most {CALLS_MAX} at a time; \
             nothing was changed."
        );
        return (text, Vec::new());
    }
    (text, steps)
}

fn written(request: &ModelRequest, text: &str, steps: &[Step]) -> ModelReply {
    let mut content = Vec::new();
    if !text.trim().is_empty() {
        content.push(ReplyContent::Text(text.to_owned()));
    }
    let calls = request.messages.iter().flat_map(calls_of);
    let mut taken: HashSet<String> = calls.map(|call| call.model_id.clone()).collect();
    let mut number = taken.len();
    for step in steps {
        let id = loop {
            number += 1;
            let id = format!("call_{number}");
            if taken.insert(id.clone()) {
                break id;
            }
        };
        content.push(ReplyContent::Call(ProposedCall {
            id,
            name: step.tool.clone(),
            arguments: Value::Object(step.arguments.clone()).to_string(),
            provider_result: None,
        }));
    }
    let stop = if steps.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
    ModelReply { content, stop, usage: Usage::default() }
}

#[cfg(test)]
mod tests;
