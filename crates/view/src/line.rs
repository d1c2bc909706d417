//! The line that is the same everywhere: a name, what was, what is to be.

use agent::message::ToolCall;
use kitchen::{Line, LineChange, LineId};
use serde_json::Value;

use crate::marks::Marked;

/// One line of an effect: on a card, a receipt, a row of a batch and the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectLine {
    /// The line of the list; absent where the line was drawn from arguments alone.
    pub line: Option<LineId>,
    /// What it is about.
    pub name: Marked,
    /// How it stands before; absent where that was not worked out.
    pub was: Option<Marked>,
    /// How it stands after.
    pub now: Marked,
    /// What else changes, each in a sentence.
    pub notes: Vec<Marked>,
    /// Whether the line was not there before.
    pub is_new: bool,
}

impl EffectLine {
    /// The line of a change that was worked out or that was made.
    #[must_use]
    pub fn of_change(change: &LineChange) -> Self {
        let (before, after) = (change.before.as_ref(), change.after.as_ref());
        let shown = after.or(before);
        let (was, now) = standings(before, after);
        Self {
            line: shown.map(|line| line.id),
            name: shown.map(|line| Marked::of(&line.item)).unwrap_or_default(),
            was: Some(was),
            now,
            notes: notes(before, after),
            is_new: before.is_none(),
        }
    }

    /// The line of a call that did not run or cannot be worked out, from its arguments alone.
    #[must_use]
    pub fn of_call(call: &ToolCall) -> Self {
        let argument = |name: &str| call.arguments.get(name).map(shown_value);
        let name = argument("item").unwrap_or_else(|| kitchen::title(&call.name).to_owned());
        let now = argument("quantity")
            .map(|quantity| if quantity.is_empty() { "on the list".to_owned() } else { quantity });
        Self {
            line: None,
            name: Marked::of(&name),
            was: None,
            now: now.map_or_else(|| Marked::ours(kitchen::title(&call.name)), |it| Marked::of(&it)),
            notes: Vec::new(),
            is_new: false,
        }
    }

    /// As it is read aloud: "eggs, not on the list becomes 12".
    #[must_use]
    pub fn spoken(&self) -> String {
        let (name, now) = (self.name.spoken(), self.now.spoken());
        match &self.was {
            Some(was) => format!("{name}, {} becomes {now}", was.spoken()),
            None => format!("{name}, {now}"),
        }
    }
}

/// An argument as it is shown: a text as it is, anything else as JSON.
pub(crate) fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            // Writing a value into memory cannot fail.
            serde_json::to_string(value).unwrap_or_default()
        }
    }
}

fn standings(before: Option<&Line>, after: Option<&Line>) -> (Marked, Marked) {
    let only_ticked = matches!((before, after), (Some(before), Some(after))
        if before.quantity == after.quantity && before.checked != after.checked);
    if only_ticked { (place(before), place(after)) } else { (amount(before), amount(after)) }
}

fn place(line: Option<&Line>) -> Marked {
    Marked::ours(match line {
        Some(line) if line.checked => "in the basket",
        Some(_) => "to get",
        None => "not on the list",
    })
}

fn amount(line: Option<&Line>) -> Marked {
    match line {
        Some(line) if line.quantity.is_empty() => Marked::ours("on the list"),
        Some(line) => Marked::of(&line.quantity),
        None => Marked::ours("not on the list"),
    }
}

fn notes(before: Option<&Line>, after: Option<&Line>) -> Vec<Marked> {
    let mut notes = Vec::new();
    if let (Some(before), Some(after)) = (before, after) {
        if before.item != after.item {
            notes.push(Marked::ours("Was called ").and(Marked::of(&before.item)));
        }
        if before.quantity != after.quantity && before.checked && !after.checked {
            notes.push(Marked::ours("Is to be got again"));
        }
    }
    let note_before = before.map_or("", |line| line.note.as_str());
    let note_after = after.map_or("", |line| line.note.as_str());
    if note_before != note_after && after.is_some() {
        notes.push(if note_after.is_empty() {
            Marked::ours("The note is taken off")
        } else {
            Marked::ours("Note: ").and(Marked::of(note_after))
        });
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(item: &str, quantity: &str, checked: bool) -> Line {
        Line {
            id: LineId(7),
            item: item.to_owned(),
            quantity: quantity.to_owned(),
            note: String::new(),
            checked,
        }
    }

    #[track_caller]
    fn check(before: Option<Line>, after: Option<Line>, spoken: &str) {
        assert_eq!(EffectLine::of_change(&LineChange { before, after }).spoken(), spoken);
    }

    #[test]
    fn a_line_says_what_was_and_what_is_to_be() {
        check(None, Some(line("eggs", "12", false)), "eggs, not on the list becomes 12");
        check(None, Some(line("salt", "", false)), "salt, not on the list becomes on the list");
        check(
            Some(line("milk", "1 l", false)),
            Some(line("milk", "2 l", false)),
            "milk, 1 l becomes 2 l",
        );
        check(
            Some(line("bread", "1", false)),
            Some(line("bread", "1", true)),
            "bread, to get becomes in the basket",
        );
        check(Some(line("bread", "1", false)), None, "bread, 1 becomes not on the list");
    }

    #[test]
    fn what_else_changes_is_said() {
        let change = LineChange {
            before: Some(line("egg", "6", true)),
            after: Some(Line { note: "free range".to_owned(), ..line("eggs", "12", false) }),
        };
        let notes: Vec<_> =
            EffectLine::of_change(&change).notes.iter().map(Marked::spoken).collect();
        assert_eq!(notes, ["Was called egg", "Is to be got again", "Note: free range"]);
    }

    #[test]
    fn a_call_is_drawn_from_its_arguments() {
        let arguments = serde_json::json!({"item": "eggs", "quantity": "12"});
        let call = ToolCall {
            id: agent::id::CallId("c".to_owned()),
            model_id: "m".to_owned(),
            name: "add_to_shopping_list".to_owned(),
            arguments: arguments.as_object().cloned().expect("an object"),
        };
        assert_eq!(EffectLine::of_call(&call).spoken(), "eggs, 12");
    }
}
